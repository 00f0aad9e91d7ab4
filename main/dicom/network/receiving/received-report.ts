import { renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CommitmentReport } from "../commitment/storage-commitment.ts";
import { syncFolder } from "./received-object.ts";
import { finishedName, unfinishedFile } from "./unfinished-object.ts";

export const reportFileEnding = ".committed";

/** Writes a report, safe against a crash or a power cut; null if that fails. */
export function saveReport(folder: string, report: CommitmentReport): string | null {
  const unfinished = unfinishedFile(folder);
  const whole = finishedName(unfinished, reportFileEnding);
  try {
    writeFileSync(unfinished, JSON.stringify(report), { flag: "wx", mode: 0o600, flush: true });
    renameSync(unfinished, whole);
    syncFolder(folder);
    return path.basename(whole);
  } catch {
    // A full disk or a missing folder: the node receives a failure and may repeat the report.
    return null;
  }
}
