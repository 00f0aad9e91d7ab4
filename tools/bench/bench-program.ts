import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { median } from "../../core/median.ts";
import { readSignInPath } from "../../main/ipc/page/page-sessions.ts";
import { programDir } from "../../main/program.ts";
import { openStoreOf } from "../../main/services/program/store-location.ts";
import { appendReading, getLatestReading } from "../../main/store/films/readings.ts";
import { makeDataDir, peakMegabytes, startOwnService } from "../own-service.ts";
import { quantile, timedMs } from "../quantiles.ts";

const screenings = 200;
const clientsAtOnce = 8;
const healthyCat = { BUN: 22, CREATININE: 1.2, HGB: 14, "ABSOLUTE LYMPHOCYTES": 2.6, age_months: 36 };

/** Measures the service over TLS, in a separate process and data directory, as integrators use it. */
export async function benchService(films: readonly Buffer[], runs: number) {
  const { dataDir, key, remove } = await makeDataDir("bench");
  try {
    // The first start also creates certificates and is not measured.
    await (await startOwnService(dataDir)).stop();
    const startedAt = performance.now();
    const service = await startOwnService(dataDir);
    const post = async (route: string, body: object) => {
      const { status } = await service.post(key, route, body);
      if (status !== 200) throw new Error(`${route} responded ${status}`);
    };
    try {
      await post("/v3/predict", imageBody(films[0] as Buffer));
      const coldStartMs = performance.now() - startedAt;
      const ask = (run: number) => post("/v3/predict", imageBody(films[run % films.length] as Buffer));
      // Warm-up, as in the in-process measurement.
      await times(runs, ask);
      const predict = await times(runs, ask);
      const screen = () => post("/usg/v1/predict", healthyCat);
      await times(runs, screen);
      const screening = await times(screenings, screen);
      const ofEight = await Promise.all(
        Array.from({ length: clientsAtOnce }, () => times(screenings / clientsAtOnce, screen)),
      );
      return {
        httpsMs: median(predict),
        httpsP95Ms: quantile(predict, 0.95),
        coldStartMs,
        /** Highest resident memory of the service [MiB]; null if the system does not report it. */
        servicePeakMegabytes: peakMegabytes(service.child),
        screeningMs: median(screening),
        screeningOfEightMs: median(ofEight.flat()),
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

export const filmsListed = 500;
/** J as a held key, which repeats about 30 times a second; K slowly, so that each film loads before the next press. */
const keyRounds = [
  { key: "j", presses: 100, everyMs: 33 },
  { key: "k", presses: 50, everyMs: 300 },
] as const;
const minTimedMs = 16;
const lastEntriesMs = 1000;

const starts = 3;
const browserArguments = [
  "--no-sandbox",
  "--ignore-certificate-errors",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
];

/**
 * Starts the program on an existing data directory and opens its page in a running Chromium, so that the start of
 * Electron is not included. Returns null without Chromium.
 */
export async function benchWindow() {
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) return null;
  const { chromium } = await import("playwright-core");
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-bench-window-"));
  const browser = await chromium.launch({ executablePath, args: browserArguments });
  const withPage = async <T>(work: (page: Page, address: string) => Promise<T>) => {
    const startedAt = performance.now();
    const service = await startOwnService(dataDir);
    const startMs = performance.now() - startedAt;
    const context = await browser.newContext();
    const result = await work(await context.newPage(), service.url + readSignInPath(dataDir));
    await context.close();
    await service.stop();
    return { result, startMs };
  };
  try {
    const rounds: { readonly wholeMs: number; readonly pageMs: number }[] = [];
    for (let round = 0; round <= starts; round += 1) {
      const { result: pageMs, startMs } = await withPage((page, address) =>
        timedMs(async () => {
          await page.goto(address);
          await page.locator(".worklist-empty").waitFor();
        }),
      );
      // The first start also creates certificates and the store.
      if (round > 0) rounds.push({ wholeMs: startMs + pageMs, pageMs });
    }
    await withPage(addFilm);
    await copyFilm(dataDir, filmsListed - 1);
    const { result: keys } = await withPage(keyTimes);
    return {
      /** From program start until the page is usable; `windowPageMs`: from opening the page until the list shows. */
      windowMs: median(rounds.map(({ wholeMs }) => wholeMs)),
      windowPageMs: median(rounds.map(({ pageMs }) => pageMs)),
      ...keys,
    };
  } finally {
    await browser.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function addFilm(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByTestId("files").setInputFiles(path.join(programDir, "test", "fixtures", "films", "dog-01.jpg"));
  await page.locator("[data-testid=film][data-state=done]").waitFor({ timeout: 120_000 });
}

/** Adds measured copies of the only film, each a minute older, to the data directory of the stopped program. */
async function copyFilm(dataDir: string, copies: number): Promise<void> {
  const db = await openStoreOf(dataDir);
  try {
    const film = await db.selectFrom("films").selectAll().executeTakeFirstOrThrow();
    const reading = await getLatestReading(db, film.id);
    if (!reading) throw new Error("the film has no reading");
    const images = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.includes(film.sha256),
    );
    for (let copy = 1; copy <= copies; copy += 1) {
      const sha256 = String(copy).padStart(64, "0");
      for (const name of images)
        cpSync(path.join(dataDir, name), path.join(dataDir, name.replace(film.sha256, sha256)));
      const id = `copy-${copy}`;
      await db
        .insertInto("films")
        .values({ ...film, id, sha256, addedAtMs: film.addedAtMs - copy * 60_000 })
        .execute();
      await appendReading(db, { ...reading, id: `reading-${copy}`, filmId: id });
    }
  } finally {
    await db.destroy();
  }
}

/** Script that records the Event Timing of each key press in the page [ms]; browsers round it to 8 ms. */
const recordKeys = `(() => {
  const times = [];
  const onEntries = (list) => times.push(...list.getEntriesByName("keydown").map(({ duration }) => duration));
  new PerformanceObserver(onEntries).observe({ type: "event", durationThreshold: ${minTimedMs} });
  return times;
})()`;

/** Moves through the list with J and back with K, and times each press until the next paint. */
async function keyTimes(page: Page, address: string) {
  await page.goto(address);
  await page.getByTestId("film").first().locator(".film-open").click();
  await page.getByTestId("stage").waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const processorMs = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const measured = await page.evaluateHandle<number[]>(recordKeys);
  const before = await processorMs();
  for (const { key, presses, everyMs } of keyRounds)
    for (let pressed = 0; pressed < presses; pressed += 1)
      await Promise.all([page.keyboard.press(key), page.waitForTimeout(everyMs)]);
  const presses = keyRounds.reduce((sum, round) => sum + round.presses, 0);
  const keyProcessorMs = ((await processorMs()) - before) / presses;
  // Entries arrive after their frame. The browser omits presses painted within `minTimedMs`.
  await page.waitForTimeout(lastEntriesMs);
  const reported = await measured.jsonValue();
  const times = Array.from({ length: presses }, (_, press) => reported[press] ?? minTimedMs);
  return {
    /** From the press until the next paint. */
    keyMs: median(times),
    keyP99Ms: quantile(times, 0.99),
    keyLongestMs: Math.max(...times),
    /** Of the page's main thread per press, independent of other programs on the computer. */
    keyProcessorMs,
  };
}
