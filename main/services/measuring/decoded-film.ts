import type { DecodedImage } from "../../imaging/decode-image.ts";

/** Larger pictures are decoded again for their measurement. */
const maxPixels = 32_000_000;

/** Decoded picture of the film added last, kept until the film is measured. */
export type DecodedFilm = {
  keep(filmId: string, image: DecodedImage): void;
  /** Undefined if another film was added since. */
  release(filmId: string): DecodedImage | undefined;
};

export function createDecodedFilm(): DecodedFilm {
  let last: { readonly filmId: string; readonly image: DecodedImage } | null = null;
  return {
    keep(filmId, image) {
      last = image.fullWidthPx * image.fullHeightPx <= maxPixels ? { filmId, image } : null;
    },
    release(filmId) {
      if (last?.filmId !== filmId) return undefined;
      const { image } = last;
      last = null;
      return image;
    },
  };
}
