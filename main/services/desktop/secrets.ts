import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import { isReadFault, replacePrivateFile } from "../../store/files/private-file.ts";

/** Encryption by the operating system's key store, see Electron's `safeStorage`. */
export type Sealer = { seal(plain: string): Buffer; open(sealed: Buffer): string };

/**
 * Passwords, tokens and keys by name. Never written to the store, logs or backups. Each function throws an AppError
 * (TOO_MANY_FILES, NOT_AVAILABLE) if their file exists and cannot be read.
 */
export type Secrets = {
  /** Returns null if the secret is missing or cannot be decrypted on this machine. */
  get(name: string): string | null;
  /** Durable on return. */
  keep(name: string, secret: string): void;
  forget(name: string): void;
};

const kept = z.record(z.string(), z.object({ isSealed: z.boolean(), value: z.string() }));
type Kept = z.infer<typeof kept>;

const openToOthers = 0o077;
const writableByOthers = 0o022;

/**
 * Opens `secrets.json`, sealed by the operating system's key store if available. Without a window only the file mode
 * protects the values: a file readable by other users is ignored until the next write makes it private, and the values
 * of a file writable by other users are discarded by that write.
 */
export function openSecrets(dataDir: string, sealer: Sealer | null): Secrets {
  const file = path.join(dataDir, "secrets.json");
  const read = (forbidden: number): Kept => {
    try {
      if (process.platform !== "win32" && (statSync(file).mode & forbidden) !== 0) return {};
      return kept.parse(JSON.parse(readFileSync(file, "utf8")));
    } catch (error) {
      if (isReadFault(error)) throw unreadable(file, error);
      return {};
    }
  };
  return {
    get(name) {
      const entry = read(openToOthers)[name];
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

function unreadable(file: string, cause: Error & { readonly code: unknown }): AppError {
  const reason = because("secretsUnreadable", { file, why: String(cause.code) });
  return systemFaultOf(cause) ?? new AppError("NOT_AVAILABLE", reason, { cause });
}
