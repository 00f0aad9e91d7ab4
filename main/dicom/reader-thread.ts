import { serveThread } from "../workers/serve-thread.ts";
import { deidentifyFile } from "./deidentification/deidentify-file.ts";
import { contentsOf } from "./dicom-contents.ts";
import { readDicomFile } from "./dicom-file.ts";
import { excerptOf } from "./elements/element-excerpt.ts";
import { compileCodecs, type Codecs } from "./pixels/coded/codec-module.ts";
import { startSturdyCodecs } from "./pixels/coded/sturdy-codecs.ts";
import type { DicomFrame } from "./pixels/dicom-frame.ts";
import { readFrame } from "./pixels/read-frame.ts";
import type { ReaderCalls } from "./reader-calls.ts";

// Runs in a separate thread because the bytes are untrusted: a parser or decoder that crashes ends only this thread.

/** Memory of a codec, which never shrinks, above which the thread is replaced [bytes]. */
const codecMemoryBytes = 512 * 1024 * 1024;

let module: WebAssembly.Module | null = null;
let codecs: Codecs | null = null;
const startCodec = async () => (codecs ??= await startSturdyCodecs((module ??= await compileCodecs())));

serveThread<ReaderCalls>(
  {
    frame: ({ bytes, frameIndex }, call) =>
      readFrame(bytes, frameIndex, startCodec, (pixels) => call.progress({ pixels })),
    contents: ({ bytes }) => contentsOf(readDicomFile(bytes)),
    excerpt: ({ bytes }) => excerptOf(readDicomFile(bytes)),
    deidentified: ({ bytes, how }, call) =>
      deidentifyFile(bytes, how, startCodec, (pixels) => call.progress({ pixels })),
  },
  {
    isSpent: () => codecs !== null && codecs.memoryBytes() > codecMemoryBytes,
    transferred: pixelsOf,
  },
);

function pixelsOf(answer: ReaderCalls[keyof ReaderCalls]["answer"]): ArrayBuffer[] {
  const { samples, measured, colour } = answer as Partial<DicomFrame>;
  const buffers = [samples, measured?.samples, colour].flatMap((pixels) =>
    pixels ? [pixels.buffer as ArrayBuffer] : [],
  );
  return [...new Set(buffers)];
}
