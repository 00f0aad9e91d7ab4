import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "../../core/app-error.ts";
import { contentsOf } from "./dicom-contents.ts";
import { readDicomFile } from "./dicom-file.ts";
import { excerptOf } from "./element-excerpt.ts";
import { CodecFault } from "./pixels/codec-module.ts";
import { startCodecPair, type CodecPair } from "./pixels/codec-pair.ts";
import { readFrame } from "./pixels/read-frame.ts";
import type { ReaderAnswer, ReaderReply, ReaderRequest, ReaderThreadData } from "./reader-messages.ts";

// A thread of its own, because the bytes come from anywhere: whatever they do to a parser or decoder, this thread is
// all that they can take down.

/** A codec's memory never shrinks; one that has grown beyond this is given up [bytes]. */
const codecMemoryBytes = 512 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error("reader-thread is started as a worker thread");
const { codecs: module } = workerData as ReaderThreadData;
let codecs: CodecPair | null = null;
const startCodec = async () => (codecs ??= await startCodecPair(module));
const send = (reply: ReaderReply, transferred: readonly ArrayBuffer[] = []) => port.postMessage(reply, transferred);

port.on("message", (request: ReaderRequest) => {
  answerTo(request).then(
    (answer) => send({ kind: "answer", answer, isSpent: isSpent() }, pixelsOf(answer)),
    (error: unknown) => send(failureOf(error)),
  );
});

send({ kind: "started" });

async function answerTo({ bytes, task }: ReaderRequest): Promise<ReaderAnswer> {
  switch (task.kind) {
    case "frame":
      return {
        kind: "frame",
        frame: await readFrame(bytes, task.frameIndex, startCodec, (pixels) => send({ kind: "checked", pixels })),
      };
    case "contents":
      return { kind: "contents", contents: contentsOf(readDicomFile(bytes)) };
    case "excerpt":
      return { kind: "excerpt", excerpt: excerptOf(readDicomFile(bytes)) };
  }
}

/** Pixels go to the program as they are, without a copy. */
function pixelsOf(answer: ReaderAnswer): ArrayBuffer[] {
  if (answer.kind !== "frame") return [];
  return [answer.frame.samples, answer.frame.colour].flatMap((pixels) =>
    pixels ? [pixels.buffer as ArrayBuffer] : [],
  );
}

function failureOf(error: unknown): ReaderReply {
  if (error instanceof AppError)
    return { kind: "failure", code: error.code, message: error.message, isSpent: isSpent() };
  if (!(error instanceof CodecFault))
    return { kind: "bug", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  const why = error.message.replace(/[^\x20-\x7e]/g, "").slice(0, 160);
  const message = `The DICOM file is damaged: its picture cannot be decompressed${why ? ` (${why})` : ""}`;
  const wasSpent = isSpent();
  // The memory of a codec that has failed is in an unknown state.
  codecs?.close();
  codecs = null;
  return { kind: "failure", code: "INVALID_DICOM", message, isSpent: wasSpent };
}

function isSpent(): boolean {
  return codecs !== null && codecs.memoryBytes() > codecMemoryBytes;
}
