import type { Deidentification } from "./deidentification/deidentification.ts";
import type { DicomContents } from "./dicom-contents.ts";
import type { ElementExcerpt } from "./elements/element-excerpt.ts";
import type { DicomFrame } from "./pixels/dicom-frame.ts";

/** `excerpt`: the elements that results copy. The number of pixels is reported before a frame is decoded. */
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
