import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export type ProcessFigures = { readonly residentMegabytes: number; readonly openFiles: number };

/** Reads the figures from /proc; null on systems other than Linux. */
export function readProcessFigures({ pid }: ChildProcess): ProcessFigures | null {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { residentMegabytes: Number(resident) / 1024, openFiles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}
