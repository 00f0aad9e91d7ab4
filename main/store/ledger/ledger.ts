import { createHash } from "node:crypto";
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import { AppError, because, type Reason } from "../../../core/app-error.ts";
import { billingPeriodOf } from "../../../core/billing/billing-period.ts";
import {
  canonicalLedgerText,
  firstPreviousHash,
  ledgerEventSchema,
  type LedgerEvent,
  type UnsealedLedgerEvent,
} from "../../../core/billing/ledger-event.ts";
import {
  amountOfCall,
  currency,
  tierOfOrdinal,
  type Agreements,
  type CallType,
  type MeteredService,
} from "../../../core/billing/tariff.ts";
import { clocksApartMs, latestFreeingMs } from "../../../core/billing/recheck.ts";
import { comparedIdentifier, isWellFormed } from "../../../core/identifiers.ts";
import { commandLine } from "../../program.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { compiledOnce, insertRow } from "../engines/compiled-queries.ts";
import { dataDirOf, engineOf } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";
import { publishLedgerRow } from "./ledger-events.ts";
import { addToVolume } from "./monthly-volumes.ts";
import { anchorNewRows } from "./record-anchor.ts";

/** A billable call to be charged. `measurementId` is null only for USG, whose predictions have their own log. */
export type Charge = {
  /** Unique among charges, so that no call is charged twice. */
  readonly callId: string;
  readonly accountId: string;
  /** API key of the caller; null for a call without one. */
  readonly keyId: string | null;
  readonly service: MeteredService;
  readonly callType: CallType;
  readonly uuid: string | null;
  readonly at: Date;
  readonly measurementId: number | null;
  readonly agreements: Agreements;
};

/** A literal, because SQLite does not use the partial index of charges for a parameter. */
export const chargeKind = sql.lit("charge" as const);

type LastRow = Pick<LedgerEvent, "seq" | "hash" | "atMs">;
const eventOrNone = ledgerEventSchema.optional();

/**
 * Appends a charge. Its place among the account's billable calls of the UTC month determines tier and rate. Call it in
 * a transaction.
 *
 * @returns the written row; its ordinal is the account's usage of the month, including this call
 * @throws the engine's error if the account is unknown or the row cannot be written
 */
export async function appendCharge(
  db: WritableDb,
  charge: Charge,
): Promise<LedgerEvent & { readonly ordinal: number }> {
  const { callId, accountId, keyId, service, callType, uuid, at, measurementId, agreements } = charge;
  const period = billingPeriodOf(at);
  const ordinal = await addToVolume(db, { accountId, period }, 1);
  const tier = tierOfOrdinal(ordinal);
  const amountCents = amountOfCall(service, callType, tier, agreements);
  const event = await appendSealed(db, {
    kind: "charge",
    callId,
    accountId,
    keyId,
    service,
    callType,
    uuid,
    atMs: at.getTime(),
    period,
    ordinal,
    tier,
    amountCents,
    currency,
    reverses: null,
    note: null,
    measurementId,
  });
  return { ...event, ordinal };
}

/**
 * Reverses a charge by a row of the negated amount, in the month of the reversal. The charge no longer counts in its
 * month's volume and gives its patient no recheck grace; later charges keep their tier and rate. Call it in a
 * transaction.
 *
 * @throws AppError CHARGE_NOT_FOUND if `seq` is not a charge, CHARGE_ALREADY_REVERSED
 */
export async function reverseCharge(
  db: WritableDb,
  { seq, note, at }: { readonly seq: number; readonly note: string; readonly at: Date },
): Promise<LedgerEvent> {
  const charge = await getLedgerEvent(db, seq);
  if (charge?.kind !== "charge") throw new AppError("CHARGE_NOT_FOUND", `There is no charge ${seq}.`);
  const reversal = await db.selectFrom("ledger").select("seq").where("reverses", "=", seq).executeTakeFirst();
  if (reversal) throw new AppError("CHARGE_ALREADY_REVERSED");
  await addToVolume(db, charge, -1);
  return await appendSealed(db, {
    ...charge,
    kind: "reversal",
    atMs: at.getTime(),
    period: billingPeriodOf(at),
    ordinal: null,
    amountCents: charge.amountCents && -charge.amountCents,
    reverses: seq,
    note,
  });
}

/**
 * Call it before appending a row dated by a clock, in the same transaction. On a shared ledger, a workstation whose
 * clock is ahead of the database's must not block the charges of the others, so both limits are the same.
 *
 * @throws AppError CLOCK_BEHIND if `now` is before the last row, CLOCK_AHEAD if it is far ahead of a shared store's
 *   clock
 */
