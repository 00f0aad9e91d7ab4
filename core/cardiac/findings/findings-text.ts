import { enumerated, type Say } from "../../language/say.ts";
import { signedNumber } from "../../language/signed-number.ts";
import { changeBetween } from "../agreement/change.ts";
import { noiseText } from "../agreement/change-text.ts";
import type { ScoreErrors } from "../agreement/score-errors.ts";
import { measures, type MeasureName } from "../measures/measures.ts";
import type { ReferenceRange } from "../reference/reference-range.ts";
import { isBorderline, placeInRange } from "../reference/reference-ranges.ts";
import { limitsInWords, whoseRange } from "../reference/reference-words.ts";
import { fastRise, rateOfChange, slopesInWords, valueBefore, type SeriesValue } from "../reference/trend.ts";
import type { CoveredInterval } from "../score-intervals.ts";
import { shownDecimals, shownScore } from "../shown-score.ts";
import type { FilmVerdict } from "../verdict/film-verdict.ts";
import { verdictText } from "../verdict/verdict-text.ts";
import { ratioDecimals, stageB2, type StageB2Criterion } from "./stage-b2.ts";

export const findingsBlocks = ["size", "atrium", "comparison", "trend", "quality"] as const;
export type FindingsBlock = (typeof findingsBlocks)[number];

type MeasuredValue = {
  /** [v], unrounded; null if it could not be measured. */
  readonly value: number | null;
  readonly interval: CoveredInterval | null;
  readonly range: ReferenceRange | null;
};

export type FindingsSubject = {
  readonly measured: Readonly<Record<MeasureName, MeasuredValue>>;
  /** Whether the species is known; otherwise the ranges are those of dogs. */
  readonly isSpeciesKnown: boolean;
  readonly breed: string;
  /** Values of the patient's films including this one, oldest first. */
  readonly series: Readonly<Record<MeasureName, readonly SeriesValue[]>>;
  readonly errors: ScoreErrors;
  readonly takenAtMs: number;
  /** Verdict on the networks' points. For points of a user the text states only that. */
  readonly verdict: FilmVerdict | null;
  readonly isPhotograph: boolean;
  readonly isFallbackRuler: boolean;
};

export type FindingsWords = {
  readonly say: Say;
  number(value: number, decimals: number): string;
  day(atMs: number): string;
};

/** Text of one building block; empty if the film has no data for it. It states values, never a disease. */
export function findingsText(block: FindingsBlock, subject: FindingsSubject, words: FindingsWords): string {
  switch (block) {
    case "size":
      return valueText("vhs", subject, words);
    case "atrium":
      return [valueText("vlas", subject, words), valueText("rlad", subject, words)].filter(Boolean).join(" ");
    case "comparison":
      return comparisonText(subject, words);
    case "trend":
      return trendText(subject, words);
    case "quality":
      return qualityText(subject, words);
  }
}

export function stageB2Text(criteria: readonly StageB2Criterion[], { say, number }: FindingsWords): string {
  const digits = (name: StageB2Criterion["name"], value: number) =>
    number(
      value,
      name === "murmur" ? (Number.isInteger(value) ? 0 : 1) : name === "vhs" ? shownDecimals : ratioDecimals,
    );
  const lines = criteria.map(({ name, value, limit, isMet }) =>
    say(`findings.b2_${name}`, {
      value: value === null ? "–" : digits(name, value),
      limit: number(limit, name === "murmur" ? 0 : 1),
      verdict: say(`findings.b2_${isMet === null ? "unknown" : isMet ? "met" : "unmet"}`),
    }),
  );
  const met = criteria.filter(({ isMet }) => isMet === true).length;
  const unknown = criteria.filter(({ isMet }) => isMet === null).length;
  return [
    `${say("findings.b2_head", { source: stageB2.source })} ${enumerated(lines, say)}.`,
    say("findings.b2_sum", { met, count: criteria.length, unknown }),
  ].join(" ");
}

