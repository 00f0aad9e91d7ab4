import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError } from "../../../core/app-error.ts";
import { storeFile } from "../store-files.ts";
import { verifyInThread } from "../record/verification-thread-client.ts";
import { unpackArchive } from "./backup-archive.ts";
import { findDamageInFiles } from "./backup-thread-client.ts";

/** What a backup holds, as the check found it. */
export type BackupContent = {
  readonly ledgerRows: number;
  /** Measurements, readings and screenings. */
  readonly values: number;
  /** Files of films. */
  readonly films: number;
};

/** Leftovers of checks that were killed begin so. */
export const checkPrefix = ".check-";

/**
 * Restores a backup for trial, beside the store, and lets go of it again: it is opened with its pass phrase, the store
 * in it passes the full integrity check, ledger and values verify, and each film is what its name says.
 *
 * @param file        a backup of the data directory or an archive
 * @param passphrase  null for a backup that is not encrypted
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED with what was found
 */
export async function checkBackup(dataDir: string, file: string, passphrase: string | null): Promise<BackupContent> {
  const trial = path.join(dataDir, `${checkPrefix}${randomUUID()}`);
  await mkdir(trial, { mode: 0o700, recursive: true });
  try {
    const films = await layOut(file, trial, passphrase);
    const [damage] = await findDamageInFiles([storeFile(trial)]);
    if (damage !== null) throw damaged(file, String(damage));
    const { fault, rows, seals } = await verifyInThread(trial);
    if (fault !== null) throw new AppError("BACKUP_DAMAGED", fault.problem);
    for (const film of films) await assertFilm(path.join(trial, "films", film), film, file);
    return { ledgerRows: rows, values: seals, films: films.length };
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** @returns names of the films */
export async function layOut(file: string, into: string, passphrase: string | null): Promise<readonly string[]> {
  try {
    if (!file.endsWith(".db")) return await unpackArchive(file, into, passphrase);
    await copyFile(file, storeFile(into));
    return [];
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw isMissing ? new AppError("BACKUP_NOT_FOUND", `There is no backup ${file}.`, { cause }) : cause;
  }
}

/** A film's own file is named for its content; what was drawn from it is made anew where it is missing. */
async function assertFilm(film: string, name: string, file: string): Promise<void> {
  if (name.includes(".")) return;
  const hash = createHash("sha256");
  await pipeline(createReadStream(film), hash);
  if (hash.digest("hex") !== name) throw damaged(file, `the film ${name.slice(0, 12)} is not what its name says`);
}

function damaged(file: string, why: string): AppError {
  return new AppError("BACKUP_DAMAGED", `The backup ${path.basename(file)} is damaged: ${why}.`);
}
