import { toolOf } from "../../../core/annotations/annotation-tools.ts";
import { annotationValue, type AnnotationUnit } from "../../../core/annotations/annotation-value.ts";
import { inOtherSize } from "../../../core/cardiac/points.ts";
import { sayIn } from "../../../core/language/say.ts";
import { codes, ownCode, privateScheme, type Code } from "./content/codes.ts";
import {
  codedItem,
  container,
  imageItem,
  numberItem,
  placesItem,
  rootContainer,
  textItem,
} from "./content/content-items.ts";
import { localDateTime, numbers, sequence, text, uid, words, type DataSet } from "./data-set.ts";
import { deviceObserver, measurementGroup, notValidated, personObserver } from "./measurement-group.ts";
import { equipmentModule, patientModule, referencedRequests, studyModule, studyUidOf } from "./modules.ts";
import { isClinicallyValidated } from "../../../core/cardiac/agreement/reported-readings.ts";
import { countingReading, type ReferencedFilm, type ResultSubject } from "./result-subject.ts";
import { resultFile, type ResultFile } from "./result-file.ts";
import { sopClasses, uidOf } from "./uids.ts";

/** Writes the readings of a film as a Comprehensive Structured Report after template 1500 (Measurement Report). */
export function measurementReport(subject: ResultSubject, film: ReferencedFilm): ResultFile {
  const seriesUid = uidOf("series", "report", film.sopInstanceUid);
  const dataSet: DataSet = {
    ...patientModule(subject),
    ...studyModule(subject),
    ...equipmentModule(subject),
    ...documentModule(subject, film),
    ...documentContent(subject, film),
    "00080016": uid(sopClasses.comprehensiveReport),
    "00080060": words("SR"),
    "0008103E": text("LO", "Heart measurement"),
    "0020000E": uid(seriesUid),
    "00200011": numbers("IS", 9901),
    "00081111": sequence(),
  };
  return resultFile("report", dataSet);
}

function documentModule(subject: ResultSubject, film: ReferencedFilm): DataSet {
  const requests = referencedRequests(subject);
  const { date, time } = localDateTime(new Date(countingReading(subject).at), subject.source);
  return {
    "00200013": numbers("IS", countingReading(subject).version),
    "0040A491": words("COMPLETE"),
    // There is no verifying observer; the groups contain the user of each decision.
    "0040A493": words("UNVERIFIED"),
    "00080023": date,
    "00080033": time,
    ...(requests.length > 0 && { "0040A370": sequence(...requests) }),
    "0040A372": sequence(),
    "0040A375": sequence(evidence(subject, film)),
    "00080110": sequence({
      "00080102": text("SH", privateScheme),
      "00080115": text("ST", "Corvet: concepts of vertebral heart measurement"),
      "00080116": text("ST", "Corvet"),
    }),
  };
}

export function evidence(
  subject: ResultSubject,
  { sopClassUid, sopInstanceUid, seriesInstanceUid }: ReferencedFilm,
): DataSet {
  const instance = { "00081150": uid(sopClassUid), "00081155": uid(sopInstanceUid) };
  return {
    "0020000D": uid(studyUidOf(subject)),
    "00081115": sequence({ "0020000E": uid(seriesInstanceUid), "00081199": sequence(instance) }),
  };
}

function documentContent(subject: ResultSubject, film: ReferencedFilm): DataSet {
  const { programVersion, readings } = subject;
  const root = rootContainer(codes.report, [
    codedItem("HAS CONCEPT MOD", codes.language, codes.english),
    ...deviceObserver(programVersion),
    codedItem("HAS CONCEPT MOD", codes.procedure, codes.chestRadiograph),
    ...(isClinicallyValidated(subject) ? [] : [textItem("CONTAINS", codes.notice, notValidated)]),
    container("CONTAINS", codes.imageLibrary, [container("CONTAINS", codes.imageLibraryGroup, [filmOfLibrary(film)])]),
    container(
      "CONTAINS",
      codes.measurements,
      readings.map((reading) => measurementGroup(reading, { ...subject, film })),
    ),
    ...drawnItems(subject, film),
  ]);
  return { ...root, "0040A504": sequence({ "00080105": words("DCMR"), "0040DB00": words("1500") }) };
}

function filmOfLibrary(film: ReferencedFilm): DataSet {
  const side = (name: Code, px: number) => numberItem("HAS ACQ CONTEXT", name, px, codes.pixels);
  return imageItem("CONTAINS", film, [
    side(codes.pixelRows, film.size.heightPx),
    side(codes.pixelColumns, film.size.widthPx),
    ...(film.pixelAspect === 1
      ? []
      : [numberItem("HAS ACQ CONTEXT", codes.pixelAspect, film.pixelAspect, codes.unitless)]),
  ]);
}

const unitCodes: Readonly<Record<AnnotationUnit, Code>> = {
  mm: codes.millimetres,
  px: codes.pixels,
  "mm²": codes.squareMillimetres,
  "px²": codes.squarePixels,
  "°": codes.degrees,
};

function drawnItems({ drawings, clinicName }: ResultSubject, film: ReferencedFilm): DataSet[] {
  if (!drawings || drawings.set.annotations.length === 0) return [];
  const { set, scale, who, at } = drawings;
  const say = sayIn("en");
  const items = set.annotations.flatMap((annotation) => {
    const tool = toolOf(annotation.tool);
    const name = ownCode(`drawn-${tool.name}`, say(`annotations.tool_${tool.name}`));
    const line = tool.outline(annotation.points).map((point) => inOtherSize(point, set.frame, film.size));
    const found = annotationValue(annotation, scale);
    if (found)
      return [
        numberItem("CONTAINS", name, found.value, unitCodes[found.unit], [
          placesItem("INFERRED FROM", name, line, film),
        ]),
      ];
    return annotation.text === "" ? [] : [textItem("CONTAINS", name, annotation.text)];
  });
  const where =
    scale && (scale.kind === "calibrated" ? say("annotations.calibrated") : say(`studies.spacing_${scale.kind}`));
  const children = [
    ...(who === null ? [] : personObserver(who, clinicName)),
    ...(where ? [textItem("CONTAINS", codes.spacingSource, where)] : []),
    ...items,
  ];
  return [container("CONTAINS", codes.drawings, children, new Date(at))];
}
