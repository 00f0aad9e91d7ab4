import { AppError, because } from "../app-error.ts";
import { usgFeatures, type FeatureKey, type FeatureValues } from "./features.ts";
import { roundTo } from "./rounding.ts";

type UnitMistake = {
  readonly key: FeatureKey;
  readonly isMistaken: (value: number) => boolean;
  /** `isMistaken` and `convert` in words. */
  readonly rule: string;
  readonly convert: (value: number) => number;
  readonly explanation: string;
};

const unitMistakes: readonly UnitMistake[] = [
  {
    key: "CREATININE",
    isMistaken: (value) => value > 50,
    rule: "above 50 is taken as umol/L and divided by 88.4",
    convert: (value) => value / 88.4,
    explanation: "converted from umol/L to mg/dL",
  },
  {
    key: "ABSOLUTE LYMPHOCYTES",
    isMistaken: (value) => value > 0 && value < 50,
    rule: "below 50 is taken as thousands and multiplied by 1000",
    convert: (value) => value * 1000,
    explanation: "value appears to be in thousands, converted to /uL",
  },
];

/**
 * Corrects the two common unit mistakes, creatinine in umol/L and lymphocytes in k/uL, with one warning each. The
 * warning states the converted value with 2 decimals, as in the response; the model receives it unrounded.
 *
 * @param stated  features with a stated unit, whose values are not corrected
 */
export function correctUnits(
  values: FeatureValues,
  stated: readonly FeatureKey[] = [],
): {
  readonly values: FeatureValues;
  readonly warnings: readonly string[];
} {
  const corrected: Record<FeatureKey, number> = { ...values };
  const warnings: string[] = [];
  for (const { key, label } of usgFeatures) {
    const { value, explanation } = takenValue(key, values[key], stated.includes(key));
    corrected[key] = value;
    if (explanation !== null) warnings.push(`${label}: ${values[key]} -> ${shownCorrection(value)} (${explanation})`);
  }
  return { values: corrected, warnings };
}

/** Describes the correction of a feature; null for a feature whose unit is never corrected. */
export function correctionRule(key: FeatureKey): string | null {
  return unitMistakes.find((mistake) => mistake.key === key)?.rule ?? null;
}

/** `explanation` is null without a correction. */
export function takenValue(
  key: FeatureKey,
  value: number,
  isStated: boolean,
): { readonly value: number; readonly explanation: string | null } {
  const mistake = isStated ? undefined : unitMistakes.find((candidate) => candidate.key === key);
  if (!mistake?.isMistaken(value)) return { value, explanation: null };
  return { value: mistake.convert(value), explanation: mistake.explanation };
}

export function shownCorrection(value: number): number {
  return roundTo(value, 2);
}

/** Parses a warning of `correctUnits`; null for any other text. */
export function correctionOf(
  warning: string,
): { readonly key: FeatureKey; readonly given: number; readonly taken: number } | null {
  const feature = usgFeatures.find(({ label }) => warning.startsWith(`${label}: `));
  const [, given, taken] = /: ([\d.e+-]+) -> ([\d.e+-]+) \(/.exec(warning) ?? [];
  return feature && given && taken ? { key: feature.key, given: Number(given), taken: Number(taken) } : null;
}

export function isPlausible(key: FeatureKey, value: number): boolean {
  const { minimum, maximum } = usgFeatures.find((feature) => feature.key === key) as (typeof usgFeatures)[number];
  return value >= minimum && value <= maximum;
}

/**
 * Rejects values outside their plausible range, after unit correction; the message names all of them.
 *
 * @throws AppError OUT_OF_RANGE
 */
export function assertPlausible(values: FeatureValues): void {
  const faults = usgFeatures
    .filter(({ key }) => !isPlausible(key, values[key]))
    .map(({ key, minimum, maximum }) => `${key} ${minimum}–${maximum}`);
  if (faults.length > 0) throw new AppError("OUT_OF_RANGE", because("usgOutOfRange", { ranges: faults.join("; ") }));
}
