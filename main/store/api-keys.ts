import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { Rates } from "../../core/billing/tariff.ts";
import { recordAudit } from "./audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";
import { prepared } from "./prepared.ts";

const apiKeySchema = z.object({
  id: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  name: z.string(),
  createdAtMs: z.int(),
  lastUsedAtMs: z.int().nullable(),
  revokedAtMs: z.int().nullable(),
});

const apiKeysSchema = z.array(apiKeySchema);

/** An API key without the key itself, which is stored nowhere. Times are UTC [ms]. */
export type ApiKey = Readonly<z.infer<typeof apiKeySchema>>;

/** Who calls. */
export type Caller = { readonly keyId: string; readonly accountId: string };

/** A key's last use is written at most once in this time [ms]. */
const lastUseStepMs = 60_000;

const credentialSchema = z.object({
  keyId: z.string(),
  accountId: z.string(),
  sha256: z.instanceof(Buffer),
  lastUsedAtMs: z.int().nullable(),
});

const credentialOrNone = credentialSchema.optional();
const revokedSchema = z.object({ revokedAtMs: z.int() });
const ratesOrNone = z.object({ single: z.int().nullable(), session: z.int().nullable() }).optional();

/** SHA-256 of a key as it is stored: 32 bytes. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/**
 * Who presents this key; asked anew for every call, so that a revoked key stops at once.
 *
 * @returns null for a missing, unknown or revoked key, without saying which
 */
export function authenticateKey(
  db: WritableDb,
  presentedKey: string | null | undefined,
  at: Date = new Date(),
): Caller | null {
  if (!presentedKey) return null;
  const presented = hashKey(presentedKey);
  const found = credentialOrNone.parse(
    prepared(
      db,
      `SELECT id AS keyId, account_id AS accountId, key_sha256 AS sha256, last_used_at_ms AS lastUsedAtMs
       FROM api_keys WHERE key_sha256 = ? AND revoked_at_ms IS NULL`,
    ).get(presented),
  );
  if (!found || !timingSafeEqual(found.sha256, presented)) return null;
  recordLastUse(db, found, at.getTime());
  return { keyId: found.keyId, accountId: found.accountId };
}

/** A full disk or a writer that takes long must not lock callers out: the last use is information, not a condition. */
function recordLastUse(db: WritableDb, key: z.infer<typeof credentialSchema>, atMs: number): void {
  if (key.lastUsedAtMs !== null && atMs - key.lastUsedAtMs < lastUseStepMs) return;
  try {
    db.prepare("UPDATE api_keys SET last_used_at_ms = max(coalesce(last_used_at_ms, 0), ?) WHERE id = ?").run(
      atMs,
      key.keyId,
    );
  } catch {
    return;
  }
}

/** Every key, revoked ones too, oldest first. */
export function listApiKeys(db: ReadableDb): readonly ApiKey[] {
  const rows = db
    .prepare(
      `SELECT api_keys.id, account_id AS accountId, accounts.name AS accountName, api_keys.name, api_keys.created_at_ms AS createdAtMs,
       last_used_at_ms AS lastUsedAtMs, revoked_at_ms AS revokedAtMs
     FROM api_keys JOIN accounts ON accounts.id = account_id ORDER BY api_keys.created_at_ms, api_keys.id`,
    )
    .all();
  return apiKeysSchema.parse(rows);
}

/** Stores a new key's hash. `keySha256` is 32 bytes. */
export function insertApiKey(
  db: WritableDb,
  key: {
    readonly id: string;
    readonly accountId: string;
    readonly name: string;
    readonly keySha256: Buffer;
    readonly at: Date;
  },
): void {
  const insert = db.transaction(() => {
    db.prepare("INSERT INTO api_keys (id, account_id, name, key_sha256, created_at_ms) VALUES (?, ?, ?, ?, ?)").run(
      key.id,
      key.accountId,
      key.name,
      key.keySha256,
      key.at.getTime(),
    );
    recordAudit(db, { action: "key.created", at: key.at, subject: key.id, detail: { name: key.name } });
  });
  insert.immediate();
}

/**
 * Revokes a key from the next call on; a key that is revoked already keeps its first time.
 *
 * @returns when it was revoked, UTC [ms]
 * @throws AppError KEY_NOT_FOUND
 */
export function revokeApiKey(db: WritableDb, { keyId, at }: { readonly keyId: string; readonly at: Date }): number {
  const revoke = db.transaction(() => {
    const row = db
      .prepare(
        "UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?) WHERE id = ? RETURNING revoked_at_ms AS revokedAtMs",
      )
      .get(at.getTime(), keyId);
    if (row === undefined) throw new AppError("KEY_NOT_FOUND", `There is no key ${keyId}.`);
    recordAudit(db, { action: "key.revoked", at, subject: keyId });
    return revokedSchema.parse(row).revokedAtMs;
  });
  return revoke.immediate();
}

/**
 * Gives a key another name.
 *
 * @throws AppError KEY_NOT_FOUND
 */
export function renameApiKey(db: WritableDb, { keyId, name }: { readonly keyId: string; readonly name: string }): void {
  const rename = db.transaction(() => {
    const { changes } = db.prepare("UPDATE api_keys SET name = ? WHERE id = ?").run(name, keyId);
    if (changes === 0) throw new AppError("KEY_NOT_FOUND", `There is no key ${keyId}.`);
    recordAudit(db, { action: "key.renamed", subject: keyId, detail: { name } });
  });
  rename.immediate();
}

/**
 * Agrees a key's own rates for the enterprise tier; null goes back to the professional rates. Charges already made
 * stay.
 *
 * @param rates  whole cents, >= 0
 * @throws AppError KEY_NOT_FOUND
 */
export function agreeEnterpriseRates(
  db: WritableDb,
  { keyId, rates }: { readonly keyId: string; readonly rates: Rates | null },
): void {
  const [single, session] = [rates?.single ?? null, rates?.session ?? null];
  const agree = db.transaction(() => {
    const { changes } = db
      .prepare("UPDATE api_keys SET enterprise_single_cents = ?, enterprise_session_cents = ? WHERE id = ?")
      .run(single, session, keyId);
    if (changes === 0) throw new AppError("KEY_NOT_FOUND", `There is no key ${keyId}.`);
    recordAudit(db, { action: "key.rated", subject: keyId, detail: { singleCents: single, sessionCents: session } });
  });
  agree.immediate();
}

/** The rates agreed for a key's enterprise tier [cents]; null while none are agreed. */
export function getEnterpriseRates(db: ReadableDb, keyId: string | null): Rates | null {
  const row = ratesOrNone.parse(
    prepared(
      db,
      "SELECT enterprise_single_cents AS single, enterprise_session_cents AS session FROM api_keys WHERE id = ?",
    ).get(keyId),
  );
  return row && row.single !== null && row.session !== null ? { single: row.single, session: row.session } : null;
}
