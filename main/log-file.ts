import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";

/** Limits of a log: size at which a file is rotated [bytes], number of rotated files, and their maximum age [ms]. */
type LogLimits = { readonly fileBytes: number; readonly files: number; readonly ageMs: number };

const usualLimits: LogLimits = { fileBytes: 5_000_000, files: 10, ageMs: 30 * 24 * 60 * 60 * 1000 };

/** Logs of the program; the second contains the entries relevant to intrusion detection. */
export const logNames = ["corvet", "security"] as const;
type LogName = (typeof logNames)[number];

/** `NAME.log`, and rotated files named with the time of rotation. Drops lines that cannot be written; never throws. */
export function createLogFile(
  folder: string,
  limits = usualLimits,
  logName: LogName = "corvet",
): { write(line: string): void } {
  let bytes: number | null = null;
  const file = path.join(folder, `${logName}.log`);
  const open = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeOld(folder, limits, logName);
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  };
  return {
    write(line) {
      try {
        bytes ??= open();
        if (bytes > 0 && bytes + line.length > limits.fileBytes) {
          renameSync(file, path.join(folder, `${logName}-${new Date().toISOString().replaceAll(/[-:.]/g, "")}.log`));
          removeOld(folder, limits, logName);
          bytes = 0;
        }
        appendFileSync(file, line, { mode: 0o600 });
        bytes += Buffer.byteLength(line);
      } catch {
        // Open the log again for the next line: the disk may have space by then.
        bytes = null;
      }
    },
  };
}

/** Deletes outdated files. Their names contain the time of rotation, so that sorting by name sorts by age. */
function removeOld(folder: string, { files, ageMs }: LogLimits, logName: LogName): void {
  const putBy = new RegExp(`^${logName}-[0-9TZ]+\\.log$`);
  const names = readdirSync(folder)
    .filter((name) => putBy.test(name))
    .sort()
    .reverse();
  for (const [index, name] of names.entries()) {
    const file = path.join(folder, name);
    if (index >= files || Date.now() - statSync(file).mtimeMs > ageMs) rmSync(file, { force: true });
  }
}
