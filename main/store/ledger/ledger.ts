import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
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
import { comparedIdentifier, isWellFormed } from "../../../core/identifiers.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { prepared } from "../prepared.ts";
import { addToVolume, countCharges } from "./monthly-volumes.ts";
import { recordGrew } from "./record-anchor.ts";

/** A billable call to be charged. `measurementId` is null only for USG, whose predictions have their own log. */
export type Charge = {
  /** Unique among charges: the same call cannot be charged twice. */
  readonly callId: string;
  readonly accountId: string;
  /** null for a call from the program's own window. */
  readonly keyId: string | null;
  readonly service: MeteredService;
  readonly callType: CallType;
  /** The patient, as the client names it; null when none was sent. */
  readonly uuid: string | null;
  readonly at: Date;
  readonly measurementId: number | null;
  readonly agreements: Agreements;
};

/** Select list that gives a ledger row the names of `LedgerEvent`. */
export const ledgerColumns = `seq, kind, call_id AS callId, account_id AS accountId, key_id AS keyId, service, call_type AS callType, uuid, at_ms AS atMs, period, ordinal, tier,
  amount_cents AS amountCents, currency, reverses, note, measurement_id AS measurementId, previous_hash AS previousHash, hash`;

const lastRowSchema = z.object({ seq: z.int(), hash: z.string(), atMs: z.int() }).optional();
const lastBilledSchema = z.object({ atMs: z.int() }).optional();
const eventOrNone = ledgerEventSchema.optional();

/** Condition on a row named `charge`: it has not been reversed. */
export const stands = "NOT EXISTS (SELECT 1 FROM ledger AS reversal WHERE reversal.reverses = charge.seq)";

/**
 * Appends a charge. Its place among the account's billable calls of the UTC month decides tier and rate.
 * The ledger is append-only: a mistake is corrected by `reverseCharge`, never by UPDATE.
 *
 * @returns the row as written
 * @throws SqliteError when the account is unknown or the row cannot be written
 */
