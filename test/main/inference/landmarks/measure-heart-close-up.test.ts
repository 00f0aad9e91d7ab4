import { describe, expect, it } from "vitest";
import { heartLandmarkNames, type HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import { distancePx, type Point } from "../../../../core/cardiac/points.ts";
import { measureHeartCloseUp } from "../../../../main/inference/landmarks/measure-heart-close-up.ts";
import type { LoadedHeart } from "../../../../main/inference/packs/loaded-pack.ts";
import { imageLevels } from "../../../../main/inference/views/sample-frame.ts";

const [side, cells, heartShare] = [256, 64, 0.5] as const;
const levels = imageLevels({ widthPx: 600, heightPx: 500, grey: new Uint8Array(600 * 500).fill(90) });
/** Upright axes of 140 and 116 px, so that the close-up has the scale of the film. */
const heart: HeartLandmarks = {
  heart_top: { x: 300, y: 130 },
  heart_bottom: { x: 300, y: 270 },
  heart_right: { x: 242, y: 200 },
  heart_left: { x: 358, y: 200 },
  VLAS: { x: 340, y: 160 },
};
const middle = { x: 300, y: 200 };

/** Networks that return the given points in the close-up, and round hearts with the given radii [px]. */
function heartSeen(
  places: readonly (readonly Point[])[],
  radiiPx: readonly number[],
): LoadedHeart & { readonly seen: Float32Array[] } {
  const seen: Float32Array[] = [];
  const points = places.flatMap((own) => own.flatMap(({ x, y }) => [(x + 0.5) / side, (y + 0.5) / side]));
  const silhouettes = radiiPx.flatMap((radius) =>
    Array.from({ length: cells * cells }, (_, at) => {
      const [x, y] = [4 * (at % cells) + 1.5, 4 * Math.floor(at / cells) + 1.5];
      return (radius - Math.hypot(x - 127.5, y - 127.5)) / 4;
    }),
  );
  return {
    seen,
    manifest: {
      file: "heart.onnx",
      sha256: "0".repeat(64),
      input: { name: "close_up", dtype: "float32", shape: [1, 1, side, side] },
      outputs: [
        { name: "points", dtype: "float32", shape: [places.length, 5, 2] },
        { name: "silhouettes", dtype: "float32", shape: [places.length, cells, cells] },
      ],
      golden: { inputSeed: 7, outputs: [{ name: "points", values: [1], tolerance: 0.1 }] },
      heartShare,
      closeShare: 0.5,
    },
    network: {
      run(input) {
        seen.push(input.slice());
        return Promise.resolve(
          new Map([
            ["points", Float32Array.from(points)],
            ["silhouettes", Float32Array.from(silhouettes)],
          ]),
        );
      },
      release: () => Promise.resolve(),
    },
    input: new Float32Array(side * side),
  };
}

const inCloseUp = (by = 0) =>
  heartLandmarkNames.map((name) => ({ x: heart[name].x - middle.x + 127.5, y: heart[name].y - middle.y + 127.5 + by }));

describe("measureHeartCloseUp", () => {
  it("returns each network's points and outline on the film, and the outline of all", async () => {
    const close = (await measureHeartCloseUp(heartSeen([inCloseUp(), inCloseUp(6)], [60, 64]), levels, [
      heart,
      heart,
    ]))!;
    expect(close.votes).toHaveLength(2);
    const [first, second] = close.votes.map((vote) => vote.heart.heart_bottom) as [Point, Point];
    expect(first.x).toBeCloseTo(300, 2);
    expect(first.y).toBeCloseTo(270, 2);
    expect(second.y - first.y).toBeCloseTo(6, 2);
    const radius = (outline: readonly Point[] | null) =>
      Math.max(...(outline ?? []).map((point) => distancePx(point, middle)));
    expect(radius(close.votes[0]!.outline)).toBeCloseTo(60, 0);
    expect(radius(close.votes[1]!.outline)).toBeCloseTo(64, 0);
    expect(radius(close.outline)).toBeCloseTo(62, 0);
  });

  it("returns a single vote of all networks on request", async () => {
    const seen = heartSeen([inCloseUp(), inCloseUp(6)], [60, 64]);
    const close = (await measureHeartCloseUp(seen, levels, [heart, heart], true))!;
    expect(close.votes).toHaveLength(1);
    expect(close.votes[0]!.heart.heart_bottom.y).toBeCloseTo(273, 2);
    expect(close.votes[0]!.outline).toEqual(close.outline);
  });

  it("runs the networks on a close-up at the agreed heart", async () => {
    const lit = new Uint8Array(600 * 500);
    // The carina on the film, with cranial on its right: the close-up is mirrored.
    for (let y = 126; y <= 134; y++) lit.fill(255, y * 600 + 306, y * 600 + 314);
    const film = imageLevels({ widthPx: 600, heightPx: 500, grey: lit });
    const facing = { ...heart, heart_right: heart.heart_left, heart_left: heart.heart_right };
    const far = { ...facing, heart_top: { x: 20, y: 20 } };
    const loaded = heartSeen([inCloseUp()], [60]);
    await measureHeartCloseUp(loaded, film, [facing, facing, facing, facing, far]);
    const shown = loaded.seen[0]!;
    const brightest = shown.indexOf(Math.max(...shown));
    expect(shown[57 * side + 117]).toBeGreaterThan(0.9);
    expect(Math.abs((brightest % side) - 117)).toBeLessThan(6);
    expect(shown[57 * side + 137]).toBeLessThan(0.1);
  });

  it("returns null if the members found no axes", async () => {
    const nowhere = Object.fromEntries(heartLandmarkNames.map((name) => [name, middle])) as HeartLandmarks;
    expect(await measureHeartCloseUp(heartSeen([inCloseUp()], [60]), levels, [nowhere])).toBeNull();
  });
});
