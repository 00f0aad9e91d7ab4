import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { readFilmFile, saveFilmFile } from "../../../../main/services/desktop/film-files.ts";
import { convertFiles } from "../../../../main/services/program/encryption/convert-files.ts";
import {
  getEncryption,
  offerRecoveryKey,
  planEncryption,
} from "../../../../main/services/program/encryption/encryption.ts";
import { findNewestGoodBackup, listBackups, makeBackup } from "../../../../main/store/backups/backups.ts";
import { openStore } from "../../../../main/store/database.ts";
import { convertStore } from "../../../../main/store/encryption/convert-store.ts";
import { placeOfKey } from "../../../../main/store/encryption/key-keeper.ts";
import { nameOfImage } from "../../../../main/store/film-images/film-images.ts";
import { readNotedHead } from "../../../../main/store/ledger/record-anchor.ts";
import { verifyRecord } from "../../../../main/store/record/record-verification.ts";
import { filesBelow } from "../../../fixtures/folders.ts";
import { chargeCalls } from "../record-billable-measurement.ts";

export const at = new Date("2026-11-10T09:00:00Z");
export const marker = "Clinic that a stolen disk must not show";
export const films = Array.from({ length: 4 }, (_, index) =>
  Buffer.concat([Buffer.from(marker), randomBytes(50_000 + index)]),
);
const nameOf = (film: Buffer) => createHash("sha256").update(film).digest("hex");
export const imageOf = (film: Buffer) => nameOfImage(nameOf(film), "original", 0);

/** Fills a data directory with three charges, a backup of them and four films, all plain. */
export async function fillDirectory(dataDir: string): Promise<void> {
  const db = await openStore(dataDir);
  await chargeCalls(db, 3, marker);
  await makeBackup(db, dataDir, at);
  await db.destroy();
  for (const film of films) await saveFilmFile(dataDir, imageOf(film), film);
}

/** Plans encryption or decryption for the next start. @returns the recovery key of a new key */
export async function plan(dataDir: string, isWanted: boolean): Promise<string | null> {
  await using db = await openStore(dataDir, { setAside: false });
  const recoveryKey = isWanted ? (offerRecoveryKey(db, dataDir)?.recoveryKey ?? null) : null;
  await planEncryption(db, dataDir, isWanted, recoveryKey);
  return recoveryKey;
}

export async function turn(dataDir: string, isWanted: boolean): Promise<string | null> {
  const recoveryKey = await plan(dataDir, isWanted);
  convertStore(dataDir);
  expect(await convertFiles(dataDir)).toEqual([]);
  return recoveryKey;
}

/** Expects that all content is present and verifies, and that files contain plain text only if not encrypted. */
export async function expectWhole(dataDir: string, isEncrypted: boolean): Promise<void> {
  const db = await openStore(dataDir, { create: false, setAside: false });
  expect(await verifyRecord(db, readNotedHead(db))).toMatchObject({ fault: null, rows: 3 });
  await db.destroy();
  for (const film of films) expect(await readFilmFile(dataDir, imageOf(film))).toEqual(film);
  expect(findNewestGoodBackup(dataDir)?.name).toBe(listBackups(dataDir)[0]?.name);
  const shown = filesBelow(dataDir).filter((file) => readFileSync(file).includes(marker));
  expect(shown.length > 0).toBe(!isEncrypted);
  expect(getEncryption(dataDir)).toMatchObject({ isEncrypted, isWanted: isEncrypted, isDone: true, plainCopies: [] });
  expect(existsSync(placeOfKey(dataDir))).toBe(isEncrypted);
}
