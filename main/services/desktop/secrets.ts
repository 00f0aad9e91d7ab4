import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { replacePrivateFile } from "../../store/private-file.ts";

/** The operating system's key store, as Electron's `safeStorage` gives it. */
export type Sealer = { seal(plain: string): Buffer; open(sealed: Buffer): string };

/** Passwords, tokens and keys of this program by their names. Never in the store, in a log or in a backup. */
export type Secrets = {
  /** null where there is none, or none that can be opened here. */
  get(name: string): string | null;
  /** Lies on the disk when this returns. */
  keep(name: string, secret: string): void;
  forget(name: string): void;
};

const kept = z.record(z.string(), z.object({ isSealed: z.boolean(), value: z.string() }));
type Kept = z.infer<typeof kept>;

const writableByOthers = 0o022;

/**
 * Opens `secrets.json`. Its values are sealed by the operating system's key store where there is one; without a window
 * there is none, and then the file's mode alone protects them: one that others may read is not taken until something is
 * kept anew, in a file of the user's alone; one that others may write is not taken over even then.
 */
export function openSecrets(dataDir: string, sealer: Sealer | null): Secrets {
  const file = path.join(dataDir, "secrets.json");
  const read = (forbidden = 0o077): Kept => {
    try {
      if (process.platform !== "win32" && (statSync(file).mode & forbidden) !== 0) return {};
      return kept.parse(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      return {};
    }
  };
  return {
    get(name) {
      const entry = read()[name];
      if (!entry) return null;
      if (!entry.isSealed) return entry.value;
      try {
        return sealer?.open(Buffer.from(entry.value, "base64")) ?? null;
      } catch {
        return null;
      }
    },
    keep(name, secret) {
      const value = sealer ? sealer.seal(secret).toString("base64") : secret;
      replacePrivateFile(
        file,
        JSON.stringify({ ...read(writableByOthers), [name]: { isSealed: sealer !== null, value } }),
      );
    },
    forget(name) {
      const { [name]: gone, ...others } = read(writableByOthers);
      if (gone) replacePrivateFile(file, JSON.stringify(others));
    },
  };
}
