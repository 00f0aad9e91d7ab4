import { workerData } from "node:worker_threads";
import { serveThread } from "../../../workers/serve-thread.ts";
import type { ReaderThreadData } from "../../reader-calls.ts";
import { CodecFault, startCodecs, type CodedFrame, type Codecs } from "./codec-module.ts";
import type { HalfCalls } from "./codec-pair.ts";

// Decodes one half of a large picture for the decoding thread that started it, and ends with that thread.

const { codecs: module } = workerData as ReaderThreadData;
let codecs: Codecs | null = null;

serveThread<HalfCalls>(
  {
    rows: async ({ frame, top, bottom }) => {
      try {
        return { rows: await rowsOf(frame, top, bottom) };
      } catch (error) {
        if (!(error instanceof CodecFault)) throw error;
        // Its memory is in an unknown state.
        codecs = null;
        return { fault: error.message };
      }
    },
  },
  { transferred: (answer) => ("rows" in answer ? [answer.rows.buffer as ArrayBuffer] : []) },
);

async function rowsOf(frame: CodedFrame, top: number, bottom: number): Promise<Uint8Array> {
  codecs ??= await startCodecs(module);
  const samples = await codecs.decode(frame);
  const rowBytes = samples.length / frame.heightPx;
  return samples.slice(top * rowBytes, bottom * rowBytes);
}