export function appendCharge(db: WritableDb, charge: Charge): LedgerEvent {
  const { callId, accountId, keyId, service, callType, uuid, at, measurementId, agreements } = charge;
  const append = db.transaction(() => {
    const period = billingPeriodOf(at);
    const ordinal = countCharges(db, accountId, period) + 1;
    const tier = tierOfOrdinal(ordinal);
    const amountCents = amountOfCall(service, callType, tier, agreements);
    addToVolume(db, { accountId, period }, 1);
    return appendSealed(db, {
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
  });
  return append.immediate();
}

/**
 * Takes a charge back by a row of the negated amount, in the month in which it is done. The charge no longer counts in
 * its month's volume and no longer gives its patient a recheck grace; charges made since keep their tier and rate.
 *
 * @param note  why, for the account's records
 * @returns     the reversing row
 * @throws AppError CHARGE_NOT_FOUND when `seq` is not a charge, CHARGE_ALREADY_REVERSED
 */
export function reverseCharge(
  db: WritableDb,
  { seq, note, at }: { readonly seq: number; readonly note: string; readonly at: Date },
): LedgerEvent {
  const reverse = db.transaction(() => {
    const charge = getLedgerEvent(db, seq);
    if (charge?.kind !== "charge") throw new AppError("CHARGE_NOT_FOUND", `There is no charge ${seq}.`);
    if (db.prepare("SELECT 1 FROM ledger WHERE reverses = ?").get(seq) !== undefined)
      throw new AppError("CHARGE_ALREADY_REVERSED");
    const { callId, accountId, keyId, service, callType, uuid, tier, amountCents, measurementId } = charge;
    addToVolume(db, charge, -1);
    return appendSealed(db, {
      kind: "reversal",
      callId,
      accountId,
      keyId,
      service,
      callType,
      uuid,
      atMs: at.getTime(),
      period: billingPeriodOf(at),
      ordinal: null,
      tier,
      amountCents: amountCents && -amountCents,
      currency: charge.currency,
      reverses: seq,
      note,
      measurementId,
    });
  });
  return reverse.immediate();
}

/**
 * Time does not run backwards in the ledger: asked before anything is booked, in the same transaction.
 *
 * @param now  what the clock says
 * @throws AppError CLOCK_BEHIND while it stands before the last row
 */
export function assertClockNotBehind(db: ReadableDb, now: Date): void {
  const lastMs = readLastRow(db)?.atMs ?? Number.NEGATIVE_INFINITY;
  if (now.getTime() >= lastMs) return;
  throw new AppError(
    "CLOCK_BEHIND",
    `The clock says ${now.toISOString()}, which is before the last entry in the ledger (${new Date(lastMs).toISOString()}). Nothing is booked until the clock is right.`,
  );
}

/** The last row's number, hash and time (UTC [ms]); undefined in an empty ledger. */
export function readLastRow(db: ReadableDb): z.infer<typeof lastRowSchema> {
  return lastRowSchema.parse(
    prepared(db, "SELECT seq, hash, at_ms AS atMs FROM ledger ORDER BY seq DESC LIMIT 1").get(),
  );
}

/**
 * Must run inside a transaction: the row's number and the hash before it must still be the last ones when it is
 * written.
 */
export function appendSealed(db: WritableDb, content: Omit<UnsealedLedgerEvent, "seq" | "previousHash">): LedgerEvent {
  const last = readLastRow(db);
  const unsealed = { ...content, seq: (last?.seq ?? 0) + 1, previousHash: last?.hash ?? firstPreviousHash };
  assertStoredAsHashed(unsealed);
  const event = { ...unsealed, hash: hashLedgerEvent(unsealed) };
  prepared(
    db,
    `INSERT INTO ledger (seq, kind, call_id, account_id, key_id, service, call_type, uuid, uuid_nfc, at_ms, period, ordinal, tier, amount_cents, currency, reverses, note,
       measurement_id, previous_hash, hash)
     VALUES (:seq, :kind, :callId, :accountId, :keyId, :service, :callType, :uuid, :comparedUuid, :atMs, :period, :ordinal, :tier, :amountCents, :currency, :reverses, :note,
       :measurementId, :previousHash, :hash)`,
  ).run({ ...event, comparedUuid: comparedIdentifier(event.uuid) });
  recordGrew(db);
  return event;
}

/** SQLite keeps UTF-8: half a surrogate pair would come back as another text than was hashed. */
function assertStoredAsHashed(event: UnsealedLedgerEvent): void {
  const [name] = Object.entries(event).find(([, value]) => typeof value === "string" && !isWellFormed(value)) ?? [];
  if (name !== undefined) throw new AppError("INVALID_FIELD", `Invalid field: ${name} must be well-formed Unicode`);
}

/** SHA-256 over a row's canonical text, which ends with the hash of the row before it; 64 hexadecimal digits. */
export function hashLedgerEvent(event: UnsealedLedgerEvent): string {
  return createHash("sha256").update(canonicalLedgerText(event)).digest("hex");
}

/** One row of the ledger, null when there is none of that number. */
export function getLedgerEvent(db: ReadableDb, seq: number): LedgerEvent | null {
  return eventOrNone.parse(db.prepare(`SELECT ${ledgerColumns} FROM ledger WHERE seq = ?`).get(seq)) ?? null;
}

/** UTC time [ms] of a patient's last billed call that still stands; null when there is none. */
export function getLastBilledAtMs(
  db: ReadableDb,
  { accountId, service, uuid }: { readonly accountId: string; readonly service: MeteredService; readonly uuid: string },
): number | null {
  const row = prepared(
    db,
    `SELECT at_ms AS atMs FROM ledger AS charge
     WHERE kind = 'charge' AND account_id = ? AND service = ? AND uuid_nfc = ? AND ${stands} ORDER BY at_ms DESC LIMIT 1`,
  ).get(accountId, service, comparedIdentifier(uuid));
  return lastBilledSchema.parse(row)?.atMs ?? null;
}
