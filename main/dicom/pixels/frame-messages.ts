import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { DicomFrame } from "./dicom-frame.ts";

/** What a decoding thread is asked. */
export type FrameRequest = { readonly bytes: Uint8Array; readonly frameIndex: number };

/**
 * What it answers: once, that it has started; to each frame, first the size of a picture that is worth decoding, then the frame or the fault. `isSpent` asks for another thread, since
 * this one's codec holds too much memory.
 */
export type FrameReply =
  | { readonly kind: "started" }
  | { readonly kind: "checked"; readonly pixels: number }
  | { readonly kind: "frame"; readonly frame: DicomFrame; readonly isSpent: boolean }
  | { readonly kind: "failure"; readonly code: ErrorCode; readonly message: string; readonly isSpent: boolean };

/** What a decoding thread is started with. */
export type FrameThreadData = { readonly codecs: WebAssembly.Module };
