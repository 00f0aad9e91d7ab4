import { describe, expect, it } from "vitest";
import {
  findingsBlocks,
  findingsText,
  stageB2Text,
  type FindingsSubject,
  type FindingsWords,
} from "../../../../core/cardiac/findings/findings-text.ts";
import { isPlausible, stageB2Criteria } from "../../../../core/cardiac/findings/stage-b2.ts";
import { referenceRangeFor } from "../../../../core/cardiac/reference/reference-ranges.ts";
import { languageCodes, languages, type Language } from "../../../../core/language/languages.ts";
import { sayIn } from "../../../../core/language/say.ts";

const wordsIn = (language: Language): FindingsWords => ({
  say: sayIn(language),
  number: (value, decimals) =>
    new Intl.NumberFormat(languages[language].locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(value),
  day: (atMs) => new Date(atMs).toISOString().slice(0, 10),
});
const unmeasured = { value: null, interval: null, range: null };
const at = (iso: string) => Date.parse(iso);
const errors = { pack: "a", full: { vhs: 0.2, vlas: 0.05 }, repeat: null };
const subject: FindingsSubject = {
  errors,
  measured: {
    vhs: {
      value: 10.94,
      interval: { low: 10.4, high: 11.4, coverage: 0.8 },
      range: referenceRangeFor("vhs", "dog", ""),
    },
    vlas: { value: 2.3, interval: null, range: referenceRangeFor("vlas", "dog", "") },
    rlad: {
      value: 1.96,
      interval: { low: 1.5, high: 2.4, coverage: 0.8 },
      range: referenceRangeFor("rlad", "dog", ""),
    },
  },
  series: {
    vhs: [
      { atMs: at("2026-01-05"), value: 10.1, errors },
      { atMs: at("2026-04-05"), value: 10.4, errors },
      { atMs: at("2026-06-05"), value: 10.94, errors },
    ],
    vlas: [
      { atMs: at("2026-04-05"), value: 2.1, errors },
      { atMs: at("2026-06-05"), value: 2.3, errors },
    ],
    rlad: [{ atMs: at("2026-01-05"), value: 1.7, errors }],
  },
  takenAtMs: at("2026-06-05"),
  verdict: { grade: "usable", about: "point", point: "heart_bottom" },
  isPhotograph: false,
  isSpeciesKnown: true,
  breed: "Boxer",
  isFallbackRuler: false,
};

const withMeasured = (changed: Partial<FindingsSubject["measured"]>): FindingsSubject => ({
  ...subject,
  measured: { ...subject.measured, ...changed },
});

const inEnglish = (block: (typeof findingsBlocks)[number], of: FindingsSubject) =>
  findingsText(block, of, wordsIn("en"));

describe("findings", () => {
  it("mark a range of the clinic, with its source", () => {
    const published = subject.measured.vhs.range!;
    const source = { citation: "Own data, 2025", identifier: null, remark: null };
    const range = { ...published, low: 9, high: 10.2, band: "clinic_limits", source } as const;
    expect(inEnglish("size", withMeasured({ vhs: { ...subject.measured.vhs, range } }))).toBe(
      "Heart size: VHS 10.9 v (80 % interval 10.4–11.4 v), above the reference range of 9.0–10.2 v (limits of this practice: Own data, 2025).",
    );
  });

  it("state the assumed species if it is unknown", () => {
    const range = "the reference range of 8.5–10.5 v (species unknown, dogs in general)";
    expect(inEnglish("size", { ...subject, isSpeciesKnown: false })).toBe(
      `Heart size: VHS 10.9 v (80 % interval 10.4–11.4 v), above ${range}, borderline.`,
    );
    const { vhs } = subject.measured;
    const ofBreed = withMeasured({ vhs: { ...vhs, range: { ...vhs.range!, breed: "boxer" } } });
    expect(inEnglish("size", { ...ofBreed, isSpeciesKnown: false })).toContain("(species unknown, Boxer)");
  });

  it("state size, atrium, comparison, trend and quality in values that add up as displayed", () => {
    const said = findingsBlocks.map((block) => inEnglish(block, subject));
    expect(said).toEqual([
      "Heart size: VHS 10.9 v (80 % interval 10.4–11.4 v), above the reference range of 8.5–10.5 v, borderline.",
      "Left atrium: VLAS 2.3 v, within the reference range of less than 2.5 v. RLAD 2.0 v (80 % interval 1.5–2.4 v), above the reference range of less than 1.8 v, borderline.",
      "Compared with 2026-04-05: VHS 10.4 → 10.9 v (+0.5, within noise of ±0.6 v), VLAS 2.1 → 2.3 v (+0.2, beyond noise of ±0.1 v). Compared with 2026-01-05: RLAD 1.7 → 2.0 v (+0.3).",
      "Trend over 3 films since 2026-01-05: VHS +0.16 v per month (95 % interval +0.04 to +0.29). Increase of at least 0.08 v per month, beyond noise.",
      "Measurement: Usable: check the apex.",
    ]);
  });

  it("report a left atrium at the specified limit as above the range", () => {
    const atLimit = withMeasured({ vlas: { ...subject.measured.vlas, value: 2.46 }, rlad: unmeasured });
    expect(inEnglish("atrium", atLimit)).toBe("Left atrium: VLAS 2.5 v, above the reference range of less than 2.5 v.");
  });

  it("label values and intervals in every language", () => {
    const interval = { low: 10.4, high: 11.4, coverage: 0.9 };
    const ofPack = withMeasured({ vhs: { ...subject.measured.vhs, interval } });
    const said = (language: Language) => findingsText("size", ofPack, wordsIn(language)).replaceAll("\u00a0", " ");
    expect(said("en")).toContain("VHS 10.9 v (90 % interval 10.4–11.4 v), above");
    expect(said("de")).toContain("VHS 10,9 v (90-%-Intervall 10,4–11,4 v), ");
    expect(said("fr")).toContain("VHS 10,9 v (intervalle à 90 % : 10,4–11,4 v), ");
  });

  it("capitalise the verdict after its heading in every language", () => {
    expect(findingsText("quality", subject, wordsIn("fr"))).toBe("Mesure. – Utilisable\u00a0: vérifier l’apex.");
    expect(findingsText("quality", subject, wordsIn("de"))).toBe("Messung: Brauchbar, zu prüfen: Herzspitze.");
  });

  it("compare each measure with the last earlier film that has it, with date and value", () => {
    const withoutVlas = { ...subject.series, vlas: [{ atMs: at("2026-01-05"), value: 1.9, errors }], rlad: [] };
    expect(inEnglish("comparison", { ...subject, series: withoutVlas })).toBe(
      "Compared with 2026-04-05: VHS 10.4 → 10.9 v (+0.5, within noise of ±0.6 v). Compared with 2026-01-05: VLAS 1.9 → 2.3 v (+0.4, beyond noise of ±0.1 v).",
    );
    // Another film with the same time precedes it.
    const twins = [
      ...subject.series.vhs.slice(0, 2),
      { atMs: at("2026-06-05"), value: 9, errors },
      subject.series.vhs[2]!,
    ];
    expect(inEnglish("comparison", { ...subject, series: { vhs: twins, vlas: [], rlad: [] } })).toBe(
      "Compared with 2026-04-05: VHS 10.4 → 10.9 v (+0.5, within noise of ±0.6 v).",
    );
  });

  it("omit blocks without data, in every language", () => {
    const alone = {
      ...withMeasured({ vlas: unmeasured, rlad: unmeasured }),
      series: { vhs: [], vlas: [], rlad: [] },
    };
    for (const language of languageCodes) {
      const words = wordsIn(language);
      const said = findingsBlocks.map((block) => findingsText(block, alone, words));
      expect([said[2], said[3]]).toEqual(["", ""]);
      expect(said.filter((text) => /[{}]|undefined|NaN/.test(text))).toEqual([]);
      expect(said[1]?.length).toBeGreaterThan(10);
    }
  });

  it("state that a user placed the points", () => {
    const verdict = { grade: "placed", how: "corrected", who: "Dr. Weber", about: "nothing" } as const;
    expect(inEnglish("quality", { ...subject, verdict })).toBe("Measurement: Points placed manually.");
  });
});

describe("criteria of stage B2", () => {
  const known = { murmur: 3, laToAo: 1.6, lviddn: 1.7, vhs: 10.56, breedLimit: null };

  it("are met at their limits, except the VHS, which must exceed its displayed limit", () => {
    expect(stageB2Criteria(known).map(({ isMet }) => isMet)).toEqual([true, true, true, true]);
    expect(stageB2Criteria({ ...known, vhs: 10.54 }).at(-1)?.isMet).toBe(false);
    expect(
      stageB2Criteria({ murmur: 2.5, laToAo: 1.59, lviddn: 1.69, vhs: 9, breedLimit: null }).every(
        (each) => each.isMet === false,
      ),
    ).toBe(true);
  });

  it("compare ratios as displayed", () => {
    const [, laToAo, lviddn] = stageB2Criteria({ ...known, laToAo: 1.596, lviddn: 1.694 });
    expect([laToAo, lviddn]).toMatchObject([
      { value: 1.6, isMet: true },
      { value: 1.69, isMet: false },
    ]);
  });

  it("use the range of a breed", () => {
    expect(stageB2Criteria({ ...known, vhs: 11.3, breedLimit: 11.6 }).at(-1)).toMatchObject({
      limit: 11.6,
      isMet: false,
    });
  });

  it("are undetermined for unknown values, and never state a diagnosis", () => {
    const criteria = stageB2Criteria({ ...known, murmur: null, laToAo: null });
    expect(criteria.map(({ isMet }) => isMet)).toEqual([null, null, true, true]);
    for (const language of languageCodes) {
      const text = stageB2Text(criteria, wordsIn(language));
      expect(text).toContain("Keene et al. 2019");
      expect(text).not.toMatch(/[{}]|undefined|NaN/);
    }
    expect(stageB2Text(criteria, wordsIn("en"))).toBe(
      "ACVIM criteria for stage B2 (Keene et al. 2019, J Vet Intern Med 33:1127–1140): murmur –/6 (from 3/6: unknown); LA:Ao – (from 1.6: unknown); LVIDDN 1.70 (from 1.7: met); VHS 10.6 v (above 10.5 v: met). 2 of 4 met, 2 unknown. An aid, not a diagnosis.",
    );
  });

  it("reject implausible values", () => {
    expect([
      isPlausible("murmur", 7),
      isPlausible("murmur", 3.3),
      isPlausible("murmur", 3),
      isPlausible("laToAo", 16),
      isPlausible("lviddn", 1.7),
    ]).toEqual([false, false, true, false, true]);
  });
});
