import { tierOfOrdinal } from "../../core/billing/tariff.ts";
import type { ReadableDb } from "../../main/store/database.ts";
import { iterateLedger } from "../../main/store/ledger/ledger-reports.ts";
import { verifyRecord } from "../../main/store/record/record-verification.ts";
import type { ReadAnswer, Tally } from "./clients.ts";

/** Comparison of responses with the ledger; all numbers except the first should be 0. */
export type LedgerJudgement = {
  /** Patients whose charge was reversed although a killed node's last response to a client was read. */
  readonly forgiven: number;
  /** Other patients without an unreversed charge although a response reported one, for that call or an earlier one. */
  readonly lost: number;
  readonly double: number;
  readonly surplus: number;
  readonly misnumbered: number;
  readonly isChainIntact: boolean;
};

/** @param lastBeforeKill  responses whose nodes were killed before they could record their delivery */
export async function judge(
  db: ReadableDb,
  { answers }: Tally,
  lastBeforeKill: ReadonlySet<ReadAnswer>,
): Promise<LedgerJudgement> {
  const standing = new Map<string, number>();
  const patients = new Map<number, string>();
  let [volume, misnumbered] = [0, 0];
  for await (const { kind, seq, uuid, ordinal, tier, reverses } of iterateLedger(db)) {
    if (kind === "charge") {
      volume += 1;
      if (ordinal !== volume || tier !== tierOfOrdinal(volume)) misnumbered += 1;
      patients.set(seq, String(uuid));
      standing.set(String(uuid), (standing.get(String(uuid)) ?? 0) + 1);
    } else {
      volume -= 1;
      const patient = patients.get(Number(reverses)) ?? "";
      standing.set(patient, (standing.get(patient) ?? 0) - 1);
    }
  }
  const charged = new Set(answers.filter(tellsOfCharge).map(({ patient }) => patient));
  const unsure = new Set([...lastBeforeKill].map(({ patient }) => patient));
  const without = [...charged].filter((patient) => !standing.get(patient));
  return {
    forgiven: without.filter((patient) => unsure.has(patient)).length,
    lost: without.filter((patient) => !unsure.has(patient)).length,
    double: [...standing.values()].filter((count) => count > 1).length,
    surplus: [...standing].filter(([patient, count]) => count > 0 && !charged.has(patient)).length,
    misnumbered,
    isChainIntact: (await verifyRecord(db, null)).fault === null,
  };
}

function tellsOfCharge({ billing }: ReadAnswer): boolean {
  return billing.billable || billing.reason === "recheck_24h";
}
