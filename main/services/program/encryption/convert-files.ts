import { renameSync, rmSync, utimesSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { AppError, because } from "../../../../core/app-error.ts";
import { convertCopies } from "../../../store/backups/backup-thread-client.ts";
import { listBackups } from "../../../store/backups/backups.ts";
import {
  readEncryptionNote,
  removeEncryptionNote,
  writeEncryptionNote,
} from "../../../store/encryption/encryption-note.ts";
import { forgetStoreKey, storeKeyOf } from "../../../store/encryption/key-keeper.ts";
import { isSealed, openBytes, sealBytes } from "../../../store/encryption/sealed-file.ts";
import type { StoreKey } from "../../../store/encryption/store-key.ts";
import type { ConversionStep } from "../../../store/encryption/convert-store.ts";
import { fileExists } from "../../../store/files/private-file.ts";
import { backupKeyFile, filmsDir, listSetAside, notOpenedDir } from "../../../store/files/store-files.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import type { Troubles } from "../troubles.ts";

/**
 * Encrypts or decrypts films, rejected objects, the backup key and store copies to match the store; the next call
 * continues after a crash. After decryption the key is deleted last.
 *
 * @returns files that could not be converted
 */
export async function convertFiles(
  dataDir: string,
  { isStopped = () => false, onStep = () => undefined }: ConversionWatch = {},
): Promise<readonly string[]> {
  const note = readEncryptionNote(dataDir);
  if (note === null || note.isReplacing || note.isDone) return [];
  const key = storeKeyOf(dataDir);
  const wanted = note.store === "encrypted" ? key : null;
  const left: string[] = [];
  for (const file of await listFiles(dataDir)) {
    if (isStopped()) return [];
    if (await convertFilm(file, key, wanted)) onStep("film");
    else left.push(file);
  }
  const copies = listStoreCopies(dataDir);
  const faults = await convertCopies(copies, key, wanted);
  onStep("copies");
  left.push(...copies.filter((_, index) => faults[index] !== null));
  const now = readEncryptionNote(dataDir);
  if (now?.store !== note.store) return left;
  // Files that are still encrypted need the key.
  if (now.store === "plain" && now.wanted === "plain" && left.length === 0) forgetEncryption(dataDir);
  else writeEncryptionNote(dataDir, { ...now, isDone: true });
  onStep("done");
  return left;
}

type ConversionWatch = { readonly isStopped?: () => boolean; readonly onStep?: (step: ConversionStep) => void };

export function startConversion(
  { dataDir, log }: Pick<ServiceContext, "dataDir" | "log">,
  troubles: Troubles,
): { stop(): Promise<void> } {
  let isStopping = false;
  const note = readEncryptionNote(dataDir);
  // The store was opened unchanged because of a full disk or a missing key.
  if (note !== null && note.store !== note.wanted) troubles.raise("STORE_LOCKED", because("encryptionNotChanged"));
  const underWay = convertFiles(dataDir, { isStopped: () => isStopping }).then(
    (left) => {
      if (left.length > 0) log.warn({ files: left.length }, "some files could not be converted");
    },
    (error: unknown) => log.error({ error }, "films and backups could not be converted"),
  );
  return {
    async stop() {
      isStopping = true;
      await underWay;
    },
  };
}

/** Removes the note first, since a key without a note is harmless. */
export function forgetEncryption(dataDir: string): void {
  removeEncryptionNote(dataDir);
  forgetStoreKey(dataDir);
}

/** Backups, and stores that were set aside. */
export function listStoreCopies(dataDir: string): readonly string[] {
  return [
    ...listBackups(dataDir).map((backup) => backup.path),
    ...listSetAside(dataDir).map((name) => path.join(dataDir, name)),
  ];
}

async function listFiles(dataDir: string): Promise<readonly string[]> {
  const files = [backupKeyFile(dataDir)].filter(fileExists);
  for (const folder of [filmsDir(dataDir), notOpenedDir(dataDir)])
    if (fileExists(folder))
      for (const name of await readdir(folder)) if (!name.includes("unfinished")) files.push(path.join(folder, name));
  return files;
}

/** @returns whether the file is in the wanted form */
async function convertFilm(file: string, key: StoreKey | null, wanted: StoreKey | null): Promise<boolean> {
  const name = path.basename(file);
  const unfinished = path.join(path.dirname(file), `unfinished-${randomUUID()}`);
  try {
    const [bytes, { atime, mtime }] = [await readFile(file), await stat(file)];
    if (isSealed(bytes) === (wanted !== null)) return true;
    const content = openBytes(bytes, name, () => key);
    await writeFile(unfinished, sealBytes(content, name, wanted), { mode: 0o600, flush: true });
    // Keep the times, which show whether a film belongs to a store that was set aside.
    utimesSync(unfinished, atime, mtime);
    // Check and rename synchronously, so that a deleted film cannot reappear.
    if (fileExists(file)) renameSync(unfinished, file);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    if (!fileExists(file)) return true;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}
