import { describe, expect, it } from "vitest";
import type { GreyPixels } from "../../../../main/imaging/decode-image.ts";
import {
  mirroredFrame,
  thoraxFrame,
  turnedFrame,
  toImage,
  wholeFilmFrame,
  type NetworkFrame,
} from "../../../../main/inference/views/landmark-frames.ts";
import { imageLevels, sampleFrame } from "../../../../main/inference/views/sample-frame.ts";

const side = 96;
const film: GreyPixels = {
  widthPx: 300,
  heightPx: 211,
  grey: Uint8Array.from(
    { length: 300 * 211 },
    (_, index) => 128 + 80 * Math.sin((index % 300) / 9) * Math.cos(index / 300 / 7) + ((index * 7919) % 31),
  ),
};

/** Halved pixels are rounded to integers, weights to 1/256; neighbours on this film differ by up to 64 levels. */
const maxError = (0.5 + (2 * 64) / 512) / 255;

type Plane = { width: number; height: number; data: ArrayLike<number> };
const fullImage: Plane = { width: film.widthPx, height: film.heightPx, data: film.grey };

function half({ width, height, data }: Plane): Plane {
  const [columns, rows] = [Math.floor(width / 2), Math.floor(height / 2)];
  const mean = (at: number) =>
    ((data[at] as number) +
      (data[at + 1] as number) +
      (data[at + width] as number) +
      (data[at + width + 1] as number)) /
    4;
  return {
    width: columns,
    height: rows,
    data: Array.from({ length: columns * rows }, (_, index) =>
      mean(2 * Math.floor(index / columns) * width + 2 * (index % columns)),
    ),
  };
}

/** Reference implementation in floating point, point by point. */
function sampleByDefinition(frame: NetworkFrame, side: number): Float32Array {
  const [xx, xy, yx, yy] = frame.matrix;
  const shrink = 1 / Math.sqrt(Math.abs(xx * yy - xy * yx));
  // The film can be halved only once.
  const halvings = Math.min(1, Math.max(0, Math.round(Math.log2(shrink))));
  const fold = 2 ** halvings;
  let image = fullImage;
  for (let halving = 0; halving < halvings; halving += 1) image = half(image);
  const pixel = (x: number, y: number) =>
    x < 0 || y < 0 || x >= image.width || y >= image.height ? 0 : (image.data[y * image.width + x] as number);
  const bilinear = (x: number, y: number) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, lower] = [x - left, y - top];
    return (
      (pixel(left, top) * (1 - right) + pixel(left + 1, top) * right) * (1 - lower) +
      (pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right) * lower
    );
  };
  return Float32Array.from({ length: side * side }, (_, index) => {
    const place = toImage(frame, { x: index % side, y: Math.floor(index / side) });
    return bilinear((place.x + 0.5) / fold - 0.5, (place.y + 0.5) / fold - 0.5) / 255;
  });
}

const rules = {
  vertebrae: 16,
  centreVentralOfT8: 4,
  memberViews: [
    { turnDeg: 0, scale: 1 },
    { turnDeg: 4, scale: 0.93 },
  ],
};
const pose = { t8: { x: 140, y: 70 }, vertebraPx: 14, angleRad: 0.2, isMirrored: false };

describe("sampleFrame", () => {
  it.each<[string, NetworkFrame]>([
    ["the whole film", wholeFilmFrame(300, 211, side)],
    ["its mirror image", mirroredFrame(wholeFilmFrame(300, 211, side), side)],
    ["a small film, enlarged", { matrix: [1.3, 0.3, -0.3, 1.3], offset: [-50, -30] }],
    ["an upright crop", thoraxFrame(pose, rules, side, 1)],
    ["a mirrored crop", thoraxFrame({ ...pose, isMirrored: true, angleRad: -0.4 }, rules, side, 0)],
    ["a quarter turn", { matrix: [0, 0.4, -0.4, 0], offset: [10, 110] }],
    ["a view outside the film", { matrix: [0.5, 0, 0, 0.5], offset: [900, 900] }],
    ["a view beyond the range of coordinates", { matrix: [0.001, 0, 0, 0.001], offset: [-9000, 40] }],
  ])("samples %s like the reference", (_, frame) => {
    const expected = sampleByDefinition(frame, side);
    // Values of an earlier view must be overwritten.
    const sampled = new Float32Array(side * side).fill(7);
    sampleFrame(imageLevels(film), frame, side, sampled);
    let worst = 0;
    let bias = 0;
    sampled.forEach((value, index) => {
      const difference = value - (expected[index] as number);
      worst = Math.max(worst, Math.abs(difference));
      bias += difference / sampled.length;
    });
    expect(worst).toBeLessThan(maxError);
    expect(Math.abs(bias)).toBeLessThan(1e-3);
  });

  it("fills a view of odd side, and nothing beyond it", () => {
    const frame = thoraxFrame(pose, rules, 93, 1);
    const around = new Float32Array(93 * 93 + 8).fill(7);
    sampleFrame(imageLevels(film), frame, 93, around.subarray(4, -4));
    const expected = sampleByDefinition(frame, 93);
    expect(Math.max(...expected.map((value, index) => Math.abs(value - (around[index + 4] as number))))).toBeLessThan(
      maxError,
    );
    expect([...around.subarray(0, 4), ...around.subarray(-4)]).toEqual(Array(8).fill(7));
  });

  it("samples each film independently of earlier ones", () => {
    const frame = wholeFilmFrame(300, 211, side);
    const [first, again] = [new Float32Array(side * side), new Float32Array(side * side)];
    sampleFrame(imageLevels(film), frame, side, first);
    const white = imageLevels({ widthPx: 500, heightPx: 400, grey: new Uint8Array(500 * 400).fill(255) });
    sampleFrame(white, wholeFilmFrame(500, 400, side), side, again);
    sampleFrame(imageLevels(film), frame, side, again);
    expect(again).toEqual(first);
  });
});

describe("imageLevels", () => {
  it("halves down to the minimum side, with rounded means of four pixels and a black border", () => {
    let expected = fullImage;
    const levels = imageLevels(film);
    expect(levels.map(({ width, height }) => [width, height])).toEqual([
      [300, 211],
      [150, 105],
    ]);
    for (const { data, width, height } of levels) {
      const film = Array.from({ length: (width + 3) * (height + 3) }, (_, index) => {
        const [column, row] = [(index % (width + 3)) - 1, Math.floor(index / (width + 3)) - 1];
        return column < 0 || row < 0 || column >= width || row >= height
          ? 0
          : (expected.data[row * width + column] as number);
      });
      expect([...data.subarray(0, film.length)]).toEqual(film);
      const { data: means, ...size } = half(expected);
      expected = { ...size, data: Array.from(means, (mean) => Math.floor(mean + 0.5)) };
    }
  });

  it("rotates the whole film by quarter turns, clockwise", () => {
    const whole = wholeFilmFrame(300, 211, side);
    const sampled = (quarters: number) => {
      const view = new Float32Array(side * side);
      sampleFrame(imageLevels(film), turnedFrame(whole, side, quarters), side, view);
      return view;
    };
    const turned = (view: Float32Array) =>
      view.map((_, at) => view[(side - 1 - (at % side)) * side + Math.floor(at / side)] as number);
    let expected = sampled(0);
    for (const quarters of [1, 2, 3, 4]) {
      expected = turned(expected);
      const worst = sampled(quarters).reduce((most, value, at) => Math.max(most, Math.abs(value - expected[at]!)), 0);
      expect(worst).toBeLessThan(maxError);
    }
  });
});
