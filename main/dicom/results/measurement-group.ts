import { changeText } from "../../../core/cardiac/agreement/change-text.ts";
import { hasScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import type { AxisName } from "../../../core/cardiac/landmarks.ts";
import {
  measures,
  type HeartPointName,
  type KnownMeasure,
  type MeasureName,
} from "../../../core/cardiac/measures/measures.ts";
import { heartPointNames } from "../../../core/cardiac/measures/placed-heart.ts";
import { lineOfMeasure, pointOfMeasure } from "../../../core/cardiac/measures/read-measures.ts";
import { readingIntervals } from "../../../core/cardiac/agreement/score-errors.ts";
import { intervalOf, type ScoreIntervals } from "../../../core/cardiac/score-intervals.ts";
import { inOtherSize, type Point } from "../../../core/cardiac/points.ts";
import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { referenceRangeFor } from "../../../core/cardiac/reference/reference-ranges.ts";
import { sourceParts, whoseRange } from "../../../core/cardiac/reference/reference-words.ts";
import { resultDescriptions, type ResultCode } from "../../../core/cardiac/result-codes.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { changeToReading } from "../../../core/contract/desktop/trends/trend-series.ts";
import { sayIn } from "../../../core/language/say.ts";
import { localDay } from "../../../core/local-day.ts";
import { codes, ownCode, type Code } from "./content/codes.ts";
import {
  codedItem,
  container,
  dateTimeItem,
  numberItem,
  personItem,
  placesItem,
  textItem,
  uidItem,
} from "./content/content-items.ts";
import type { DataSet } from "./data-set.ts";
import { reviewReasonItems } from "./content/review-reason-items.ts";
import type { ReferencedFilm, ResultSubject } from "./result-subject.ts";
import { uidOf, uidOfUuid } from "./uids.ts";

type GroupContext = Pick<
  ResultSubject,
  "patient" | "animalInFile" | "ownRanges" | "clinicName" | "programVersion" | "takenAt" | "trend"
> & {
  readonly film: ReferencedFilm;
};

/** Writes one reading as a measurement group (template 1501). */
export function measurementGroup(reading: Reading, context: GroupContext): DataSet {
  const isShown = hasScore(reading);
  return container(
    "CONTAINS",
    codes.group,
    [
      ...identity(reading),
      ...observer(reading, context),
      codedItem("HAS CONCEPT MOD", codes.findingSite, codes.heart),
      ...algorithm(reading),
      ...(isShown ? [...values(reading, context), ...quality(reading), ...places(reading, context.film)] : []),
      ...judgement(reading),
    ],
    new Date(reading.at),
  );
}

function identity({ id, version, source }: Reading): DataSet[] {
  const whose = source === "model" ? "proposal of the program" : "reading of a user";
  const uid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? uidOfUuid(id) : uidOf("reading", id);
  return [
    textItem("HAS OBS CONTEXT", codes.trackingIdentifier, `Reading ${version}, ${whose}`),
    uidItem("HAS OBS CONTEXT", codes.trackingUid, uid),
  ];
}

function observer({ source, who, provenance }: Reading, { clinicName, programVersion }: GroupContext): DataSet[] {
  return source === "person"
    ? personObserver(who ?? "", clinicName)
    : deviceObserver(provenance?.programVersion ?? programVersion);
}

/** The user who reads or draws (template 1003). */
export function personObserver(name: string, organization: string): DataSet[] {
  return [
    codedItem("HAS OBS CONTEXT", codes.observerType, codes.person),
    personItem("HAS OBS CONTEXT", codes.personName, name),
    ...(organization === "" ? [] : [textItem("HAS OBS CONTEXT", codes.organization, organization)]),
  ];
}

/** Corvet as observer (template 1004). */
export function deviceObserver(programVersion: string): DataSet[] {
  return [
    codedItem("HAS OBS CONTEXT", codes.observerType, codes.device),
    uidItem("HAS OBS CONTEXT", codes.deviceUid, uidOf("device", programVersion)),
    textItem("HAS OBS CONTEXT", codes.deviceName, `Corvet ${programVersion}`),
    textItem("HAS OBS CONTEXT", codes.deviceManufacturer, "Corvet"),
    textItem("HAS OBS CONTEXT", codes.deviceModel, "Corvet"),
  ];
}

/** Pack and model (template 4019); empty for points placed by a user. */
function algorithm({ provenance }: Reading): DataSet[] {
  if (!provenance) return [];
  const { packName, packVersion, modelVersion, programVersion, imageSha256 } = provenance;
  return [
    textItem("HAS CONCEPT MOD", codes.algorithmName, packName),
    textItem("HAS CONCEPT MOD", codes.algorithmVersion, packVersion),
    textItem("HAS CONCEPT MOD", codes.modelVersion, modelVersion),
    textItem("HAS CONCEPT MOD", codes.programVersion, programVersion),
    textItem("HAS CONCEPT MOD", codes.imageHash, imageSha256),
  ];
}

function values(reading: Reading, context: GroupContext): DataSet[] {
  const { heart, ruler, score, frame } = reading;
  const { film } = context;
  if (!heart || !score) return [];
  const inFilm = (point: Point) => inOtherSize(point, frame, film.size);
  const line = (name: Code, ...points: readonly Point[]) => placesItem("INFERRED FROM", name, points.map(inFilm), film);
  const column = ruler ? [line(codes.ruler, ...ruler.edges)] : [];
  const long = line(codes.longAxis, heart.heart_top, heart.heart_bottom);
  const short = line(codes.shortAxis, heart.heart_right, heart.heart_left);
  const measured = (name: Code, value: number | null, evidence: readonly DataSet[]) =>
    value === null ? [] : [numberItem("CONTAINS", name, value, codes.perVertebra, evidence)];
  const ofMeasure = (measure: KnownMeasure) => {
    const own = lineOfMeasure(measure, heart, pointOfMeasure(measure, heart));
    if (measure.line && !own) return [];
    const lines = own ? [line(measureCode(measure), own.from, own.to)] : [long, short];
    return measured(measureCode(measure), score[measure.name] ?? null, [
      ...lines,
      ...column,
      ...interval(measure.name, readingIntervals(reading)),
      ...range(measure.name, context),
      ...change(measure.name, reading, context),
    ]);
  };
  return [
    ...measures.flatMap(ofMeasure),
    ...measured(codes.longAxis, score.longAxisVertebrae, [long, ...column]),
    ...measured(codes.shortAxis, score.shortAxisVertebrae, [short, ...column]),
  ];
}

export function measureCode({ name, meaning }: KnownMeasure): Code {
  return ownCode(name, meaning);
}

function interval(name: MeasureName, intervals: ScoreIntervals | null): DataSet[] {
  const found = intervalOf(intervals, name);
  if (!found) return [];
  return [
    numberItem("HAS PROPERTIES", codes.intervalLow, found.low, codes.perVertebra),
    numberItem("HAS PROPERTIES", codes.intervalHigh, found.high, codes.perVertebra),
    numberItem("HAS PROPERTIES", codes.intervalCoverage, found.coverage, codes.unitless),
  ];
}

function change(name: MeasureName, reading: Reading, { takenAt, trend = [] }: GroupContext): DataSet[] {
  const found = changeToReading(reading, takenAt, trend, name);
  if (!found) return [];
  const say = sayIn("en");
  const inWords = changeText(found, { say, number: (value, decimals) => value.toFixed(decimals) });
  const since = say("change.since", { change: inWords, date: localDay(new Date(found.fromMs)) });
  return [textItem("HAS PROPERTIES", codes.change, since.replaceAll("\u00a0", " "))];
}

/** Reference range of healthy animals and its source (template 312). */
function range(name: MeasureName, { patient, animalInFile, ownRanges }: GroupContext): DataSet[] {
  const { species, breed, isSpeciesKnown } = comparedAnimal(patient, animalInFile ?? null);
  const found = referenceRangeFor(name, species, breed, ownRanges);
  if (!found) return [];
  const { low, high, isHighExcluded, source, band } = found;
  const whose = whoseRange(found, breed, isSpeciesKnown, sayIn("en"));
  const limits = low === null ? `${isHighExcluded ? "below" : "up to"} ${high}` : `${low} to ${high}`;
  return [
    textItem("HAS PROPERTIES", codes.rangeText, `${limits} vertebrae (${whose}; ${band.replaceAll("_", " ")})`),
    textItem("HAS PROPERTIES", codes.rangeAuthority, sourceParts(source, sayIn("en")).join(", ")),
  ];
}

function quality({ spread, sharpness, classifierConfidence, ruler, reviewReasons }: Reading): DataSet[] {
  const number = (name: Code, value: number | null) =>
    value === null ? [] : [numberItem("CONTAINS", name, value, codes.unitless)];
  return [
    ...number(codes.spread, spread),
    ...number(codes.sharpness, sharpness),
    ...number(codes.gateConfidence, classifierConfidence),
    ...(ruler
      ? [codedItem("CONTAINS", codes.rulerKind, ruler.kind === "detected" ? codes.rulerDetected : codes.rulerFallback)]
      : []),
    ...reviewReasonItems(reviewReasons),
  ];
}

function places({ heart, edges, ruler, outline, frame }: Reading, film: ReferencedFilm): DataSet[] {
  if (!heart) return [];
  const inFilm = (point: Point) => inOtherSize(point, frame, film.size);
  const points = heartPointNames.flatMap((name) => {
    const point = heart[name];
    return point ? [placesItem("CONTAINS", landmarkCode(name), [inFilm(point)], film)] : [];
  });
  const column = [
    ...(edges.length > 1 ? [placesItem("CONTAINS", codes.edges, edges.map(inFilm), film)] : []),
    ...(ruler ? [placesItem("CONTAINS", codes.ruler, ruler.edges.map(inFilm), film)] : []),
    ...(outline ? [placesItem("CONTAINS", codes.outline, outline.map(inFilm), film)] : []),
  ];
  return [...points, ...column];
}

const axisMeanings: Readonly<Record<AxisName, string>> = {
  heart_top: "Dorsal end of the long axis (carina)",
  heart_bottom: "Ventral end of the long axis (apex)",
  heart_right: "Cranial end of the short axis",
  heart_left: "Caudal end of the short axis",
};
const pointMeanings = new Map<string, string>([
  ...Object.entries(axisMeanings),
  ...measures.flatMap(({ line }) => (line ? [[line.point, line.pointMeaning] as const] : [])),
]);

export function landmarkCode(name: HeartPointName): Code {
  return ownCode(name, pointMeanings.get(name) ?? name);
}

const tierMeanings = {
  optimal: "Optimal confidence",
  good: "Good confidence",
  review: "Review this measurement",
} as const;
export const verdictMeanings = {
  accepted: "Accepted",
  rejected: "Rejected",
  corrected: "Corrected",
  by_hand: "Measured by hand",
} as const;

function judgement(reading: Reading): DataSet[] {
  const { resultCode, tier, verdict, rejectionReason, undoneAt, remark, popDetected, provenance } = reading;
  return [
    ...(resultCode === null
      ? []
      : [
          codedItem(
            "CONTAINS",
            codes.resultCode,
            ownCode(`result-${resultCode}`, resultDescriptions[resultCode as ResultCode]),
          ),
        ]),
    ...(tier ? [codedItem("CONTAINS", codes.tier, ownCode(tier, tierMeanings[tier]))] : []),
    ...(verdict ? [codedItem("CONTAINS", codes.verdict, ownCode(verdict, verdictMeanings[verdict]))] : []),
    ...(rejectionReason
      ? [
          codedItem(
            "CONTAINS",
            codes.rejectionReason,
            ownCode(rejectionReason, sayIn("en")(`result.rejection_${rejectionReason}`)),
          ),
        ]
      : []),
    ...(undoneAt ? [dateTimeItem("CONTAINS", codes.undoneAt, new Date(undoneAt))] : []),
    ...(popDetected ? [codedItem("CONTAINS", codes.isPhotograph, ownCode("yes", "Yes"))] : []),
    ...(provenance && !provenance.isClinicallyValidated ? [textItem("CONTAINS", codes.notice, notValidated)] : []),
    ...releaseItems(reading),
    ...(remark === "" ? [] : [textItem("CONTAINS", codes.comment, remark)]),
  ];
}

function releaseItems({ provenance }: Reading): DataSet[] {
  if (!provenance?.isClinicallyValidated || !provenance.release) return [];
  const { publisher, releasedBy, fingerprint } = provenance.release;
  return [textItem("CONTAINS", codes.notice, `Pack released by ${releasedBy}, ${publisher} (key ${fingerprint}).`)];
}

/** Accompanies every value of a pack that is not clinically validated. */
export const notValidated = "Not clinically validated.";
