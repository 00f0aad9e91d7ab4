import type { ReadableDb } from "../connection.ts";
import { listAccounts } from "../people/accounts.ts";
import type { PatientRecord } from "./patient-record.ts";

export async function concernedAccounts(
  db: ReadableDb,
  { measurements, screenings, billing }: PatientRecord,
): Promise<readonly string[]> {
  // A screening without a key was made in the window.
  const called = [...measurements, ...screenings.filter((row) => row["key_id"] !== null)];
  const ids = new Set([...called.map((row) => row["account_id"]), ...billing.map((row) => row["accountId"])]);
  return (await listAccounts(db)).flatMap(({ id, name }) => (ids.has(id) ? [name] : []));
}
