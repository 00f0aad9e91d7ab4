import { csvLine } from "../csv-text.ts";
import { ledgerEventSchema, type LedgerEvent } from "./ledger-event.ts";

const columns = ledgerEventSchema.keyof().options;

export const ledgerCsvHeader = csvLine(columns.map((column) => (column === "atMs" ? "at" : column)));

/** Formats a row as a line with its CRLF; `at` is ISO 8601 in UTC. */
export function ledgerCsvLine(event: LedgerEvent): string {
  return csvLine(columns.map((column) => (column === "atMs" ? new Date(event.atMs).toISOString() : event[column])));
}
