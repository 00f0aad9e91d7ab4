import { createHash, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import { AppError } from "../../../core/app-error.ts";
import type { Rates } from "../../../core/billing/tariff.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { compiledOnce } from "../engines/compiled-queries.ts";
import { transaction } from "../engines/engine.ts";
import { fingerprintOfApiKey } from "../record/bound-rows.ts";
import type { Tables } from "../tables.ts";

type Row = Selectable<Tables["apiKeys"]>;

/** An API key without its secret, which is not stored. Times are UTC [ms]. */
export type ApiKey = Readonly<
  Pick<Row, "id" | "accountId" | "name" | "createdAtMs" | "lastUsedAtMs" | "revokedAtMs"> & { accountName: string }
>;

export type Caller = { readonly keyId: string; readonly accountId: string };

/** Minimum interval between updates of a key's last use [ms]. */
const lastUseStepMs = 60_000;

export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Called for every request, so that a revocation takes effect at once. @returns null for an unknown or revoked key */
export async function authenticateKey(db: WritableDb, presentedKey: string, at: Date): Promise<Caller | null> {
  const presented = hashKey(presentedKey);
  const [found] = await usableKeys(db, { presented });
  if (!found || !timingSafeEqual(found.keySha256, presented)) return null;
  await recordLastUse(db, found, at.getTime());
  return { keyId: found.id, accountId: found.accountId };
}

const usableKeys = compiledOnce<
  { readonly presented: Buffer },
  Pick<Row, "id" | "accountId" | "keySha256" | "lastUsedAtMs">
>((db, place) =>
  db
    .selectFrom("apiKeys")
    .select(["id", "accountId", "keySha256", "lastUsedAtMs"])
    .where("keySha256", "=", place("presented"))
    .where("revokedAtMs", "is", null),
);

/** Ignores failures, so that a full disk does not lock callers out. */
async function recordLastUse(
  db: WritableDb,
  { id, lastUsedAtMs }: Pick<Row, "id" | "lastUsedAtMs">,
  atMs: number,
): Promise<void> {
  if (lastUsedAtMs !== null && atMs - lastUsedAtMs < lastUseStepMs) return;
  try {
    await db
      .updateTable("apiKeys")
      .set({ lastUsedAtMs: atMs })
      .where("id", "=", id)
      .where((row) => row.or([row("lastUsedAtMs", "is", null), row("lastUsedAtMs", "<", atMs)]))
      .execute();
  } catch {
    return;
  }
}

/** Includes revoked ones, oldest first. */
export async function listApiKeys(db: ReadableDb): Promise<readonly ApiKey[]> {
  return await db
    .selectFrom("apiKeys")
    .innerJoin("accounts", "accounts.id", "apiKeys.accountId")
    .select(["apiKeys.id", "accountId", "accounts.name as accountName", "apiKeys.name", "apiKeys.createdAtMs"])
    .select(["lastUsedAtMs", "revokedAtMs"])
    .orderBy("apiKeys.createdAtMs")
    .orderBy("apiKeys.id")
    .execute();
}

/** `keySha256` is 32 bytes. */
export async function insertApiKey(
  db: WritableDb,
  { id, accountId, name, keySha256 }: Pick<Row, "id" | "accountId" | "name" | "keySha256">,
  at: Date,
): Promise<void> {
  await transaction(db, async () => {
    await db.insertInto("apiKeys").values({ id, accountId, name, keySha256, createdAtMs: at.getTime() }).execute();
    await recordAudit(db, {
      action: "key.created",
      at,
      subject: id,
      detail: { name, accountId, fingerprint: fingerprintOfApiKey(keySha256) },
    });
  });
}

/**
 * A revoked key keeps the time of its first revocation.
 *
 * @returns time of revocation [UTC ms], and whether this call revoked the key
 * @throws AppError KEY_NOT_FOUND
 */
export function revokeApiKey(
  db: WritableDb,
  { keyId, at }: { readonly keyId: string; readonly at: Date },
): Promise<{ readonly revokedAtMs: number; readonly isNew: boolean }> {
  return transaction(db, async () => {
    const key = await db.selectFrom("apiKeys").select("revokedAtMs").where("id", "=", keyId).executeTakeFirst();
    const revokedAtMs = key?.revokedAtMs ?? at.getTime();
    const isNew = await changeKey(db, keyId, { revokedAtMs });
    if (isNew) await recordAudit(db, { action: "key.revoked", at, subject: keyId });
    return { revokedAtMs, isNew };
  });
}

export async function revokedOf(db: ReadableDb, keyIds: readonly string[]): Promise<readonly string[]> {
  if (keyIds.length === 0) return [];
  const revoked = db.selectFrom("apiKeys").select("id").where("id", "in", keyIds).where("revokedAtMs", "is not", null);
  return (await revoked.execute()).map(({ id }) => id);
}

/** @throws AppError KEY_NOT_FOUND */
export async function renameApiKey(
  db: WritableDb,
  { keyId, name }: { readonly keyId: string; readonly name: string },
): Promise<void> {
  await transaction(db, async () => {
    if (await changeKey(db, keyId, { name }))
      await recordAudit(db, { action: "key.renamed", subject: keyId, detail: { name } });
  });
}

/**
 * Sets the rates of the enterprise tier; null restores the professional rates. Existing charges keep their rates.
 *
 * @param rates  whole cents, >= 0
 * @throws AppError KEY_NOT_FOUND
 */
export async function setEnterpriseRates(
  db: WritableDb,
  { keyId, rates }: { readonly keyId: string; readonly rates: Rates | null },
): Promise<void> {
  const [single, session] = [rates?.single ?? null, rates?.session ?? null];
  await transaction(db, async () => {
    if (await changeKey(db, keyId, { enterpriseSingleCents: single, enterpriseSessionCents: session }))
      await recordAudit(db, {
        action: "key.rated",
        subject: keyId,
        detail: { singleCents: single, sessionCents: session },
      });
  });
}

/** @returns whether the key changed */
async function changeKey(db: WritableDb, keyId: string, change: Partial<Row>): Promise<boolean> {
  const key = await db.selectFrom("apiKeys").selectAll().where("id", "=", keyId).executeTakeFirst();
  if (!key) throw new AppError("KEY_NOT_FOUND", `There is no key ${keyId}.`);
  const names = Object.keys(change) as (keyof Row)[];
  if (names.every((name) => key[name] === change[name])) return false;
  await db.updateTable("apiKeys").set(change).where("id", "=", keyId).execute();
  return true;
}

/** [cents]; null without an agreement. */
export async function getEnterpriseRates(db: ReadableDb, keyId: string | null): Promise<Rates | null> {
  if (keyId === null) return null;
  const [rates] = await agreedRates(db, { keyId });
  if (!rates || rates.single === null || rates.session === null) return null;
  return { single: rates.single, session: rates.session };
}

const agreedRates = compiledOnce<{ readonly keyId: string }, { single: number | null; session: number | null }>(
  (db, place) =>
    db
      .selectFrom("apiKeys")
      .select(["enterpriseSingleCents as single", "enterpriseSessionCents as session"])
      .where("id", "=", place("keyId")),
);
