import type { DecodedImage } from "../../imaging/decode-image.ts";

/** Fraction of pixels with an unusual colour for their grey level from which a picture may be from a camera. */
const minColouredPixels = 0.14;
/** The same for squares: rounding and JPEG shift the colours of a tinted film's pixels, but hardly those of squares. */
const minColouredSquares = 0.09;
/** Minimum deviation of an unusual colour, summed over both colour differences [levels]. */
const minDifference = 1;
/** Grey levels for which one usual colour is computed. */
const levelsPerStep = 4;
const levelCount = 256;
/** Sample size; more pixels do not change the result. */
const samples = 60_000;
/** Side of a square [px], reduced if fewer than `minSquares` would cover the picture. */
const squarePx = 16;
const minSquares = 500;

type ColourPicture = Pick<DecodedImage, "colour" | "grey" | "widthPx" | "heightPx">;

/** Grey level, red minus green, and blue minus green of each pixel or each square [levels]. */
type Colours = { readonly grey: Float32Array; readonly red: Float32Array; readonly blue: Float32Array };

/**
 * Whether a picture has the colours of a camera. A film from a file is grey or uniformly tinted; coloured marks on it
 * cover little. In a photograph of a screen, noise, shading and the pixel grid of the screen affect the colours
 * everywhere, even if the border of the screen is out of view.
 *
 * @see docs/decisions/0019-tier-and-reasons-come-from-one-judgement.md
 */
export function hasCameraColours(picture: ColourPicture): boolean {
  if (!picture.colour) return false;
  return colouredPart(somePixels(picture)) >= minColouredPixels && colouredPart(squares(picture)) >= minColouredSquares;
}

function colouredPart({ grey, red, blue }: Colours): number {
  const [usualRed, usualBlue] = [usualByLevel(grey, red), usualByLevel(grey, blue)];
  const coloured = grey.filter((level, at) => {
    const nearest = Math.round(level);
    const [redOff, blueOff] = [(red[at] ?? 0) - (usualRed[nearest] ?? 0), (blue[at] ?? 0) - (usualBlue[nearest] ?? 0)];
    return Math.abs(redOff) + Math.abs(blueOff) > minDifference;
  });
  return coloured.length / grey.length;
}

type Step = { readonly levels: number[]; readonly values: number[] };

/**
 * Usual colour by grey level: the mean of the middle half of neighbouring levels, which coloured marks do not shift;
 * linearly interpolated.
 */
function usualByLevel(grey: Float32Array, values: Float32Array): Float32Array {
  const steps = Array.from({ length: levelCount / levelsPerStep }, (): Step => ({ levels: [], values: [] }));
  for (let at = 0; at < grey.length; at++) {
    const level = grey[at] ?? 0;
    const step = steps[Math.floor(level / levelsPerStep)];
    step?.levels.push(level);
    step?.values.push(values[at] ?? 0);
  }
  const usual = steps
    .filter(({ levels }) => levels.length > 0)
    .map(({ levels, values }) => ({ level: mean(levels), value: mean(middleHalf(values)) }));
  return Float32Array.from({ length: levelCount }, (_, level) => valueAlong(usual, level));
}

/** @param steps  by level, ascending; levels beyond the ends have the value of the first or last */
function valueAlong(steps: readonly { readonly level: number; readonly value: number }[], level: number): number {
  const next = steps.findIndex((step) => step.level >= level);
  const [below, above] = [steps[next - 1], steps.at(next)];
  if (!below || !above) return above?.value ?? 0;
  return below.value + ((above.value - below.value) * (level - below.level)) / (above.level - below.level);
}

function middleHalf(values: readonly number[]): Float32Array {
  const quarter = values.length >> 2;
  return Float32Array.from(values)
    .sort()
    .subarray(quarter, values.length - quarter);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0;
  return sum / Math.max(1, values.length);
}

function somePixels(picture: ColourPicture): Colours {
  const step = Math.max(1, Math.floor(picture.grey.length / samples));
  const colours = blank(Math.ceil(picture.grey.length / step));
  for (let at = 0, pixel = 0; pixel < picture.grey.length; at++, pixel += step) addPixel(colours, at, picture, pixel);
  return colours;
}

/** Means of squares; incomplete squares at the right and bottom are ignored. */
function squares(picture: ColourPicture): Colours {
  const { widthPx, heightPx } = picture;
  const side = Math.max(1, Math.min(squarePx, Math.floor(Math.sqrt((widthPx * heightPx) / minSquares))));
  const [columns, rows] = [Math.floor(widthPx / side), Math.floor(heightPx / side)];
  const colours = blank(columns * rows);
  for (let y = 0; y < rows * side; y++)
    for (let x = 0; x < columns * side; x++)
      addPixel(colours, Math.floor(y / side) * columns + Math.floor(x / side), picture, y * widthPx + x);
  for (const sums of Object.values(colours)) sums.forEach((sum, at) => (sums[at] = sum / (side * side)));
  return colours;
}

function blank(length: number): Colours {
  return { grey: new Float32Array(length), red: new Float32Array(length), blue: new Float32Array(length) };
}

function addPixel(colours: Colours, at: number, { colour, grey }: ColourPicture, pixel: number): void {
  const green = colour?.[3 * pixel + 1] ?? 0;
  colours.grey[at] = (colours.grey[at] ?? 0) + (grey[pixel] ?? 0);
  colours.red[at] = (colours.red[at] ?? 0) + (colour?.[3 * pixel] ?? 0) - green;
  colours.blue[at] = (colours.blue[at] ?? 0) + (colour?.[3 * pixel + 2] ?? 0) - green;
}
