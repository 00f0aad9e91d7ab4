import pino from "pino";
import { createLogFile } from "./log-file.ts";
import { loggedError } from "./logged-error.ts";
import path from "node:path";

export function logFolder(dataDir: string): string {
  return path.join(dataDir, "logs");
}

/**
 * Opens the program's log, which writes to stderr and to files in the data directory. If it cannot be written (a full
 * disk, a closed pipe), lines are lost but the program continues.
 *
 * @param isQuiet  write to files only, unless the environment sets a level
 */
export function openLog(dataDir: string, isQuiet = false): pino.Logger {
  const standardError = pino.destination(2);
  standardError.on("error", () => undefined);
  const level = process.env["CORVET_LOG_LEVEL"] ?? "info";
  const folder = logFolder(dataDir);
  const isShown = !isQuiet || process.env["CORVET_LOG_LEVEL"] !== undefined;
  const shown = isShown ? [standardError] : [];
  const streams = [...shown, createLogFile(folder)].map((stream) => ({
    stream,
    level: "trace" as const,
  }));
  const serializers = { error: loggedError, err: loggedError };
  return pino({ name: "corvet", level, serializers }, pino.multistream(streams));
}
