import { createHash } from "node:crypto";
import { sql } from "kysely";
import { because, type Reason } from "../../../core/app-error.ts";
import { firstPreviousHash } from "../../../core/billing/ledger-event.ts";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { compiledOnce, insertRow } from "../engines/compiled-queries.ts";
import { engineOf } from "../engines/engine.ts";
import { pagesOf } from "../engines/in-pages.ts";
import { anchorNewRows, type RecordHead } from "../ledger/record-anchor.ts";
import { isStated, type RecordFault } from "../ledger/record-fault.ts";
import { listStated } from "../privacy/erased-rows.ts";
import type { Tables } from "../tables.ts";
import { faultsOfBoundRows } from "./bound-rows.ts";
import { contentOf, contentsOf, sealedSources, storedTables, type SealedSource } from "./sealed-rows.ts";

/** Seal of one row: its hash covers the row's values and the previous seal's hash. */
type ValueSeal = Readonly<Tables["valueSeals"]>;

/** Seals a row that was just written, in its transaction. */
export async function sealValues(db: WritableDb, source: SealedSource, rowKey: string): Promise<void> {
  const [last] = await newestSeal(db, {});
  const content = await contentOf(db, source, rowKey);
  if (content === null) throw new Error(`there is no ${source} ${rowKey} to seal`);
  const seal = { seq: (last?.seq ?? 0) + 1, source, rowKey, previousHash: last?.hash ?? firstPreviousHash };
  await insertRow(db, "valueSeals", { ...seal, hash: hashOfSeal(seal, content) });
  await anchorNewRows(db);
}

const newestSeal = compiledOnce<object, Pick<ValueSeal, "seq" | "hash">>((db) =>
  db.selectFrom("valueSeals").select(["seq", "hash"]).orderBy("seq", "desc").limit(1),
);

/** `seals`: number without those of audit events. */
type SealVerification = { readonly seals: number; readonly fault: RecordFault | null };

/**
 * Verifies that numbers have no gap, that each hash covers the row's values and the previous hash, and that no row
 * lacks a seal.
 *
 * @param head  of the record, as noted outside the store
 * @returns     counts, and the first fault without a statement
 */
export async function verifySeals(
  db: ReadableDb,
  statements: readonly LedgerStatement[],
  head: RecordHead | null,
): Promise<SealVerification> {
  let [seals, lastSeq, lastHash] = [0, 0, firstPreviousHash];
  const stated = await listStated(db, statements);
  for await (const [seal, content] of readSeals(db)) {
    if (seal.source !== "audit_events") seals += 1;
    const fault = faultOfSeal(seal, content, { lastSeq, lastHash });
    if (fault !== null && !isStated(stated, fault)) return { seals, fault };
    [lastSeq, lastHash] = [seal.seq, seal.hash];
  }
  const faults = [
    await faultOfEnd(db, lastSeq),
    await faultOfSealHead(db, head),
    ...(await faultsOfUnsealed(db)),
    ...(await faultsOfBoundRows(db)),
  ];
  return { seals, fault: faults.find((found) => found !== null && !isStated(stated, found)) ?? null };
}

/** In order, with the present content of the row; null for a deleted row. */
async function* readSeals(db: ReadableDb): AsyncGenerator<readonly [seal: ValueSeal, content: string | null]> {
  const all = db.selectFrom("valueSeals").selectAll().orderBy("seq");
  for await (const seals of pagesOf((seq) => (seq === null ? all : all.where("seq", ">", seq)))) {
    const contents = new Map<SealedSource, ReadonlyMap<string, string>>();
    for (const [source, ofSource] of Map.groupBy(seals, (seal) => seal.source)) {
      const rowKeys = ofSource.map(({ rowKey }) => rowKey);
      contents.set(source, await contentsOf(db, source, rowKeys));
    }
    for (const seal of seals) yield [seal, contents.get(seal.source)?.get(seal.rowKey) ?? null];
  }
}

function faultOfSeal(
  seal: ValueSeal,
  content: string | null,
  before: { readonly lastSeq: number; readonly lastHash: string },
): RecordFault | null {
  if (seal.seq !== before.lastSeq + 1 || seal.previousHash !== before.lastHash)
    return faultOf(`seal/${seal.seq}`, because("sealBeforeChanged", { seal: seal.seq }), seal.hash);
  const subject = `${seal.source}/${seal.rowKey}`;
  if (content === null) return faultOf(subject, because("valueMissing", { subject }), null);
  if (hashOfSeal(seal, content) === seal.hash) return null;
  return faultOf(subject, because("valueChanged", { subject }), sha256Of(content));
}

export async function contentHashOfRow(db: ReadableDb, source: SealedSource, rowKey: string): Promise<string | null> {
  const content = await contentOf(db, source, rowKey);
  return content === null ? null : sha256Of(content);
}

function sha256Of(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Detects that the last seals were deleted, by the highest number ever assigned. */
async function faultOfEnd(db: ReadableDb, lastSeq: number): Promise<RecordFault | null> {
  const lastGiven = await engineOf(db).lastGiven("value_seals");
  if (lastGiven <= lastSeq) return null;
  return faultOf("seal/last", because("sealsLost", { last: lastGiven }), String(lastGiven));
}

/** Fault if seals noted outside the store are missing or differ in it. */
export async function faultOfSealHead(db: ReadableDb, head: RecordHead | null): Promise<RecordFault | null> {
  if (head === null || head.sealSeq === 0) return null;
  const seal = await db.selectFrom("valueSeals").select("hash").where("seq", "=", head.sealSeq).executeTakeFirst();
  if (seal?.hash === head.sealHash) return null;
  const problem = because(seal === undefined ? "notedSealsLost" : "sealReplaced", { last: head.sealSeq });
  return faultOf("seal/noted", problem, head.sealHash);
}

async function faultsOfUnsealed(db: ReadableDb): Promise<readonly RecordFault[]> {
  const faults: RecordFault[] = [];
  for (const [source, key] of Object.entries(sealedSources) as [SealedSource, string][])
    for (const rowKey of await unsealedKeys(db, source, key)) {
      const subject = `${source}/${rowKey}`;
      faults.push(faultOf(subject, because("valueUnsealed", { subject }), null));
    }
  return faults;
}

async function unsealedKeys(db: ReadableDb, source: SealedSource, orderedBy: string): Promise<readonly string[]> {
  const tables = storedTables(db);
  const key = sql<string>`cast(${sql.ref(`${source}.${sealedSources[source]}`)} as text)`;
  const seals = tables.selectFrom("value_seals").select("row_key").where("value_seals.source", "=", source);
  const rows = await tables
    .selectFrom(source)
    .select(key.as("key"))
    .where(({ not, exists }) => not(exists(seals.where("row_key", "=", key))))
    .orderBy(sql.ref(orderedBy))
    .execute();
  return rows.map((row) => row.key);
}

function faultOf(subject: string, problem: Reason, found: string | null): RecordFault {
  return { subject, problem, found, lostUpTo: null };
}

function hashOfSeal({ seq, source, rowKey, previousHash }: Omit<ValueSeal, "hash">, content: string): string {
  return createHash("sha256")
    .update(JSON.stringify([seq, source, rowKey, content, previousHash]))
    .digest("hex");
}
