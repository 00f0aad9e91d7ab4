import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { confidenceTiers, reviewReasonKinds } from "../../../core/cardiac/confidence.ts";
import { scoreHeart } from "../../../core/cardiac/heart-score.ts";
import { inOtherSize, type PictureSize, type Point } from "../../../core/cardiac/points.ts";
import { valuesOf } from "../../../core/cardiac/measures/measures.ts";
import { placedHeart } from "../../../core/cardiac/measures/placed-heart.ts";
import { rejectionReasons } from "../../../core/cardiac/verdict/verdict-facts.ts";
import { verdicts } from "../../../core/contract/desktop/readings.ts";
import { processedSizePx } from "../../imaging/processed-size.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";
import { squareSize } from "../pixel-grid.ts";
import { codes, ownCode, type Code } from "./content/codes.ts";
import { landmarkCode, measureCode } from "./measurement-group.ts";
import { reviewReasonCodes } from "./content/review-reason-items.ts";
import { restoredReading, type PackedReadings, type RestoredReading } from "./packed-readings.ts";
import { uuidOfUid } from "./uids.ts";

/** Reads the readings of a report from Corvet, from its content items; null for any other or a damaged report. */
export function readReport(report: DicomElements): PackedReadings | null {
  const library = child(child(report, codes.imageLibrary), codes.imageLibraryGroup);
  const image = library && items(library).find((item) => item.text("0040A040") === "IMAGE");
  const groups = items(child(report, codes.measurements)).filter(isNamed(codes.group));
  const reference = image?.items("00081199")[0];
  const sopInstanceUid = reference?.text("00081155");
  const size = image && sizeOf(image);
  const aspect = (image && numberOf(image, codes.pixelAspect)) ?? 1;
  if (!sopInstanceUid || !size || groups.length === 0) return null;
  const readings = groups
    .map((group) => restoredReading.safeParse(readGroup(group, size, aspect)).data)
    .filter((one) => one !== undefined);
  if (readings.length !== groups.length) return null;
  return { film: { sopInstanceUid, frameNumber: reference?.number("00081160") ?? 1, ...size }, readings };
}

function sizeOf(image: DicomElements): PictureSize | null {
  const heightPx = numberOf(image, codes.pixelRows);
  const widthPx = numberOf(image, codes.pixelColumns);
  return heightPx && widthPx ? { widthPx, heightPx } : null;
}

/** Reads a measurement group as a reading; the schema check finds missing and wrong values. */
function readGroup(group: DicomElements, film: PictureSize, aspect: number): Partial<RestoredReading> {
  const verdict = verdicts.find((known) => has(group, codes.verdict, ownCode(known, ""))) ?? null;
  const rejectionReason = rejectionReasons.find((known) => has(group, codes.rejectionReason, ownCode(known, "")));
  const undone = child(group, codes.undoneAt);
  const isByPerson = has(group, codes.observerType, codes.person);
  const frame = processedSizePx(squareSize(film, aspect));
  const reviewReasons = reviewReasonsOf(group);
  const source = isByPerson ? "person" : "model";
  const resultCode = resultCodeOf(group);
  return {
    id: uuidOfUid(child(group, codes.trackingUid)?.text("0040A124") ?? "") ?? "",
    source,
    verdict,
    ...(rejectionReason && { rejectionReason }),
    ...(undone && { undoneAt: timeOf(undone.text("0040A120")) }),
    at: timeOf(group.text("0040A032")),
    who: isByPerson ? (child(group, codes.personName)?.text("0040A123") ?? "").replace(/\^+$/, "") : null,
    remark: textOf(child(group, codes.comment)),
    resultCode,
    tier: confidenceTiers.find((tier) => has(group, codes.tier, ownCode(tier, ""))) ?? null,
    frame,
    popDetected: false,
    corners: null,
    reviewReasons,
    spread: numberOf(group, codes.spread),
    sharpness: numberOf(group, codes.sharpness),
    classifierConfidence: numberOf(group, codes.gateConfidence),
    votes: [],
    provenance: provenanceOf(group),
    ...geometryOf(group, film, frame, votedAngleDeg(reviewReasons)),
    // Intervals for points placed by a user are derived, not stored.
    intervals: isPlacedByPerson({ source, verdict, resultCode }) ? null : intervalsOf(group),
  };
}

