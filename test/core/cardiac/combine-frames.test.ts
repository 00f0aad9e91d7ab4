import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineFrames, sharpestFrame } from "../../../core/cardiac/combine-frames.ts";
import { scoreHeart } from "../../../core/cardiac/heart-score.ts";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import type { Landmarks } from "../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../core/cardiac/points.ts";

const edges = Array.from({ length: 8 }, (_, index): Point => ({ x: 300 + 90 * index, y: 200 + index }));
const heart = {
  heart_top: { x: 480, y: 300 },
  heart_bottom: { x: 700, y: 620 },
  heart_right: { x: 470, y: 560 },
  heart_left: { x: 690, y: 410 },
  VLAS: { x: 640, y: 330 },
};
const ruler = { kind: "detected", edges: edges.slice(0, 6) } as const;
const film: MeasuredRadiograph = {
  kind: "measured",
  resultCode: 1,
  popDetected: true,
  widthPx: 1080,
  heightPx: 900,
  classifierConfidence: 1,
  corners: null,
  spread: null,
  sharpness: 0.7,
  tier: "optimal",
  reviewReasons: [],
  provenance: {
    imageSha256: "00",
    packName: "p",
    packVersion: "1",
    modelVersion: "3.4.0",
    programVersion: "0.1.0",
    isClinicallyValidated: false,
  },
  landmarks: { ...heart, "Vertebra A": edges[0] as Point, "Vertebra B": edges[5] as Point },
  ruler,
  edges,
  outline: null,
  intervals: null,
  memberVhs: [],
  votes: [],
  score: scoreHeart(heart, ruler),
};

/** The same film photographed at another size, its points moved by `shiftPx`. */
function photographed(scale: number, shiftPx: number, change: Partial<MeasuredRadiograph> = {}): MeasuredRadiograph {
  const move = ({ x, y }: Point): Point => ({
    x: (x + 0.5) * scale - 0.5 + shiftPx,
    y: (y + 0.5) * scale - 0.5 + shiftPx,
  });
  const landmarks = Object.fromEntries(
    Object.entries(film.landmarks).map(([name, point]) => [name, move(point)]),
  ) as Landmarks;
  return { ...film, widthPx: 1080 * scale, heightPx: 900 * scale, landmarks, edges: edges.map(move), ...change };
}

describe("the median of several frames", () => {
  it("of one film at several sizes is the film itself", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }), (scales) => {
        const { score, resultCode } = combineFrames(scales.map((scale) => photographed(scale, 0)));
        expect(score.vhs).toBeCloseTo(film.score.vhs ?? 0, 6);
        expect(resultCode).toBe(1);
      }),
    );
  });
  it("is not moved by one frame that is far off", () => {
    const { landmarks } = combineFrames([
      photographed(1, 0),
      photographed(0.5, 90, { sharpness: 0.1 }),
      photographed(1, 0, { sharpness: 0.2 }),
    ]);
    expect(landmarks.heart_top.x).toBeCloseTo(480, 6);
  });
  it("lies on the sharpest film and has its tier", () => {
    const { widthPx, tier, votes } = combineFrames([
      photographed(1, 0, { sharpness: 0.5 }),
      photographed(0.5, 0, { sharpness: 0.9, tier: "good" }),
    ]);
    expect([widthPx, tier, votes.length]).toEqual([540, "good", 2]);
  });
  it("is for review when its geometry is not valid", () => {
    const upsideDown = {
      ...film.landmarks,
      heart_top: film.landmarks.heart_bottom,
      heart_bottom: film.landmarks.heart_top,
    };
    expect(combineFrames([{ ...film, landmarks: upsideDown }])).toMatchObject({ tier: "review", resultCode: 3 });
  });
  it.each([
    [0, "optimal", 1],
    [0.29, "optimal", 1],
    [0.31, "good", 2],
    [0.59, "good", 2],
    [0.61, "review", 3],
  ] as const)("of frames whose VHS lie %s v apart on either side is %s", (apart, tier, resultCode) => {
    const frameOf = (difference: number) => ({ ...film, score: { ...film.score, vhs: 10 + difference } });
    expect(combineFrames([frameOf(-apart), frameOf(0), frameOf(apart)])).toMatchObject({ tier, resultCode });
  });
  it("says why it is for review: its geometry, or how far the frames lie apart where that lowers the sharpest one's tier", () => {
    const reasonsOf = (...frames: MeasuredRadiograph[]) =>
      combineFrames(frames).reviewReasons.map(({ kind, value, limit }) => [kind, value?.toFixed(2), limit]);
    const frameOf = (difference: number, change: Partial<MeasuredRadiograph> = {}) => ({
      ...film,
      ...change,
      score: { ...film.score, vhs: 10 + difference },
    });
    expect([
      reasonsOf(frameOf(-0.4), frameOf(0.4)),
      reasonsOf(frameOf(-0.5), frameOf(0.5)),
      reasonsOf(frameOf(-0.3, { tier: "good" }), frameOf(0.3, { tier: "good" })),
      reasonsOf({ ...film, score: { ...film.score, axesAngleDeg: 63 } }),
    ]).toEqual([[], [["frame_scatter", "0.71", 0.6]], [["frame_scatter", "0.42", 0.3]], [["axes_angle", "63.00", 15]]]);
  });
  it("takes the edges that every frame has", () => {
    expect(combineFrames([film, { ...film, edges: edges.slice(0, 6) }]).edges).toHaveLength(6);
  });
  it("the earlier of equally sharp frames is the sharpest", () => {
    expect(
      sharpestFrame([
        { sharpness: 0.4, name: "a" },
        { sharpness: 0.8, name: "b" },
        { sharpness: 0.8, name: "c" },
      ]).name,
    ).toBe("b");
  });
});
