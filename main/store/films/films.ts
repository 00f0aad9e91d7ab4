import { sql } from "kysely";
import { z } from "zod";
import { AppError, because, type Reason } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { recordAudit } from "../audit/audit-events.ts";
import { engineOf, transaction } from "../engines/engine.ts";
import { findLostWork } from "../machines/machines.ts";

export const filmRow = z.object({
  id: z.string(),
  fileName: z.string(),
  sha256: z.string(),
  origin: z.enum(["file", "paste", "capture", "dicom"]),
  addedAtMs: z.int(),
  takenAtMs: z.int(),
  patientId: z.string().nullable(),
  state: z.enum(["queued", "measuring", "done", "failed", "cancelled"]),
  queueNumber: z.int().nullable(),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  widthPx: z.int(),
  heightPx: z.int(),
  hasImage: z.literal([0, 1]).transform(Boolean),
  hasRectified: z.literal([0, 1]).transform(Boolean),
  /** Index of the frame in its file, from 0. */
  frameIndex: z.int(),
  /** Place among the films that were added together, from 0. */
  place: z.int(),
});

/** A stored film of the worklist; times in UTC [ms], lengths in pixels of the upright full-size film. */
export type FilmRow = Readonly<z.infer<typeof filmRow>>;

export type NewFilm = Omit<
  FilmRow,
  "state" | "queueNumber" | "failureCode" | "failureMessage" | "hasImage" | "hasRectified"
> & {
  /** `queued` to be measured, `cancelled` to wait for the user, `done` if added with its reading. */
  readonly state: "queued" | "cancelled" | "done";
};

export type FilmOutcome =
  | { readonly state: "done" | "cancelled" }
  | { readonly state: "failed"; readonly code: string; readonly message: string; readonly reason?: Reason };

export const filmColumns = (Object.keys(filmRow.shape) as (keyof FilmRow)[]).map((name) => `films.${name}` as const);

function filmsOnWorklist(db: ReadableDb) {
  return db.selectFrom("films").where("removedAtMs", "is", null);
}

export async function findFilm(db: ReadableDb, id: string): Promise<FilmRow | null> {
  const row = await filmsOnWorklist(db).select(filmColumns).where("id", "=", id).executeTakeFirst();
  return row ? filmRow.parse(row) : null;
}

/** @throws AppError NOT_FOUND */
export async function getFilm(db: ReadableDb, id: string): Promise<FilmRow> {
  const film = await findFilm(db, id);
  if (film === null) throw new AppError("NOT_FOUND", because("filmNotFound"));
  return film;
}

/** On the worklist or removed; null if it was never added or is erased. */
export async function findKnownFilm(
  db: ReadableDb,
  id: string,
): Promise<(FilmRow & { readonly isRemoved: boolean }) | null> {
  const films = db.selectFrom("films").select(filmColumns).select("removedAtMs").where("id", "=", id);
  const row = await films.executeTakeFirst();
  return row ? { ...filmRow.parse(row), isRemoved: row.removedAtMs !== null } : null;
}

/** Patient of a film, on the worklist or removed; null if unassigned. */
export async function patientOfFilm(db: ReadableDb, id: string): Promise<string | null> {
  const row = await db.selectFrom("films").select("patientId").where("id", "=", id).executeTakeFirst();
  return row?.patientId ?? null;
}

/** By film id, on the worklist or removed; unknown ids are left out. */
export async function namesOfFilms(db: ReadableDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("films").select(["id", "fileName"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, fileName }) => [id, fileName]));
}

export async function findFilmBySha256(db: ReadableDb, sha256: string, frameIndex = 0): Promise<FilmRow | null> {
  const ofFrame = filmsOnWorklist(db).where("sha256", "=", sha256).where("frameIndex", "=", frameIndex);
  const row = await ofFrame.select(filmColumns).executeTakeFirst();
  return row ? filmRow.parse(row) : null;
}

/** More than one if several frames of the file were added. */
export async function countFilmsOfFile(db: ReadableDb, sha256: string): Promise<number> {
  const { films } = await filmsOnWorklist(db)
    .select(({ fn }) => fn.countAll<number>().as("films"))
    .where("sha256", "=", sha256)
    .where("hasImage", "=", 1)
    .executeTakeFirstOrThrow();
  return films;
}