/** Empty without an RLAD, which neither every pack proposes nor every user places. */
function valueText(name: MeasureName, subject: FindingsSubject, words: FindingsWords): string {
  const { say } = words;
  const { value, interval, range } = subject.measured[name];
  if (value === null) return name === "rlad" ? "" : say(`findings.${name}_missing`);
  const shown = (number: number) => words.number(shownScore(number), shownDecimals);
  const standing = () => {
    if (range === null) return say("findings.noRange");
    const placed = say(`findings.place_${placeInRange(value, range)}`, {
      range: limitsText(range, subject, shown, say),
    });
    return isBorderline(interval, range) ? say("findings.borderline", { place: placed }) : placed;
  };
  const span = interval ? ` ${intervalText(interval, shown, words)}` : "";
  return say(`findings.${name}`, { value: shown(value), interval: span, standing: standing() });
}

/** Includes the coverage, since an interval alone would be read as a reference range. */
function intervalText(
  { low, high, coverage }: CoveredInterval,
  shown: (number: number) => string,
  { say, number }: FindingsWords,
): string {
  return say("findings.interval", { percent: number(100 * coverage, 0), low: shown(low), high: shown(high) });
}

function limitsText(
  range: ReferenceRange,
  { breed, isSpeciesKnown }: FindingsSubject,
  shown: (number: number) => string,
  say: Say,
): string {
  const { band, source } = range;
  const limits = limitsInWords(range, "findings", shown, say);
  const remarks = [
    ...(isSpeciesKnown ? [] : [whoseRange(range, breed, isSpeciesKnown, say)]),
    ...(band === "clinic_limits"
      ? [say("common.withSource", { text: say(`reference.band_${band}`), source: source.citation })]
      : []),
  ];
  return remarks.length > 0 ? `${limits} (${enumerated(remarks, say)})` : limits;
}

function comparisonText(subject: FindingsSubject, { say, number, day }: FindingsWords): string {
  const shown = (value: number) => number(shownScore(value), shownDecimals);
  const changes = measures.flatMap(({ name, label }) => {
    const from = valueBefore(subject.series[name], subject.takenAtMs);
    const to = subject.measured[name].value;
    if (!from || to === null) return [];
    const change = changeBetween(name, from, { value: to, errors: subject.errors });
    const noise = noiseText(change, { say, number });
    const inWords = [signedNumber(change.change, shownDecimals, number), noise].filter(Boolean).join(", ");
    const said = say("findings.change", { from: shown(from.value), to: shown(to), change: inWords });
    return [{ atMs: from.atMs, said: `${label} ${said}` }];
  });
  // Measures may be compared with different films, if an earlier one has no VLAS or RLAD.
  const dates = [...new Set(changes.map(({ atMs }) => atMs))];
  return dates
    .map((date) => {
      const ofDate = changes.filter(({ atMs }) => atMs === date).map(({ said }) => said);
      return say("findings.comparison", { date: day(date), changes: ofDate.join(", ") });
    })
    .join(" ");
}

function trendText({ series }: FindingsSubject, { say, number, day }: FindingsWords): string {
  const rate = rateOfChange("vhs", series.vhs);
  const [first] = series.vhs;
  if (!rate || !first) return "";
  const [perMonth, low, high] = slopesInWords(rate, number);
  const count = series.vhs.length;
  const course = say("findings.trend", { count, date: day(first.atMs), perMonth, low, high });
  return rate.isFast ? `${course} ${say("findings.rise", { limit: number(fastRise.perMonth, 2) })}` : course;
}

function qualityText(
  { verdict, isPhotograph, isFallbackRuler }: FindingsSubject,
  { say, number }: FindingsWords,
): string {
  const standing =
    verdict === null || verdict.grade === "placed" ? say("findings.byPerson") : `${verdictText(verdict, say, number)}.`;
  return [
    say("findings.quality", { standing }),
    ...(isPhotograph ? [say("handout.photograph")] : []),
    ...(isFallbackRuler ? [say("handout.fallback")] : []),
  ].join(" ");
}
