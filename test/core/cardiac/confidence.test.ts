import { describe, expect, it } from "vitest";
import { judgeDirect, judgePhotograph, oneTierLower } from "../../../core/cardiac/confidence.ts";
import type { DisagreementRule } from "../../../core/cardiac/measures/calibration.ts";
import { disagreementOf } from "../../../core/cardiac/disagreement.ts";
import { agreedPoint, landmarkScatter, voteScatterPx } from "../../../core/cardiac/ensemble.ts";
import type { HeartScore } from "../../../core/cardiac/heart-score.ts";
import { isBillable, resultCodeOf, resultDescriptions, type ResultCode } from "../../../core/cardiac/result-codes.ts";
import type { VertebralRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import { pointsAt } from "../../fixtures/points-at.ts";

const edges = Array.from({ length: 7 }, (_, index) => ({ x: 100 + 50 * index, y: 100 }));
const ruler: VertebralRuler = { kind: "detected", edges };
const fallback: VertebralRuler = { kind: "fallback", edges };
const score: HeartScore = {
  vhs: 10,
  vlas: 2,
  longAxisVertebrae: 5.5,
  shortAxisVertebrae: 4.5,
  axesAngleDeg: 90,
  areAxesPerpendicular: true,
  isGeometryValid: true,
};

const landmarks = {
  heart_top: { x: 200, y: 150 },
  heart_bottom: { x: 200, y: 425 },
  heart_right: { x: 100, y: 250 },
  heart_left: { x: 325, y: 250 },
  VLAS: { x: 280, y: 190 },
  "Vertebra A": { x: 100, y: 100 },
  "Vertebra B": { x: 400, y: 100 },
};
const film = { widthPx: 600, heightPx: 500 };
const agreed = { votesApart: null, looksApart: null };
const direct = { landmarkScatter: 0.001, disagreement: agreed, landmarks, ruler, score };
/** Expected error: `votesApart` plus a fifth of `looksApart` [v]. */
const rule: DisagreementRule = { atRest: 0, votes: 1, looks: 0.2, goodFrom: 0.1, reviewFrom: 0.2 };
const votesApart = (apart: number) => ({ votesApart: apart, looksApart: null });
const photograph = { sharpness: 0.7, ruler, score };

describe("tier of a direct radiograph (section 2.8)", () => {
  it.each([
    [0.0049, "optimal"],
    [0.005, "good"],
    [0.0079, "good"],
    [0.008, "review"],
    [1, "review"],
  ])("spread %d is %s", (spread, tier) => {
    expect(judgeDirect({ ...direct, landmarkScatter: spread }, film)).toMatchObject({ spread, tier });
  });
  it("follows from the rounded spread, so that a client derives the same tier", () => {
    expect(judgeDirect({ ...direct, landmarkScatter: 0.007_999_6 }, film)).toMatchObject({
      spread: 0.008,
      tier: "review",
    });
    expect(judgeDirect({ ...direct, landmarkScatter: 0.001_234_567_8 }, film).spread).toBe(0.001235);
  });
  it("follows the larger of landmark scatter and score disagreement", () => {
    const scattered = { ...direct, disagreement: votesApart(0.11) };
    expect(judgeDirect(scattered, film, rule)).toMatchObject({ spread: 0.0053, tier: "good" });
    expect(judgeDirect({ ...scattered, landmarkScatter: 0.0061 }, film, rule).spread).toBe(0.0061);
    expect(judgeDirect(scattered, film, { ...rule, goodFrom: 0.2, reviewFrom: 0.3 }).spread).toBe(0.00275);
  });
  it("maps the limits of the expected error to those of the tiers", () => {
    const spreadAt = (disagreement: typeof direct.disagreement | ReturnType<typeof votesApart>) =>
      judgeDirect({ ...direct, disagreement }, film, rule).spread;
    expect([0.06, 0.1, 0.15, 0.2, 0.3].map((apart) => spreadAt(votesApart(apart)))).toEqual([
      0.003, 0.005, 0.0065, 0.008, 0.011,
    ]);
    expect(judgeDirect({ ...direct, disagreement: { votesApart: 0.05, looksApart: 0.5 } }, film, rule).spread).toBe(
      0.0065,
    );
    // Even networks in complete agreement have the error at rest.
    expect(judgeDirect(direct, film, { ...rule, atRest: 0.04 }).spread).toBe(0.002);
  });
});

describe("disagreement of the members", () => {
  it("is the deviation of the votes, and the root mean square of the first-pass deviations", () => {
    expect(disagreementOf(10, [9, 11, null], [9.7, null, 10.4])).toEqual({
      votesApart: Math.SQRT2,
      looksApart: expect.closeTo(Math.sqrt((0.09 + 0.16) / 2), 12),
    });
  });

  it("is null without two votes, a first-pass score or a score", () => {
    expect(disagreementOf(10, [9, null], [null])).toEqual(agreed);
    expect(disagreementOf(null, [], [9.7])).toEqual(agreed);
  });
});

describe("tier of a photograph of a screen (section 2.8)", () => {
  it("is optimal if sharp, good if not, review if the geometry is invalid", () => {
    expect(judgePhotograph(photograph, 0.6).tier).toBe("optimal");
    expect(judgePhotograph(photograph, 0.7).tier).toBe("good");
    expect(judgePhotograph({ ...photograph, score: { ...score, isGeometryValid: false } }, 0.6).tier).toBe("review");
    expect(judgePhotograph({ ...photograph, ruler: fallback }, 0.6).tier).toBe("review");
  });

  it("is at most good with vertebrae shorter than 20 px", () => {
    const tierAt = (vertebraPx: number) => {
      const small = edges.map((_, index) => ({ x: vertebraPx * index, y: 100 }));
      return judgePhotograph({ ...photograph, ruler: { kind: "detected", edges: small } }, 0.6).tier;
    };
    expect([12, 19.9, 20].map(tierAt)).toEqual(["good", "good", "optimal"]);
  });

  it("is at most good above a blur of 0.1 v, and review with a reason above 0.17 v", () => {
    const judge = (edgeBlurV: number) => judgePhotograph({ ...photograph, edgeBlurV }, 0.6);
    expect([0.1, 0.11, 0.17].map((blur) => judge(blur).tier)).toEqual(["optimal", "good", "good"]);
    const reviewReasons = [{ kind: "blurred", value: 0.18, limit: 0.17 }];
    expect(judge(0.18)).toEqual({ tier: "review", reviewReasons });
  });
});

describe("reasons for a review", () => {
  const tierFor = (reasons: readonly unknown[]) => (reasons.length > 0 ? "review" : "optimal");
  const invalid = (change: Partial<HeartScore>) => ({ ...score, isGeometryValid: false, ...change });

  it.each([
    ["nothing", {}, []],
    ["members that agree on the score", { disagreement: votesApart(0.0687) }, []],
    [
      "members at the limit of their disagreement",
      { disagreement: votesApart(0.2) },
      [{ kind: "member_scatter", value: 0.2, limit: 0.2 }],
    ],
    ["one member", { disagreement: agreed }, []],
    [
      "members that disagree on the score",
      { disagreement: votesApart(0.272) },
      [{ kind: "member_scatter", value: 0.272, limit: 0.2 }],
    ],
    ["landmarks that scatter", { landmarkScatter: 0.008 }, [{ kind: "spread", value: 0.008, limit: 0.008 }]],
    [
      "a fallback ruler and no VHS",
      { ruler: fallback, score: { ...score, vhs: null } },
      [
        { kind: "no_score", value: null, limit: null },
        { kind: "fallback_ruler", value: null, limit: null },
      ],
    ],
    [
      "both kinds of disagreement",
      { disagreement: votesApart(0.3), landmarkScatter: 0.01 },
      [
        { kind: "member_scatter", value: 0.3, limit: 0.2 },
        { kind: "spread", value: 0.01, limit: 0.008 },
      ],
    ],
    [
      "oblique axes, and an apex below the film",
      {
        score: { ...score, axesAngleDeg: 71, areAxesPerpendicular: false },
        landmarks: { ...landmarks, heart_bottom: { x: 200, y: 501 } },
      },
      [
        { kind: "outside_film", value: null, limit: null },
        { kind: "axes_angle", value: 71, limit: 15 },
      ],
    ],
    [
      "a thorax accepted in a film rejected as a whole",
      { isThoraxAlone: true },
      [{ kind: "small_thorax", value: null, limit: null }],
    ],
    [
      "a picture with uncertain pixel spacing",
      { isShapeDoubtful: true },
      [{ kind: "pixel_shape", value: null, limit: null }],
    ],
    [
      "a ruler that leaves the film",
      { ruler: { ...ruler, edges: [{ x: -9, y: 100 }, ...edges.slice(1)] } },
      [{ kind: "outside_film", value: null, limit: null }],
    ],
  ])("of a direct film, with the spread in the range of its tier: %s", (_, change, reasons) => {
    const { spread, ...judged } = judgeDirect({ ...direct, ...change }, film, rule);
    expect(judged).toEqual({ tier: tierFor(reasons), reviewReasons: reasons });
    expect(spread >= 0.008).toBe(reasons.length > 0);
  });

  it("include points outside a film in a larger picture", () => {
    const shown = { begins: { x: 90, y: 80 }, widthPx: 320, heightPx: 350 };
    expect(judgeDirect(direct, shown).reviewReasons).toEqual([]);
    for (const cut of [{ heightPx: 340 }, { begins: { x: 110, y: 80 } }, { widthPx: 300 }])
      expect(judgeDirect(direct, { ...shown, ...cut }).reviewReasons).toMatchObject([{ kind: "outside_film" }]);
  });

  it.each([
    ["nothing", ruler, score, []],
    [
      "neither VHS nor VLAS",
      ruler,
      invalid({ vhs: null, vlas: null }),
      [{ kind: "no_score", value: null, limit: null }],
    ],
    [
      "no VLAS, and oblique axes",
      ruler,
      invalid({ vlas: null, areAxesPerpendicular: false, axesAngleDeg: 63 }),
      [
        { kind: "no_vlas", value: null, limit: null },
        { kind: "axes_angle", value: 63, limit: 15 },
      ],
    ],
    [
      "a ruler of five vertebrae shorter than the short axis",
      { ...ruler, edges: edges.slice(0, 6) },
      invalid({ shortAxisVertebrae: 5.19 }),
      [{ kind: "short_ruler", value: 5, limit: 5.19 }],
    ],
    [
      "a ruler of five vertebrae as long as the short axis",
      { ...ruler, edges: edges.slice(0, 6) },
      invalid({ shortAxisVertebrae: 5 }),
      [{ kind: "short_ruler", value: 5, limit: 5 }],
    ],
    [
      "an invalid heart position, on a fallback ruler",
      fallback,
      invalid({}),
      [
        { kind: "fallback_ruler", value: null, limit: null },
        { kind: "geometry", value: null, limit: null },
      ],
    ],
  ])("of a photograph: %s", (_, on, of, reasons) =>
    expect(judgePhotograph({ sharpness: 0.7, ruler: on, score: of }, 0.6)).toEqual({
      tier: tierFor(reasons),
      reviewReasons: reasons,
    }),
  );
});

describe("result codes (section 2.7)", () => {
  it.each<[number | null, number | null, "optimal" | "good" | "review", ResultCode]>([
    [10, 2, "optimal", 1],
    [10, 2, "good", 2],
    [10, 2, "review", 3],
    [10, null, "optimal", 4],
    [null, 2, "good", 5],
    [null, null, "review", 5],
  ])("VHS %s, VLAS %s, %s is code %d", (vhs, vlas, tier, code) => expect(resultCodeOf(vhs, vlas, tier)).toBe(code));

  it("bills codes 1 to 4 only", () => {
    const codes = Object.keys(resultDescriptions).map((code) => Number(code) as ResultCode);
    expect(codes.filter(isBillable)).toEqual([1, 2, 3, 4]);
  });
});

describe("the ensemble", () => {
  const votes = pointsAt([10, 10], [12, 10], [10, 12], [12, 12]);

  it("averages the votes", () => expect(agreedPoint(votes)).toEqual({ x: 11, y: 11 }));
  it("drops outliers", () => expect(agreedPoint([...votes, { x: 300, y: 4 }])).toEqual({ x: 11, y: 11 }));
  it("keeps single and identical votes", () => {
    expect(agreedPoint([{ x: 3, y: 4 }])).toEqual({ x: 3, y: 4 });
    expect(agreedPoint(pointsAt([3, 4], [3, 4], [3, 4]))).toEqual({ x: 3, y: 4 });
  });
  it("computes scatter as the root mean square distance from the mean", () =>
    expect(voteScatterPx(votes)).toBeCloseTo(Math.SQRT2, 12));
  it("averages scatter relative to the longest side", () => {
    expect(landmarkScatter([votes, pointsAt([1, 1], [1, 1])], 768)).toBeCloseTo(Math.SQRT2 / 2 / 768, 12);
  });
});

it("lowers a tier one step, never below review", () => {
  expect((["optimal", "good", "review"] as const).map(oneTierLower)).toEqual(["good", "review", "review"]);
});
