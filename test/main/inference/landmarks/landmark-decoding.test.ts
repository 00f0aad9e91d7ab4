import { describe, expect, it } from "vitest";
import { heartLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../../core/cardiac/points.ts";
import {
  agreedView,
  readView,
  sightThorax,
  type LandmarkLook,
  type LandmarkOutputs,
} from "../../../../main/inference/landmarks/landmark-decoding.ts";
import {
  mirroredFrame,
  thoraxFrame,
  toImage,
  toNetwork,
  wholeFilmFrame,
  type NetworkFrame,
} from "../../../../main/inference/views/landmark-frames.ts";
import type { ThoraxPose } from "../../../../main/inference/views/thorax-pose.ts";
import type { LandmarkDecoding } from "../../../../main/inference/packs/pack-decodings.ts";

const side = 352;
const cells = side / 4;
const input = new Float32Array(side * side);
const vertebrae = ["C7", ...Array.from({ length: 13 }, (_, index) => `T${index + 1}`), "L1", "L2", "L3"];
const t4 = vertebrae.indexOf("T4");
const decoding: LandmarkDecoding = {
  heartPoints: ["heart_top", "heart_bottom", "heart_right", "heart_left", "VLAS"],
  vertebrae,
  stride: 4,
  crop: {
    vertebrae: 16,
    centreVentralOfT8: 4,
    memberViews: [
      { turnDeg: 0, scale: 1 },
      { turnDeg: 3, scale: 0.95 },
      { turnDeg: -3, scale: 1.05 },
    ],
  },
  sharpnessHigh: 0.7,
};

type Animal = { readonly heart: readonly Point[]; readonly edges: readonly Point[] };

/** An animal whose column is a straight line through `t8`, rotated by `angleDeg`, its heart on the ventral side. */
function animalAt(t8: Point, vertebraPx: number, angleDeg: number, facesRight: boolean): Animal {
  const angle = (angleDeg * Math.PI) / 180;
  const place = (caudal: number, ventral: number): Point => {
    const x = (facesRight ? -caudal : caudal) * vertebraPx;
    const y = ventral * vertebraPx;
    return { x: t8.x + x * Math.cos(angle) - y * Math.sin(angle), y: t8.y + x * Math.sin(angle) + y * Math.cos(angle) };
  };
  const heart = [
    [-2, 2.5],
    [0, 7.5],
    [-3, 5],
    [1, 4],
    [0.6, 3],
  ].map(([caudal, ventral]) => place(caudal!, ventral!));
  return { heart, edges: vertebrae.map((_, label) => place(label - vertebrae.indexOf("T8"), 0)) };
}

/** Outputs of a network without errors, except for vertebra names shifted by `misnamedBy`. */
function outputsOf(animal: Animal, frame: NetworkFrame, misnamedBy = 0): LandmarkOutputs {
  const named = animal.edges.map((_, label) => animal.edges[Math.min(vertebrae.length - 1, label + misnamedBy)]!);
  const places = [...animal.heart, ...named].map((point) => toNetwork(frame, point));
  const maps = new Float32Array((places.length + 1) * cells * cells);
  const draw = (map: number, { x, y }: Point): void => {
    const centre = { x: (x + 0.5) / 4 - 0.5, y: (y + 0.5) / 4 - 0.5 };
    for (let row = 0; row < cells; row++) {
      for (let column = 0; column < cells; column++) {
        const at = (map * cells + row) * cells + column;
        maps[at] = Math.max(maps[at]!, Math.exp(-0.5 * ((column - centre.x) ** 2 + (row - centre.y) ** 2)));
      }
    }
  };
  places.forEach((place, map) => draw(map, place));
  for (const edge of animal.edges) draw(places.length, toNetwork(frame, edge));
  for (let map = 0; map < places.length; map++) {
    const values = maps.subarray(map * cells * cells, (map + 1) * cells * cells);
    const mass = values.reduce((sum, value) => sum + value, 0);
    if (mass > 0) values.forEach((value, index) => (values[index] = value / mass));
  }
  const points = Float32Array.from(places.flatMap(({ x, y }) => [(x + 0.5) / side, (y + 0.5) / side]));
  return { points, sharpness: new Float32Array(places.length).fill(0.8), maps };
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
const poses = [
  { name: "facing left", angleDeg: 0, facesRight: false },
  { name: "facing right", angleDeg: 0, facesRight: true },
  { name: "rotated", angleDeg: 24, facesRight: false },
  { name: "rotated and facing right", angleDeg: -31, facesRight: true },
  { name: "upside down", angleDeg: 180, facesRight: false },
];

describe("landmark frames", () => {
  it("letterboxes a film so that its corners touch the square", () => {
    const frame = wholeFilmFrame(1080, 540, side);
    expect(toNetwork(frame, { x: -0.5, y: -0.5 })).toEqual({
      x: expect.closeTo(-0.5, 9),
      y: expect.closeTo(side / 4 - 0.5, 9),
    });
    expect(toNetwork(frame, { x: 1079.5, y: 539.5 })).toEqual({
      x: expect.closeTo(side - 0.5, 9),
      y: expect.closeTo((3 * side) / 4 - 0.5, 9),
    });
  });

  it.each(poses)("rotates the animal upright: $name", ({ angleDeg, facesRight }) => {
    const animal = animalAt({ x: 400, y: 300 }, 30, angleDeg, facesRight);
    const whole = wholeFilmFrame(900, 700, side);
    const pose = sightThorax({ outputs: outputsOf(animal, whole), frame: whole, input }, decoding, side)
      .pose as ThoraxPose;
    const frame = thoraxFrame(pose, decoding.crop, side, 0);
    const seen = animal.edges.map((edge) => toNetwork(frame, edge));
    const vertebraPx = side / decoding.crop.vertebrae;
    expect(pose.vertebraPx / 30).toBeCloseTo(1, 1);
    expect(distance(seen[t4 + 4]!, { x: side / 2 - 0.5, y: side / 2 - 0.5 - 4 * vertebraPx })).toBeLessThan(
      0.15 * vertebraPx,
    );
    expect(seen[t4 + 6]!.x - seen[t4]!.x).toBeGreaterThan(5.7 * vertebraPx);
    expect(toNetwork(frame, animal.heart[1]!).y).toBeGreaterThan(seen[t4]!.y + 6 * vertebraPx);
    expect(distance(toImage(frame, toNetwork(frame, animal.heart[0]!)), animal.heart[0]!)).toBeLessThan(1e-9);
  });
});

describe("mirroredFrame", () => {
  it("shows the same point of the mirrored picture", () => {
    const frame = wholeFilmFrame(900, 700, side);
    const seen = toNetwork(frame, { x: 200, y: 150 });
    expect(toNetwork(mirroredFrame(frame, side), { x: 200, y: 150 })).toEqual({
      x: expect.closeTo(side - 1 - seen.x, 9),
      y: seen.y,
    });
  });
});

describe("agreedView", () => {
  const animal = animalAt({ x: 420, y: 260 }, 40, 12, true);
  const pose: ThoraxPose = { t8: { x: 425, y: 262 }, vertebraPx: 41, angleRad: (14 * Math.PI) / 180, isMirrored: true };
  const viewOf = (member: number, misnamedBy = 0) => {
    const frame = thoraxFrame(pose, decoding.crop, side, member);
    return readView({ frame, input, outputs: outputsOf(animal, frame, misnamedBy) }, decoding, side);
  };

  const agreed = (looks: readonly LandmarkLook[]) =>
    agreedView(
      looks.map(({ column }) => column),
      looks.map(({ reading }) => reading.heart),
      decoding,
      side,
    );

  it("returns every member's points and the agreed edges on the film", () => {
    const looks = [viewOf(0), viewOf(1), viewOf(2)];
    for (const edges of [agreed(looks).edges, ...looks.map(({ reading }) => reading.edges)]) {
      expect(edges).toHaveLength(vertebrae.length - t4);
      for (const [index, edge] of edges.slice(0, 9).entries())
        expect(distance(edge, animal.edges[t4 + index]!) / 40).toBeLessThan(0.12);
    }
    for (const { reading } of looks) {
      expect(reading.sharpness).toBeCloseTo(0.8, 5);
      heartLandmarkNames.forEach((name, index) =>
        expect(distance(reading.heart[name], animal.heart[index]!)).toBeLessThan(0.01),
      );
    }
  });

  it("returns an alternative count only if the members disagree on T4", () => {
    expect(agreed([viewOf(0), viewOf(1), viewOf(2)]).otherCount).toBeNull();
    const torn = agreed([viewOf(0), viewOf(1), viewOf(2, 1), viewOf(0, 1)]);
    const other = torn.otherCount!;
    const shift = other.direction === "caudal" ? 1 : -1;
    expect(distance(other.edges[0]!, torn.edges[0]!) / 40).toBeCloseTo(1, 1);
    expect(other.edges.length - torn.edges.length).toBe(-shift);
  });

  it("outlines the mean silhouette on the film, and that of each member", () => {
    const withSilhouette = { ...decoding, silhouette: { map: 5 + vertebrae.length + 1 } };
    const middle = { x: 0, y: 0 };
    for (const point of animal.heart.slice(0, 4)) {
      middle.x += point.x / 4;
      middle.y += point.y / 4;
    }
    const looks = [70, 80, 90].map((radiusPx, member) => {
      const frame = thoraxFrame(pose, decoding.crop, side, member);
      const outputs = outputsOf(animal, frame);
      const silhouette = Float32Array.from({ length: cells * cells }, (_, at) => {
        const cell = { x: 4 * (at % cells) + 1.5, y: 4 * Math.floor(at / cells) + 1.5 };
        return (radiusPx - distance(toImage(frame, cell), middle)) / 10;
      });
      const maps = new Float32Array(outputs.maps.length + silhouette.length);
      maps.set(outputs.maps);
      maps.set(silhouette, outputs.maps.length);
      return readView({ frame, input, outputs: { ...outputs, maps } }, withSilhouette, side);
    });
    const radii = (outline: readonly Point[] | null) => outline!.map((point) => distance(point, middle));
    const { outline } = agreedView(
      looks.map(({ column }) => column),
      looks.map(({ reading }) => reading.heart),
      withSilhouette,
      side,
    );
    for (const radius of radii(outline)) expect(Math.abs(radius - 80)).toBeLessThan(0.5);
    for (const [member, radiusPx] of [70, 80, 90].entries())
      for (const radius of radii(looks[member]!.reading.outline)) expect(Math.abs(radius - radiusPx)).toBeLessThan(0.5);
    expect(agreed([viewOf(0), viewOf(1)]).outline).toBeNull();
  });

  it("uses the majority's T4 for the ruler and keeps the dissenting vote", () => {
    const dissenter = viewOf(1, 1);
    const { edges } = agreed([viewOf(0), dissenter, viewOf(2)]);
    expect(distance(edges[0]!, animal.edges[t4]!) / 40).toBeLessThan(0.15);
    expect(distance(dissenter.reading.edges[0]!, animal.edges[t4 + 1]!) / 40).toBeLessThan(0.15);
  });
});