export async function assertClockAgrees(db: ReadableDb, now: Date): Promise<void> {
  const ahead = await findRowAhead(db, now);
  if (ahead !== null) throw new AppError("CLOCK_BEHIND", because("clockBehind", wayOutOf(db, ahead)));
  if (engineOf(db).machineId === null) return;
  const { atMs } = await db.selectNoFrom(engineOf(db).now.as("atMs")).executeTakeFirstOrThrow();
  if (now.getTime() > atMs + clocksApartMs) throw new AppError("CLOCK_AHEAD");
}

export const clockFaults = ["CLOCK_BEHIND", "CLOCK_AHEAD"] as const;

export function isClockTrouble(error: unknown): error is AppError & { readonly code: (typeof clockFaults)[number] } {
  return error instanceof AppError && clockFaults.some((code) => code === error.code);
}

/** A shared ledger tolerates clocks that are slightly ahead. */
export async function findRowAhead(db: ReadableDb, now: Date): Promise<LastRow | null> {
  const last = await readLastRow(db);
  const apartMs = engineOf(db).machineId === null ? 0 : clocksApartMs;
  return last && now.getTime() < last.atMs - apartMs ? last : null;
}

export function problemWithRowAhead({ seq, atMs }: LastRow): Reason {
  return because("ledgerRowAhead", { row: seq, date: new Date(atMs).toISOString() });
}

function wayOutOf(db: ReadableDb, { seq, atMs }: LastRow) {
  const command = commandLine(`ledger continue --at ${seq} --by NAME --why TEXT`, dataDirOf(db));
  return { row: seq, date: new Date(atMs).toISOString(), command };
}

/** Undefined in an empty ledger. */
export async function readLastRow(db: ReadableDb): Promise<LastRow | undefined> {
  return (await lastRow(db, {}))[0];
}

const lastRow = compiledOnce<object, LastRow>((db) =>
  db.selectFrom("ledger").select(["seq", "hash", "atMs"]).orderBy("seq", "desc").limit(1),
);

/** Must run inside a transaction, so that no other row is appended between reading the last one and writing. */
export async function appendSealed(
  db: WritableDb,
  content: Omit<UnsealedLedgerEvent, "seq" | "previousHash">,
): Promise<LedgerEvent> {
  const last = await readLastRow(db);
  const unsealed = { ...content, seq: (last?.seq ?? 0) + 1, previousHash: last?.hash ?? firstPreviousHash };
  assertStoredAsHashed(unsealed);
  const event = { ...unsealed, hash: hashLedgerEvent(unsealed) };
  await insertRow(db, "ledger", { ...event, uuidNfc: comparedIdentifier(event.uuid) });
  await anchorNewRows(db);
  await publishLedgerRow(db);
  return event;
}

/** Refuses unpaired surrogates: a store keeps UTF-8 and would return a text that differs from the hashed one. */
function assertStoredAsHashed(event: UnsealedLedgerEvent): void {
  const [name] = Object.entries(event).find(([, value]) => typeof value === "string" && !isWellFormed(value)) ?? [];
  if (name !== undefined) throw new AppError("INVALID_FIELD", `Invalid field: ${name} must be well-formed Unicode`);
}

/** The canonical text ends with the hash of the previous row; 64 hexadecimal digits. */
export function hashLedgerEvent(event: UnsealedLedgerEvent): string {
  return createHash("sha256").update(canonicalLedgerText(event)).digest("hex");
}

export async function getLedgerEvent(db: ReadableDb, seq: number): Promise<LedgerEvent | null> {
  return eventOrNone.parse(await db.selectFrom("ledger").selectAll().where("seq", "=", seq).executeTakeFirst()) ?? null;
}

/** Time [UTC ms] of a patient's last billed, unreversed call that may make this one free; null without one. */
export async function getLastBilledAtMs(
  db: ReadableDb,
  { accountId, service, at }: Pick<Charge, "accountId" | "service" | "at">,
  uuid: string,
): Promise<number | null> {
  const last = await db
    .selectFrom("ledger as charge")
    .select("charge.atMs")
    .where("charge.kind", "=", chargeKind)
    .where("charge.accountId", "=", accountId)
    .where("charge.service", "=", service)
    .where("charge.uuidNfc", "=", comparedIdentifier(uuid))
    .where("charge.atMs", "<=", latestFreeingMs(at.getTime()))
    .where(stands)
    .orderBy("charge.atMs", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.atMs ?? null;
}

/** Condition that a row named `charge` has not been reversed. */
export function stands(row: ExpressionBuilder<Tables & { charge: Tables["ledger"] }, "charge">): Expression<SqlBool> {
  const reversals = row.selectFrom("ledger as reversal").select("reversal.seq");
  return row.not(row.exists(reversals.whereRef("reversal.reverses", "=", "charge.seq")));
}
