import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureAccount } from "../../main/store/accounts.ts";
import { openStore, type WritableDb } from "../../main/store/database.ts";
import { appendCharge } from "../../main/store/ledger/ledger.ts";
import { quantile } from "../quantiles.ts";

/** What a charge costs in an empty month and in one of many; transactions as in the program, each on the disk. */
export type LedgerFigures = {
  readonly chargeMs: number;
  readonly chargeOfManyMs: number;
  readonly chargesOfMany: number;
};

const chargesOfMany = 200_000;
const filledAtOnce = 5000;
const measured = 300;
const agreements = { enterprise: null, usgCents: null } as const;

/** Measures both alternately, so that whatever else the disk does falls on both. */
export function benchLedger(): LedgerFigures {
  const folders = ["empty", "many"].map((name) => mkdtempSync(path.join(tmpdir(), `corvet-bench-${name}-`)));
  const stores = folders.map((folder) => openStore(folder));
  try {
    const [empty, many] = stores.map(openAccount);
    if (!empty || !many) throw new Error("two stores are measured");
    fill(many.db, many.charge);
    const times: [number[], number[]] = [[], []];
    for (let run = 0; run < measured; run += 1) {
      times[0].push(timeOf(empty.charge));
      times[1].push(timeOf(many.charge));
    }
    return { chargeMs: quantile(times[0], 0.5), chargeOfManyMs: quantile(times[1], 0.5), chargesOfMany };
  } finally {
    for (const db of stores) db.close();
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
}

function openAccount(db: WritableDb): { readonly db: WritableDb; readonly charge: () => void } {
  const at = new Date();
  const call = { keyId: null, service: "usg", callType: "single", uuid: null, at, measurementId: null } as const;
  const { id: accountId } = ensureAccount(db, { name: "Bench", at });
  return { db, charge: () => void appendCharge(db, { ...call, accountId, callId: randomUUID(), agreements }) };
}

/** Fills the month without waiting for the disk, in pieces that the write-ahead log can hold. */
function fill(db: WritableDb, charge: () => void): void {
  const appendSome = db.transaction(() => {
    for (let call = 0; call < filledAtOnce; call += 1) charge();
  });
  db.pragma("synchronous = OFF");
  for (let filled = 0; filled < chargesOfMany; filled += filledAtOnce) appendSome.immediate();
  db.pragma("synchronous = FULL");
}

function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
