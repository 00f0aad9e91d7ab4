import { toolOf } from "../../../core/annotations/annotation-tools.ts";
import { annotationLabel } from "../../../core/annotations/annotation-value.ts";
import { axisLandmarkNames } from "../../../core/cardiac/landmarks.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { lineOfMeasure, pointOfMeasure } from "../../../core/cardiac/measures/read-measures.ts";
import { inOtherSize, interpolate, type PictureSize, type Point } from "../../../core/cardiac/points.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";
import { shownAxes, shownDecimals, shownScore } from "../../../core/cardiac/shown-score.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { imageReference } from "../results/content/content-items.ts";
import { localDateTime, numbers, personName, sequence, text, uid, words, type DataSet } from "../results/data-set.ts";
import { copied, equipmentModule, patientModule, requestAttributes, studyModule } from "../results/modules.ts";
import { own } from "../results/read-own-objects.ts";
import { packedReadings } from "../results/packed-readings.ts";
import { resultFile, type ResultFile } from "../results/result-file.ts";
import { hasScore, isClinicallyValidated } from "../../../core/cardiac/agreement/reported-readings.ts";
import {
  countingReading,
  type FilmDrawings,
  type ReferencedFilm,
  type ResultSubject,
} from "../results/result-subject.ts";
import { sopClasses, uidOf } from "../results/uids.ts";
import { greyChain } from "./grey-chain.ts";
import { graphicObject, textObject, type Graphic, type Label } from "./graphics.ts";

/** Graphics and labels of one kind, which a viewer can hide together. */
type Layer = {
  readonly name: string;
  readonly description: string;
  readonly graphics: readonly Graphic[];
  readonly labels: readonly Label[];
};

/**
 * Draws measurement and annotations as a presentation state, which leaves the film unchanged.
 *
 * @returns  null without graphics, for a film in colours, and for a film whose greys cannot be copied
 * @see DICOM PS3.3 A.33.1
 */
export function presentationState(subject: ResultSubject, film: ReferencedFilm): ResultFile | null {
  const { source, drawings } = subject;
  const { said } = film;
  const reading = countingReading(subject);
  const layers = [...layersOfReading(reading, film.size), ...layersOfDrawings(drawings ?? null, film.size)];
  const greys = greyChain(said);
  if (layers.length === 0 || greys === null || (said?.number("00280002") ?? 1) !== 1) return null;
  const { date, time } = localDateTime(new Date(reading.at), source);
  const dataSet: DataSet = {
    ...patientModule(subject),
    ...studyModule(subject),
    ...equipmentModule(subject),
    ...requestAttributes(subject),
    "00080016": uid(sopClasses.presentationState),
    "00080060": words("PR"),
    "0008103E": text("LO", "Heart measurement, graphics"),
    "00200011": numbers("IS", 9903),
    "00200013": numbers("IS", 1),
    "0020000E": uid(uidOf("series", "presentation", film.sopInstanceUid)),
    "00180015": words("CHEST"),
    "00700080": words(own.marks),
    "00700081": text("LO", description(subject)),
    "00700082": date,
    "00700083": time,
    "00700084": reading.who ? personName(reading.who) : text("PN", null),
    "00081115": sequence({
      "0020000E": uid(film.seriesInstanceUid),
      "00081140": sequence(imageReference(film)),
    }),
    ...greys,
    ...displayedArea(film),
    "00700001": sequence(...layers.map((layer) => annotationOf(layer, film))),
    "00700060": sequence(...layers.map(layerItem)),
    ...packedReadings(film, subject),
  };
  return resultFile("presentation", dataSet);
}

function description(subject: ResultSubject): string {
  return `Corvet ${subject.programVersion}${isClinicallyValidated(subject) ? "" : ", not clinically validated"}`;
}

function displayedArea({ said, size, pixelAspect }: ReferencedFilm): DataSet {
  const spacing = said ? copied(said, { "00280030": "DS" })["00280030"] : undefined;
  return {
    "0070005A": sequence({
      "00700052": { vr: "SL", Value: [1, 1] },
      "00700053": { vr: "SL", Value: [size.widthPx, size.heightPx] },
      "00700100": words("SCALE TO FIT"),
      ...(spacing ? { "00700101": spacing } : { "00700102": numbers("IS", Math.round(pixelAspect * 1000), 1000) }),
    }),
  };
}

