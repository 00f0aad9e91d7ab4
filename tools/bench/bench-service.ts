import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import { readServerFile, type ServerFile } from "../../main/instance-lock.ts";
import { programDir } from "../../main/program.ts";
import { createKey, defaultAccountName } from "../../main/services/calls/keys.ts";
import { openStore } from "../../main/store/database.ts";
import { quantile, timedMs } from "../quantiles.ts";

export type ServiceFigures = {
  readonly httpsMs: number;
  readonly httpsP95Ms: number;
  readonly coldStartMs: number;
  /** Highest resident memory of the service [MB]; null where the system does not tell. */
  readonly servicePeakMegabytes: number | null;
  /** A screening of one client, and of eight that ask at the same time, each as often as the other. */
  readonly screeningMs: number;
  readonly screeningOfEightMs: number;
  /** One wait for the disk, of which each screening has at least one. */
  readonly flushMs: number;
};

type Client = { readonly post: (route: string, body: object) => Promise<void>; readonly close: () => void };

const screenings = 200;
const clientsAtOnce = 8;
const healthyCat = { BUN: 22, CREATININE: 1.2, HGB: 14, "ABSOLUTE LYMPHOCYTES": 2.6, age_months: 36 };

/** The service as a process of its own, on a data directory of its own, asked over TLS as an integrator asks it. */
export async function benchService(films: readonly Buffer[], runs: number): Promise<ServiceFigures> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-bench-"));
  try {
    const key = await makeKey(dataDir);
    // The first start makes certificates; the start of every other day is the one that counts.
    const first = await startService(dataDir);
    await stop(first.child);
    const startedAt = performance.now();
    const { child, server } = await startService(dataDir);
    const client = connectTo(server, key);
    try {
      await client.post("/v3/predict", imageBody(films[0] as Buffer));
      const coldStartMs = performance.now() - startedAt;
      const ask = (run: number) => client.post("/v3/predict", imageBody(films[run % films.length] as Buffer));
      // As warm as the measuring in process that it is compared with.
      await times(runs, ask);
      const predict = await times(runs, ask);
      const screen = () => client.post("/usg/v1/predict", healthyCat);
      await times(runs, screen);
      const flushMs = medianFlush(dataDir);
      const screening = await times(screenings, screen);
      const ofEight = await Promise.all(
        Array.from({ length: clientsAtOnce }, () => times(screenings / clientsAtOnce, screen)),
      );
      const servicePeakMegabytes = peakMegabytes(child);
      return {
        httpsMs: median(predict),
        httpsP95Ms: quantile(predict, 0.95),
        coldStartMs,
        servicePeakMegabytes,
        screeningMs: median(screening),
        screeningOfEightMs: median(ofEight.flat()),
        flushMs,
      };
    } finally {
      client.close();
      await stop(child);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function makeKey(dataDir: string): Promise<string> {
  const db = await openStore(dataDir);
  try {
    return (await createKey(db, { accountName: defaultAccountName, name: "bench", at: new Date() })).key;
  } finally {
    await db.destroy();
  }
}

async function startService(dataDir: string): Promise<{ child: ChildProcess; server: ServerFile }> {
  const child = spawn(process.execPath, ["main/headless.ts", "--port", "0", "--data-dir", dataDir], {
    cwd: programDir,
    env: { ...process.env, CORVET_LOG_LEVEL: "error" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (;;) {
    const server = readServerFile(dataDir);
    if (server?.pid === child.pid && server) return { child, server };
    if (child.exitCode !== null) throw new Error(`the service ended with status ${child.exitCode}`);
    await setTimeout(5);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function connectTo({ port, authority }: ServerFile, key: string): Client {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(authority) });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const post = (route: string, body: object) =>
    new Promise<void>((resolve, reject) => {
      const call = request({ agent, host: "localhost", port, method: "POST", path: route, headers }, (response) => {
        response
          .resume()
          .on("end", () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`${route} answered ${response.statusCode}`)),
          );
      });
      call.on("error", reject).end(JSON.stringify(body));
    });
  return { post, close: () => agent.destroy() };
}

function imageBody(film: Buffer): object {
  return { image: film.toString("base64") };
}

async function times(runs: number, work: (run: number) => Promise<void>): Promise<number[]> {
  const measured: number[] = [];
  for (let run = 0; run < runs; run += 1) measured.push(await timedMs(() => work(run)));
  return measured;
}

/** As much as a screening writes, flushed as the store flushes it. */
function medianFlush(dataDir: string): number {
  const file = path.join(dataDir, "flush");
  const handle = openSync(file, "w");
  try {
    const pages = Buffer.alloc(80 * 1024, 1);
    const waits = Array.from({ length: 50 }, () => {
      writeSync(handle, pages);
      const start = performance.now();
      fdatasyncSync(handle);
      return performance.now() - start;
    });
    return median(waits);
  } finally {
    closeSync(handle);
    rmSync(file);
  }
}

/** Linux keeps the high-water mark of a process's resident memory. */
function peakMegabytes(child: ChildProcess): number | null {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1000;
  } catch {
    return null;
  }
}
