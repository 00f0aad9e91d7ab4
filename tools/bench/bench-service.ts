import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import { makeDataDir, peakMegabytes, startOwnService } from "../own-service.ts";
import { quantile, timedMs } from "../quantiles.ts";

export type ServiceFigures = {
  readonly httpsMs: number;
  readonly httpsP95Ms: number;
  readonly coldStartMs: number;
  /** Highest resident memory of the service [MiB]; null where the system does not tell. */
  readonly servicePeakMegabytes: number | null;
  /** A screening of one client, and of eight that ask at the same time, each as often as the other. */
  readonly screeningMs: number;
  readonly screeningOfEightMs: number;
  /** One wait for the disk, of which each screening has at least one. */
  readonly flushMs: number;
};

const screenings = 200;
const clientsAtOnce = 8;
const healthyCat = { BUN: 22, CREATININE: 1.2, HGB: 14, "ABSOLUTE LYMPHOCYTES": 2.6, age_months: 36 };

/** The service as a process of its own, on a data directory of its own, asked over TLS as an integrator asks it. */
export async function benchService(films: readonly Buffer[], runs: number): Promise<ServiceFigures> {
  const { dataDir, key, remove } = await makeDataDir("bench");
  try {
    // The first start makes certificates; the start of every other day is the one that counts.
    await (await startOwnService(dataDir)).stop();
    const startedAt = performance.now();
    const service = await startOwnService(dataDir);
    const post = async (route: string, body: object) => {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const { status } = await service.send("POST", route, JSON.stringify(body), headers);
      if (status !== 200) throw new Error(`${route} answered ${status}`);
    };
    try {
      await post("/v3/predict", imageBody(films[0] as Buffer));
      const coldStartMs = performance.now() - startedAt;
      const ask = (run: number) => post("/v3/predict", imageBody(films[run % films.length] as Buffer));
      // As warm as the measuring in process that it is compared with.
      await times(runs, ask);
      const predict = await times(runs, ask);
      const screen = () => post("/usg/v1/predict", healthyCat);
      await times(runs, screen);
      const flushMs = medianFlush(dataDir);
      const screening = await times(screenings, screen);
      const ofEight = await Promise.all(
        Array.from({ length: clientsAtOnce }, () => times(screenings / clientsAtOnce, screen)),
      );
      return {
        httpsMs: median(predict),
        httpsP95Ms: quantile(predict, 0.95),
        coldStartMs,
        servicePeakMegabytes: peakMegabytes(service.child),
        screeningMs: median(screening),
        screeningOfEightMs: median(ofEight.flat()),
        flushMs,
      };
    } finally {
      await service.stop();
    }
  } finally {
    remove();
  }
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
