import type { ReferenceRange } from "../reference/reference-range.ts";
import { shownScore } from "../shown-score.ts";

/**
 * Consensus criteria for stage B2 of myxomatous mitral valve disease; all must be met.
 *
 * @see Keene et al. 2019, table of stages: murmur, LA:Ao, LVIDDN, breed-adjusted VHS
 */
export const stageB2 = {
  murmur: 3,
  laToAo: 1.6,
  lviddn: 1.7,
  /** Exceeded [v]; the upper limit of the breed's range takes precedence. */
  vhs: 10.5,
  source: "Keene et al. 2019, J Vet Intern Med 33:1127–1140",
  identifier: "doi:10.1111/jvim.15488",
} as const;

/** Displayed decimals of LA:Ao and LVIDDN. */
export const ratioDecimals = 2;

/** Clinical facts of a dog; null if not examined. */
export type StageB2Facts = {
  readonly murmur: number | null;
  readonly laToAo: number | null;
  readonly lviddn: number | null;
  /** [v], unrounded. */
  readonly vhs: number | null;
  /** Upper limit of the breed's own range [v]; null without one. */
  readonly breedLimit: number | null;
};

/** One of the four criteria; `isMet` null where its value is not known. */
export type StageB2Criterion = {
  readonly name: "murmur" | "laToAo" | "lviddn" | "vhs";
  readonly value: number | null;
  readonly limit: number;
  readonly isMet: boolean | null;
};

/** The four criteria one by one. Whether a dog has the disease at all is not among them. */
export function stageB2Criteria({ breedLimit, ...facts }: StageB2Facts): readonly StageB2Criterion[] {
  const reached = (name: "murmur" | "laToAo" | "lviddn") => {
    const value = shownFact(facts[name]);
    return { name, value, limit: stageB2[name], isMet: value === null ? null : value >= stageB2[name] };
  };
  const limit = shownScore(breedLimit ?? stageB2.vhs);
  const vhs = shownScore(facts.vhs);
  return [
    reached("murmur"),
    reached("laToAo"),
    reached("lviddn"),
    { name: "vhs", value: vhs, limit, isMet: vhs === null ? null : vhs > limit },
  ];
}

/**
 * Upper limit of VHS for a breed, which replaces the general one [v]; null without one. A mixed breed has none: the
 * published range is that of one country's mongrels.
 */
export function breedLimitOf(range: ReferenceRange | null): number | null {
  if (!range?.breed || (range.breed === "mongrel" && range.band !== "clinic_limits")) return null;
  return range.high;
}

/** The displayed value, which is also the compared one. Grades have fewer decimals. */
function shownFact(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(ratioDecimals));
}

/** Whether what can be typed is plausible: grades 0–6 in halves, ratios 0.5–5. */
export function isPlausible(name: "murmur" | "laToAo" | "lviddn", value: number): boolean {
  return name === "murmur" ? value >= 0 && value <= 6 && Number.isInteger(value * 2) : value >= 0.5 && value <= 5;
}
