import { randomUUID } from "node:crypto";
import { linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/**
 * Writes a file that only the user can read, replacing an existing one. The file is renamed once it is complete and
 * flushed: after a power cut either the previous or the new file exists, never half of one.
 *
 * @param mode  permissions if others may read it, too
 */
export function replacePrivateFile(file: string, content: string | Uint8Array, mode?: number): void {
  stagePrivateFile(file, content, mode).replace();
}

/**
 * Rethrows an error of the operating system. A missing or damaged file may be replaced; one that cannot be read at the
 * moment (no more files, a fault of the disk, another owner) must stay.
 */
export function assertReadable(error: unknown): void {
  if (isReadFault(error)) throw error;
}

/** Whether a file exists and the operating system could not read it. */
export function isReadFault(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && "syscall" in error && "code" in error && error.code !== "ENOENT";
}

/** Whether a file exists. @throws SystemError if that is unknown, where `existsSync` returns false */
export function fileExists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Content on the disk that has not yet taken the file's name. */
export type StagedFile = { replace(): void; discard(): void };

/** Does the part of `replacePrivateFile` that a full disk can refuse. */
export function stagePrivateFile(file: string, content: string | Uint8Array, mode?: number): StagedFile {
  const unfinished = `${file}.new`;
  const discard = () => rmSync(unfinished, { force: true });
  try {
    writeFlushed(unfinished, content, mode);
  } catch (error) {
    discard();
    throw error;
  }
  return { replace: () => renameSync(unfinished, file), discard };
}

/** The same where no file is yet; of two processes the first wins. */
export function makePrivateFile(file: string, content: string | Buffer): void {
  const unfinished = `${file}.new-${randomUUID()}`;
  try {
    writeFlushed(unfinished, content);
    giveFreeName(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/**
 * Gives a file a name unless the name is taken; an existing file under it stays. The caller removes a file that remains
 * under the old name.
 */
export function giveFreeName(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    if (!fileExists(to)) renameSync(from, to); // a file system without hard links
  }
}

function writeFlushed(file: string, content: string | Uint8Array, mode = 0o600): void {
  writeFileSync(file, content, { mode, flush: true });
}
