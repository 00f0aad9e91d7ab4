import type { Billing } from "../../core/contract/v3/billing.ts";
import { openStoreOf } from "../../main/services/program/store-location.ts";
import { iterateLedger } from "../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../fixtures/verify-ledger.ts";

export type LedgerComparison = {
  readonly charged: number;
  /** Responses that were free because their patient was charged within 24 h. */
  readonly rechecks: number;
  /** Responses that reported a charge for which the ledger has no unreversed charge of that amount and kind. */
  readonly lost: number;
  readonly surplus: number;
  readonly chargedTwice: number;
  readonly neverCharged: number;
  readonly isChainIntact: boolean;
};

/** Compares responses with the ledger; `billing` has the billing objects of all successful responses, by patient. */
export async function compareWithLedger(
  dataDir: string,
  billing: ReadonlyMap<string, readonly Billing[]>,
): Promise<LedgerComparison> {
  await using db = await openStoreOf(dataDir, { create: false, setAside: false });
  const ledger = await standingCharges(iterateLedger(db));
  const told = new Map([...billing].map(([uuid, answers]) => [uuid, answers.flatMap(chargeTold)]));
  const rest = (of: ReadonlyMap<string, readonly string[]>, without: ReadonlyMap<string, readonly string[]>) =>
    [...of].reduce(
      (count, [uuid, charges]) => count + charges.filter((charge) => !without.get(uuid)?.includes(charge)).length,
      0,
    );
  return {
    charged: [...told.values()].flat().length,
    rechecks: [...billing.values()].flat().filter(({ reason }) => reason === "recheck_24h").length,
    lost: rest(told, ledger),
    surplus: rest(ledger, told),
    chargedTwice: [...ledger.values(), ...told.values()].filter((charges) => charges.length > 1).length,
    neverCharged: [...told.values()].filter((charges) => charges.length === 0).length,
    isChainIntact: (await verifyLedger(db)).isIntact,
  };
}

async function standingCharges(events: ReturnType<typeof iterateLedger>): Promise<Map<string, string[]>> {
  const all = [];
  for await (const event of events) all.push(event);
  const reversed = new Set(all.map(({ reverses }) => reverses));
  const charges = all.filter(({ kind, seq }) => kind === "charge" && !reversed.has(seq));
  const byPatient = new Map<string, string[]>();
  for (const { uuid, callType, amountCents } of charges)
    byPatient.set(String(uuid), [...(byPatient.get(String(uuid)) ?? []), `${callType} ${amountCents}`]);
  return byPatient;
}

function chargeTold(billing: Billing): string[] {
  return billing.billable ? [`${billing.call_type} ${Math.round(billing.rate * 100)}`] : [];
}
