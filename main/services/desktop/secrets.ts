import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { assertReadable, replacePrivateFile } from "../../store/private-file.ts";

/** Encryption by the operating system's key store, see Electron's `safeStorage`. */
export type Sealer = { seal(plain: string): Buffer; open(sealed: Buffer): string };

/** Passwords, tokens and keys by name. Never written to the store, logs or backups. */
export type Secrets = {
  /** Returns null if the secret is missing or cannot be decrypted on this machine. */
  get(name: string): string | null;
  /** Durable on return. @throws SystemError if the file of the other secrets exists and cannot be read */
  keep(name: string, secret: string): void;
  forget(name: string): void;
};

const kept = z.record(z.string(), z.object({ isSealed: z.boolean(), value: z.string() }));
type Kept = z.infer<typeof kept>;

const openToOthers = 0o077;
const writableByOthers = 0o022;

/**
 * Opens `secrets.json`, sealed by the operating system's key store if available. Without a window only the file mode
 * protects the values: a file readable by others is ignored until the next write makes it private; the contents of a
 * file writable by others are never kept.
 */
export function openSecrets(dataDir: string, sealer: Sealer | null): Secrets {
  const file = path.join(dataDir, "secrets.json");
  const read = (forbidden: number, onError: (error: unknown) => void): Kept => {
    try {
      if (process.platform !== "win32" && (statSync(file).mode & forbidden) !== 0) return {};
      return kept.parse(JSON.parse(readFileSync(file, "utf8")));
    } catch (error) {
      onError(error);
      return {};
    }
  };
  const readOthers = () => read(writableByOthers, assertReadable);
  return {
    get(name) {
      const entry = read(openToOthers, () => undefined)[name];
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
      replacePrivateFile(file, JSON.stringify({ ...readOthers(), [name]: { isSealed: sealer !== null, value } }));
    },
    forget(name) {
      const { [name]: gone, ...others } = readOthers();
      if (gone) replacePrivateFile(file, JSON.stringify(others));
    },
  };
}
