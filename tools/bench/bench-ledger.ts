import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureAccount } from "../../main/store/people/accounts.ts";
import { openStore, type WritableDb } from "../../main/store/database.ts";
import { appendCharge } from "../../main/store/ledger/ledger.ts";
import { quantile } from "../quantiles.ts";
import { transaction, sqliteFileOf } from "../../main/store/engines/engine.ts";

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
export async function benchLedger(): Promise<LedgerFigures> {
  const folders = ["empty", "many"].map((name) => mkdtempSync(path.join(tmpdir(), `corvet-bench-${name}-`)));
  const stores = await Promise.all(folders.map((folder) => openStore(folder)));
  try {
    const [empty, many] = await Promise.all(stores.map(openAccount));
    if (!empty || !many) throw new Error("two stores are measured");
    await fill(many.db, many.charge);
    const times: [number[], number[]] = [[], []];
    for (let run = 0; run < measured; run += 1) {
      times[0].push(await timeOf(empty.charge));
      times[1].push(await timeOf(many.charge));
    }
    return { chargeMs: quantile(times[0], 0.5), chargeOfManyMs: quantile(times[1], 0.5), chargesOfMany };
  } finally {
    for (const db of stores) await db.destroy();
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
}

async function openAccount(
  db: WritableDb,
): Promise<{ readonly db: WritableDb; readonly charge: () => Promise<unknown> }> {
  const at = new Date();
  const call = { keyId: null, service: "usg", callType: "single", uuid: null, at, measurementId: null } as const;
  const { id: accountId } = await ensureAccount(db, { name: "Bench", at });
  return { db, charge: () => appendCharge(db, { ...call, accountId, callId: randomUUID(), agreements }) };
}

/** Fills the month without waiting for the disk, in pieces that the write-ahead log can hold. */
async function fill(db: WritableDb, charge: () => Promise<unknown>): Promise<void> {
  const appendSome = () =>
    transaction(db, async () => {
      for (let call = 0; call < filledAtOnce; call += 1) await charge();
    });
  sqliteFileOf(db).pragma("synchronous = OFF");
  for (let filled = 0; filled < chargesOfMany; filled += filledAtOnce) await appendSome();
  sqliteFileOf(db).pragma("synchronous = FULL");
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
