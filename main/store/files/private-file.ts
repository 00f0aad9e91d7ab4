import { linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/**
 * Replaces a file once the new one is complete and flushed, so that a power cut leaves one of the two.
 *
 * @param mode  permissions; by default only the user can read the file
 */
export function replacePrivateFile(file: string, content: string | Uint8Array, mode?: number): void {
  stagePrivateFile(file, content, mode).replace();
}

/**
 * Rethrows an error of the operating system. A missing or damaged file may be replaced; one that is unreadable at the
 * moment (too many open files, a disk fault, another owner) must stay.
 */
export function assertReadable(error: unknown): void {
  if (isReadFault(error)) throw error;
}

export function isReadFault(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && "syscall" in error && "code" in error && error.code !== "ENOENT";
}

/** @throws SystemError if that cannot be determined, where `existsSync` returns false */
export function fileExists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

export type StagedFile = { replace(): void; discard(): void };

/** Does the part of `replacePrivateFile` that can fail on a full disk. */
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

/** The caller removes the file that remains under the old name if another file has the new one. */
export function renameIfFree(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    if (!fileExists(to)) renameSync(from, to); // a file system without hard links
  }
}

function writeFlushed(file: string, content: string | Uint8Array, mode = 0o600): void {
  writeFileSync(file, content, { mode, flush: true });
}
