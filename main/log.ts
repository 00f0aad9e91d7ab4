import pino from "pino";
import { createLogFile } from "./log-file.ts";
import { loggedError } from "./logged-error.ts";
import path from "node:path";

export function logFolder(dataDir: string): string {
  return path.join(dataDir, "logs");
}

/** Writes security-relevant lines, which are those with a field `security`, to a separate log. */
function securityStream(folder: string): { write(line: string): void } {
  const file = createLogFile(folder, undefined, "security");
  return { write: (line) => void (line.includes('"security":"') && file.write(line)) };
}

/** Writes a command's security-relevant action to the security log of the data directory. */
export function noteSecurity(dataDir: string, entry: { readonly security: string; readonly keyId?: string }): void {
  const line = { level: 30, time: Date.now(), name: "corvet", via: "command", ...entry };
  createLogFile(logFolder(dataDir), undefined, "security").write(`${JSON.stringify(line)}\n`);
}

/** Writes to stderr and files. If it cannot (full disk, closed pipe), lines are lost but the program continues. */
export function openLog(dataDir: string, isQuiet = false): pino.Logger {
  const standardError = pino.destination(2);
  standardError.on("error", () => undefined);
  const level = process.env["CORVET_LOG_LEVEL"] ?? "info";
  const folder = logFolder(dataDir);
  const isShown = !isQuiet || process.env["CORVET_LOG_LEVEL"] !== undefined;
  const shown = isShown ? [standardError] : [];
  const streams = [...shown, createLogFile(folder), securityStream(folder)].map((stream) => ({
    stream,
    level: "trace" as const,
  }));
  const serializers = { error: loggedError, err: loggedError };
  return pino({ name: "corvet", level, serializers }, pino.multistream(streams));
}
