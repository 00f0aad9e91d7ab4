import { rm } from "node:fs/promises";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { ExportWay } from "../../../core/people/audit-actions.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { transaction } from "../../store/engines/engine.ts";
import { findFilmBySha256, findKnownFilm, getFilm, patientOfFilm, type FilmRow } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { reserveExport, writeExport, type ExportKind, type ExportPlace } from "../desktop/exports.ts";

/**
 * Notes in the audit trail that a film's results have left for another program: in the transaction that notes that they
 * need not leave again.
 *
 * @param whither  `to`: who took them; `formats`: as which files they were written
 */
export async function recordSent(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  filmId: string,
  whither: { readonly to: string } | { readonly formats: string },
): Promise<void> {
  const patientId = await patientOfFilm(db, filmId);
  await recordAudit(db, { action: "film.sent", at: now(), patientId, subject: filmId, detail: whither });
}

/** A film whose results are given out: what names it, and what it is found by in another store. */
type ExportedFilm = Pick<FilmRow, "id" | "sha256" | "frameIndex">;

/** Films that are recorded at once: nobody else writes meanwhile. */
const filmsAtOnce = 100;

/**
 * Notes in the audit trail that what is known of films was given out to a person. A draft that was handed over
 * meanwhile is the film that it is in the practice. Where a fault or a cancel comes in between, those recorded before
 * stay, so that the trail never says too little.
 *
 * @param signal  once it is aborted, nothing more is recorded
 * @throws AbortError
 */
export async function recordExported(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  films: readonly ExportedFilm[],
  way: ExportWay,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  for (let first = 0; first < films.length; first += filmsAtOnce)
    await transaction(db, async () => {
      for (const film of films.slice(first, first + filmsAtOnce)) {
        const { id, patientId } = (await filmInUse(db, film)) ?? { id: film.id, patientId: null };
        await recordAudit(db, { action: "film.exported", at: now(), patientId, subject: id, detail: { way } });
        signal?.throwIfAborted();
      }
    });
}

async function filmInUse(db: ReadableDb, { id, sha256, frameIndex }: ExportedFilm): Promise<FilmRow | null> {
  return (await findKnownFilm(db, id)) ?? (await findFilmBySha256(db, sha256, frameIndex));
}

/** What is given out as a file that the page fetches: how, and of which kind it is. */
type GivenOut = { readonly kind: ExportKind; readonly way: ExportWay };

/**
 * Makes a file that gives out films' results, and records that once it is whole. Cancelled before, or where it fails,
 * nothing is recorded; where recording does, no file stays either.
 *
 * @param write  writes the file; says, beside what else it answers, of which films it is
 * @throws AbortError, and what `write` throws
 */
export async function giveOut<Made extends { readonly films: readonly ExportedFilm[] }>(
  context: Pick<DesktopContext, "db" | "dataDir" | "now">,
  { kind, way }: GivenOut,
  signal: AbortSignal,
  write: (file: string) => Promise<Made>,
): Promise<Made & Pick<ExportPlace, "url">> {
  const { file, url } = await reserveExport(context.dataDir, kind);
  try {
    const made = await write(file);
    await recordExported(context, made.films, way, signal);
    return { ...made, url };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** The same of one film, whose file fits into the memory. @throws AppError NOT_FOUND */
export async function giveOutFilm(
  context: Pick<DesktopContext, "db" | "dataDir" | "now">,
  { filmId, ...how }: GivenOut & { readonly filmId: string },
  signal: AbortSignal,
  make: () => Promise<{ readonly fileName: string; readonly bytes: Uint8Array }>,
): Promise<DesktopResponse<"reports.handOut">> {
  const film = await getFilm(context.db, filmId);
  const { fileName, url } = await giveOut(context, how, signal, async (file) => {
    const { fileName, bytes } = await make();
    await writeExport(file, bytes);
    return { films: [film], fileName };
  });
  return { download: { fileName, url } };
}
