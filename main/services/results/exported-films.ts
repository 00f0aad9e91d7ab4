import { rm } from "node:fs/promises";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { ExportWay } from "../../../core/people/audit-actions.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { transaction } from "../../store/engines/engine.ts";
import { getFilm, patientOfFilm, type FilmRow } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { reserveExport, writeExport, type ExportKind, type ExportPlace } from "../desktop/exports.ts";

/** Called in the transaction that marks the results as sent. */
export async function recordSent(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  filmId: string,
  target: { readonly to: string } | { readonly formats: string },
): Promise<void> {
  const patientId = await patientOfFilm(db, filmId);
  await recordAudit(db, { action: "film.sent", at: now(), patientId, subject: filmId, detail: target });
}

type ExportedFilm = Pick<FilmRow, "id">;

/** A transaction blocks other writers. */
const filmsAtOnce = 100;

/** After a fault or cancellation, earlier records remain, so that the trail is never incomplete. @throws AbortError */
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
        const patientId = await patientOfFilm(db, film.id);
        await recordAudit(db, { action: "film.exported", at: now(), patientId, subject: film.id, detail: { way } });
        signal?.throwIfAborted();
      }
    });
}

type ExportRequest = { readonly kind: ExportKind; readonly way: ExportWay };

/**
 * Records an export once complete. On a fault or cancellation no file remains.
 *
 * @throws AbortError, and errors of `write`
 */
export async function exportFilms<Made extends { readonly films: readonly ExportedFilm[] }>(
  context: Pick<DesktopContext, "db" | "dataDir" | "now">,
  { kind, way }: ExportRequest,
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

/** For a file that fits into memory. @throws AppError NOT_FOUND */
export async function exportFilmFile<Made extends { readonly fileName: string; readonly bytes: Uint8Array }>(
  context: Pick<DesktopContext, "db" | "dataDir" | "now">,
  { filmId, ...how }: ExportRequest & { readonly filmId: string },
  signal: AbortSignal,
  make: () => Promise<Made>,
): Promise<Omit<Made, "fileName" | "bytes"> & DesktopResponse<"reports.dicom">> {
  const film = await getFilm(context.db, filmId);
  const { made, url } = await exportFilms(context, how, signal, async (file) => {
    const made = await make();
    await writeExport(file, made.bytes);
    return { films: [film], made };
  });
  const { fileName, bytes: _, ...others } = made;
  return { ...others, download: { fileName, url } };
}