function annotationOf({ name, graphics, labels }: Layer, film: ReferencedFilm): DataSet {
  return {
    "00081140": sequence(imageReference(film)),
    "00700002": words(name),
    ...(labels.length > 0 && { "00700008": sequence(...labels.map(textObject)) }),
    ...(graphics.length > 0 && { "00700009": sequence(...graphics.map(graphicObject)) }),
  };
}

function layerItem({ name, description: said }: Layer, index: number): DataSet {
  return { "00700002": words(name), "00700062": numbers("IS", index + 1), "00700068": text("LO", said) };
}

function layersOfReading(reading: Reading, size: PictureSize): Layer[] {
  const { heart, ruler, score, frame } = reading;
  if (!hasScore(reading) || !heart || !score) return [];
  const inFilm = (point: Point) => inOtherSize(point, frame, size);
  const line = (...points: readonly Point[]): Graphic => ({ points: points.map(inFilm) });
  const lines = measures.flatMap((measure) => {
    const segment = lineOfMeasure(measure, heart, pointOfMeasure(measure, heart));
    return segment ? [{ ...segment, words: valueOf(measure.label, score[measure.name] ?? null) }] : [];
  });
  const axes = shownAxes(score);
  const { heart_top, heart_bottom, heart_right, heart_left } = heart;
  const onLines = [
    { words: valueOf("Long", axes.long), from: heart_top, to: heart_bottom },
    { words: valueOf("Short", axes.short), from: heart_left, to: heart_right },
    ...lines,
  ];
  return [
    {
      name: "HEART",
      description: "Axes and landmarks of the heart",
      graphics: [
        ...onLines.map(({ from, to }) => line(from, to)),
        ...axisLandmarkNames.map((name) => line(heart[name])),
        ...lines.map(({ to }) => line(to)),
      ],
      labels: [
        ...onLines.map((one) => ({ words: one.words, at: inFilm(one.to) })),
        { words: valueOf("VHS", score.vhs), at: inFilm(interpolate(heart_top, heart_bottom, 0.5)) },
      ],
    },
    ...(ruler ? [rulerLayer(ruler.edges.map(inFilm))] : []),
  ];
}

function rulerLayer(edges: readonly Point[]): Layer {
  const ticks = edges.map((edge, index): Graphic => {
    const [before, after] = [
      edges[Math.max(0, index - 1)] as Point,
      edges[Math.min(edges.length - 1, index + 1)] as Point,
    ];
    const [x, y] = [(after.x - before.x) / 8, (after.y - before.y) / 8];
    return {
      points: [
        { x: edge.x - y, y: edge.y + x },
        { x: edge.x + y, y: edge.y - x },
      ],
    };
  });
  const names = edges
    .slice(1)
    .map((edge, index): Label => ({ words: vertebraName(index), at: interpolate(edges[index] as Point, edge, 0.5) }));
  const description = "Vertebrae, from the cranial edge of T4";
  return { name: "RULER", description, graphics: [{ points: edges }, ...ticks], labels: names };
}

function layersOfDrawings(drawings: FilmDrawings | null, size: PictureSize): Layer[] {
  if (drawings === null || drawings.set.annotations.length === 0) return [];
  const { set, scale } = drawings;
  const inFilm = (point: Point) => inOtherSize(point, set.frame, size);
  const shapes = set.annotations.map((annotation) => {
    const tool = toolOf(annotation.tool);
    return {
      points: tool.outline(annotation.points).map(inFilm),
      words: annotationLabel(annotation, scale, (value, digits) => value.toFixed(digits)),
      at: inFilm(tool.labelAt(annotation.points)),
    };
  });
  return [
    {
      name: "DRAWINGS",
      description: "Drawn by hand",
      graphics: shapes.filter(({ points }) => points.length > 0),
      labels: shapes.filter((shape) => shape.words.trim() !== ""),
    },
  ];
}

function valueOf(name: string, value: number | null): string {
  return value === null ? name : `${name} ${shownScore(value).toFixed(shownDecimals)} v`;
}
