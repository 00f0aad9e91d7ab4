import { describe, expect, it } from "vitest";
import { ownAngleDeg } from "../../../../core/cardiac/heart-score.ts";
import type { HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../../core/cardiac/points.ts";
import { combineVotes } from "../../../../main/inference/landmarks/combine-votes.ts";
import { directMeasurement } from "../../../../main/inference/engine-results.ts";
import type { LandmarkReading, MemberReading } from "../../../../main/inference/landmarks/landmark-decoding.ts";
import type { ManifestOf } from "../../../../main/inference/packs/pack-manifest.ts";
import type { GateVerdict } from "../../../../main/inference/screens/gate-decoding.ts";

/** Vertebrae of 50 px on a horizontal column, T4 at x = 100. */
const column = (fromX = 100): Point[] => Array.from({ length: 12 }, (_, index) => ({ x: fromX + 50 * index, y: 100 }));
/** A heart of 5 + 4 vertebrae below it; VLAS of 2. */
const heart = (dx = 0, dy = 0): HeartLandmarks => ({
  heart_top: { x: 250 + dx, y: 200 + dy },
  heart_bottom: { x: 250 + dx, y: 450 + dy },
  heart_right: { x: 150 + dx, y: 320 + dy },
  heart_left: { x: 350 + dx, y: 320 + dy },
  VLAS: { x: 350 + dx, y: 200 + dy },
});
const member = (of: HeartLandmarks, edges: readonly Point[]): MemberReading => ({
  heart: of,
  edges,
  outline: null,
  sharpness: 0.8,
});
const reading = (members: MemberReading[], edges: readonly Point[] = column()): LandmarkReading => ({
  members,
  votes: members,
  edges,
  isColumnFound: true,
  counts: [],
  otherCount: null,
  uneven: [],
  outline: null,
  sharpness: 0.8,
});

const accepted: GateVerdict = {
  kind: "direct",
  confidence: 1,
  probabilities: { direct: 1, pop: 0, neither: 0 },
};

const pack = { name: "p", version: "1", modelVersion: "m" };
const resultOf = (agreed: ReturnType<typeof combineVotes>, widthPx: number, more: object = {}) => {
  const frame = { sha256: "", widthPx, heightPx: 800, fullWidthPx: widthPx };
  return directMeasurement(frame, agreed, accepted, { ...pack, ...more } as ManifestOf<"landmarks">, "0");
};

describe("combineVotes", () => {
  it("measures without scatter if all members agree", () => {
    const agreed = combineVotes(reading(Array.from({ length: 5 }, () => member(heart(), column()))), 1000);
    expect(agreed).toMatchObject({
      landmarkScatter: 0,
      disagreement: { votesApart: 0, looksApart: 0 },
      sharpness: 0.8,
      score: { vhs: 9, vlas: 2, isGeometryValid: true },
      ruler: { kind: "detected" },
    });
    expect(agreed.landmarks["Vertebra A"]).toEqual({ x: 100, y: 100 });
    expect(agreed.landmarks["Vertebra B"]).toEqual({ x: 350, y: 100 });
    expect(agreed.votes).toHaveLength(5);
  });

  it("divides A–B into six parts without a column, even if the expected edges are even", () => {
    const found = reading([member(heart(), column())]);
    const { ruler } = combineVotes({ ...found, isColumnFound: false }, 1000);
    expect(ruler).toMatchObject({ kind: "fallback", edges: { length: 7 } });
  });

  it("reports perpendicular axes and the voted angle", () => {
    const oblique = (dy: number): HeartLandmarks => ({
      ...heart(),
      heart_right: { x: 150, y: 320 + dy },
      heart_left: { x: 350, y: 320 - dy },
    });
    const angleOf = (dy: number) => (Math.atan2(100, dy) * 180) / Math.PI;
    for (const dy of [10, 20, 40]) {
      const { landmarks, score, votes } = combineVotes(reading([member(oblique(dy), column())]), 1000);
      expect(ownAngleDeg(landmarks)).toBeCloseTo(90, 9);
      expect(score.axesAngleDeg).toBeCloseTo(angleOf(dy), 9);
      expect(score.areAxesPerpendicular).toBe(dy < 25);
      expect(votes[0]?.heart_right).toEqual({ x: 150, y: 320 + dy });
    }
  });

  it("uses a sound outline for the axes, otherwise the votes", () => {
    const circle = (radiusPx: number): Point[] =>
      Array.from({ length: 120 }, (_, at) => {
        const angle = (at * Math.PI) / 60;
        return { x: 250 + radiusPx * Math.sin(angle), y: 325 - radiusPx * Math.cos(angle) };
      });
    const own = reading([member(heart(), column())]);
    const sound = combineVotes({ ...own, outline: circle(130) }, 1000);
    expect(sound.outline).toHaveLength(120);
    expect(sound.landmarks.heart_bottom).toEqual({
      x: expect.closeTo(250, 6) as number,
      y: expect.closeTo(455, 6) as number,
    });
    expect(ownAngleDeg(sound.landmarks)).toBeCloseTo(90, 6);
    expect(sound.score.longAxisVertebrae).toBeCloseTo(255 / 50, 6);
    const speck = combineVotes({ ...own, outline: circle(40) }, 1000);
    expect(speck.outline).toBeNull();
    expect(speck.landmarks.heart_bottom).toEqual({ x: 250, y: 450 });
  });

  it("drops an outlying member, but includes it in the spread", () => {
    const members = [heart(1), heart(-1), heart(0, 1), heart(0, -1), heart(80, 60)].map((of) => member(of, column()));
    const agreed = combineVotes(reading(members), 1000);
    expect(agreed.landmarks.heart_top).toEqual({ x: 250, y: 200 });
    expect(agreed.score.vhs).toBeCloseTo(9, 9);
    expect(agreed.landmarkScatter).toBeGreaterThan(0.02);
  });

  it("compares votes of different lengths at the same Vertebra B", () => {
    const longer = { ...heart(), heart_bottom: { x: 250, y: 452 } };
    const agreed = combineVotes(reading([member(heart(), column()), member(longer, column())]), 1000);
    expect(agreed.ruler.edges.at(-1)).toEqual({ x: 400, y: 100 });
    expect(agreed.votes.map((vote) => vote["Vertebra B"])).toEqual([
      { x: 400, y: 100 },
      { x: 400, y: 100 },
    ]);
  });

  it("uses the ruler of the agreed chain, not of a member that counts from another vertebra", () => {
    const members = [column(), column(), column(), column(), column(150)].map((edges) => member(heart(), edges));
    const agreed = combineVotes(reading(members), 1000);
    expect(agreed.ruler.edges[0]).toEqual({ x: 100, y: 100 });
    expect(agreed.score.vhs).toBe(9);
    // One of five votes is off by a vertebra at A and at B: 20 px of scatter each, over 7 landmarks and 1000 px.
    expect(agreed.landmarkScatter).toBeCloseTo(40 / 7 / 1000, 6);
  });

  it("does not follow a common chain that skips a disc found by the members", () => {
    const leapt = column().map(({ x, y }, index) => ({ x: index < 4 ? x : x + 30, y }));
    const agreed = combineVotes(reading([member(heart(), column()), member(heart(), column())], leapt), 1000);
    expect(agreed.score.vhs).toBeCloseTo(9, 9);
    expect(agreed.edges).toEqual(column());
  });

  it("uses the ruler counted along the column if there is one", () => {
    const counted = column().map(({ x, y }) => ({ x: 100 + 0.9 * (x - 100), y }));
    const otherCount = { direction: "caudal", edges: counted.slice(1) } as const;
    const ofColumn = { ...reading([member(heart(), column())], counted), otherCount, counts: [counted] };
    const agreed = combineVotes(ofColumn, 1000);
    expect(agreed).toMatchObject({ edges: counted, otherCount });
    expect(agreed.score.vhs).toBeCloseTo(10, 9);
  });

  it("counts from the alternative T4 along the same ruler", () => {
    const long = column().map(({ x, y }) => ({ x: 100 + 1.1 * (x - 100), y }));
    const members = [member(heart(), column()), member(heart(), column())];
    const other = (direction: "cranial" | "caudal", edges: readonly Point[]) =>
      combineVotes({ ...reading(members, long), otherCount: { direction, edges } }, 1000).otherCount;
    expect(other("caudal", long.slice(1))?.edges).toEqual(column().slice(1));
    const fromT3 = [{ x: 50, y: 100 }, ...long.slice(0, -1)];
    expect(other("cranial", fromT3)?.edges).toEqual([{ x: 50, y: 100 }, ...column().slice(0, -1)]);
  });

  it("requests a review if the members' scores differ, even if their points are close", () => {
    const judged = (members: readonly MemberReading[]) => {
      const agreed = combineVotes(reading([...members]), 20_000);
      const { tier, reviewReasons } = resultOf(agreed, 20_000);
      const { votesApart, looksApart } = agreed.disagreement;
      return [votesApart?.toFixed(2), looksApart?.toFixed(2), tier, reviewReasons];
    };
    const onRulers = (...shares: number[]) =>
      shares.map((share) =>
        member(
          heart(),
          column().map(({ x, y }) => ({ x: 100 + (x - 100) * share, y })),
        ),
      );
    const withHearts = (...px: number[]) =>
      px.map((longer) => {
        const { heart_bottom, ...others } = heart();
        return member({ ...others, heart_bottom: { ...heart_bottom, y: heart_bottom.y + longer } }, column());
      });
    const review = [{ kind: "member_scatter", value: expect.closeTo(0.33, 1) as number, limit: 0.3 }];
    // Different rulers do not affect the scores of the hearts on the reported one.
    expect(judged(onRulers(1, 1, 1, 1, 1.01))).toEqual(["0.00", "0.04", "optimal", []]);
    expect(judged(onRulers(1, 1, 1, 1, 1.5))).toEqual(["0.00", "1.34", "review", review]);
    expect(judged(withHearts(-2, -1, 0, 1, 2))).toEqual(["0.03", "0.03", "optimal", []]);
    expect(judged(withHearts(-10, -5, 0, 5, 10))).toMatchObject([
      "0.16",
      "0.14",
      "review",
      [{ kind: "member_scatter" }],
    ]);
  });

  it("uses the interval of small films for a small film in a screenshot", () => {
    const rows = [
      { kind: "direct", widthUpToPx: 200, vhsUpTo: null, spreadUpTo: null, vhsHalfWidth: 0.75, vlasHalfWidth: 0.5 },
      { kind: "direct", widthUpToPx: null, vhsUpTo: null, spreadUpTo: null, vhsHalfWidth: 0.5, vlasHalfWidth: 0.25 },
    ];
    const calibration = { coverage: 0.8, intervals: rows };
    const manifest = { ...pack, calibration } as unknown as ManifestOf<"landmarks">;
    // Half the size of the file.
    const frame = { sha256: "", widthPx: 700, heightPx: 400, fullWidthPx: 1400 };
    const agreed = combineVotes(reading([member(heart(), column())]), 700);
    const halfWidth = (film?: { readonly widthPx: number; readonly heightPx: number }) => {
      const { intervals, score } = directMeasurement(frame, agreed, accepted, manifest, "0", film);
      return intervals!.vhs!.high - score.vhs!;
    };
    expect(halfWidth()).toBeCloseTo(0.5);
    expect(halfWidth({ widthPx: 100, heightPx: 120 })).toBeCloseTo(0.75);
    expect(halfWidth({ widthPx: 101, heightPx: 120 })).toBeCloseTo(0.5);
  });

  it("returns the repeat errors of its width and tier", () => {
    const row = { kind: "direct", widthUpToPx: null, tier: null, vhsError: 0.2, vlasError: 0.1 };
    const small = { ...row, widthUpToPx: 200, vhsError: 0.4 };
    const agreed = combineVotes(reading([member(heart(), column())]), 700);
    const errors = (widthPx: number) =>
      resultOf(agreed, widthPx, { repeatability: { errors: [small, row] } }).repeatErrors;
    expect([errors(200), errors(201)]).toEqual([
      { vhs: 0.4, vlas: 0.1 },
      { vhs: 0.2, vlas: 0.1 },
    ]);
  });

  it("measures with a single member, as on photographs", () => {
    expect(combineVotes(reading([member(heart(), column())]), 1000)).toMatchObject({
      landmarkScatter: 0,
      disagreement: { votesApart: null, looksApart: 0 },
      score: { vhs: 9 },
    });
  });

  it.each<[string, Point[]]>([
    ["coinciding edges", Array.from({ length: 12 }, () => ({ x: 7, y: 7 }))],
    ["two coinciding edges among others", [...column().slice(0, 3), ...column().slice(2, 11)]],
  ])("returns a result to review for %s", (_, edges) => {
    const agreed = combineVotes(reading([member(heart(), edges)], edges), 1000);
    expect(agreed.ruler.kind).toBe("fallback");
    const result = resultOf(agreed, 1000);
    expect(result.tier).toBe("review");
    expect(result.resultCode).toBe(agreed.score.vhs === null ? 5 : 3);
  });
});
