import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AppError, failureOf } from "../../../core/app-error.ts";
import { failureInWords } from "../../../core/language/failure-in-words.ts";
import type { Language } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";

export function startFaultText(error: unknown, dataDir: string, language: Language): string {
  const known = systemFaultOf(error) ?? (error instanceof AppError ? error : null);
  if (known === null) return error instanceof Error ? error.message : String(error);
  const detail = known.message.includes(dataDir) ? known.message : dataDir;
  return `${failureInWords(failureOf(known), sayIn(language))}\n\n${detail}`;
}

/** null if the folder is writable. If Electron cannot write its lock, it reports another running instance. */
export function writeFaultOf(folder: string): unknown {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const probe = mkdtempSync(path.join(folder, ".probe-"));
    try {
      writeFileSync(path.join(probe, "probe"), "x", { flush: true });
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    return error;
  }
}
