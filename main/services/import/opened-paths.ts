import path from "node:path";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import type { UnopenedFile } from "../../../core/contract/desktop/films.ts";
import type { Failure } from "../../../core/contract/desktop/shapes.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { importFoundFile, isAboutFilms } from "./import-files.ts";
import { findFiles } from "./import-folder.ts";

/** Files that cannot be opened are reported and do not stop the others. */
export async function importPaths(context: DesktopContext, paths: readonly string[]): Promise<void> {
  for (const named of paths) {
    try {
      await importPath(context, named);
    } catch (error) {
      publishFault(
        context,
        path.basename(named),
        failureOf(error instanceof AppError ? error : new AppError("NOT_FOUND", because("fileUnreadable"))),
      );
    }
  }
}

/** Imports the files of one path and publishes failures. @returns its first film; null without one */
export async function importPath(context: DesktopContext, named: string): Promise<string | null> {
  let found = 0;
  let filmId: string | null = null;
  const leftAlone: UnopenedFile[] = [];
  for await (const file of findFiles(context.dicom, named)) {
    const outcome = await importFoundFile(context, file);
    if ("leftAlone" in outcome) leftAlone.push(outcome.leftAlone);
    if (!("leftAlone" in outcome) || isAboutFilms(outcome.leftAlone)) found += 1;
    if ("code" in outcome) publishFault(context, outcome.name, outcome);
    if ("film" in outcome) filmId ??= outcome.film.id;
  }
  if (leftAlone.length > 0) context.publish({ name: "files.leftAlone", payload: { files: leftAlone } });
  if (found === 0)
    publishFault(context, path.basename(named), failureOf(new AppError("UNSUPPORTED_IMAGE", because("noFilmInside"))));
  return filmId;
}

function publishFault(context: DesktopContext, name: string, failure: Failure): void {
  context.publish({
    name: "fault",
    payload: { fault: { ...failure, at: context.now().toISOString(), name, message: `${name}: ${failure.message}` } },
  });
}
