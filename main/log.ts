import pino from "pino";
import { createLogFile } from "./log-file.ts";
import path from "node:path";

/**
 * The program's log, to stderr and to files in the data directory. A log that cannot be written (a full disk, a pipe
 * that nobody reads any more) loses its lines and never ends the program.
 */
export function openLog(dataDir: string): pino.Logger {
  const standardError = pino.destination(2);
  standardError.on("error", () => undefined);
  const level = process.env["CORVET_LOG_LEVEL"] ?? "info";
  const streams = [standardError, createLogFile(path.join(dataDir, "logs"))].map((stream) => ({
    stream,
    level: "trace" as const,
  }));
  return pino({ name: "corvet", level }, pino.multistream(streams));
}
