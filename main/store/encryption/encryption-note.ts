import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { fileExists, stagePrivateFile, type StagedFile } from "../files/private-file.ts";
import { flushFolder } from "../files/store-files.ts";

const form = z.enum(["plain", "encrypted"]);

const noteSchema = z.object({
  /** Form of the store on disk, and of new films. */
  store: form,
  /** Form requested by the user; applied at the next start. */
  wanted: form,
  /** The converted copy is complete and valid; the store file is still the old one, or already that copy. */
  isReplacing: z.boolean(),
  /** Films and backups have the store's form. */
  isDone: z.boolean(),
  /** @see fingerprintOfKey */
  fingerprint: z.string(),
});

/**
 * Note next to a store that is not plain. A missing key looks like damage to SQLite; the note distinguishes the two and
 * determines which of two complete stores is valid.
 */
export type EncryptionNote = Readonly<z.infer<typeof noteSchema>>;

export function encryptionNoteFile(dataDir: string): string {
  return path.join(dataDir, "encryption.json");
}

/** Notes of encrypted stores that this process has open. */
const held = new Map<string, { note: EncryptionNote; readonly isOpen: () => boolean }>();

/** Keeps the note while the store is open and rewrites a lost file: without it new films would be stored plain. */
export function holdNote(dataDir: string, isOpen: () => boolean): void {
  const note = readEncryptionNote(dataDir);
  if (note?.store === "encrypted") held.set(path.resolve(dataDir), { note, isOpen });
}

/** Null if the store is not encrypted. @throws AppError STORE_LOCKED when the note cannot be read */
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

export function writeEncryptionNote(dataDir: string, note: EncryptionNote): void {
  stageEncryptionNote(dataDir, note).replace();
}

/** Writes a note to disk that takes effect when `replace` is called. */
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

export function removeEncryptionNote(dataDir: string): void {
  held.delete(path.resolve(dataDir));
  rmSync(encryptionNoteFile(dataDir), { force: true });
  flushFolder(dataDir);
}
