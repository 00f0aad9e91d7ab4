import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { CodecFault, startCodecs, type CodedFrame, type Codecs } from "./codec-module.ts";
import { codestreamHalves } from "./codestream-halves.ts";
import type { ReaderThreadData } from "../reader-messages.ts";
import type { HalfReply, HalfRequest } from "./half-messages.ts";

/** Codecs with a second thread at their side. */
export type CodecPair = Codecs & { close(): void };

const threadFile = new URL(`./half-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 } as const;

/**
 * A smaller picture is decoded before a second thread has it; each half of a larger one takes as much memory as the
 * whole [pixels].
 */
const halvedPixels = { least: 1e6, most: 32e6 } as const;

/**
 * Starts codecs that decode a large JPEG 2000 picture in two threads; the second starts with the first such picture.
 */
export async function startCodecPair(module: WebAssembly.Module): Promise<CodecPair> {
  const own = await startCodecs(module);
  let second: Worker | null = null;
  return {
    async decode(frame) {
      const halves = isLargeJpeg2000(frame) ? codestreamHalves(frame.bytes) : null;
      if (halves === null) return own.decode(frame);
      const [upper, lower] = halves;
      const workerData: ReaderThreadData = { codecs: module };
      second ??= new Worker(threadFile, { workerData, resourceLimits });
      const lowerRows = rowsFrom(second, {
        frame: { ...frame, bytes: lower.bytes },
        top: lower.top,
        bottom: lower.bottom,
      });
      const [samples, rows] = await Promise.all([own.decode({ ...frame, bytes: upper.bytes }), lowerRows]);
      samples.set(rows, lower.top * (samples.length / frame.heightPx));
      return samples;
    },
    memoryBytes: own.memoryBytes,
    close: () => void second?.terminate(),
  };
}

function isLargeJpeg2000({ coding, widthPx, heightPx, samplesPerPixel }: CodedFrame): boolean {
  const pixels = widthPx * heightPx;
  return (
    coding === "DecodeJpeg2000" &&
    samplesPerPixel === 1 &&
    pixels >= halvedPixels.least &&
    pixels <= halvedPixels.most &&
    availableParallelism() > 1
  );
}

/** @throws CodecFault of the other thread's codec, Error when the thread died */
async function rowsFrom(thread: Worker, request: HalfRequest): Promise<Uint8Array> {
  thread.postMessage(request);
  const [reply] = (await once(thread, "message")) as [HalfReply];
  if ("fault" in reply) throw new CodecFault(reply.fault);
  return reply.rows;
}
