import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { getFilm } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { baseNameOf } from "./report-handout.ts";
import { makeResultObjects } from "./result-objects.ts";

/** @throws AppError NOT_FOUND, CONFLICT if the film has no reading */
export async function makeResultArchive(
  context: DesktopContext,
  filmId: string,
): Promise<{ readonly fileName: string; readonly bytes: Buffer }> {
  const zip = new ZipFile();
  for (const { fileName, bytes } of await makeResultObjects(context, filmId))
    zip.addBuffer(Buffer.from(bytes), fileName);
  zip.end();
  return {
    fileName: `${baseNameOf((await getFilm(context.db, filmId)).fileName)}-dicom.zip`,
    bytes: await buffer(zip.outputStream),
  };
}
