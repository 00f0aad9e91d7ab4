import path from "node:path";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import type { AddedFilm, OpenedFiles } from "../../../core/contract/desktop/films.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import { getFilm } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { readFilmImage } from "../desktop/film-files.ts";
import { addFilmToWorklist, publishFilm, type OpenedFile } from "../worklist/films.ts";
import { filesOfArchive, type FoundFile } from "./import-folder.ts";
import { isCompanion, isNamedLikeFilm, kindOfFile, notAFilm } from "./import-kinds.ts";
import { restoreResult } from "../worklist/import-results.ts";

/**
 * What became of one file: on the worklist, kept until its film comes, skipped because it is not a film and does not
 * claim to be, or faulty.
 */
type Outcome = AddedFilm | "kept" | "passed over" | OpenedFiles["faults"][number];

/**
 * Opens bytes that the page sent: a film, or a ZIP of films.
 *
 * @param isSearched  out of a folder: a file that is not a film and is not named like one is skipped
 * @param onOpened    after each film, which may be measured from then on
 * @param signal      leaves the rest of a ZIP unopened
 * @throws AppError what is wrong with a single file; what is wrong with files in a ZIP is told in the answer
 */
export async function openBytes(
  context: DesktopContext,
  file: OpenedFile,
  isSearched: boolean,
  onOpened: () => void,
  signal?: AbortSignal,
): Promise<OpenedFiles> {
  if (kindOfFile(file.bytes) === "archive") {
    const outcomes: Outcome[] = [];
    for await (const found of filesOfArchive(file.name, file.bytes)) {
      if (signal?.aborted) break;
      outcomes.push(await openFound(context, found, onOpened, file.dropped));
    }
    return summaryOf(outcomes);
  }
  try {
    const outcome = await openOne(context, file, isSearched);
    onOpened();
    return summaryOf([outcome]);
  } catch (error) {
    if (isSearched && error instanceof AppError && isCompanion(error)) return summaryOf(["passed over"]);
    throw error;
  }
}

/** Opens a file that was found; a fault is told in the outcome, so that the rest goes on. */
export async function openFound(
  context: DesktopContext,
  found: FoundFile,
  onOpened: () => void,
  dropped?: OpenedFile["dropped"],
): Promise<Outcome> {
  try {
    const file = {
      name: path.posix.basename(found.name.replaceAll("\\", "/")),
      bytes: await found.read(),
      origin: "file",
      dropped,
    } as const;
    const outcome = await openOne(context, file, found.isSearched);
    onOpened();
    return outcome;
  } catch (error) {
    const known = error instanceof AppError ? error : systemFaultOf(error);
    if (known !== null && found.isAmongOthers && isCompanion(known)) return "passed over";
    if (known !== null) return { name: found.name, ...failureOf(known) };
    context.log.error({ error: error instanceof Error ? error.name : "unknown" }, "a file could not be opened");
    return { name: found.name, ...failureOf(new AppError("INTERNAL")) };
  }
}

/** Puts another frame of a film's file on the worklist. @throws AppError NOT_FOUND, INVALID_FIELD */
export async function openFrame(context: DesktopContext, filmId: string, frameIndex: number): Promise<AddedFilm> {
  const { sha256, fileName, patientId } = getFilm(context.db, filmId);
  const bytes = await readFilmImage(context.dataDir, sha256, "original");
  return addFilmToWorklist(context, { name: fileName, bytes, origin: "dicom", patientId, frameIndex });
}

/**
 * Puts one object on the worklist: a film, or a result of this program, which goes to its film.
 *
 * @returns null for a result whose film has not come yet
 * @throws AppError as `addFilmToWorklist`
 */
export async function addObjectToWorklist(context: DesktopContext, file: OpenedFile): Promise<AddedFilm | null> {
  const result = isDicom(file.bytes) ? (await context.dicom.contents(file.bytes)).result : null;
  if (result === null) return addFilmToWorklist(context, file);
  const film = restoreResult(context, result);
  return film && { film: publishFilm(context, film.id), isNew: false };
}

async function openOne(
  context: DesktopContext,
  file: OpenedFile,
  isSearched: boolean,
): Promise<AddedFilm | "kept" | "passed over"> {
  if (kindOfFile(file.bytes) === "film") return (await addObjectToWorklist(context, file)) ?? "kept";
  if (isSearched && !isNamedLikeFilm(file.name)) return "passed over";
  throw kindOfFile(file.bytes) === "archive"
    ? new AppError("INVALID_ARCHIVE", because("archiveInArchive"))
    : notAFilm(file.bytes);
}

function summaryOf(outcomes: readonly Outcome[]): OpenedFiles {
  return {
    films: outcomes.filter((outcome) => typeof outcome === "object" && "film" in outcome),
    faults: outcomes.filter((outcome) => typeof outcome === "object" && "code" in outcome),
    passedOver: outcomes.filter((outcome) => outcome === "passed over").length,
  };
}
