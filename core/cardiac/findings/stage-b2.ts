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
  /** Must be exceeded [v]; the upper limit of the breed's range takes precedence. */
  vhs: 10.5,
  source: "Keene et al. 2019, J Vet Intern Med 33:1127–1140",
  identifier: "doi:10.1111/jvim.15488",
} as const;

export const ratioDecimals = 2;

/** Clinical facts of a dog; null if not examined. */
export type StageB2Facts = {
  readonly murmur: number | null;
  readonly laToAo: number | null;
  readonly lviddn: number | null;
  /** [v], unrounded. */
  readonly vhs: number | null;
  /** Upper limit of the breed's range [v]; null without one. */
  readonly breedLimit: number | null;
};

/** One of the four criteria. `isMet` is null if its value is unknown. */
export type StageB2Criterion = {
  readonly name: "murmur" | "laToAo" | "lviddn" | "vhs";
  readonly value: number | null;
  readonly limit: number;
  readonly isMet: boolean | null;
};

/** Evaluates each criterion. They presuppose the diagnosis and do not make it. */
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
 * Upper limit of VHS for a breed, which replaces the general one [v]; null without one. Not used for mixed breeds,
 * whose published range is that of mongrels of one country.
 */
export function breedLimitOf(range: ReferenceRange | null): number | null {
  if (!range?.breed || (range.breed === "mongrel" && range.band !== "clinic_limits")) return null;
  return range.high;
}

/** Rounds a value as displayed, since displayed values are compared. Murmur grades have fewer decimals. */
function shownFact(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(ratioDecimals));
}

/** Whether a typed value is plausible: grades 0–6 in steps of one half, ratios 0.5–5. */
export function isPlausible(name: "murmur" | "laToAo" | "lviddn", value: number): boolean {
  return name === "murmur" ? value >= 0 && value <= 6 && Number.isInteger(value * 2) : value >= 0.5 && value <= 5;
}
