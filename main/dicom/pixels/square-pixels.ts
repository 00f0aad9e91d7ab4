import type { PictureSize } from "../../../core/cardiac/points.ts";
import { squareSize } from "../pixel-grid.ts";
import type { DicomFrame } from "./dicom-frame.ts";

type Samples = Uint8Array | Uint16Array;

/** Resizes a frame to square pixels, which all later steps assume. */
export function squareFrame(frame: DicomFrame, aspect: number): DicomFrame {
  if (aspect === 1) return frame;
  const size = squareSize(frame, aspect);
  const draw = (samples: Samples) => resized(samples, frame, size, 1);
  const samples = draw(frame.samples);
  const measured = frame.measured.samples === frame.samples ? samples : draw(frame.measured.samples);
  return {
    ...frame,
    ...size,
    samples,
    measured: { ...frame.measured, samples: measured },
    colour: frame.colour && (resized(frame.colour, frame, size, 3) as Uint8Array),
  };
}

/** Lower source pixel and weight of the upper one, for each pixel of one direction. */
function neighbours(from: number, to: number) {
  const at = Float64Array.from({ length: to }, (_, place) =>
    Math.min(from - 1, Math.max(0, ((place + 0.5) * from) / to - 0.5)),
  );
  return { low: Int32Array.from(at), share: at.map((place) => place - Math.floor(place)) };
}

/** Interpolates linearly, which keeps the positions of the vertebral edges and does not ring. */
function resized(samples: Samples, from: PictureSize, to: PictureSize, channels: number): Samples {
  const length = to.widthPx * to.heightPx * channels;
  const drawn = samples instanceof Uint8Array ? new Uint8Array(length) : new Uint16Array(length);
  const [columns, rows] = [neighbours(from.widthPx, to.widthPx), neighbours(from.heightPx, to.heightPx)];
  const stride = from.widthPx * channels;
  let at = 0;
  for (let y = 0; y < to.heightPx; y += 1) {
    const upper = (rows.low[y] as number) * stride;
    const down = rows.share[y] as number;
    for (let x = 0; x < to.widthPx; x += 1) {
      const left = (columns.low[x] as number) * channels;
      const along = columns.share[x] as number;
      const right = along > 0 ? left + channels : left;
      for (let channel = 0; channel < channels; channel += 1, at += 1) {
        const mix = (row: number) =>
          (samples[row + left + channel] as number) * (1 - along) + (samples[row + right + channel] as number) * along;
        drawn[at] = Math.round(down > 0 ? mix(upper) * (1 - down) + mix(upper + stride) * down : mix(upper));
      }
    }
  }
  return drawn;
}
