import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { fileExists, stagePrivateFile, type StagedFile } from "../files/private-file.ts";
import { flushFolder } from "../files/store-files.ts";

const form = z.enum(["plain", "encrypted"]);

const noteSchema = z.object({
  /** Form of the store on the disk; new films take it, too. */
  store: form,
  /** In which form the user wants it; the next start sees to it. */
  wanted: form,
  /** The converted copy is whole and counts; the file that bears the store's name is the old one, or it already. */
  isReplacing: z.boolean(),
  /** Films and backups have the store's form. */
  isDone: z.boolean(),
  /** Identifies the key. @see fingerprintOfKey */
  fingerprint: z.string(),
});

/**
 * Note next to a store that is encrypted, or is being encrypted or decrypted. A missing key looks like damage to
 * SQLite; the note distinguishes the two and decides which of two complete stores counts.
 */
export type EncryptionNote = Readonly<z.infer<typeof noteSchema>>;

export function encryptionNoteFile(dataDir: string): string {
  return path.join(dataDir, "encryption.json");
}

/** Notes of encrypted stores that this process has open. */
const held = new Map<string, { note: EncryptionNote; readonly isOpen: () => boolean }>();

/**
 * Keeps the note of an encrypted store in memory while the store is open, and rewrites the file if it is deleted or
 * damaged: without it new films would be stored plain.
 */
export function holdNote(dataDir: string, isOpen: () => boolean): void {
  const note = readEncryptionNote(dataDir);
  if (note?.store === "encrypted") held.set(path.resolve(dataDir), { note, isOpen });
}

/**
 * Reads the note of a data directory; null if the store is not encrypted.
 *
 * @throws AppError STORE_LOCKED when it cannot be read: without it an encrypted store would be treated as damaged
 */
export function readEncryptionNote(dataDir: string): EncryptionNote | null {
  const file = encryptionNoteFile(dataDir);
  try {
    if (!fileExists(file)) return writeHeldNote(dataDir);
    return noteSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    const note = writeHeldNote(dataDir);
    if (note !== null) return note;
    throw new AppError("STORE_LOCKED", because("encryptionNoteUnreadable", { file }), { cause });
  }
}

/** A full disk prevents the write, but the note still applies. */
function writeHeldNote(dataDir: string): EncryptionNote | null {
  const known = held.get(path.resolve(dataDir));
  if (!known?.isOpen()) return null;
  try {
    writeEncryptionNote(dataDir, known.note);
  } catch {
    return known.note;
  }
  return known.note;
}

/** Writes the note so that a kill leaves the one before or this one. */
export function writeEncryptionNote(dataDir: string, note: EncryptionNote): void {
  const known = held.get(path.resolve(dataDir));
  if (known) known.note = note;
  stageEncryptionNote(dataDir, note).replace();
}

/** A note on the disk that does not count before it replaces the present one. */
export function stageEncryptionNote(dataDir: string, note: EncryptionNote): StagedFile {
  const staged = stagePrivateFile(encryptionNoteFile(dataDir), `${JSON.stringify(note, null, 2)}\n`);
  return {
    replace() {
      const known = held.get(path.resolve(dataDir));
      if (known) known.note = note;
      staged.replace();
      flushFolder(dataDir);
    },
    discard: staged.discard,
  };
}

/** The store is plain for good. */
export function removeEncryptionNote(dataDir: string): void {
  held.delete(path.resolve(dataDir));
  rmSync(encryptionNoteFile(dataDir), { force: true });
  flushFolder(dataDir);
}
