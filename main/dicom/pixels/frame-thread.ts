import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "../../../core/app-error.ts";
import { startCodecPair, type CodecPair } from "./codec-pair.ts";
import type { FrameReply, FrameRequest, FrameThreadData } from "./frame-messages.ts";
import { readFrame } from "./read-frame.ts";

// A thread of its own, because the bytes come from anywhere: whatever they do to a decoder, this thread is all that it can take down.

/** A codec's memory never shrinks; one that has grown beyond this is given up [bytes]. */
const codecMemoryBytes = 512 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error("frame-thread is started as a worker thread");
const { codecs: module } = workerData as FrameThreadData;
let codecs: CodecPair | null = null;
const startCodec = async () => (codecs ??= await startCodecPair(module));
const send = (reply: FrameReply, transferred: readonly ArrayBuffer[] = []) => port.postMessage(reply, transferred);

port.on("message", ({ bytes, frameIndex }: FrameRequest) => {
  readFrame(bytes, frameIndex, startCodec, (pixels) => send({ kind: "checked", pixels })).then(
    (frame) => send({ kind: "frame", frame, isSpent: isSpent() }, [frame.samples, frame.colour].flatMap((pixels) => (pixels ? [pixels.buffer as ArrayBuffer] : []))),
    (error: unknown) => {
      const wasSpent = isSpent();
      // Only a codec fails outside the catalogue; its memory is then in an unknown state.
      if (!(error instanceof AppError)) giveUpCodecs();
      send({ kind: "failure", ...faultOf(error), isSpent: wasSpent });
    },
  );
});

send({ kind: "started" });

function giveUpCodecs(): void {
  codecs?.close();
  codecs = null;
}

function isSpent(): boolean {
  return codecs !== null && codecs.memoryBytes() > codecMemoryBytes;
}

function faultOf(error: unknown): { readonly code: AppError["code"]; readonly message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  const why = error instanceof Error ? error.message.replace(/[^\x20-\x7e]/g, "").slice(0, 160) : "";
  return { code: "INVALID_DICOM", message: `The DICOM file is damaged: its picture cannot be decompressed${why ? ` (${why})` : ""}` };
}
