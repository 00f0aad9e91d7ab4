import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { programDir } from "../../main/program.ts";
import { createKey, defaultAccountName } from "../../main/services/calls/keys.ts";
import { openStore } from "../../main/store/database.ts";
import { makeDataDir, startOwnService, type OwnService } from "../own-service.ts";
import { isRunning, notTried, type AttackTally } from "./attack-tally.ts";
import { sqliteFileOf } from "../../main/store/engines/engine.ts";

/** A cat's laboratory values: the fastest call that is booked. */
const screening = JSON.stringify({
  BUN: 30,
  CREATININE: 1.5,
  HGB: 12,
  "ABSOLUTE LYMPHOCYTES": 2000,
  age_months: 120,
});
const film = path.join(programDir, "test", "fixtures", "films", "dog-01.jpg");
const callsInFlight = 4;

type Answers = { answered: number; refused: number; broken: number };

/** Kills, failing disks, a full disk, no more files to open and a clock that jumps back, each on a data directory of its own. */
export async function attackByFaults(): Promise<readonly AttackTally[]> {
  return [await killed(), await failingDisk(), await fullDisk(), await noMoreFiles(), await clockBehind()];
}

async function killed(): Promise<AttackTally> {
  const own = await makeDataDir("attack-kill");
  const rounds = 5;
  const all: Answers = { answered: 0, refused: 0, broken: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const service = await startOwnService(own.dataDir, undefined, { isQuiet: true });
    const calling = callUntilEnded(service, own.key, all);
    await wait(300 + 200 * round);
    await service.stop("SIGKILL");
    await calling;
  }
  return tallyOf("kill -9", rounds, own, all, `${all.answered} answered`);
}

async function failingDisk(): Promise<AttackTally> {
  const kind = "failing disk (strace)";
  if (!existsSync("/usr/bin/strace")) return notTried(kind, "there is no strace");
  const own = await makeDataDir("attack-disk");
  const all: Answers = { answered: 0, refused: 0, broken: 0 };
  const service = await startOwnService(own.dataDir, undefined, { isQuiet: true });
  await callFor(service, own.key, all, 20);
  const inject = "inject=fdatasync,fsync,pwrite64:error=EIO:when=5+3";
  const tracer = spawn("strace", ["-f", "-q", "-o", "/dev/null", "-p", String(service.child.pid), "-e", inject], {
    stdio: "ignore",
  });
  const traced = once(tracer, "exit");
  await callFor(service, own.key, all, 60);
  tracer.kill("SIGTERM");
  await traced;
  const isUp = isRunning(service);
  await callFor(service, own.key, all, 5);
  await service.stop();
  return tallyOf(kind, 1, own, all, `${all.answered} answered, ${all.refused} refused, up: ${isUp}`, {
    ended: isUp ? 0 : 1,
    unbooked: toldUnbooked(service),
  });
}

async function fullDisk(): Promise<AttackTally> {
  const kind = "full disk (tmpfs)";
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-attack-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return notTried(kind, "a tmpfs cannot be mounted here");
  }
  const db = await openStore(folder);
  const { key } = await createKey(db, { accountName: defaultAccountName, name: "attack", at: new Date() });
  await db.destroy();
  const all: Answers = { answered: 0, refused: 0, broken: 0 };
  const service = await startOwnService(folder, undefined, { isQuiet: true });
  await callFor(service, key, all, 1500);
  const isUp = isRunning(service);
  await service.stop();
  const remove = () => {
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  return tallyOf(kind, 1, { dataDir: folder, remove }, all, `${all.answered} answered, ${all.refused} refused`, {
    ended: isUp ? 0 : 1,
    unbooked: toldUnbooked(service),
  });
}

/** Whatever is open stays so; a drawn film needs fonts and what reads them. */
async function noMoreFiles(): Promise<AttackTally> {
  const kind = "no more files (prlimit)";
  if (!existsSync("/usr/bin/prlimit")) return notTried(kind, "there is no prlimit");
  const own = await makeDataDir("attack-files");
  const all: Answers = { answered: 0, refused: 0, broken: 0 };
  const service = await startOwnService(own.dataDir, undefined, { isQuiet: true });
  const allow = (files: number) =>
    execFileSync("/usr/bin/prlimit", ["--pid", String(service.child.pid), `--nofile=${files}:`]);
  await callFor(service, own.key, all, 20);
  allow(3);
  await callFor(service, own.key, all, 60);
  const whileNone = await drawnFilm(service, own.key);
  allow(4096);
  const afterwards = await drawnFilm(service, own.key);
  await callFor(service, own.key, all, 5);
  const isUp = isRunning(service);
  await service.stop();
  const note = `${all.answered} answered, film ${whileNone}, then ${afterwards}, up: ${isUp}`;
  const isNamed = [200, 503, 507].includes(whileNone) && afterwards === 200;
  const ended = (isUp ? 0 : 1) + (isNamed ? 0 : 1);
  return tallyOf(kind, 1, own, all, note, { ended, unbooked: toldUnbooked(service) });
}

