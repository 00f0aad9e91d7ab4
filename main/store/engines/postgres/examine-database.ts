import { sql } from "kysely";
import { AppError } from "../../../../core/app-error.ts";
import type { DatabaseOutcome } from "../../../../core/contract/desktop/practice/database.ts";
import type { ReadableDb } from "../../connection.ts";
import { unfinishedCopyTable } from "../../copying/unfinished-copy.ts";
import { isUpToDate } from "../../opening/migrations.ts";
import { engineOf } from "../engine.ts";
import { findMisfit } from "./server-facts.ts";
import { createPostgresStore } from "./postgres-store.ts";

/** `detail`: a version, an encoding or the server's message. */
export type DatabaseFinding = { readonly outcome: DatabaseOutcome; readonly detail: string };

/**
 * Examines a database as a place for the store, without changing it.
 *
 * @param signal  ends the wait; pending queries are abandoned
 * @throws the signal's reason; AppError STORE_UNAVAILABLE if the address is invalid
 */
export async function examineDatabase(url: string, signal: AbortSignal): Promise<DatabaseFinding> {
  signal.throwIfAborted();
  const db = createPostgresStore(url);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  const examining = examine(db);
  try {
    return await Promise.race([examining, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
    // After an abort, a hanging connection ends by its timeout; do not wait for that.
    const close = () => db.destroy();
    void examining.then(close, close).catch(() => undefined);
  }
}

async function examine(db: ReadableDb): Promise<DatabaseFinding> {
  try {
    return await findingOf(db);
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (!(cause instanceof Error)) throw error;
    return findingOfFault(cause);
  }
}

async function findingOf(db: ReadableDb): Promise<DatabaseFinding> {
  const facts = await readFacts(db);
  const misfit = await findMisfit(db);
  if (misfit !== null) return { outcome: misfit, detail: misfit === "encoding" ? facts.encoding : facts.version };
  const found = (outcome: DatabaseOutcome, detail = facts.version) => ({ outcome, detail });
  const { hasTable } = engineOf(db);
  if (facts.isStandby !== 0) return found("standby");
  if (await hasTable(unfinishedCopyTable)) return found("unfinishedCopy");
  if (!(await hasTable("migrations"))) {
    if (facts.tables > 0) return found("others");
    return found(facts.mayCreate === 0 ? "needsOwner" : "empty");
  }
  const isOurs = await isUpToDate(db).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "STORE_TOO_NEW") return null;
    throw error;
  });
  if (isOurs === null) return found("newer");
  if (!isOurs) return found(facts.mayCreate !== 0 && (await ownsStore(db)) ? "older" : "needsOwner");
  return found((await mayWrite(db)) ? "ours" : "noRights");
}

async function readFacts(db: ReadableDb) {
  const query = sql<{ version: string; encoding: string; isStandby: number; mayCreate: number; tables: number }>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      current_setting('server_encoding') AS encoding,
      pg_is_in_recovery() AS is_standby,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
      (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()) AS tables`;
  const [facts] = (await query.execute(db)).rows;
  if (!facts) throw new Error("the database returned no row");
  return facts;
}

async function ownsStore(db: ReadableDb): Promise<boolean> {
  const query = sql<{ isOwner: number }>`
    SELECT bool_and(pg_has_role(tableowner, 'USAGE')) AS is_owner
    FROM pg_tables WHERE schemaname = current_schema() AND tablename IN ('migrations', 'ledger')`;
  return (await query.execute(db)).rows[0]?.isOwner === 1;
}

async function mayWrite(db: ReadableDb): Promise<boolean> {
  const query = sql<{ mayWrite: number }>`
    SELECT has_table_privilege('ledger', 'INSERT') AND has_table_privilege('settings', 'UPDATE') AS may_write`;
  return (await query.execute(db)).rows[0]?.mayWrite === 1;
}

const wholeCodes: Readonly<Record<string, DatabaseOutcome>> = {
  ENOTFOUND: "hostUnknown",
  EAI_AGAIN: "hostUnknown",
  ENOENT: "refused", // no socket in the folder
  ECONNREFUSED: "refused",
  ETIMEDOUT: "noAnswer",
  EHOSTUNREACH: "noAnswer",
  ENETUNREACH: "noAnswer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "authorityUnknown",
  UNABLE_TO_GET_ISSUER_CERT: "authorityUnknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "authorityUnknown",
  SELF_SIGNED_CERT_IN_CHAIN: "authorityUnknown",
  DEPTH_ZERO_SELF_SIGNED_CERT: "authorityUnknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "otherName",
  CERT_HAS_EXPIRED: "certificateTime",
  CERT_NOT_YET_VALID: "certificateTime",
  "28P01": "signIn",
  "28000": "notAdmitted",
  "3D000": "noDatabase",
  "42501": "noRights",
  "53300": "full",
  "57P03": "starting",
};

/** Driver errors without a code, by message. */
const words: readonly (readonly [RegExp, DatabaseOutcome])[] = [
  [/does not support SSL/, "noEncryption"],
  [/^SASL/, "signIn"], // the server requires a password and none was given
  [/timeout/i, "noAnswer"],
  [/read-only/, "standby"],
];

function findingOfFault(error: Error): DatabaseFinding {
  const code = "code" in error ? String(error.code) : "";
  const outcome = wholeCodes[code] ?? words.find(([said]) => said.test(error.message))?.[1] ?? "away";
  return { outcome, detail: code || error.message };
}
