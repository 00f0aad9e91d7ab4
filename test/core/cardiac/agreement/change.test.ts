import { describe, expect, it } from "vitest";
import { changeBetween, errorsBetween, smallestChange } from "../../../../core/cardiac/agreement/change.ts";
import { briefChangeText, changeText } from "../../../../core/cardiac/agreement/change-text.ts";
import { sayIn } from "../../../../core/language/say.ts";
import {
  quantileOfCoverage,
  scoreErrorsOf,
  type ScoreErrors,
} from "../../../../core/cardiac/agreement/score-errors.ts";

const ofPack = (pack: string | null, full: number, repeat: number | null): ScoreErrors => ({
  pack,
  full: { vhs: full, vlas: full },
  repeat: repeat === null ? null : { vhs: repeat, vlas: repeat },
});
const words = { say: sayIn("en"), number: (value: number, decimals: number) => value.toFixed(decimals) };
const [one, other] = [ofPack("a", 0.4, 0.2), ofPack("a", 0.4, 0.1)];

describe("smallestChange", () => {
  it("adds the errors of both films and, for VHS, the phase of the heart in each", () => {
    const phase = 2 * (0.36 ** 2 / 12);
    expect(smallestChange("vhs", one, other)).toBeCloseTo(1.96 * Math.sqrt(0.2 ** 2 + 0.1 ** 2 + phase), 4);
    expect(smallestChange("vlas", one, other)).toBeCloseTo(1.96 * Math.sqrt(0.2 ** 2 + 0.1 ** 2), 4);
  });

  it.each([
    ["another pack", ofPack("b", 0.4, 0.2)],
    ["points placed by a user", ofPack(null, 0.4, null)],
    ["a pack without errors between films", ofPack("a", 0.4, null)],
  ])("uses the full error of each film compared with %s", (_, film) => {
    expect(smallestChange("vlas", one, film)).toBeCloseTo(1.96 * 0.4 * Math.SQRT2, 4);
    expect(smallestChange("vlas", film, one)).toBeCloseTo(1.96 * 0.4 * Math.SQRT2, 4);
  });

  it("returns null if the error of a film is unknown", () => {
    expect(smallestChange("vhs", one, null)).toBeNull();
    expect(smallestChange("vlas", one, { ...other, pack: null, full: { vhs: 0.3, vlas: null } })).toBeNull();
  });

  it("includes at least the phase of the heart", () =>
    expect(errorsBetween("vhs", [ofPack("a", 1, 0), ofPack("a", 1, 0)])?.[0]).toBeCloseTo(0.104, 3));
});

describe("changeBetween", () => {
  const errors = ofPack("a", 1, 0.2);
  const change = (from: number, to: number) => changeBetween("vlas", { value: from, errors }, { value: to, errors });

  it("is beyond noise if the displayed change exceeds the displayed limit in either direction", () => {
    expect(change(2, 2.6)).toEqual({ change: 0.6, limit: 0.6, isBeyondNoise: false, pairs: null });
    expect(change(2.04, 2.65)).toEqual({ change: 0.7, limit: 0.6, isBeyondNoise: true, pairs: null });
    expect(change(2.7, 2)).toEqual({ change: -0.7, limit: 0.6, isBeyondNoise: true, pairs: null });
  });

  it("does not judge noise if the error of a film is unknown", () =>
    expect(changeBetween("vhs", { value: 10, errors: null }, { value: 12, errors })).toEqual({
      change: 2,
      limit: null,
      isBeyondNoise: null,
      pairs: null,
    }));
});

describe("same-day pairs of the practice", () => {
  const practice = { vhs: { deviation: 0.25, pairs: 34 }, vlas: null };
  const ofPractice = (pack: string | null) => ({ ...ofPack(pack, 0.4, 0.2), practice });
  const between = (from: ScoreErrors, to: ScoreErrors, name: "vhs" | "vlas" = "vhs") =>
    changeBetween(name, { value: 10, errors: from }, { value: 11, errors: to });

  it("replace the errors of two films of one pack, including the phase of the heart", () => {
    expect(errorsBetween("vhs", [ofPractice("a"), one, one])).toEqual([0.25, 0.25, 0.25]);
    expect(between(one, ofPractice("a"))).toEqual({ change: 1, limit: 0.7, isBeyondNoise: true, pairs: 34 });
    expect(between(ofPack("a", 0.4, null), ofPractice("a")).pairs).toBe(34);
  });

  it.each([
    ["for a measure without enough pairs", ofPractice("a"), "vlas"],
    ["for films of two packs", ofPractice("b"), "vhs"],
    ["for points placed by a user", ofPractice(null), "vhs"],
  ] as const)("are ignored %s", (_, film, name) => {
    const bare = { ...film, practice: undefined };
    expect(between(ofPractice("a"), film, name)).toEqual(between(one, bare, name));
    expect(between(ofPractice("a"), film, name).pairs).toBeNull();
  });

  it("are mentioned next to the limit", () => {
    expect(changeText(between(one, ofPractice("a")), words)).toMatch(
      /^\+1\.0\sv, beyond noise of ±0\.7\sv \(from 34 same-day pairs of this practice\)$/,
    );
  });
});

