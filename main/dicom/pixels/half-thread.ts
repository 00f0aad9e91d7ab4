import { parentPort, workerData } from "node:worker_threads";
import { startCodecs, type Codecs } from "./codec-module.ts";
import type { ReaderThreadData } from "../reader-messages.ts";
import type { HalfReply, HalfRequest } from "./half-messages.ts";

// Decodes one half of a large picture for the decoding thread that started it, and ends with that thread.

const port = parentPort;
if (!port) throw new Error("half-thread is started as a worker thread");
const { codecs: module } = workerData as ReaderThreadData;
let codecs: Codecs | null = null;
const send = (reply: HalfReply, transferred: readonly ArrayBuffer[] = []) => port.postMessage(reply, transferred);

port.on("message", ({ frame, top, bottom }: HalfRequest) => {
  decodeHalf(frame, top, bottom).then(
    (rows) => send({ rows }, [rows.buffer as ArrayBuffer]),
    (error: unknown) => send({ fault: error instanceof Error ? error.message : "" }),
  );
});

async function decodeHalf(frame: HalfRequest["frame"], top: number, bottom: number): Promise<Uint8Array> {
  codecs ??= await startCodecs(module);
  const samples = await codecs.decode(frame);
  const rowBytes = samples.length / frame.heightPx;
  return samples.slice(top * rowBytes, bottom * rowBytes);
}
