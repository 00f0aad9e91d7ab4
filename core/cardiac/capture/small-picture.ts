import type { PictureSize } from "../points.ts";

/** A reduced picture for comparisons: grey levels, row-major. */
export type SmallPicture = PictureSize & { readonly levels: Float32Array };

/** Longest side of reduced pictures [px]. */
const comparedSidePx = 96;
/** Half width of the window for local normalisation, as a fraction of the longest side. */
const evenedShare = 0.1;
/** Added to the local contrast so that noise in even areas is not amplified [grey levels]. */
const minContrast = 6;

/** Reduces a grey picture, row-major, 0–255, so far that screen moiré and noise disappear. */
export function reducedPicture(grey: Uint8Array, { widthPx, heightPx }: PictureSize): SmallPicture {
  const scale = Math.min(1, comparedSidePx / Math.max(widthPx, heightPx));
  const size = {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  };
  const sum = runningSums(grey, widthPx, heightPx);
  const levels = new Float32Array(size.widthPx * size.heightPx);
  for (let y = 0; y < size.heightPx; y += 1) {
    const [top, bottom] = span(y, size.heightPx, heightPx);
    for (let x = 0; x < size.widthPx; x += 1) {
      const [left, right] = span(x, size.widthPx, widthPx);
      levels[y * size.widthPx + x] = sum(left, top, right, bottom) / ((right - left) * (bottom - top));
    }
  }
  return { ...size, levels };
}

export function halved({ levels, widthPx, heightPx }: SmallPicture): SmallPicture {
  const size = { widthPx: widthPx >> 1, heightPx: heightPx >> 1 };
  const half = new Float32Array(size.widthPx * size.heightPx);
  for (let y = 0; y < size.heightPx; y += 1) {
    for (let x = 0; x < size.widthPx; x += 1) {
      const at = 2 * y * widthPx + 2 * x;
      const below = at + widthPx;
      half[y * size.widthPx + x] =
        ((levels[at] ?? 0) + (levels[at + 1] ?? 0) + (levels[below] ?? 0) + (levels[below + 1] ?? 0)) / 4;
    }
  }
  return { ...size, levels: half };
}

/** Normalises brightness and contrast locally, so that glare and the screen's fall-off do not matter. */
export function evenContrast({ levels, widthPx, heightPx }: SmallPicture, scale = 1): SmallPicture {
  const radius = Math.max(2, Math.round(evenedShare * scale * Math.max(widthPx, heightPx)));
  const sum = runningSums(levels, widthPx, heightPx);
  const squares = runningSums(
    levels.map((level) => level * level),
    widthPx,
    heightPx,
  );
  const even = new Float32Array(levels.length);
  for (let y = 0; y < heightPx; y += 1) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(heightPx, y + radius + 1)];
    for (let x = 0; x < widthPx; x += 1) {
      const [left, right] = [Math.max(0, x - radius), Math.min(widthPx, x + radius + 1)];
      const count = (right - left) * (bottom - top);
      const mean = sum(left, top, right, bottom) / count;
      const variance = Math.max(0, squares(left, top, right, bottom) / count - mean * mean);
      even[y * widthPx + x] = ((levels[y * widthPx + x] ?? 0) - mean) / (Math.sqrt(variance) + minContrast);
    }
  }
  return { widthPx, heightPx, levels: even };
}

function span(index: number, count: number, length: number): readonly [number, number] {
  const from = Math.floor((index * length) / count);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * length) / count))];
}

/** Summed-area table: returns the sum over a box [left, right) x [top, bottom). */
function runningSums(values: ArrayLike<number>, widthPx: number, heightPx: number) {
  const stride = widthPx + 1;
  const sums = new Float64Array(stride * (heightPx + 1));
  for (let y = 0; y < heightPx; y += 1) {
    let row = 0;
    for (let x = 0; x < widthPx; x += 1) {
      row += values[y * widthPx + x] ?? 0;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row;
    }
  }
  return (left: number, top: number, right: number, bottom: number): number =>
    (sums[bottom * stride + right] ?? 0) -
    (sums[top * stride + right] ?? 0) -
    (sums[bottom * stride + left] ?? 0) +
    (sums[top * stride + left] ?? 0);
}
