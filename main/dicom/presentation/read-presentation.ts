import type { Point } from "../../../core/cardiac/points.ts";
import type { ForeignMark, ForeignMarks } from "../../../core/contract/desktop/network/marks.ts";
import type { DicomFile } from "../dicom-file.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";
import { dicomMoment } from "../elements/dicom-time.ts";
import { filmOfOwnMarks } from "../results/read-own-objects.ts";
import { readingsCreator, readingsTags } from "../results/packed-readings.ts";
import { sopClasses } from "../results/uids.ts";
import { areaBetween, ellipseOf, inImage, type Displayed } from "./displayed-area.ts";

/** Annotations in another program's presentation state, for each film that it refers to. */
export type MarksOnFilms = Omit<ForeignMarks, "marks"> & {
  readonly films: readonly {
    readonly sopInstanceUid: string;
    /** From 1. */
    readonly frameNumber: number;
    /** Points in pixels of the stored picture, from the centre of the upper left one. */
    readonly marks: readonly ForeignMark[];
  }[];
};

const limits = { films: 200, marksOfFilm: 500, points: 4000 } as const;

/** Reads another program's presentation state; null for any other object and without annotations. */
export function readPresentation(file: DicomFile): MarksOnFilms | null {
  const sopInstanceUid = file.text("00080018");
  if (file.text("00080016") !== sopClasses.presentationState || sopInstanceUid === null) return null;
  if (file.text(readingsTags.creator) === readingsCreator || filmOfOwnMarks(file) !== null) return null;
  const films = referredFilms(file)
    .slice(0, limits.films)
    .map((film) => ({ ...film, marks: marksOn(file, film).slice(0, limits.marksOfFilm) }))
    .filter(({ marks }) => marks.length > 0);
  if (films.length === 0) return null;
  return {
    sopInstanceUid,
    label: (file.text("00700081") ?? file.text("00700080") ?? "").slice(0, 200),
    at: dicomMoment(file.text("00700082"), file.text("00700083"), file.text("00080201"))?.toISOString() ?? null,
    films,
  };
}

type Film = { readonly sopInstanceUid: string; readonly frameNumber: number };

function referredFilms(file: DicomElements): Film[] {
  const images = file.items("00081115").flatMap((series) => series.items("00081140"));
  return images.flatMap((image) => {
    const sopInstanceUid = image.text("00081155");
    const frames = image.numbers("00081160");
    return sopInstanceUid === null
      ? []
      : (frames.length > 0 ? frames : [1]).map((frameNumber) => ({ sopInstanceUid, frameNumber }));
  });
}

function marksOn(file: DicomElements, film: Film): ForeignMark[] {
  const displayed = displayedOf(file, film);
  return file
    .items("00700001")
    .filter((item) => isAbout(item, film))
    .flatMap((item) => [
      ...item.items("00700009").flatMap((graphic) => graphicMark(graphic, displayed)),
      ...item.items("00700008").flatMap((label) => textMark(label, displayed)),
    ]);
}

function displayedOf(file: DicomElements, film: Film): Displayed | null {
  const area = file.items("0070005A").find((item) => isAbout(item, film));
  const [left, top] = area?.numbers("00700052") ?? [];
  const [right, bottom] = area?.numbers("00700053") ?? [];
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
  return {
    ...areaBetween([left, top], [right, bottom]),
    rotationDeg: file.number("00700042") ?? 0,
    isFlipped: file.text("00700041") === "Y",
  };
}

function isAbout(item: DicomElements, film: Film): boolean {
  const images = item.items("00081140");
  return (
    images.length === 0 ||
    images.some((image) => {
      const frames = image.numbers("00081160");
      return (
        image.text("00081155") === film.sopInstanceUid && (frames.length === 0 || frames.includes(film.frameNumber))
      );
    })
  );
}

function graphicMark(graphic: DicomElements, displayed: Displayed | null): ForeignMark[] {
  const places = placesOf(graphic.numbers("00700022"), graphic.text("00700005"), displayed);
  if (places === null || places.length === 0) return [];
  switch (graphic.text("00700023")) {
    case "POINT":
      return [{ points: places.slice(0, 1), text: null }];
    case "POLYLINE":
    case "INTERPOLATED":
      return [{ points: places, text: null }];
    case "CIRCLE": {
      const [centre, rim] = places;
      if (!centre || !rim) return [];
      const radius = { x: rim.x - centre.x, y: rim.y - centre.y };
      return [{ points: ellipseOf(centre, radius, { x: -radius.y, y: radius.x }), text: null }];
    }
    case "ELLIPSE": {
      const [a, b, c, d] = places;
      if (!a || !b || !c || !d) return [];
      const centre = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      const half = (from: Point, to: Point) => ({ x: (to.x - from.x) / 2, y: (to.y - from.y) / 2 });
      return [{ points: ellipseOf(centre, half(a, b), half(c, d)), text: null }];
    }
    case null:
    default:
      return [];
  }
}

function textMark(label: DicomElements, displayed: Displayed | null): ForeignMark[] {
  const content = label.text("00700006")?.slice(0, 1000);
  const [anchor] = placesOf(label.numbers("00700014"), label.text("00700004"), displayed) ?? [];
  const [corner] = placesOf(label.numbers("00700010"), label.text("00700003"), displayed) ?? [];
  const at = corner ?? anchor;
  return content && at ? [{ points: [at], text: content }] : [];
}

/** Points from DICOM coordinates; null for unknown units, and for display coordinates without a displayed area. */
function placesOf(values: readonly number[], units: string | null, displayed: Displayed | null): Point[] | null {
  if (units !== "PIXEL" && (units !== "DISPLAY" || displayed === null)) return null;
  const places = Array.from({ length: Math.min(limits.points, values.length >> 1) }, (_, index) => ({
    x: values[2 * index] as number,
    y: values[2 * index + 1] as number,
  }));
  if (!places.every(({ x, y }) => Math.abs(x) < 1e6 && Math.abs(y) < 1e6)) return null;
  const inPixels = displayed && units === "DISPLAY" ? places.map((place) => inImage(place, displayed)) : places;
  return inPixels.map(({ x, y }) => ({ x: x - 0.5, y: y - 0.5 }));
}
