import path from "node:path";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import type { UnopenedFile } from "../../../core/contract/desktop/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { importFoundFile, isAboutFilms } from "./import-files.ts";
import { findFiles } from "./import-folder.ts";

/** Files that cannot be opened are reported and do not stop the others. */
export async function importPaths(context: DesktopContext, paths: readonly string[]): Promise<void> {
  for (const named of paths) {
    try {
      await importPath(context, named);
    } catch (error) {
      const known = error instanceof AppError ? error : new AppError("NOT_FOUND", because("fileUnreadable"));
      context.reportFault({ ...failureOf(known), name: path.basename(named) });
    }
  }
}

/** Imports the files of one path and reports failures. @returns its first film; null without one */
export async function importPath(context: DesktopContext, named: string): Promise<string | null> {
  let found = 0;
  let filmId: string | null = null;
  const leftAlone: UnopenedFile[] = [];
  for await (const file of findFiles(context.dicom, named)) {
    const outcome = await importFoundFile(context, file);
    if ("leftAlone" in outcome) leftAlone.push(outcome.leftAlone);
    if (!("leftAlone" in outcome) || isAboutFilms(outcome.leftAlone)) found += 1;
    if ("code" in outcome) context.reportFault(outcome);
    if ("film" in outcome) filmId ??= outcome.film.id;
  }
  if (leftAlone.length > 0) context.publish({ name: "files.leftAlone", payload: { files: leftAlone } });
  const noFilm = new AppError("UNSUPPORTED_IMAGE", because("noFilmInside"));
  if (found === 0) context.reportFault({ ...failureOf(noFilm), name: path.basename(named) });
  return filmId;
}
