import type { Deidentification } from "./deidentification/deidentification.ts";
import type { DicomContents } from "./dicom-contents.ts";
import type { ElementExcerpt } from "./elements/element-excerpt.ts";
import type { DicomFrame } from "./pixels/dicom-frame.ts";

/**
 * What can be wanted of a file: one frame, what it says of itself, the elements that results take over,
 * or the file without whoever it is about. A frame that
 * is worth decoding first tells how many pixels it has.
 */
export type ReaderCalls = {
  readonly frame: {
    readonly request: { readonly bytes: Uint8Array; readonly frameIndex: number };
    readonly answer: DicomFrame;
    readonly progress: { readonly pixels: number };
  };
  readonly contents: {
    readonly request: { readonly bytes: Uint8Array };
    readonly answer: DicomContents;
    readonly progress: never;
  };
  readonly excerpt: {
    readonly request: { readonly bytes: Uint8Array };
    readonly answer: ElementExcerpt;
    readonly progress: never;
  };
  readonly deidentified: {
    readonly request: { readonly bytes: Uint8Array; readonly how: Deidentification };
    readonly answer: Uint8Array;
    readonly progress: { readonly pixels: number };
  };
};

/** What a reading thread is started with. */
export type ReaderThreadData = { readonly codecs: WebAssembly.Module };
