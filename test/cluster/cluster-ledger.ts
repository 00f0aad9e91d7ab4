import { tierOfOrdinal } from "../../core/billing/tariff.ts";
import type { ReadableDb } from "../../main/store/database.ts";
import { iterateLedger } from "../../main/store/ledger/ledger-reports.ts";
import { verifyRecord } from "../../main/store/record/record-verification.ts";
import type { ReadAnswer, Tally } from "./clients.ts";

/** What was told beside what the ledger says; every number but the first three should be 0. */
export type LedgerJudgement = {
  readonly charges: number;
  readonly takenBack: number;
  /**
   * Patients whose charge was taken back although an answer was read: the last one that a client had of a node that was
   * then killed.
   */
  readonly forgiven: number;
  /** Other patients with an answer that tells of a charge, their own or one before, without one that stands. */
  readonly lost: number;
  /** Patients with more than one charge that stands. */
  readonly double: number;
  /** Charges that stand of patients without an answer, or whose answers all said that nothing could be booked. */
  readonly surplus: number;
  /** Charges whose ordinal or tier is not the one that follows. */
  readonly misnumbered: number;
  readonly isChainIntact: boolean;
};

/** @param lastBeforeKill  answers whose nodes were killed before they could note that they had left */
export async function judge(
  db: ReadableDb,
  { answers }: Tally,
  lastBeforeKill: ReadonlySet<ReadAnswer>,
): Promise<LedgerJudgement> {
  const standing = new Map<string, number>();
  const patients = new Map<number, string>();
  let [volume, misnumbered, takenBack] = [0, 0, 0];
  for await (const { kind, seq, uuid, ordinal, tier, reverses } of iterateLedger(db)) {
    if (kind === "charge") {
      volume += 1;
      if (ordinal !== volume || tier !== tierOfOrdinal(volume)) misnumbered += 1;
      patients.set(seq, String(uuid));
      standing.set(String(uuid), (standing.get(String(uuid)) ?? 0) + 1);
    } else {
      volume -= 1;
      takenBack += 1;
      const patient = patients.get(Number(reverses)) ?? "";
      standing.set(patient, (standing.get(patient) ?? 0) - 1);
    }
  }
  const charged = new Set(answers.filter(tellsOfCharge).map(({ patient }) => patient));
  const unsure = new Set([...lastBeforeKill].map(({ patient }) => patient));
  const without = [...charged].filter((patient) => !standing.get(patient));
  return {
    charges: patients.size,
    takenBack,
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
