import { randomUUID } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { ZipFile } from "yazl";
import { AppError, because } from "../../../core/app-error.ts";

/** What an export may be. */
const mediaTypes = {
  zip: "application/zip",
  pdf: "application/pdf",
  dcm: "application/dicom",
  jpg: "image/jpeg",
} as const;
type ExportKind = keyof typeof mediaTypes;

/** A place for an export that is still to be written. */
export type ExportPlace = { readonly file: string; readonly url: string };

/** Exports wait here until the page has fetched them. */
function exportsDir(dataDir: string): string {
  return path.join(dataDir, "exports");
}

/**
 * Makes a place for an export: the file to write, readable by the user alone, and the path from which the page fetches
 * it.
 */
export async function reserveExport(dataDir: string, kind: ExportKind): Promise<ExportPlace> {
  const folder = exportsDir(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${randomUUID()}.${kind}`;
  return { file: path.join(folder, name), url: `/app/exports/${name}` };
}

/** Writes a ZIP file that is still being filled. @returns settles once it has ended and is whole, or cannot be written */
export function writeZip(zip: ZipFile, file: string): Promise<void> {
  const written = pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 }));
  // Nobody waits for it yet; what went wrong is thrown to whoever does.
  written.catch(() => undefined);
  return written;
}

/** Keeps an export that is already complete. @returns the path from which the page fetches it */
export async function keepExport(dataDir: string, kind: ExportKind, bytes: Uint8Array): Promise<string> {
  const { file, url } = await reserveExport(dataDir, kind);
  await writeFile(file, bytes, { mode: 0o600 });
  return url;
}

/**
 * An export, once: it is deleted when it has been read.
 *
 * @throws AppError NOT_FOUND
 */
export async function takeExport(
  dataDir: string,
  name: string,
): Promise<{ readonly bytes: Buffer; readonly mediaType: string }> {
  const kind = /^[0-9a-f-]{36}\.(?<kind>zip|pdf|dcm|jpg)$/.exec(name)?.groups?.["kind"] as ExportKind | undefined;
  if (!kind) throw new AppError("NOT_FOUND");
  const file = path.join(exportsDir(dataDir), name);
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new AppError("NOT_FOUND", because("exportFetched"), { cause });
  });
  await rm(file, { force: true });
  return { bytes, mediaType: mediaTypes[kind] };
}

/** Deletes exports that wait to be fetched: plain files, of whichever patient. */
export async function deleteWaitingExports(dataDir: string): Promise<void> {
  const folder = exportsDir(dataDir);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isFile()) await rm(path.join(folder, entry.name), { force: true });
}

/** Deletes what an earlier run of the program left: exports that nobody fetched, and drafts of messages. */
export function deleteOldExports(dataDir: string): void {
  rmSync(exportsDir(dataDir), { recursive: true, force: true });
}
