import type { PictureSize } from "../../../core/cardiac/points.ts";
import { toImage, type NetworkFrame } from "../views/landmark-frames.ts";

/** Standard deviations [px] of a first blur, which suppresses noise, and of the second, whose effect is measured. */
const blursPx = { first: 0.8, second: 2 } as const;
/** Width of the margin inside the film in which gradients are ignored, since they are the border's [px]. */
const marginPx = 6;
/** Fraction of the film's pixels that count as edges: those with the largest gradients. */
const edgeShare = 0.02;
/** Quantile of the edges, softest first. The sharpest show the limit of a camera; others may be soft in the animal. */
const sharpestQuantile = 0.8;

/**
 * Standard deviation of the blur of the sharpest edges in a view of a film, 0.1 or more [px of the view]. Blurring by a
 * known width reduces the gradient of a sharp edge more than that of a soft one.
 *
 * @see Zhuo & Sim 2011, Pattern Recognition 44:1852–1858
 */
export function edgeBlurPx(view: Float32Array, side: number, frame: NetworkFrame, film: PictureSize): number {
  const once = blurred(view, side, blursPx.first);
  const [before, after] = [gradients(once, side), gradients(blurred(once, side, blursPx.second), side)];
  const inFilm = pixelsInFilm(side, frame, film);
  const ordered = Float32Array.from(inFilm, (at) => before[at] as number).toSorted();
  const least = ordered[Math.floor((1 - edgeShare) * ordered.length)] ?? Infinity;
  const ratios = inFilm
    .filter((at) => (before[at] as number) >= least && (after[at] as number) > 0)
    .map((at) => (before[at] as number) / (after[at] as number))
    .toSorted((a, b) => a - b);
  const ratio = ratios[Math.floor(sharpestQuantile * ratios.length)] ?? 1;
  return Math.max(0.1, blursPx.second / Math.sqrt(Math.max(1e-3, ratio ** 2 - 1)));
}

/** Pixels of the view at least `marginPx` within the film. */
function pixelsInFilm(side: number, frame: NetworkFrame, { widthPx, heightPx }: PictureSize): readonly number[] {
  const [xx, xy, yx, yy] = frame.matrix;
  const margin = marginPx / Math.sqrt(Math.abs(xx * yy - xy * yx));
  const pixels: number[] = [];
  for (let row = 1; row < side - 1; row++) {
    for (let column = 1; column < side - 1; column++) {
      const { x, y } = toImage(frame, { x: column, y: row });
      if (Math.min(x, y, widthPx - 1 - x, heightPx - 1 - y) >= margin) pixels.push(row * side + column);
    }
  }
  return pixels;
}

/** Gradient magnitudes by central differences; 0 along the border. */
function gradients(picture: Float32Array, side: number): Float32Array {
  const sizes = new Float32Array(picture.length);
  const read = (at: number) => picture[at] as number;
  for (let row = 1; row < side - 1; row++) {
    for (let at = row * side + 1; at < (row + 1) * side - 1; at++)
      sizes[at] = Math.hypot(read(at + 1) - read(at - 1), read(at + side) - read(at - side)) / 2;
  }
  return sizes;
}

/** Gaussian blur; beyond the picture its border is repeated. */
function blurred(picture: Float32Array, side: number, deviationPx: number): Float32Array {
  const reach = Math.ceil(3 * deviationPx);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * deviationPx ** 2)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const along = (source: Float32Array, step: number, across: number): Float32Array => {
    const target = new Float32Array(source.length);
    for (let line = 0; line < side; line++) {
      for (let place = 0; place < side; place++) {
        let sum = 0;
        for (let tap = -reach; tap <= reach; tap++)
          sum +=
            (weights[tap + reach] as number) *
            (source[line * across + Math.min(side - 1, Math.max(0, place + tap)) * step] as number);
        target[line * across + place * step] = sum / total;
      }
    }
    return target;
  };
  return along(along(picture, 1, side), side, 1);
}
