import type { DecodedImage } from "../../imaging/decode-image.ts";

/** A decoded picture keeps its samples in memory, so larger ones are decoded again for their measurement [px]. */
const mostPixels = 32_000_000;

/** Decoded picture of the film added last, kept until the film is measured. */
export type DecodedFilm = {
  keep(filmId: string, image: DecodedImage): void;
  /** Returns the picture of a film and forgets it; undefined if another film was added since. */
  release(filmId: string): DecodedImage | undefined;
};

export function createDecodedFilm(): DecodedFilm {
  let last: { readonly filmId: string; readonly image: DecodedImage } | null = null;
  return {
    keep(filmId, image) {
      last = image.fullWidthPx * image.fullHeightPx <= mostPixels ? { filmId, image } : null;
    },
    release(filmId) {
      if (last?.filmId !== filmId) return undefined;
      const { image } = last;
      last = null;
      return image;
    },
  };
}
