import { availableParallelism } from "node:os";
import { startThread, threadFile, type Thread } from "../../../workers/start-thread.ts";
import { CodecFault, type CodedFrame, type Codecs } from "./codec-module.ts";
import { hasWholeForm } from "./coded-form.ts";
import { codestreamHalves } from "./codestream-halves.ts";
import { startSturdyCodecs } from "./sturdy-codecs.ts";
import type { ReaderThreadData } from "../../reader-calls.ts";

/** Codecs with a second thread at their side. */
export type CodecPair = Codecs & { close(): void };

/**
 * Calls of the helper thread: decodes a frame and returns the bytes of the rows from `top` to `bottom`, or the fault of
 * its codec.
 */
export type HalfCalls = {
  rows: {
    readonly request: { readonly frame: CodedFrame; readonly top: number; readonly bottom: number };
    readonly answer: { readonly rows: Uint8Array } | { readonly fault: string };
  };
};

const limits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 } as const;

/**
 * A smaller picture is decoded before a second thread has it; each half of a larger one takes as much memory as the
 * whole [pixels].
 */
const halvedPixels = { least: 1e6, most: 32e6 } as const;

/**
 * Starts codecs that decode a large JPEG 2000 picture in two threads; the second starts with the first such picture.
 */
export async function startCodecPair(module: WebAssembly.Module): Promise<CodecPair> {
  const own = await startSturdyCodecs(module);
  let second: Thread<HalfCalls> | null = null;
  const decode = async (frame: CodedFrame): Promise<Uint8Array> => {
    const halves = isLargeJpeg2000(frame) ? codestreamHalves(frame.bytes) : null;
    if (halves === null) return own.decode(frame);
    const [upper, lower] = halves;
    const data: ReaderThreadData = { codecs: module };
    second ??= startThread(threadFile("half-thread", import.meta.url), { data, limits });
    const lowerRows = second.call("rows", {
      frame: { ...frame, bytes: lower.bytes },
      top: lower.top,
      bottom: lower.bottom,
    });
    const [samples, half] = await Promise.all([own.decode({ ...frame, bytes: upper.bytes }), lowerRows]);
    if ("fault" in half) throw new CodecFault(half.fault);
    samples.set(half.rows, lower.top * (samples.length / frame.heightPx));
    return samples;
  };
  return {
    decode: (frame) =>
      decode(frame).catch((error: unknown) => {
        if (!(error instanceof CodecFault)) throw error;
        throw new CodecFault(error.message, { cause: error, isFormWhole: hasWholeForm(frame.bytes, frame.coding) });
      }),
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
