import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import { openCorvet } from "../../main/compose.ts";
import type { Log } from "../../main/services/measuring/service-context.ts";
import { createServiceClient, type ServiceClient } from "../service-client.ts";

/** What the process holds at a moment of rest. Open files are null where the system does not tell. */
type SoakFigures = {
  readonly heapMegabytes: number;
  readonly residentMegabytes: number;
  readonly handles: number;
  readonly openFiles: number | null;
};

export type SoakReport = {
  readonly predictions: number;
  readonly seconds: number;
  readonly modelsLoaded: number;
  readonly popModelsLoaded: number;
  /** Answers by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Medians of the second and the last fifth of the run; the first fifth is the warm-up. */
  readonly early: SoakFigures;
  readonly late: SoakFigures;
};

/**
 * Growth from the second to the last fifth of a run that counts as none. 2 kB kept of each of 2,000 predictions would
 * be more. Resident memory is judged from `residentFrom` predictions on: the allocator keeps freed pages for a while,
 * and on a busy machine a short run ends up to 50 MB above or below its start with nothing kept.
 */
export const soakLimits = { heapMegabytes: 3, residentMegabytes: 48, residentFrom: 1000, handles: 4 } as const;

/** How often the process comes to rest and is looked at. */
const rounds = 25;
const clients = 2;
/** The worker's answers, sockets and timers have settled by then [ms]. */
const restMs = 100;
const complaints: Log = {
  info: () => undefined,
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
};

/**
 * Asks a service in this very process, so that its heap can be seen, for many predictions over its own port, and looks
 * at memory and handles between them.
 *
 * @param films  films as base64, asked in turn; every tenth answer is drawn
 */
export async function runSoak(
  dataDir: string,
  key: string,
  films: readonly string[],
  predictions: number,
): Promise<SoakReport> {
  const corvet = await openCorvet({ dataDir, port: 0, transport: "browser", log: complaints });
  const client = createServiceClient(corvet.url, readFileSync(path.join(dataDir, "tls", "authority.pem"), "utf8"));
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const figures: SoakFigures[] = [];
  let asked = 0;
  const askUntil = async (count: number): Promise<void> => {
    while (asked < count) {
      const call = asked++;
      const status = await predict(client, key, {
        image: films[call % films.length],
        uuid: `patient-${call}`,
        render: call % 10 === 0,
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const count = Math.ceil((predictions * round) / rounds);
      await Promise.all(Array.from({ length: clients }, () => askUntil(count)));
      figures.push(await figuresAtRest());
    }
    const { modelsLoaded, popModelsLoaded } = corvet.context.engine.health();
    return {
      predictions: asked,
      seconds: (performance.now() - startedAt) / 1000,
      modelsLoaded,
      popModelsLoaded,
      statuses,
      early: medianOf(figures.slice(rounds / 5, (2 * rounds) / 5)),
      late: medianOf(figures.slice((4 * rounds) / 5)),
    };
  } finally {
    client.close();
    await corvet.close();
  }
}

async function predict(client: ServiceClient, key: string, body: object): Promise<number> {
  const { status } = await client.send("POST", "/v3/predict", JSON.stringify(body), {
    "x-api-key": key,
    "content-type": "application/json",
  });
  return status;
}

async function figuresAtRest(): Promise<SoakFigures> {
  await wait(restMs);
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    heapMegabytes: heapUsed / 1e6,
    residentMegabytes: rss / 1e6,
    handles: process.getActiveResourcesInfo().length,
    openFiles: countOpenFiles(),
  };
}

/** Asked of V8 here, so that the command needs no flag of its own. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

function countOpenFiles(): number | null {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : null;
}

function medianOf(figures: readonly SoakFigures[]): SoakFigures {
  const of = (pick: (figure: SoakFigures) => number) => Math.round(median(figures.map(pick)) * 100) / 100;
  const openFiles = figures.some((figure) => figure.openFiles === null) ? null : of((figure) => figure.openFiles ?? 0);
  return {
    heapMegabytes: of((figure) => figure.heapMegabytes),
    residentMegabytes: of((figure) => figure.residentMegabytes),
    handles: of((figure) => figure.handles),
    openFiles,
  };
}

/** The rules of a soak; empty when all were kept. */
export function soakFaultsOf({
  statuses,
  predictions,
  modelsLoaded,
  popModelsLoaded,
  early,
  late,
}: SoakReport): string[] {
  const grew = (what: string, before: number, after: number, limit: number): string[] =>
    after - before > limit ? [`${what} grew from ${before} to ${after}`] : [];
  return [
    ...(statuses["200"] === predictions
      ? []
      : [`not every prediction was answered with 200: ${JSON.stringify(statuses)}`]),
    ...(modelsLoaded === 5 && popModelsLoaded === 1
      ? []
      : [`not every network was loaded: ${modelsLoaded} of 5 and ${popModelsLoaded} of 1`]),
    ...grew("the heap [MB]", early.heapMegabytes, late.heapMegabytes, soakLimits.heapMegabytes),
    ...(predictions < soakLimits.residentFrom
      ? []
      : grew("resident memory [MB]", early.residentMegabytes, late.residentMegabytes, soakLimits.residentMegabytes)),
    ...grew("handles", early.handles, late.handles, soakLimits.handles),
    ...grew("open files", early.openFiles ?? 0, late.openFiles ?? 0, soakLimits.handles),
  ];
}
