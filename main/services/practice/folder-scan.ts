import type { Dirent } from "node:fs";
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { ListedFile } from "../../store/films/watched-files.ts";

export const ownFolders = { opened: "done", failed: "failed" } as const;

/** Names of incomplete downloads and copies, and of system files. */
const unfinishedName = /^[.~]|\.(part|partial|tmp|temp|crdownload|filepart|download)$|^(thumbs\.db|desktop\.ini)$/i;

/**
 * Lists the files of a watched folder, oldest first, since later messages of practice software take precedence. Needs
 * no file system notifications, which network drives lack.
 *
 * @returns null if the folder cannot be reached
 */
export async function listFolder(folder: string): Promise<readonly ListedFile[] | null> {
  const own: readonly string[] = Object.values(ownFolders);
  const entries = await entriesOf(folder);
  if (entries === null) return null;
  const files: ListedFile[] = [];
  for await (const file of filesAmong(entries.filter(({ name }) => !own.includes(name)))) files.push(file);
  return files.sort((one, other) => one.changedAtMs - other.changedAtMs || one.path.localeCompare(other.path, "en"));
}

/** Skips unreadable subfolders, such as `lost+found`. */
async function* filesAmong(entries: readonly Dirent[]): AsyncGenerator<ListedFile> {
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) yield* filesAmong((await entriesOf(file)) ?? []);
    if (!entry.isFile() || unfinishedName.test(entry.name)) continue;
    const facts = await stat(file).catch(() => null);
    if (facts) yield { path: file, sizeBytes: facts.size, changedAtMs: facts.mtimeMs };
  }
}

function entriesOf(folder: string): Promise<Dirent[] | null> {
  return readdir(folder, { withFileTypes: true }).catch(() => null);
}

/**
 * Whether a file is complete: unchanged since it was listed and, if it will be moved, open for writing, which Windows
 * denies during a copy.
 */
export async function isFree({ path: file, sizeBytes, changedAtMs }: ListedFile, isMoved: boolean): Promise<boolean> {
  try {
    await using handle = await (isMoved ? openUnheld(file) : open(file, "r"));
    const { size, mtimeMs } = await handle.stat();
    return size === sizeBytes && mtimeMs === changedAtMs;
  } catch {
    return false;
  }
}

/** A write-protected file, such as a copy from a CD, can still be moved. */
async function openUnheld(file: string): Promise<FileHandle> {
  try {
    return await open(file, "r+");
  } catch (error) {
    const isProtected = error instanceof Error && "code" in error && ["EACCES", "EPERM"].includes(String(error.code));
    if (!isProtected) throw error;
    return await open(file, "r");
  }
}
