import { csvLine } from "../csv-text.ts";
import type { LedgerEvent } from "./ledger-event.ts";

const columns = [
  "seq",
  "kind",
  "callId",
  "at",
  "period",
  "accountId",
  "keyId",
  "service",
  "callType",
  "uuid",
  "ordinal",
  "tier",
  "amountCents",
  "currency",
  "reverses",
  "note",
  "measurementId",
  "previousHash",
  "hash",
] as const;

/** Header line of a ledger as comma-separated values, including its CRLF. @see RFC 4180 */
export const ledgerCsvHeader = csvLine(columns);

/**
 * Formats a ledger row as a line of comma-separated values, including its CRLF. `at` is an ISO 8601 time stamp in UTC,
 * null an empty field.
 */
export function ledgerCsvLine(event: LedgerEvent): string {
  const fields = { ...event, at: new Date(event.atMs).toISOString() };
  return csvLine(columns.map((column) => fields[column]));
}
