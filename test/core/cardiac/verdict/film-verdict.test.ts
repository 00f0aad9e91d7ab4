import { describe, expect, it } from "vitest";
import { confidenceTiers, reviewReasonKinds } from "../../../../core/cardiac/confidence.ts";
import { referenceRangeFor } from "../../../../core/cardiac/reference/reference-ranges.ts";
import { filmVerdict, studyVerdict, verdictOfTier } from "../../../../core/cardiac/verdict/film-verdict.ts";
import { noVerdictFacts, type VerdictFacts } from "../../../../core/cardiac/verdict/verdict-facts.ts";
import { briefVerdictText, verdictText } from "../../../../core/cardiac/verdict/verdict-text.ts";
import { languageCodes } from "../../../../core/language/languages.ts";
import { sayIn } from "../../../../core/language/say.ts";

const clear: VerdictFacts = {
  ...noVerdictFacts,
  tier: "optimal",
  resultCode: 1,
  vhs: 9.5,
  leastCertain: "heart_bottom",
  vhsInterval: { low: 9.1, high: 9.9 },
};
const general = referenceRangeFor("vhs", "dog", "");
const sentence = (change: Partial<VerdictFacts>) => {
  const verdict = filmVerdict({ ...clear, ...change }, general);
  return verdict && verdictText(verdict, sayIn("en"), (value, decimals) => value.toFixed(decimals));
};

describe("the verdict on a film", () => {
  it("is reliable if the networks agree closely and no limit is within the interval", () => {
    expect(sentence({})).toBe("Reliable");
  });

  it("states the limit within the interval", () => {
    const near = { vhs: 10.4, vhsInterval: { low: 10, high: 10.8 } };
    expect(sentence(near)).toBe("Usable, but the limit of 10.5 v is within the interval");
    expect(filmVerdict({ ...clear, ...near }, null)).toEqual({ grade: "reliable" });
    expect(sentence({ vhs: 8.7, vhsInterval: { low: 8.3, high: 9.1 } })).toContain("8.5 v");
  });

  it("states the point on which the votes differ most, or all points of a photograph", () => {
    expect(sentence({ tier: "good", resultCode: 2 })).toBe("Usable: check the apex");
    expect(sentence({ tier: "good", resultCode: 2, leastCertain: null })).toBe("Usable: check the points");
  });

  it("states both values of an uncertain T4, the smaller first, if they differ as displayed", () => {
    expect(sentence({ vhs: 8.42, otherVhs: 8.31 })).toBe("Check T4: 8.3 or 8.4 v");
    expect(sentence({ vhs: 8.31, otherVhs: 8.42 })).toBe("Check T4: 8.3 or 8.4 v");
    expect(sentence({ otherVhs: 9.51 })).toBe("Reliable");
  });

  it("prefers a cut-off part to every other reason", () => {
    const cut = { tier: "review", resultCode: 3, reasons: ["spread", "outside_film"], otherVhs: 9 } as const;
    expect(sentence({ ...cut, cutOff: "column" })).toBe("Do not use: the vertebral column is cut off");
    expect(sentence({ ...cut, cutOff: "heart" })).toBe("Do not use: the heart is cut off");
  });

  it("prefers the ruler to a scatter that may result from it", () => {
    const review = { tier: "review", resultCode: 3 } as const;
    expect(sentence({ ...review, reasons: ["spread", "fallback_ruler"] })).toBe("Check the ruler on the vertebrae");
    expect(sentence({ ...review, reasons: ["spread"] })).toBe("Check the apex: the networks disagree");
    expect(sentence(review)).toBe("Check all points");
  });

  it("prefers reasons for a review to an uneven vertebra, and this to agreement", () => {
    const uneven = { index: 2, share: 0.842 };
    expect(sentence({ uneven, tier: "good" })).toBe("Check T6: 84 % of its neighbours’ length");
    expect(sentence({ uneven, tier: "review", resultCode: 3, reasons: ["axes_angle"] })).toMatch(/^Check the axes/);
  });

  it("explains a missing score by the result code", () => {
    const codes = [5, 6, 7].map((resultCode) => sentence({ tier: null, vhs: null, resultCode }));
    expect(codes).toEqual([
      "Do not use: no VHS could be measured",
      "Do not use: not a lateral thoracic film",
      "Do not use: no film found in the photograph",
    ]);
  });

  it("is null for a film without a measurement", () => {
    expect(sentence({ tier: null, resultCode: null })).toBeNull();
  });

  it("states the user who placed the points, and what to check", () => {
    const placed = { tier: null, resultCode: null, placement: { how: "corrected", who: "Dr. Weber" } } as const;
    const at = (vhs: number) => ({ ...placed, vhs, vhsInterval: { low: vhs - 0.4, high: vhs + 0.4 } });
    expect([
      sentence(at(10.4)),
      sentence({ ...at(10.4), reasons: ["axes_angle"] }),
      sentence(at(9.5)),
      sentence(at(11)),
      sentence(at(7.9)),
      sentence({ ...placed, vhs: null, placement: { how: "by_hand", who: "Dr. Weber" } }),
      sentence({ ...placed, vhsInterval: null, placement: { how: "by_hand", who: null } }),
    ]).toEqual([
      "Corrected by Dr. Weber: check the limit of 10.5 v",
      "Corrected by Dr. Weber: check the axes, they are not perpendicular",
      "Corrected by Dr. Weber: the whole interval is within the range",
      "Corrected by Dr. Weber: the whole interval is above the range",
      "Corrected by Dr. Weber: the whole interval is below the range",
      "Measured manually by Dr. Weber",
      "Measured manually",
    ]);
  });

  it("states the user who rejected the film and the reason, not who placed the points", () => {
    const placement = { how: "corrected", who: "Dr. Weber" } as const;
    expect([
      sentence({ placement, rejection: { who: "Dr. Roth", reason: "quality" } }),
      sentence({ rejection: { who: null, reason: null } }),
    ]).toEqual(["Rejected by Dr. Roth: Poor image quality", "Rejected"]);
  });

  it("follows from the tier if nothing else is known", () => {
    const grades = confidenceTiers.map((tier) => briefVerdictText(verdictOfTier(tier), sayIn("en")));
    expect(grades).toEqual(["Reliable", "Usable", "Check"]);
  });

  it("of a study is that of its best film, or of the scatter if that requires more attention", () => {
    const placed = filmVerdict({ ...clear, placement: { how: "by_hand", who: null } }, null);
    const cut = { grade: "unusable", about: "columnCut" } as const;
    expect([
      studyVerdict(placed, null),
      studyVerdict(placed, "good"),
      studyVerdict({ grade: "usable", about: "marks" }, "good"),
      studyVerdict({ grade: "usable", about: "marks" }, "review"),
      studyVerdict(cut, "review"),
      studyVerdict(null, null),
    ]).toEqual([
      placed,
      { grade: "usable", about: "films" },
      { grade: "usable", about: "marks" },
      { grade: "check", about: "films" },
      cut,
      null,
    ]);
  });

  it("has a sentence for every review reason in every language, which starts with the brief verdict in English", () => {
    for (const kind of reviewReasonKinds) {
      const verdict = filmVerdict({ ...clear, tier: "review", resultCode: 3, reasons: [kind] }, general);
      if (!verdict) throw new Error(kind);
      for (const code of languageCodes) {
        const text = verdictText(verdict, sayIn(code), String);
        expect(text).not.toMatch(/verdict\.|\{/);
      }
      const say = sayIn("en");
      expect(verdictText(verdict, say, String).startsWith(briefVerdictText(verdict, say))).toBe(true);
    }
  });
});