async function drawnFilm(service: OwnService, key: string): Promise<number> {
  const body = JSON.stringify({ image: readFileSync(film).toString("base64"), render: true });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  return (await service.send("POST", "/v3/predict", body, headers)).status;
}

async function clockBehind(): Promise<AttackTally> {
  const kind = "clock a day behind (faketime)";
  const library = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
    .map((folder) => path.join(folder, "faketime", "libfaketime.so.1"))
    .find(existsSync);
  if (library === undefined) return notTried(kind, "there is no libfaketime");
  const own = await makeDataDir("attack-clock");
  const all: Answers = { answered: 0, refused: 0, broken: 0 };
  const before = await startOwnService(own.dataDir, undefined, { isQuiet: true });
  await callFor(before, own.key, all, 5);
  await before.stop();
  const booked = await bookedIn(own.dataDir);
  const behind = await startOwnService(own.dataDir, undefined, {
    environment: { LD_PRELOAD: library, FAKETIME: "-1d" },
    isQuiet: true,
  });
  const late: Answers = { answered: 0, refused: 0, broken: 0 };
  await callFor(behind, own.key, late, 5);
  await behind.stop();
  const bookedBehind = (await bookedIn(own.dataDir)) - booked;
  own.remove();
  const note = `${late.answered} answered behind, ${bookedBehind} booked`;
  return { kind, tried: 1, refused: late.refused, crashed: late.broken, lost: bookedBehind, note };
}

/** Calls in a row until the service is gone. */
async function callUntilEnded(service: OwnService, key: string, all: Answers): Promise<void> {
  const client = async () => {
    while (isRunning(service)) if (!(await call(service, key, all))) await wait(5);
  };
  await Promise.all(Array.from({ length: callsInFlight }, client));
}

async function callFor(service: OwnService, key: string, all: Answers, calls: number): Promise<void> {
  for (let number = 0; number < calls && isRunning(service); number += 1)
    if (!(await call(service, key, all))) all.broken += isRunning(service) ? 1 : 0;
}

async function call(service: OwnService, key: string, all: Answers): Promise<boolean> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await service.send("POST", "/usg/v1/predict", screening, headers).catch(() => null);
  if (answer === null) return false;
  if (answer.status === 200) all.answered += 1;
  else all.refused += 1;
  return answer.status === 200 || (answer.status > 500 && answer.text.startsWith('{"error":{'));
}

async function bookedIn(dataDir: string): Promise<number> {
  const db = await openStore(dataDir, { create: false, setAside: false });
  try {
    return Number(sqliteFileOf(db).prepare("SELECT count(*) FROM ledger WHERE kind = 'charge'").pluck().get());
  } finally {
    await db.destroy();
  }
}

/**
 * Calls that the service said it answered without booking them (`billing_error`); a second line may speak of the same.
 */
function toldUnbooked({ complaints }: OwnService): number {
  const told = complaints.filter((line) => !line.includes("no transaction is active"));
  return told.reduce((sum, line) => sum + Number(/"msg":"(\d+) answered/.exec(line)?.[1] ?? 0), 0);
}

/** An answered call is in the ledger or was told not to be; one that was cut off may be in it. */
async function tallyOf(
  kind: string,
  tried: number,
  own: { readonly dataDir: string; readonly remove: () => void },
  { answered, refused, broken }: Answers,
  note: string,
  { ended = 0, unbooked = 0 } = {},
): Promise<AttackTally> {
  const booked = await bookedIn(own.dataDir);
  own.remove();
  return {
    kind,
    tried,
    refused,
    crashed: broken + ended,
    lost: Math.max(0, answered - booked - unbooked),
    note: `${note}, ${booked} booked${unbooked > 0 ? `, ${unbooked} told not to be` : ""}`,
  };
}
