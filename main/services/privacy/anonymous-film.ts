import { createHash } from "node:crypto";
import sharp from "sharp";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { shiftMoment } from "../../../core/deidentification/shift-date.ts";
import type { PictureArea } from "../../../core/deidentification/suspected-text.ts";
import { blank } from "../../dicom/deidentification/blanked-picture.ts";
import { deidentificationModule, type Deidentification } from "../../dicom/deidentification/deidentification.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { FilmDrawings } from "../../dicom/results/result-subject.ts";
import { uidOf, uuidOfUid } from "../../dicom/results/uids.ts";
import { openUprightPicture } from "../../imaging/open-upright-picture.ts";
import { plainJpeg } from "../../imaging/decoding/plain-jpeg.ts";
import { isJpeg } from "../../imaging/decoding/decoding-bytes.ts";
import type { FilmOfResults } from "../results/film-of-results.ts";
import type { ResultsContext } from "../results/results-context.ts";

/** @param of.subject.readings  may be empty @throws AppError INVALID_IMAGE, and errors of DICOM de-identification */
export async function anonymousFilm(
  context: Pick<ResultsContext, "dicom" | "now">,
  of: FilmOfResults,
  how: Deidentification,
  fileName: string,
): Promise<FilmOfResults> {
  const { subject } = of;
  const picture = of.rectified ?? of.original;
  const isObject = isDicom(picture);
  const original = isObject ? await context.dicom.deidentified(picture, how) : await blankedPng(picture, how.areas);
  const source = isObject ? await context.dicom.source(original) : null;
  const isOfOther = Boolean(of.pixelSource);
  const imageSha256 = createHash("sha256").update(original).digest("hex");
  const at = (moment: Date) => momentOf(moment, how, context.now());
  return {
    film: { ...of.film, fileName, frameIndex: 0 },
    original,
    rectified: of.rectified && original,
    compression: isObject || !isJpeg(picture) ? null : await compressionOf(picture),
    pixelSource: isOfOther ? source : null,
    subject: {
      ...subject,
      source: isOfOther ? null : source,
      patient: subject.patient && {
        ...subject.patient,
        id: how.pseudonym,
        name: how.pseudonym,
        uuid: how.pseudonym,
        owner: "",
      },
      takenAt: how.choices.dates === "removed" || subject.takenAt === null ? null : at(subject.takenAt),
      imageSha256,
      order: null,
      readings: subject.readings.map((reading) => anonymousReading(reading, { how, imageSha256, at })),
      drawings: anonymousDrawings(subject.drawings ?? null, at),
      clinicName: "",
      // Their sources are free text and may name the clinic.
      ownRanges: [],
      deidentification: deidentificationModule(how),
    },
  };
}

type Anonymity = {
  readonly how: Deidentification;
  readonly imageSha256: string;
  readonly at: (moment: Date) => Date;
};

function anonymousReading(reading: Reading, { how, imageSha256, at }: Anonymity): Reading {
  return {
    ...reading,
    id: uuidOfUid(uidOf("reading", how.secret, reading.id)) ?? reading.id,
    filmId: imageSha256,
    at: at(new Date(reading.at)).toISOString(),
    ...(reading.undoneAt && { undoneAt: at(new Date(reading.undoneAt)).toISOString() }),
    who: reading.who === null ? null : "Anonymous",
    remark: "",
    provenance: reading.provenance && { ...reading.provenance, imageSha256 },
  };
}

/** Deletes the author, notes and the text of arrows. */
function anonymousDrawings(drawings: FilmDrawings | null, at: Anonymity["at"]): FilmDrawings | null {
  if (drawings === null) return null;
  const annotations = drawings.set.annotations
    .map((annotation) => ({ ...annotation, text: "" }))
    .filter(({ tool }) => tool !== "note");
  return {
    ...drawings,
    who: drawings.who === null ? null : "Anonymous",
    at: at(new Date(drawings.at)).toISOString(),
    set: { ...drawings.set, annotations },
  };
}

/** A required date that is removed becomes the export's. */
function momentOf(moment: Date, { choices, shiftDays }: Deidentification, now: Date): Date {
  if (choices.dates === "kept") return moment;
  return choices.dates === "shifted" ? shiftMoment(moment, shiftDays) : now;
}

async function blankedPng(picture: Uint8Array, areas: readonly PictureArea[]): Promise<Buffer> {
  const { image, deepSpace } = await openUprightPicture(picture);
  if (areas.length === 0) return image.png().toBuffer();
  const { data, info } = await image
    .flatten({ background: "black" })
    .raw({ depth: deepSpace ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const samples = deepSpace ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  blank(samples, channels, { widthPx: width, heightPx: height }, areas, 0);
  const blanked = sharp(samples, { raw: { width, height, channels } });
  return (deepSpace ? blanked.toColourspace(deepSpace) : blanked).png().toBuffer();
}

async function compressionOf(picture: Uint8Array) {
  const { width, height } = await sharp(plainJpeg(picture)).metadata();
  return { ratio: (width * height) / picture.length };
}
