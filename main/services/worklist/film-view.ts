import { valuesOf } from "../../../core/cardiac/measures/measures.ts";
import { verdictFacts } from "../../../core/cardiac/verdict/verdict-facts.ts";
import { storedInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading, ReadingSummary } from "../../../core/contract/desktop/readings.ts";
import { failure } from "../../../core/contract/desktop/shapes.ts";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { snapshot } from "../../store/engines/engine.ts";
import { listDicomInstances } from "../../store/films/dicom/dicom-instances.ts";
import { getFilm, type FilmRow } from "../../store/films/films.ts";
import { findPatients, numbersOfPatients, type PatientRow } from "../../store/films/patients.ts";
import { listLatestReadings, listVersions, type ReadingRow } from "../../store/films/readings.ts";
import type { ReadableDb } from "../../store/database.ts";
import { changesSinceVisit, visitsOf } from "./trends/change-since-visit.ts";
import { filmsOfOtherAnimals } from "./trends/same-animals.ts";
import { readingDetail } from "./readings/reading-detail.ts";
import { shownPictures, type ShownPicture } from "./readings/shown-picture.ts";

export async function toPatient(db: ReadableDb, row: PatientRow): Promise<Patient> {
  const [patient] = await toPatients(db, [row]);
  return patient as Patient;
}

export async function toPatients(db: ReadableDb, rows: readonly PatientRow[]): Promise<Patient[]> {
  const numbers = await numbersOfPatients(db, rows);
  return rows.map(({ createdAtMs: _createdAtMs, lastSeenAtMs: _lastSeenAtMs, ...fields }) => ({
    ...fields,
    number: numbers.get(fields.id) ?? null,
  }));
}

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

/** Keeps the order; the number of queries does not depend on the number of films. */
export async function toFilms(db: ReadableDb, rows: readonly FilmRow[]): Promise<Film[]> {
  const about = await factsAbout(db, rows);
  return rows.map((row) => toFilm(row, about));
}

/** @throws AppError NOT_FOUND */
export function getFilmView(db: ReadableDb, filmId: string): Promise<Film> {
  return snapshot(db, async () => {
    const row = await getFilm(db, filmId);
    return toFilm(row, await factsAbout(db, [row]));
  });
}

async function factsAbout(db: ReadableDb, rows: readonly FilmRow[]) {
  const filmIds = rows.map(({ id }) => id);
  const patientIds = new Set(rows.flatMap(({ patientId }) => patientId ?? []));
  const patients = await toPatients(db, [...(await findPatients(db, [...patientIds])).values()]);
  const readings = await listLatestReadings(db, filmIds);
  const visits = await visitsOf(db, rows);
  return {
    readings,
    versions: await listVersions(db, filmIds),
    changes: await changesSinceVisit(db, rows, { visits, readings }),
    otherAnimals: await filmsOfOtherAnimals(db, rows, { visits, readings }),
    instances: await listDicomInstances(db, filmIds),
    pictures: await shownPictures(db, rows),
    patients: new Map(patients.map((patient) => [patient.id, patient])),
  };
}

function toFilm(row: FilmRow, about: Awaited<ReturnType<typeof factsAbout>>): Film {
  const { id, fileName, sha256, origin, state, widthPx, heightPx, frameIndex, place, hasImage } = row;
  const reading = about.readings.get(id);
  const instance = about.instances.get(id);
  const vhsChange = about.changes.get(id);
  const otherAnimal = about.otherAnimals.get(id);
  const { frame, corners } = about.pictures.get(id) as ShownPicture;
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
    dicom: instance ? storedInstance(instance.facts) : null,
    picture: { frame, corners },
    addedAt: isoTime(row.addedAtMs),
    takenAt: isoTime(row.takenAtMs),
    failure: failureOfRow(row),
    patient: row.patientId === null ? null : (about.patients.get(row.patientId) ?? null),
    urls: urlsOf(row, { frame, corners }),
    reading: reading ? toSummary(reading, about.versions.get(id) ?? []) : null,
    ...(vhsChange && { vhsChange }),
    ...(otherAnimal && { otherAnimal }),
  };
}

/** The column contains the reason as JSON, or an English message without one. */
function failureOfRow({ failureCode: code, failureMessage }: FilmRow): Film["failure"] {
  if (code === null) return null;
  const message = failureMessage ?? "";
  if (!message.startsWith("{")) return { code, message };
  const reason = failure.shape.reason.parse(JSON.parse(message));
  return { code, message: reason?.name ?? "", reason };
}

/** Size and corners make the page load the picture to which the points of the reading refer. */
function urlsOf({ id, hasImage, hasRectified }: FilmRow, { frame, corners }: Film["picture"]): Film["urls"] {
  const url = (what: string) => (hasImage ? `/app/films/${id}/${what}` : null);
  const cut = [frame.widthPx, frame.heightPx, ...(corners ?? []).flatMap(({ x, y }) => [x, y])];
  return {
    thumbnail: url("thumbnail"),
    pixels: url("pixels"),
    rectified: hasRectified ? url(`rectified?cut=${cut.join()}`) : null,
  };
}

/** Returns null for a reading that only withdraws a rejection. */
function toSummary(row: ReadingRow, versions: Parameters<typeof verdictFacts>[1]): ReadingSummary | null {
  const { id, version, values, resultCode, source, verdict } = row;
  const detail = readingDetail.parse(JSON.parse(row.detail));
  if (detail.takenBackBy !== undefined) return null;
  const { popDetected, score, spread, sharpness, rejectionReason } = detail;
  const areAxesPerpendicular = score?.areAxesPerpendicular ?? false;
  return {
    readingId: id,
    version,
    // Without a VHS no other measure is shown.
    ...(values.vhs === null || verdict === "rejected" ? valuesOf(() => null) : values),
    facts: verdictFacts({ ...row, ...detail }, versions),
    resultCode,
    source,
    verdict,
    ...(rejectionReason && { rejectionReason }),
    popDetected,
    areAxesPerpendicular,
    spread,
    sharpness,
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
