import { AppError } from "../../../core/app-error.ts";
import { commandLine } from "../../program.ts";
import { findNewestGoodBackup, listBackups } from "./backups.ts";
import { readAnchor } from "../ledger/record-anchor.ts";
import { hasFilms, isLogAlone, listDamagedFiles } from "../files/store-files.ts";

/** Asserts that a data directory without a store has no traces of an earlier one. @throws AppError STORE_DAMAGED */
export function assertNothingToRecover(dataDir: string): void {
  const [damaged] = listDamagedFiles(dataDir);
  const { ledgerSeq, sealSeq } = readAnchor(dataDir) ?? { ledgerSeq: 0, sealSeq: 0 };
  const hasRecord = ledgerSeq + sealSeq > 0 || listBackups(dataDir).length > 0 || isLogAlone(dataDir);
  if (damaged === undefined && !hasRecord && !hasFilms(dataDir)) return;
  throw new AppError(
    "STORE_DAMAGED",
    `The store is missing${damaged ? ` (a damaged one was set aside as ${damaged})` : ""}. ${wayOut(dataDir)}`,
  );
}

export function damagedError(dataDir: string, damage: string, asidePath: string | null): AppError {
  const happened = asidePath === null ? "" : ` It was set aside as ${asidePath}; nothing was deleted.`;
  return new AppError("STORE_DAMAGED", `The store in ${dataDir} is damaged: ${damage}.${happened} ${wayOut(dataDir)}`);
}

function wayOut(dataDir: string): string {
  const backup = findNewestGoodBackup(dataDir);
  const empty = `To begin with an empty store: ${commandLine("backup start-empty", dataDir)}`;
  if (!backup) return `There is no good backup. ${empty}`;
  return `Newest good backup: ${backup.name}, made ${new Date(backup.atMs).toISOString()}. To restore it: ${commandLine(`backup restore ${backup.name}`, dataDir)} . ${empty}`;
}