function geometryOf(
  group: DicomElements,
  film: PictureSize,
  frame: PictureSize,
  angleDeg: number | undefined,
): Pick<RestoredReading, "heart" | "edges" | "ruler" | "outline" | "score"> {
  const places = (name: Code) => pointsOf(child(group, name)).map((point) => inOtherSize(point, film, frame));
  const heart = placedHeart((name) => places(landmarkCode(name))[0]);
  const ruler = {
    edges: places(codes.ruler),
    kind: has(group, codes.rulerKind, codes.rulerFallback) ? ("fallback" as const) : ("detected" as const),
  };
  if (!heart || ruler.edges.length < 2) return { heart: null, edges: [], ruler: null, outline: null, score: null };
  const outline = places(codes.outline);
  // Findings are derived from points and angle; values are read from the report.
  const score = {
    ...scoreHeart(heart, ruler, angleDeg),
    ...valuesOf((measure) => numberOf(group, measureCode(measure))),
    longAxisVertebrae: numberOf(group, codes.longAxis),
    shortAxisVertebrae: numberOf(group, codes.shortAxis),
  };
  return {
    heart,
    edges: places(codes.edges),
    ruler,
    outline: outline.length > 2 ? outline : null,
    score,
  };
}

function intervalsOf(group: DicomElements): RestoredReading["intervals"] {
  const found = valuesOf((measure) => {
    const value = child(group, measureCode(measure));
    const numberAt = (code: Code) => (value ? numberOf(value, code) : null);
    const low = numberAt(codes.intervalLow);
    const high = numberAt(codes.intervalHigh);
    const coverage = numberAt(codes.intervalCoverage);
    return low === null || high === null || coverage === null ? null : { coverage, ends: { low, high } };
  });
  const [coverage] = Object.values(found).flatMap((interval) => interval?.coverage ?? []);
  return coverage === undefined ? null : { coverage, ...valuesOf(({ name }) => found[name]?.ends) };
}

/** Voted angle of the axes if it was a reason for review; otherwise the angle of the axes themselves suffices. */
function votedAngleDeg(reasons: RestoredReading["reviewReasons"]): number | undefined {
  return reasons.find(({ kind }) => kind === "axes_angle")?.value ?? undefined;
}

/** Skips reasons that this version does not have. */
function reviewReasonsOf(group: DicomElements): RestoredReading["reviewReasons"] {
  return items(group)
    .filter(isNamed(codes.reviewReason))
    .flatMap((item) => {
      const kind = reviewReasonKinds.find((known) => isCode(item.items("0040A168")[0], reviewReasonCodes[known]));
      return kind ? [{ kind, value: numberOf(item, codes.figure), limit: numberOf(item, codes.limit) }] : [];
    });
}

function provenanceOf(group: DicomElements): RestoredReading["provenance"] {
  const words = (name: Code) => textOf(child(group, name));
  if (!child(group, codes.algorithmName)) return null;
  return {
    imageSha256: words(codes.imageHash),
    packName: words(codes.algorithmName),
    packVersion: words(codes.algorithmVersion),
    modelVersion: words(codes.modelVersion),
    programVersion: words(codes.programVersion),
    isClinicallyValidated: false,
  };
}

/** null for points placed by a user: such a group has no result. */
function resultCodeOf(group: DicomElements): number | null {
  const item = child(group, codes.resultCode);
  if (!item) return null;
  const value = item.items("0040A168")[0]?.text("00080100");
  return Number(/^result-(?<code>[0-7])$/.exec(value ?? "")?.groups?.["code"] ?? NaN);
}

/** Converts `20261121090001.000+0000` to ISO 8601. */
function timeOf(value: string | null): string {
  return (value ?? "").replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.(\d{3})\d*\+0000$/, "$1-$2-$3T$4:$5:$6.$7Z");
}

function pointsOf(item: DicomElements | undefined): Point[] {
  const numbers = item?.numbers("00700022") ?? [];
  return Array.from({ length: numbers.length >> 1 }, (_, index) => ({
    x: (numbers[2 * index] as number) - 0.5,
    y: (numbers[2 * index + 1] as number) - 0.5,
  }));
}

function items(item: DicomElements | undefined): readonly DicomElements[] {
  return item?.items("0040A730") ?? [];
}

function child(item: DicomElements | undefined, name: Code): DicomElements | undefined {
  return items(item).find(isNamed(name));
}

function isNamed(name: Code) {
  return (item: DicomElements) => isCode(item.items("0040A043")[0], name);
}

function isCode(item: DicomElements | undefined, [value, scheme]: Code): boolean {
  return item?.text("00080100") === value && item.text("00080102") === scheme;
}

function has(group: DicomElements, name: Code, value: Code): boolean {
  return items(group).some((item) => isNamed(name)(item) && isCode(item.items("0040A168")[0], value));
}

function textOf(item: DicomElements | undefined): string {
  return item?.text("0040A160") ?? "";
}

function numberOf(parent: DicomElements, name: Code): number | null {
  const measured = child(parent, name)?.items("0040A300")[0];
  return measured?.number("0040A161") ?? measured?.number("0040A30A") ?? null;
}
