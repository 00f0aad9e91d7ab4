import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { AppError, because } from "../../../core/app-error.ts";

const mediaTypes = {
  zip: "application/zip",
  pdf: "application/pdf",
  dcm: "application/dicom",
  jpg: "image/jpeg",
  png: "image/png",
} as const;
export type ExportKind = keyof typeof mediaTypes;

const exportName = new RegExp(`^[0-9a-f-]{36}\\.(?<kind>${Object.keys(mediaTypes).join("|")})$`);

export type ExportPlace = { readonly file: string; readonly url: string };

function exportsDir(dataDir: string): string {
  return path.join(dataDir, "exports");
}

/** Reserves an export: the file to write, readable only by the user, and its URL for the page. */
export async function reserveExport(dataDir: string, kind: ExportKind): Promise<ExportPlace> {
  const folder = exportsDir(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${randomUUID()}.${kind}`;
  return { file: path.join(folder, name), url: `/app/exports/${name}` };
}

const draftPrefix = "mail-";

/** Returns a folder for the files of a new mail draft, which are deleted like exports. */
export function draftFolder(dataDir: string, filmId: string): string {
  return path.join(exportsDir(dataDir), `${draftPrefix}${filmId}-${randomUUID()}`);
}

/**
 * Writes a ZIP file readable only by the user, under a temporary name until complete. A failure deletes it.
 *
 * @param record  called once the content is on the disk, before the file appears under its name
 * @returns the result of `fill`
 */
export async function writeZip<Filled>(
  file: string,
  fill: (zip: ZipFile) => Promise<Filled>,
  record?: (filled: Filled) => Promise<void>,
): Promise<Filled> {
  const unfinished = `${file}.unfinished`;
  const output = await open(unfinished, "w", 0o600);
  const zip = new ZipFile();
  const content = zip.outputStream as Readable;
  const written = pipeline(content, output.createWriteStream({ flush: true }));
  // Prevents an unhandled rejection before `written` is awaited below.
  written.catch(() => undefined);
  try {
    const filled = await fill(zip);
    zip.end();
    await written;
    await record?.(filled);
    await rename(unfinished, file);
    return filled;
  } catch (error) {
    content.destroy();
    await Promise.allSettled([written]);
    await rm(unfinished, { force: true });
    throw error;
  }
}

export async function writeExport(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes, { mode: 0o600 });
}

/** Stores a complete export. @returns its URL for the page */
export async function saveExport(dataDir: string, kind: ExportKind, bytes: Uint8Array): Promise<string> {
  const { file, url } = await reserveExport(dataDir, kind);
  await writeExport(file, bytes);
  return url;
}

/** An export being fetched; the receiver must read or destroy the stream. */
export type TakenExport = { readonly content: Readable; readonly sizeBytes: number; readonly mediaType: string };

/**
 * Opens an export for a single download. Its file is unlinked at once; only the returned stream can still read it.
 *
 * @throws AppError NOT_FOUND
 */
export async function takeExport(dataDir: string, name: string): Promise<TakenExport> {
  const kind = exportName.exec(name)?.groups?.["kind"] as ExportKind | undefined;
  if (!kind) throw new AppError("NOT_FOUND");
  const file = path.join(exportsDir(dataDir), name);
  const opened = await open(file).catch(asFetched);
  try {
    const { size } = await opened.stat();
    // Of two concurrent requests, one succeeds.
    await rm(file).catch(asFetched);
    return { content: opened.createReadStream(), sizeBytes: size, mediaType: mediaTypes[kind] };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Maps a missing file to NOT_FOUND (already fetched); rethrows other errors. */
function asFetched(cause: NodeJS.ErrnoException): never {
  throw cause.code === "ENOENT" ? new AppError("NOT_FOUND", because("exportFetched"), { cause }) : cause;
}

/** Deletes all unfetched exports, which are unencrypted and not linked to patients, and the mail drafts of films. */
export async function deleteWaitingExports(dataDir: string, filmIds: readonly string[]): Promise<void> {
  const isOfFilms = (name: string) => filmIds.some((filmId) => name.startsWith(`${draftPrefix}${filmId}`));
  await deleteEntries(exportsDir(dataDir), (name) => !name.startsWith(draftPrefix) || isOfFilms(name));
}

/** Age at which an unfetched export, an unfinished file or a mail draft counts as abandoned [ms]. */
const abandonedMs = 60 * 60 * 1000;

/** Deletes files and drafts of a folder that were not written to for an hour. */
export async function deleteAbandoned(folder: string, isMeant: (name: string) => boolean): Promise<void> {
  await deleteEntries(folder, async (name) => {
    if (!isMeant(name)) return false;
    const written = await stat(path.join(folder, name)).catch(() => null);
    return written !== null && Date.now() - written.mtimeMs > abandonedMs;
  });
}

/** Windows cannot delete files that are open in a mail program; a later run deletes those. */
async function deleteEntries(folder: string, isOver: (name: string) => boolean | Promise<boolean>): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (await isOver(name)) await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

export async function deleteAbandonedExports(dataDir: string): Promise<void> {
  await deleteAbandoned(exportsDir(dataDir), () => true);
}

export function deleteOldExports(dataDir: string): void {
  rmSync(exportsDir(dataDir), { recursive: true, force: true });
}