export async function listKeptHashes(db: ReadableDb): Promise<ReadonlySet<string>> {
  const rows = await filmsOnWorklist(db).select("sha256").distinct().where("hasImage", "=", 1).execute();
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** Replaces a film's missing file by one with the same picture. Retention starts anew. */
export async function setFilmFile(
  db: WritableDb,
  id: string,
  { sha256, addedAtMs, place }: Pick<NewFilm, "sha256" | "addedAtMs" | "place">,
): Promise<void> {
  const file = { sha256, addedAtMs, place, hasImage: 1, hasRectified: 0 };
  await db.updateTable("films").set(file).where("id", "=", id).execute();
}

/** Newest first. */
export async function listFilmsOfPatient(db: ReadableDb, patientId: string): Promise<readonly FilmRow[]> {
  const films = filmsOnWorklist(db).select(filmColumns).where("patientId", "=", patientId);
  return z.array(filmRow).parse(await films.orderBy("addedAtMs", "desc").orderBy("place").execute());
}

/** Films with a stored image that were added before a time [UTC ms], oldest first. */
export async function listFilmsWithImage(db: ReadableDb, addedBeforeMs: number): Promise<readonly FilmRow[]> {
  const kept = filmsOnWorklist(db).where("hasImage", "=", 1).where("addedAtMs", "<", addedBeforeMs);
  return z.array(filmRow).parse(await kept.select(filmColumns).orderBy("addedAtMs").execute());
}

export function addFilm(db: WritableDb, film: NewFilm): Promise<FilmRow> {
  return transaction(db, async () => {
    const queueNumber = film.state === "queued" ? nextQueueNumber : null;
    await db
      .insertInto("films")
      .values({ ...film, queueNumber, hasImage: 1 })
      .execute();
    return await getFilm(db, film.id);
  });
}

export const nextQueueNumber = sql<number>`(SELECT coalesce(max(queue_number), 0) + 1 FROM films)`;

export async function queueFilm(db: WritableDb, id: string): Promise<void> {
  await transaction(db, () =>
    db
      .updateTable("films")
      .set({ state: "queued", queueNumber: nextQueueNumber, failureCode: null, failureMessage: null })
      .where("id", "=", id)
      .where("hasImage", "=", 1)
      .where("queueNumber", "is", null)
      .execute(),
  );
}

export function takeNextFilm(db: WritableDb): Promise<FilmRow | null> {
  return transaction(db, async () => {
    const waiting = filmsOnWorklist(db).select("id").where("state", "=", "queued");
    const next = await waiting.orderBy("queueNumber").limit(1).executeTakeFirst();
    if (!next) return null;
    const { machineId } = engineOf(db);
    await db.updateTable("films").set({ state: "measuring", machineId }).where("id", "=", next.id).execute();
    return await getFilm(db, next.id);
  });
}

/** In queue order. */
export async function listWaiting(db: ReadableDb): Promise<readonly string[]> {
  const waiting = filmsOnWorklist(db).select("id").where("state", "=", "queued").orderBy("queueNumber");
  return (await waiting.execute()).map(({ id }) => id);
}

/** Requeues films that a stopped program was measuring, in their previous position. @returns number of films */
export function requeueInterruptedFilms(db: WritableDb, when: { readonly isStart: boolean }): Promise<number> {
  return transaction(db, async () => {
    const underWay = await db
      .selectFrom("films")
      .select(["id", "machineId"])
      .where("state", "=", "measuring")
      .execute();
    if (underWay.length === 0) return 0;
    const isLost = await findLostWork(db, when);
    const lost = underWay.filter(({ machineId }) => isLost(machineId)).map(({ id }) => id);
    for (const id of lost)
      await db.updateTable("films").set({ state: "queued", machineId: null }).where("id", "=", id).execute();
    return lost.length;
  });
}

export async function finishFilm(db: WritableDb, id: string, outcome: FilmOutcome): Promise<void> {
  const failure =
    outcome.state === "failed"
      ? {
          failureCode: outcome.code,
          failureMessage: outcome.reason ? JSON.stringify(outcome.reason) : outcome.message,
        }
      : { failureCode: null, failureMessage: null };
  const left = { state: outcome.state, queueNumber: null, ...failure };
  await db.updateTable("films").set(left).where("id", "=", id).execute();
}

export async function setTakenAt(db: WritableDb, id: string, takenAtMs: number): Promise<void> {
  await transaction(db, async () => {
    const other = db.updateTable("films").set({ takenAtMs }).where("id", "=", id).where("takenAtMs", "<>", takenAtMs);
    if (Number((await other.executeTakeFirst()).numUpdatedRows) === 0) return;
    await recordAudit(db, { action: "film.dated", patientId: await patientOfFilm(db, id), subject: id });
  });
}

export async function assignFilm(db: WritableDb, id: string, patientId: string | null): Promise<void> {
  await transaction(db, async () => {
    const before = await patientOfFilm(db, id);
    if (before === patientId) return;
    await db.updateTable("films").set({ patientId }).where("id", "=", id).execute();
    await recordAudit(db, { action: "film.assigned", patientId, subject: id, detail: { was: before } });
  });
}

export async function setKeptImages(
  db: WritableDb,
  id: string,
  { hasImage, hasRectified }: { readonly hasImage: boolean; readonly hasRectified: boolean },
): Promise<void> {
  const kept = { hasImage: Number(hasImage), hasRectified: Number(hasRectified) };
  await db.updateTable("films").set(kept).where("id", "=", id).execute();
}
