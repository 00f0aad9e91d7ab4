import { csvText } from "../csv-text.ts";
import type { LedgerEvent } from "./ledger-event.ts";

const columns = [
  "seq", "kind", "at", "period", "accountId", "keyId", "service", "callType", "uuid", "ordinal", "tier",
  "amountCents", "currency", "reverses", "note", "measurementId", "previousHash", "hash",
] as const;

/**
 * The ledger as comma-separated values, header first, CRLF line ends.
 *
 * @param events  rows in ledger order; `at` is written as an ISO 8601 UTC time stamp, null as an empty field
 * @see RFC 4180
 */
export function ledgerCsv(events: Iterable<LedgerEvent>): string {
  return csvText(columns, rowsOf(events));
}

function* rowsOf(events: Iterable<LedgerEvent>) {
  for (const event of events) {
    const fields = { ...event, at: new Date(event.atMs).toISOString() };
    yield columns.map((column) => fields[column]);
  }
}
