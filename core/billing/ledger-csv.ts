import { csvLine } from "../csv-text.ts";
import { ledgerEventSchema, type LedgerEvent } from "./ledger-event.ts";

const columns = ledgerEventSchema.keyof().options;

/** Header line of a ledger as comma-separated values, including its CRLF. @see RFC 4180 */
export const ledgerCsvHeader = csvLine(columns.map((column) => (column === "atMs" ? "at" : column)));

/**
 * Formats a ledger row as a line of comma-separated values, including its CRLF. `at` is an ISO 8601 time stamp in UTC,
 * null an empty field.
 */
export function ledgerCsvLine(event: LedgerEvent): string {
  return csvLine(columns.map((column) => (column === "atMs" ? new Date(event.atMs).toISOString() : event[column])));
}
