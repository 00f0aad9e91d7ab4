import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../core/app-error.ts";
import type { DesktopContext } from "./desktop-context.ts";
import { addFilmToWorklist, filmExtensions, filmSizeLimitBytes } from "./films.ts";

const endings: ReadonlySet<string> = new Set(filmExtensions.map((extension) => `.${extension}`));

/** Files named on a command line: everything that is not an option. */
export function pathsOfArguments(args: readonly string[], workingDir: string): string[] {
  return args.filter((argument) => argument !== "" && !argument.startsWith("-")).map((argument) => path.resolve(workingDir, argument));
}

/**
 * Puts files, and the films in folders, on the worklist, one after the other. What cannot be opened is said and does not stop the rest.
 *
 * @param onOpened  after each film, which may be measured from then on
 */
export async function openPaths(context: DesktopContext, paths: readonly string[], onOpened: () => void): Promise<void> {
  for (const named of paths) {
    for (const file of await filesOf(context, named)) {
      if (await openFile(context, file)) onOpened();
    }
  }
}

/** A file itself, whatever it is called; of a folder, what has the name of a film. */
async function filesOf(context: DesktopContext, named: string): Promise<string[]> {
  try {
    if (!(await stat(named)).isDirectory()) return [named];
    const entries = await readdir(named, { recursive: true, withFileTypes: true });
    const films = entries.filter((entry) => entry.isFile() && endings.has(path.extname(entry.name).toLowerCase()));
    return films.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  } catch {
    tell(context, named, new AppError("NOT_FOUND", "cannot be read"));
    return [];
  }
}

async function openFile(context: DesktopContext, file: string): Promise<boolean> {
  try {
    if ((await stat(file)).size > filmSizeLimitBytes) throw new AppError("BODY_TOO_LARGE", "the file is too large");
    await addFilmToWorklist(context, { name: path.basename(file), bytes: await readFile(file), origin: "file" });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) context.log.error({ error: error instanceof Error ? error.name : "unknown" }, "a file could not be opened");
    tell(context, file, error instanceof AppError ? error : new AppError("NOT_FOUND", "cannot be read"));
    return false;
  }
}

function tell(context: DesktopContext, file: string, error: AppError): void {
  context.publish({ name: "fault", payload: { fault: { at: context.now().toISOString(), code: error.code, message: `${path.basename(file)}: ${error.message}` } } });
}
