import type { ErrorCode } from "../../core/contract/error-catalogue.ts";
import type { DicomContents } from "./dicom-contents.ts";
import type { ElementExcerpt } from "./element-excerpt.ts";
import type { DicomFrame } from "./pixels/dicom-frame.ts";

/** What can be wanted of a file: one frame, what it says of itself, or the elements that results take over. */
export type ReaderTask =
  | { readonly kind: "frame"; readonly frameIndex: number }
  | { readonly kind: "contents" }
  | { readonly kind: "excerpt" };

/** What a reading thread is asked. */
export type ReaderRequest = { readonly bytes: Uint8Array; readonly task: ReaderTask };

/** What comes of a file. */
export type ReaderAnswer =
  | { readonly kind: "frame"; readonly frame: DicomFrame }
  | { readonly kind: "contents"; readonly contents: DicomContents }
  | { readonly kind: "excerpt"; readonly excerpt: ElementExcerpt };

/**
 * What a reading thread answers: once, that it has started; of each frame, first the size of a picture that is worth
 * decoding; then the answer or the fault. `isSpent` asks for another thread, since this one's codec holds too much
 * memory.
 */
export type ReaderReply =
  | { readonly kind: "started" }
  | { readonly kind: "checked"; readonly pixels: number }
  | { readonly kind: "answer"; readonly answer: ReaderAnswer; readonly isSpent: boolean }
  | { readonly kind: "failure"; readonly code: ErrorCode; readonly message: string; readonly isSpent: boolean }
  /** Anything that is no fault of the file. */
  | { readonly kind: "bug"; readonly message: string };

/** What a reading thread is started with. */
export type ReaderThreadData = { readonly codecs: WebAssembly.Module };
