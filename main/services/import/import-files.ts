import path from "node:path";
import { AppError, because, failureOf, type Reason } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import type { AddedFilm, OpenedFiles, UnopenedFile } from "../../../core/contract/desktop/films.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import { getFilm } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { readFilmImage } from "../desktop/film-images.ts";
import { addFilmToWorklist, type OpenedFile } from "../worklist/films.ts";
import { publishFilm } from "../worklist/film-events.ts";
import { filesOfArchive, type FoundFile } from "./import-folder.ts";
import { isCompanion, isNamedLikeFilm, kindOfFile, notAFilm } from "./import-kinds.ts";
import { saveKeyFilms } from "../worklist/marks/key-films.ts";
import { saveForeignMarks } from "../worklist/marks/foreign-marks.ts";
import { restoreResult } from "../worklist/import-results.ts";

/** `LeftAlone`: not a film, or data for a film that is missing or unchanged. */
type Outcome = AddedFilm | LeftAlone | UnopenedFile;
type LeftAlone = { readonly leftAlone: UnopenedFile };

/**
 * Imports a film, or a ZIP of films.
 *
 * @param isSearched  whether the file was found in a folder, where other files without a film's extension are skipped
 * @param signal      skips the remaining files of a ZIP
 */
export async function importBytes(
  context: DesktopContext,
  { name, bytes, ...given }: OpenedFile,
  isSearched: boolean,
  signal?: AbortSignal,
): Promise<OpenedFiles> {
  const found =
    kindOfFile(bytes) === "archive"
      ? filesOfArchive(name, bytes)
      : [{ name, isSearched, isAmongOthers: isSearched, read: async () => bytes }];
  const outcomes: Outcome[] = [];
  for await (const file of found) {
    if (signal?.aborted) break;
    outcomes.push(await importFoundFile(context, file, given));
  }
  return {
    films: outcomes.filter((outcome) => "film" in outcome),
    faults: outcomes.filter((outcome) => "code" in outcome),
    leftAlone: outcomes.flatMap((outcome) => ("leftAlone" in outcome ? [outcome.leftAlone] : [])),
  };
}

/** Returns faults in the outcome, so that other files continue. */
export async function importFoundFile(
  context: DesktopContext,
  found: FoundFile,
  { origin, dropped }: Pick<OpenedFile, "origin" | "dropped"> = { origin: "file" },
): Promise<Outcome> {
  try {
    const file = {
      name: path.posix.basename(found.name.replaceAll("\\", "/")),
      bytes: await found.read(),
      origin,
      dropped,
    };
    return await importFile(context, file, found.name, found.isSearched);
  } catch (error) {
    const known = error instanceof AppError ? error : systemFaultOf(error);
    if (known !== null && found.isAmongOthers && isCompanion(known)) return leftAlone(found.name, known);
    if (known !== null) return { name: found.name, ...failureOf(known) };
    context.log.error({ error: error instanceof Error ? error.name : "unknown" }, "a file could not be opened");
    return { name: found.name, ...failureOf(new AppError("INTERNAL")) };
  }
}

/** @throws AppError NOT_FOUND, INVALID_FIELD */
export async function importFrame(context: DesktopContext, filmId: string, frameIndex: number): Promise<AddedFilm> {
  const { sha256, fileName, patientId } = await getFilm(context.db, filmId);
  const bytes = await readFilmImage(context, sha256, "original");
  return addFilmToWorklist(context, { name: fileName, bytes, origin: "dicom", patientId, frameIndex });
}

/**
 * Imports a film, a list of films, or results or marks, which are attached to their film.
 *
 * @returns the film; a reason if it has not arrived yet (its data is stored) or has a newer result
 * @throws AppError as `addFilmToWorklist`
 */
export async function addObjectToWorklist(context: DesktopContext, file: OpenedFile): Promise<AddedFilm | Reason> {
  if (!isDicom(file.bytes)) return addFilmToWorklist(context, file);
  const contents = file.contents ?? (await context.dicom.contents(file.bytes));
  const { result, marks, keyFilms } = contents;
  if (marks !== null) return (await saveForeignMarks(context, marks)) ?? because("marksKept");
  if (keyFilms !== null) {
    await saveKeyFilms(context, keyFilms);
    return because("keyFilmsKept");
  }
  if (result === null) return addFilmToWorklist(context, { ...file, contents });
  const film = await restoreResult(context, result);
  return typeof film === "string" ? because(film) : { film: await publishFilm(context, film.id), isNew: false };
}

async function importFile(
  context: DesktopContext,
  file: OpenedFile,
  name: string,
  isSearched: boolean,
): Promise<AddedFilm | LeftAlone> {
  const kind = kindOfFile(file.bytes);
  if (kind === "film") {
    const added = await addObjectToWorklist(context, file);
    return "film" in added ? added : leftAlone(name, new AppError("NOT_FOUND", added));
  }
  const fault =
    kind === "archive" ? new AppError("INVALID_ARCHIVE", because("archiveInArchive")) : notAFilm(file.bytes);
  if (isSearched && !isNamedLikeFilm(file.name)) return leftAlone(name, fault);
  throw fault;
}

const aboutFilms: readonly string[] = ["resultKept", "resultOlder", "marksKept", "keyFilmsKept"];

export function isAboutFilms({ reason }: UnopenedFile): boolean {
  return reason !== null && reason !== undefined && aboutFilms.includes(reason.name);
}

function leftAlone(name: string, why: AppError): LeftAlone {
  return { leftAlone: { name, ...failureOf(why) } };
}
