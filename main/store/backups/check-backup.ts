import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { findKeyOfCopy } from "../encryption/copy-keys.ts";
import { openBytes } from "../encryption/sealed-file.ts";
import { keyOfRecovery, type StoreKey } from "../encryption/store-key.ts";
import { storeFile } from "../files/store-files.ts";
import { verifyInThread } from "../record/verification-thread-client.ts";
import { unpackArchive } from "./backup-archive.ts";
import { findDamageInFiles } from "./backup-thread-client.ts";

export type BackupContent = {
  readonly ledgerRows: number;
  /** Measurements, readings and screenings. */
  readonly values: number;
  readonly films: number;
};

/** Prefix of the folder of a check; a killed check leaves its folder behind. */
export const checkPrefix = ".check-";

/** Restores a backup to a temporary folder, as a trial. @throws AppError as `withCheckedCopy` */
export async function checkBackup(dataDir: string, file: string, passphrase: string | null): Promise<BackupContent> {
  return withCheckedCopy(dataDir, file, passphrase, ({ content }) => Promise.resolve(content));
}

export type CheckedCopy = LaidOut & {
  /** A data directory with the copy's store, and its films under `films`. */
  readonly folder: string;
  readonly content: BackupContent;
};

/**
 * Unpacks a copy next to the store, and removes it after `use`. Its store must pass the full integrity check, ledger
 * and values must verify, and each film must match the hash in its name. Every restore uses this function.
 *
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED with the finding, and any error of `use`
 */
export async function withCheckedCopy<Done>(
  dataDir: string,
  file: string,
  passphrase: string | null,
  use: (copy: CheckedCopy) => Promise<Done>,
): Promise<Done> {
  const folder = path.join(dataDir, `${checkPrefix}${randomUUID()}`);
  await mkdir(folder, { mode: 0o700, recursive: true });
  try {
    const laidOut = await layOut(dataDir, file, folder, passphrase);
    const { films, key, filmKey } = laidOut;
    const [damage] = await findDamageInFiles([storeFile(folder)], key);
    if (damage !== null) throw damaged(file, String(damage));
    const { fault, rows, seals } = await verifyInThread(folder, key);
    if (fault !== null) throw new AppError("BACKUP_DAMAGED", fault.problem);
    for (const film of films) await assertFilm(path.join(folder, "films", film), film, { file, key: filmKey });
    const content = { ledgerRows: rows, values: seals, films: films.length };
    return await use({ ...laidOut, folder, content });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type LaidOut = {
  readonly films: readonly string[];
  /** Key of its store; null for a plain one. */
  readonly key: StoreKey | null;
  /** Key of its sealed films; null if unknown. */
  readonly filmKey: StoreKey | null;
};

/**
 * @param passphrase  of an encrypted archive; for other backups the recovery key of an encrypted store
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED
 */
async function layOut(dataDir: string, file: string, into: string, passphrase: string | null): Promise<LaidOut> {
  const recovery = passphrase === null ? null : keyOfRecovery(passphrase);
  try {
    if (!file.endsWith(".db")) {
      const { films, storeKey } = await unpackArchive(file, into, passphrase);
      return { films, ...findKeyOfCopy(dataDir, storeFile(into), [storeKey, recovery]) };
    }
    await copyFile(file, storeFile(into));
    return { films: [], ...findKeyOfCopy(dataDir, storeFile(into), [recovery]) };
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw isMissing ? new AppError("BACKUP_NOT_FOUND", `There is no backup ${file}.`, { cause }) : cause;
  }
}

/** Checks originals only, since missing derived images are rendered again. */
async function assertFilm(
  film: string,
  name: string,
  { file, key }: { readonly file: string; readonly key: StoreKey | null },
): Promise<void> {
  if (name.includes(".")) return;
  const bytes = openBytes(await readFile(film), name, () => key);
  if (createHash("sha256").update(bytes).digest("hex") !== name)
    throw damaged(file, `the content of film ${name.slice(0, 12)} does not match its name`);
}

function damaged(file: string, why: string): AppError {
  return new AppError("BACKUP_DAMAGED", `The backup ${path.basename(file)} is damaged: ${why}.`);
}
