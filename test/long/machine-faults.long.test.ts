import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createKey } from "../../main/services/calls/keys.ts";
import { defaultAccountName } from "../../main/store/people/accounts.ts";
import { openStore } from "../../main/store/database.ts";
import { sqliteFileOf } from "../../main/store/engines/engine.ts";
import { startOwnService, type OwnService } from "../../tools/own-service.ts";

// The service on a machine whose disk, file handles or clock fail: it keeps running, and every answered call is in the
// ledger or reported as unbilled.

/** Laboratory values of a cat, for the fastest billed call. */
const screening = { BUN: 30, CREATININE: 1.5, HGB: 12, "ABSOLUTE LYMPHOCYTES": 2000, age_months: 120 };
const faketime = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
  .map((folder) => path.join(folder, "faketime", "libfaketime.so.1"))
  .find(existsSync);

const canMount = process.getuid?.() === 0 && existsSync("/proc/mounts");
const hasStrace = existsSync("/usr/bin/strace");
const hasPrlimit = existsSync("/usr/bin/prlimit");
for (const [isThere, missing] of [
  [hasStrace, "strace is not installed (Debian: strace)"],
  [canMount, "only root on Linux mounts a small disk"],
  [hasPrlimit, "prlimit is not installed (Debian: util-linux)"],
  [faketime !== undefined, "libfaketime is not installed (Debian: faketime)"],
] as const)
  if (!isThere) console.info(`skipped: ${missing}`);

let folder: string;
let key: string;
let service: OwnService | null = null;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-machine-faults-"));
});
afterEach(async () => {
  await service?.stop();
  service = null;
  rmSync(folder, { recursive: true, force: true });
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<OwnService> {
  const db = await openStore(folder);
  ({ key } = await createKey(db, { accountName: defaultAccountName, name: "faults", at: new Date() }));
  await db.destroy();
  service = await startOwnService(folder, { environment, isQuiet: true });
  return service;
}

/** Sends calls one after another, each of which must return 200 or an error of the service. @returns number of 200s */
async function screen(own: OwnService, calls: number): Promise<number> {
  let answered = 0;
  for (let call = 0; call < calls; call += 1) {
    const { status, text } = await own.post(key, "/usg/v1/predict", screening);
    if (status === 200) answered += 1;
    else expect([status > 500, text.startsWith('{"error":{')], text).toEqual([true, true]);
  }
  return answered;
}

/** Stops the service and counts the charges in its ledger and the responses that it reported as unbilled. */
async function bookedOrReported(own: OwnService): Promise<number> {
  await own.stop();
  const reported = own.complaints
    .filter((line) => !line.includes("no transaction is active"))
    .reduce((sum, line) => sum + Number(/"msg":"(\d+) answered/.exec(line)?.[1] ?? 0), 0);
  return (await charges()) + reported;
}

async function charges(): Promise<number> {
  await using db = await openStore(folder, { create: false, setAside: false });
  return Number(sqliteFileOf(db).prepare("SELECT count(*) FROM ledger WHERE kind = 'charge'").pluck().get());
}

it.runIf(hasStrace)("survives a disk that fails to write and flush (strace)", async () => {
  const own = await start();
  let answered = await screen(own, 20);
  const inject = "inject=fdatasync,fsync,pwrite64:error=EIO:when=5+3";
  const tracer = spawn("strace", ["-f", "-q", "-o", "/dev/null", "-p", String(own.child.pid), "-e", inject], {
    stdio: "ignore",
  });
  const detached = once(tracer, "exit");
  answered += await screen(own, 60);
  tracer.kill("SIGTERM");
  await detached;
  answered += await screen(own, 5);
  expect(await bookedOrReported(own)).toBeGreaterThanOrEqual(answered);
});

it.runIf(canMount)("survives a full disk (tmpfs)", async () => {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", folder], { stdio: "ignore" });
  try {
    const own = await start();
    const answered = await screen(own, 1500);
    expect(await bookedOrReported(own)).toBeGreaterThanOrEqual(answered);
  } finally {
    execFileSync("umount", ["-l", folder]);
  }
});

it.runIf(hasPrlimit)("survives a lack of file descriptors (prlimit)", async () => {
  const own = await start();
  const allow = (files: number) =>
    execFileSync("/usr/bin/prlimit", ["--pid", String(own.child.pid), `--nofile=${files}:`]);
  const image = readFileSync("test/fixtures/films/dog-01.jpg", "base64");
  const drawn = async () => (await own.post(key, "/v3/predict", { image, render: true })).status;
  let answered = await screen(own, 20);
  allow(3);
  answered += await screen(own, 60);
  expect([200, 503, 507]).toContain(await drawn());
  allow(4096);
  expect(await drawn()).toBe(200);
  answered += await screen(own, 5);
  expect(await bookedOrReported(own)).toBeGreaterThanOrEqual(answered);
});

it.runIf(faketime !== undefined)("bills nothing while the clock is a day behind (faketime)", async () => {
  const before = await start();
  await screen(before, 5);
  await before.stop();
  const booked = await charges();
  const behind = await start({ LD_PRELOAD: String(faketime), FAKETIME: "-1d" });
  await screen(behind, 5);
  await behind.stop();
  expect(await charges()).toBe(booked);
});
