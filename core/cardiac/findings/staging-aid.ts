import { shownScore } from "../shown-score.ts";
import { stageB2 } from "./stage-b2.ts";

export type StagingZone = "ruleOut" | "unlikely" | "grey" | "likely" | "ruleIn";

/** A published cut-off with its accuracy [%]; null if the source does not state it. */
type Cutoff = { readonly at: number; readonly sensitivity: number | null; readonly specificity: number | null };

/** One published test. Without a cut-off on one side, values on that side are in the grey zone. */
export type StagingTest = {
  readonly measure: StagingMeasure;
  /** Lower values rule the disease out. */
  readonly low: Cutoff | null;
  /** Values at or above it rule the disease in. */
  readonly high: Cutoff | null;
  /** Best discriminating cut-off. It is in the grey zone: it rules the disease neither in nor out. */
  readonly best?: Cutoff;
  /** The upper zone starts above the cut-off instead of at it. */
  readonly isExceeded?: boolean;
  /** The test makes the disease more or less likely, but does not rule it in or out. */
  readonly isScreening?: boolean;
  readonly source: string;
};

export type StagingMeasure = "vhs" | "vlas" | "rlad" | "ntProBnp";

export type StagingLine = StagingTest & { readonly value: number; readonly zone: StagingZone };

/** Values of an animal; null if unknown. Scores in [v], unrounded; NT-proBNP in [pmol/L]. */
export type StagingValues = Readonly<Record<StagingMeasure, number | null>>;

const miyakawa = "Miyakawa et al. 2020, J Vet Cardiol 30:92–99";
const stepien = "Stepien et al. 2020, J Am Vet Med Assoc 256:1129";
const vezzosi = "Vezzosi et al. 2021, J Vet Cardiol 34:55–63";
const wesselowski = "Wesselowski et al. 2023, J Vet Cardiol, 10.1016/j.jvc.2023.10.001";

/** VHS from which the consensus assumes stage B2 without echocardiography, for breeds without a range [v]. */
const vhsWithoutEcho = 11.5;

const dogTests: readonly StagingTest[] = [
  {
    measure: "vlas",
    low: { at: 2.5, sensitivity: 100, specificity: 78 },
    best: { at: 2.6, sensitivity: 95, specificity: 84 },
    high: { at: 3.1, sensitivity: 47, specificity: 100 },
    source: miyakawa,
  },
  {
    measure: "vlas",
    low: null,
    best: { at: 2.5, sensitivity: 70, specificity: 84 },
    high: { at: 3, sensitivity: 40, specificity: 96 },
    source: stepien,
  },
  {
    measure: "rlad",
    low: { at: 1.8, sensitivity: 100, specificity: 93 },
    high: { at: 1.8, sensitivity: 100, specificity: 93 },
    source: vezzosi,
  },
];

const cavalierTests: readonly StagingTest[] = [
  { measure: "vhs", low: null, high: { at: 11.5, sensitivity: null, specificity: 91 }, source: wesselowski },
  { measure: "ntProBnp", low: null, high: { at: 1138, sensitivity: null, specificity: 90 }, source: wesselowski },
];

/** Tests for heart failure in cats with acute respiratory distress. */
const catTest: StagingTest = {
  measure: "vhs",
  low: { at: 8, sensitivity: null, specificity: null },
  high: { at: 9.3, sensitivity: null, specificity: null },
  isExceeded: true,
  isScreening: true,
  source: "Sleeper et al. 2013, J Am Vet Med Assoc 242:366–371",
};

/** Percentage of cats in heart failure without a visible enlargement of the left atrium on the film. */
export const catCaution = { percent: 36, source: "Schober et al. 2014, Vet Radiol Ultrasound 55:359–367" } as const;

/**
 * Values are compared as displayed. `breedLimit`: upper limit of the breed's VHS [v], which replaces the general one.
 */
export function dogStagingLines(
  values: StagingValues,
  { breedLimit, isCavalier }: { readonly breedLimit: number | null; readonly isCavalier: boolean },
): readonly StagingLine[] {
  const consensus: StagingTest = {
    measure: "vhs",
    low: null,
    high: { at: shownScore(breedLimit ?? vhsWithoutEcho), sensitivity: null, specificity: null },
    isExceeded: breedLimit !== null,
    source: stageB2.source,
  };
  return linesOf([consensus, ...(isCavalier ? cavalierTests : []), ...dogTests], values);
}

export function catStagingLines(vhs: number | null): readonly StagingLine[] {
  return linesOf([catTest], { vhs, vlas: null, rlad: null, ntProBnp: null });
}

function linesOf(tests: readonly StagingTest[], values: StagingValues): readonly StagingLine[] {
  return tests.flatMap((test) => {
    const value = shownScore(values[test.measure]);
    return value === null ? [] : [{ ...test, value, zone: zoneOf(test, value) }];
  });
}

function zoneOf({ low, high, isExceeded = false, isScreening = false }: StagingTest, value: number): StagingZone {
  const reaches = ({ at }: Cutoff) => (isExceeded ? value > at : value >= at);
  if (high && reaches(high)) return isScreening ? "likely" : "ruleIn";
  if (!low || reaches(low)) return "grey";
  return isScreening ? "unlikely" : "ruleOut";
}
