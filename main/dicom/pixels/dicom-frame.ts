import type { SampledPicture } from "../../imaging/image-of-samples.ts";

/**
 * `window` is the file's first one; the whole range for 8-bit pictures and those with a table or a sigmoid; else the
 * range between robust percentiles.
 */
export type DicomFrame = SampledPicture & {
  /** 8–16: as many as the samples need. */
  readonly bits: number;
  /**
   * The modality's value is `slope * sample + intercept`, in `unit` if the file names one in ASCII; null after a table
   * or a sigmoid.
   */
  readonly value: { readonly slope: number; readonly intercept: number; readonly unit: string | null } | null;
};
