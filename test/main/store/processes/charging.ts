import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { openStore } from "../../../../main/store/database.ts";
import { iterateLedger } from "../../../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import { storedMeasurements } from "../sample-store.ts";
import { folderForFile } from "../../../fixtures/folders.ts";

const program = path.join(import.meta.dirname, "charging-process.ts");

type Charging = {
  readonly answers: { readonly reason: string; readonly callId: string }[];
  readonly ended: Promise<void>;
  begin(atMs: number): void;
  kill(): void;
};

/** Starts the charging program. `answers` grows as its lines arrive; a line truncated by a kill does not count. */
function startCharging(dataDir: string, accountId: string, calls: number, ...together: "together"[]): Charging {
  const child = spawn(process.execPath, [program, dataDir, accountId, String(calls), ...together], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const answers: { reason: string; callId: string }[] = [];
  let [rest, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    answers.push(...lines.map((line) => ({ reason: line.split(",")[0] ?? "", callId: line.split(",")[1] ?? "" })));
  });
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => (errors === "" ? resolve() : reject(new Error(errors))));
  });
  return {
    answers,
    ended,
    begin: (atMs) => void child.stdin.end(String(atMs)),
    kill: () => void child.kill("SIGKILL"),
  };
}

async function newAccount(dataDir: string, name: string): Promise<string> {
  await using db = await openStore(dataDir);
  return (await ensureAccount(db, { name, at: new Date() })).id;
}

export function testKills(kills: number): void {
  const dataDir = folderForFile();
  test(`keeps every acknowledged charge once, complete and in the chain, through ${kills} kills`, async () => {
    const accountId = await newAccount(dataDir, "killed");
    const answered: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      const charging = startCharging(dataDir, accountId, 1_000_000);
      const killAfter = 1 + Math.floor(Math.random() * 12);
      const endedEarly = charging.ended.then(() => expect.unreachable("it ended before it was killed"));
      while (charging.answers.length < killAfter) await Promise.race([wait(2), endedEarly]);
      await wait(Math.random() * 15);
      charging.kill();
      await Promise.allSettled([endedEarly]);
      await charging.ended;
      answered.push(...charging.answers.map(({ callId }) => callId));

      const db = await openStore(dataDir);
      const charged = (await Array.fromAsync(iterateLedger(db, { accountId }))).map((event) => event.callId);
      const images = (await storedMeasurements(db, accountId)).map((row) => String(row["call_id"])).sort();
      const verification = await verifyLedger(db);
      await db.destroy();
      expect(verification).toMatchObject({ isIntact: true, rows: charged.length });
      expect(answered.filter((callId) => charged.filter((other) => other === callId).length !== 1)).toEqual([]);
      // Transactions are atomic: every charge has its two images, and no image lacks its charge.
      expect(images).toEqual([...charged, ...charged].sort());
      // Each kill can leave at most one call committed but not acknowledged.
      expect(charged.length - answered.length).toBeLessThanOrEqual(round + 1);
    }
    expect(answered.length).toBeGreaterThanOrEqual(kills);
  });
}

/** Charges calls of the same patients in two processes at the same times. */
export function testTogether(): void {
  const calls = 30;
  const dataDir = folderForFile();
  test("bills simultaneous calls for one patient in two processes once", async () => {
    const accountId = await newAccount(dataDir, "twice");
    const processes = [0, 1].map(() => startCharging(dataDir, accountId, calls, "together"));
    const isOver = Promise.race(processes.map(({ ended }) => ended));
    while (processes.some(({ answers }) => answers.length === 0)) await Promise.race([wait(5), isOver]);
    const startAtMs = Date.now() + 100;
    for (const { begin } of processes) begin(startAtMs);
    await Promise.all(processes.map(({ ended }) => ended));
    const reasons = processes.flatMap(({ answers }) => answers.map(({ reason }) => reason));
    const db = await openStore(dataDir);
    const charges = await Array.fromAsync(iterateLedger(db, { accountId }));
    expect(await verifyLedger(db)).toMatchObject({ isIntact: true });
    await db.destroy();
    expect([
      reasons.filter((reason) => reason === "valid_vhs").length,
      reasons.filter((reason) => reason === "recheck_24h").length,
    ]).toEqual([calls, calls]);
    expect(new Set(charges.map(({ uuid }) => uuid)).size).toBe(calls);
    expect(charges.map(({ ordinal }) => ordinal)).toEqual(charges.map((_, index) => index + 1));
  });
}
