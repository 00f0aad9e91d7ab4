import type { DecodedImage } from "../../imaging/decode-image.ts";

/** Part of the pixels whose colour is not that of their grey level, from which on a camera may have taken the picture. */
const leastColouredPixels = 0.14;
/** The same of squares: rounding and JPEG shift the colours of a tinted film's pixels, but hardly those of squares. */
const leastColouredSquares = 0.09;
/** How far from it the two colour differences are together [levels]. */
const leastDifference = 1;
/** How closely the usual difference follows the grey level. */
const levelsPerStep = 4;
/** Pixels that are looked at; more say the same. */
const samples = 60_000;
/** A square's side, smaller where fewer squares than these would cover the picture [px]. */
const squarePx = 16;
const leastSquares = 500;

type ColourPicture = Pick<DecodedImage, "colour" | "grey" | "widthPx" | "heightPx">;

/** Grey level, red less green and blue less green of pixel after pixel, or square after square [levels]. */
type Colours = { readonly grey: Float32Array; readonly red: Float32Array; readonly blue: Float32Array };

/**
 * Whether a picture has the colours of a camera. A film from a file is grey, or tinted in one way; marks on it cover
 * little. A photograph of a screen has noise, shading and the screen's lattice in its colours everywhere, also where
 * the screen's border is out of view.
 *
 * @see docs/decisions/0052-framing-of-photographs.md and 0178-tinted-films.md for what was measured
 */
export function hasCameraColours(picture: ColourPicture): boolean {
  if (!picture.colour) return false;
  return (
    colouredPart(somePixels(picture)) >= leastColouredPixels && colouredPart(squares(picture)) >= leastColouredSquares
  );
}

/** Part of the places whose colour is not the one usual at their grey level. */
function colouredPart({ grey, red, blue }: Colours): number {
  const [usualRed, usualBlue] = [usualAlong(grey, red), usualAlong(grey, blue)];
  const coloured = grey.filter((level, at) => {
    const difference = Math.abs((red[at] ?? 0) - usualRed(level)) + Math.abs((blue[at] ?? 0) - usualBlue(level));
    return difference > leastDifference;
  });
  return coloured.length / grey.length;
}

/**
 * What is usual at a grey level: for each few neighbouring levels the mean of the middle half, which coloured marks do
 * not shift, and linear in between.
 */
function usualAlong(grey: Float32Array, values: Float32Array): (level: number) => number {
  const steps = Map.groupBy(grey.keys(), (at) => Math.floor((grey[at] ?? 0) / levelsPerStep));
  const usual = [...steps.values()]
    .map((places) => ({
      level: mean(places.map((at) => grey[at] ?? 0)),
      value: mean(middleHalf(places.map((at) => values[at] ?? 0))),
    }))
    .sort((a, b) => a.level - b.level);
  return (level) => {
    const next = usual.findIndex((step) => step.level >= level);
    const [below, above] = [usual[next - 1], usual.at(next)];
    if (!below || !above) return above?.value ?? 0;
    return below.value + ((above.value - below.value) * (level - below.level)) / (above.level - below.level);
  };
}

function middleHalf(values: readonly number[]): readonly number[] {
  const quarter = values.length >> 2;
  return values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function somePixels(picture: ColourPicture): Colours {
  const step = Math.max(1, Math.floor(picture.grey.length / samples));
  return coloursOf(picture, (valueAt) =>
    Float32Array.from({ length: Math.ceil(picture.grey.length / step) }, (_, sample) => valueAt(sample * step)),
  );
}

/** Means of squares; what is left of the picture at the right and below is not looked at. */
function squares(picture: ColourPicture): Colours {
  const { widthPx, heightPx } = picture;
  const side = Math.max(1, Math.min(squarePx, Math.floor(Math.sqrt((widthPx * heightPx) / leastSquares))));
  const [columns, rows] = [Math.floor(widthPx / side), Math.floor(heightPx / side)];
  return coloursOf(picture, (valueAt) =>
    Float32Array.from({ length: columns * rows }, (_, square) => {
      const first = Math.floor(square / columns) * side * widthPx + (square % columns) * side;
      let sum = 0;
      for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) sum += valueAt(first + y * widthPx + x);
      return sum / (side * side);
    }),
  );
}

/** @param gather  takes what is wanted at each pixel, by its index, to what is compared */
function coloursOf(
  { colour, grey }: ColourPicture,
  gather: (valueAt: (pixel: number) => number) => Float32Array,
): Colours {
  const levelOf = (pixel: number, plane: number) => colour?.[3 * pixel + plane] ?? 0;
  return {
    grey: gather((pixel) => grey[pixel] ?? 0),
    red: gather((pixel) => levelOf(pixel, 0) - levelOf(pixel, 1)),
    blue: gather((pixel) => levelOf(pixel, 2) - levelOf(pixel, 1)),
  };
}
