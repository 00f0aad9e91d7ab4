import { dicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { Film, Reading, ReadingSummary } from "../../../core/contract/desktop/films.ts";
import { failure } from "../../../core/contract/desktop/shapes.ts";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { snapshot } from "../../store/engines/engine.ts";
import { findDicomInstance } from "../../store/films/dicom-instances.ts";
import { getFilm, listQueue, type FilmRow } from "../../store/films/films.ts";
import { getPatient, numberOfPatient, type PatientRow } from "../../store/films/patients.ts";
import { getLatestReading, type ReadingRow } from "../../store/films/readings.ts";
import type { ReadableDb } from "../../store/database.ts";
import { processedSizePx } from "../../imaging/processed-size.ts";
import { readingDetail } from "./readings/reading-detail.ts";

/** A patient as the page sees it. */
export async function toPatient(db: ReadableDb, row: PatientRow): Promise<Patient> {
  const { createdAtMs, lastSeenAtMs, ...fields } = row;
  return {
    ...fields,
    number: await numberOfPatient(db, row),
    createdAt: isoTime(createdAtMs),
    lastSeenAt: isoTime(lastSeenAtMs),
  };
}

/** A reading as the page sees it. */
export function toReading(row: ReadingRow): Reading {
  const { id, filmId, version, source, verdict, atMs, who, remark, resultCode, tier } = row;
  return {
    id,
    filmId,
    version,
    source,
    verdict,
    at: isoTime(atMs),
    who,
    remark,
    resultCode,
    tier,
    ...readingDetail.parse(JSON.parse(row.detail)),
  };
}

/** Films as the page sees them, in the order given. */
export async function toFilms(db: ReadableDb, rows: readonly FilmRow[]): Promise<Film[]> {
  const queue = await queuePlaces(db);
  const films: Film[] = [];
  for (const row of rows) films.push(await toFilm(db, row, queue));
  return films;
}

/** @throws AppError NOT_FOUND */
export function getFilmView(db: ReadableDb, filmId: string): Promise<Film> {
  return snapshot(db, async () => toFilm(db, await getFilm(db, filmId), await queuePlaces(db)));
}

async function queuePlaces(db: ReadableDb): Promise<ReadonlyMap<string, number>> {
  return new Map((await listQueue(db)).map((id, place) => [id, place]));
}

async function toFilm(db: ReadableDb, row: FilmRow, queue: ReadonlyMap<string, number>): Promise<Film> {
  const { id, fileName, sha256, origin, state, widthPx, heightPx, frameIndex, place, hasImage } = row;
  const reading = await getLatestReading(db, id);
  const instance = await findDicomInstance(db, id);
  return {
    id,
    fileName,
    sha256,
    origin,
    state,
    widthPx,
    heightPx,
    frameIndex,
    place,
    hasImage,
    dicom: instance && dicomInstance.parse(JSON.parse(instance.facts)),
    frame: processedSizePx(row),
    addedAt: isoTime(row.addedAtMs),
    takenAt: isoTime(row.takenAtMs),
    queuePosition: row.queueNumber === null ? null : (queue.get(id) ?? -1),
    failure: failureOfRow(row),
    patient: row.patientId === null ? null : await toPatient(db, await getPatient(db, row.patientId)),
    urls: urlsOf(row),
    reading: reading && toSummary(reading),
  };
}

/** A reason is kept as JSON in the message's place; rows without one hold English words. */
function failureOfRow({ failureCode: code, failureMessage }: FilmRow): Film["failure"] {
  if (code === null) return null;
  const message = failureMessage ?? "";
  if (!message.startsWith("{")) return { code, message };
  const reason = failure.shape.reason.parse(JSON.parse(message));
  return { code, message: reason?.name ?? "", reason };
}

function urlsOf({ id, hasImage, hasRectified }: FilmRow): Film["urls"] {
  const url = (what: string) => (hasImage ? `/app/films/${id}/${what}` : null);
  return {
    thumbnail: url("thumbnail"),
    pixels: url("pixels"),
    image: url("image"),
    rectified: hasRectified ? url("rectified") : null,
  };
}

function toSummary(row: ReadingRow): ReadingSummary {
  const { id, version, values, tier, resultCode, source, verdict } = row;
  const { popDetected, score, spread, sharpness } = readingDetail.parse(JSON.parse(row.detail));
  const areAxesPerpendicular = score?.areAxesPerpendicular ?? false;
  return {
    readingId: id,
    version,
    ...values,
    tier,
    resultCode,
    source,
    verdict,
    popDetected,
    areAxesPerpendicular,
    spread,
    sharpness,
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
