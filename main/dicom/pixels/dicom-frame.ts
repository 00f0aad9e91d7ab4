import type { SampleWindow } from "../../imaging/sample-window.ts";

export type DicomFrame = {
  /** In square pixels, even if those of the file are not. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** The pixel aspect in the file is unreadable, so the proportions may be wrong. */
  readonly isShapeDoubtful: boolean;
  /** 8–16: as many as the samples need. */
  readonly bits: number;
  /** Row-major; larger is brighter, independent of the file's convention; padding is 0. Uint16Array above 8 bits. */
  readonly samples: Uint8Array | Uint16Array;
  /**
   * The file's first window; the whole range for 8-bit pictures and those with a table or a sigmoid; else between
   * robust percentiles.
   */
  readonly window: SampleWindow;
  /**
   * Samples to measure, with a separate window: values after the modality's table, larger is brighter. Independent of
   * the window, table or sigmoid for display.
   */
  readonly measured: { readonly samples: Uint8Array | Uint16Array; readonly window: SampleWindow };
  readonly isWindowOfFile: boolean;
  /** The file's window or table is ignored because it shows nearly the whole film in black, or in white. */
  readonly isWindowIgnored: boolean;
  /**
   * The modality's value is `slope * sample + intercept`, in `unit` if the file names one in ASCII; null after a table
   * or a sigmoid.
   */
  readonly value: { readonly slope: number; readonly intercept: number; readonly unit: string | null } | null;
  /** Interleaved red, green, blue, 0–255; null when the picture is grey. `samples` is the luma of a colour picture. */
  readonly colour: Uint8Array | null;
};