describe("scoreErrorsOf", () => {
  const reading = {
    source: "model",
    ...{ verdict: null, resultCode: 0, score: { vhs: 10, vlas: 0.3 } },
    intervals: { coverage: 0.8, vhs: { low: 9.5, high: 10.5 }, vlas: { low: 0, high: 0.7 } },
    ...{ repeatErrors: { vhs: 0.2, vlas: 0.1 }, provenance: { packName: "landmarks", packVersion: "1" } },
  } as const satisfies Parameters<typeof scoreErrorsOf>[0];

  it("converts the intervals of an accepted or undecided proposal into standard errors", () => {
    for (const verdict of [null, "accepted"] as const) {
      const { pack, full, repeat } = scoreErrorsOf({ ...reading, verdict });
      expect([pack, repeat]).toEqual(['["landmarks","1"]', { vhs: 0.2, vlas: 0.1 }]);
      expect(full.vhs).toBeCloseTo(0.5 / 1.2816, 3);
      expect(full.vlas).toBeCloseTo(0.4 / 1.2816, 3);
    }
  });

  it("uses the error of human readers for points placed by a user, known for VHS only", () => {
    const { pack, full } = scoreErrorsOf({ ...reading, source: "person", verdict: "corrected", resultCode: null });
    expect([pack, full.vlas]).toEqual([null, null]);
    expect(full.vhs).toBeCloseTo(0.297, 3);
  });

  it("includes the error of an RLAD with an interval, whose changes are not judged", () => {
    const intervals = { ...reading.intervals, rlad: { low: 1.5, high: 2.3 } };
    const errors = scoreErrorsOf({ ...reading, score: { ...reading.score, rlad: 1.9 }, intervals });
    expect(errors.full.rlad).toBeCloseTo(0.4 / 1.2816, 3);
    expect(smallestChange("rlad", errors, { ...errors, pack: null })).toBeNull();
    const practice = { vhs: { deviation: 0.1, pairs: 40 }, vlas: { deviation: 0.1, pairs: 40 } };
    const change = changeBetween("rlad", { value: 1.5, errors: { ...errors, practice } }, { value: 2.5, errors });
    for (const say of [changeText, briefChangeText]) expect(say(change, words)).toMatch(/^\+1\.0\sv$/);
  });

  it("returns null errors for a pack without calibration", () =>
    expect(scoreErrorsOf({ ...reading, intervals: null }).full).toEqual({ vhs: null, vlas: null }));
});

it.each([
  [0.8, 1.28155],
  [0.9, 1.64485],
  [0.95, 1.95996],
  [0.5, 0.67449],
])("quantileOfCoverage inverts the normal distribution at %s", (coverage, quantile) =>
  expect(Math.abs(quantileOfCoverage(coverage) - quantile)).toBeLessThan(0.00045),
);

it("formats a change, in brief without its limit", () => {
  const own = { pairs: null };
  const within = { change: 0.3, limit: 0.8, isBeyondNoise: false, ...own };
  expect(changeText(within, words)).toMatch(/^\+0\.3\sv, within noise of ±0\.8\sv$/);
  expect(briefChangeText(within, words)).toMatch(/^\+0\.3\sv, within noise$/);
  expect(briefChangeText({ change: 1.2, limit: 0.8, isBeyondNoise: true, ...own }, words)).toMatch(
    /^\+1\.2\sv, beyond noise$/,
  );
  expect(briefChangeText({ change: 1.2, limit: null, isBeyondNoise: null, ...own }, words)).toMatch(/^\+1\.2\sv$/);
});
