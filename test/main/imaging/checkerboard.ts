import type { Corners } from "../../../core/cardiac/points.ts";
import type { ColourPixels } from "../../../main/imaging/decode-image.ts";

const cells = 8;
export const picture = { widthPx: 1600, heightPx: 1200 };

/** A pinhole camera in front of a checkerboard. Board coordinates count squares from its top left corner. */
export type Camera = {
  project(u: number, v: number): { x: number; y: number };
  boardPointAt(xPx: number, yPx: number): { u: number; v: number };
};

/** A camera in front of a rotated board. Uses rays, independent of the program's homography. */
export function camera(yawDeg: number, pitchDeg: number, focalPx = 1200): Camera {
  const [yaw, pitch] = [turn(yawDeg), turn(pitchDeg)];
  const middle = { x: (picture.widthPx - 1) / 2, y: (picture.heightPx - 1) / 2 };
  const distance = cells * 1.5;
  return {
    project(u, v) {
      const [x0, y0] = [u - cells / 2, v - cells / 2];
      const [x1, z1] = [x0 * yaw.cos, -x0 * yaw.sin];
      const [y2, z2] = [y0 * pitch.cos - z1 * pitch.sin, y0 * pitch.sin + z1 * pitch.cos];
      return { x: middle.x + (focalPx * x1) / (z2 + distance), y: middle.y + (focalPx * y2) / (z2 + distance) };
    },
    boardPointAt(xPx, yPx) {
      const [dx, dy] = [(xPx - middle.x) / focalPx, (yPx - middle.y) / focalPx];
      const depth = distance / (1 - (pitch.sin / pitch.cos) * dy + ((yaw.sin / yaw.cos) * dx) / pitch.cos);
      const x0 = (depth * dx) / yaw.cos;
      const y0 = (depth * dy - x0 * yaw.sin * pitch.sin) / pitch.cos;
      return { u: x0 + cells / 2, v: y0 + cells / 2 };
    },
  };
}

function turn(deg: number): { readonly sin: number; readonly cos: number } {
  const angle = (deg * Math.PI) / 180;
  return { sin: Math.sin(angle), cos: Math.cos(angle) };
}

export function cornersOf({ project }: Camera): Corners {
  return [project(0, 0), project(cells, 0), project(cells, cells), project(0, cells)];
}

export function photographBoard({ boardPointAt }: Camera): ColourPixels {
  const data = new Uint8Array(picture.widthPx * picture.heightPx * 3);
  const samples = [-0.25, 0.25];
  for (let y = 0, at = 0; y < picture.heightPx; y += 1) {
    for (let x = 0; x < picture.widthPx; x += 1, at += 3) {
      let light = 0;
      for (const dy of samples) for (const dx of samples) light += lightAt(boardPointAt(x + dx, y + dy));
      data.fill(Math.round((light / 4) * 255), at, at + 3);
    }
  }
  return { ...picture, channels: 3, data };
}

function lightAt({ u, v }: { u: number; v: number }): number {
  return u < 0 || v < 0 || u >= cells || v >= cells ? 0.5 : (Math.floor(u) + Math.floor(v)) % 2;
}

/** Largest deviation of the lines between squares from their positions [px]; Infinity if one is missing. */
export function worstOffsetPx(
  grey: (x: number, y: number) => number,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
): number {
  let worst = 0;
  for (let line = 1; line < cells; line += 1) {
    const [expectedX, expectedY] = [(line * widthPx) / cells - 0.5, (line * heightPx) / cells - 0.5];
    for (let row = 0; row < cells; row += 1) {
      const [middleX, middleY] = [
        Math.round(((row + 0.5) * widthPx) / cells),
        Math.round(((row + 0.5) * heightPx) / cells),
      ];
      worst = Math.max(
        worst,
        Math.abs(edgeNear((at) => grey(at, middleY), expectedX) - expectedX),
        Math.abs(edgeNear((at) => grey(middleX, at), expectedY) - expectedY),
      );
    }
  }
  return worst;
}

function edgeNear(values: (at: number) => number, expected: number): number {
  let best = Infinity;
  for (let at = Math.floor(expected) - 6; at < expected + 6; at += 1) {
    const [from, to] = [values(at) - 127.5, values(at + 1) - 127.5];
    if (from * to <= 0 && from !== to) {
      const crossing = at + from / (from - to);
      if (Math.abs(crossing - expected) < Math.abs(best - expected)) best = crossing;
    }
  }
  return best;
}
