import { setTimeout as wait } from "node:timers/promises";
import { listLedgerEvents } from "../store/ledger-reports.ts";
import { openStore } from "../store/database.ts";
import { verifyLedger } from "../store/ledger-verification.ts";
import { readProcessFigures, type OwnService, type ProcessFigures } from "./own-service.ts";

/** How hard and how long the service is asked. */
export type Load = {
  readonly clients: number;
  /** The run ends after this many seconds or predictions, whichever comes first. */
  readonly seconds: number;
  readonly predictions: number;
  /** Films as base64, asked in turn. */
  readonly films: readonly string[];
};

/** What a run showed. */
export type LoadReport = {
  readonly predictions: number;
  readonly seconds: number;
  /** Answers by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly billed: number;
  /** Answers that said they were charged and are not in the ledger, and charges without such an answer. */
  readonly lost: number;
  readonly surplus: number;
  readonly isChainIntact: boolean;
  readonly isRetryAfterPresent: boolean;
  /** Memory and handles after a tenth of the run and at its end; null where the system does not tell. */
  readonly early: ProcessFigures | null;
  readonly late: ProcessFigures | null;
};

type Tally = { predictions: number; statuses: Record<string, number>; billed: Set<string>; isRetryAfterPresent: boolean; samples: ProcessFigures[] };

/** Every eighth client sends batches of ten, so that the queue runs full now and then. */
const batchEvery = 8;
const batchSize = 10;
const sampleMs = 500;

/**
 * Asks a service from many clients at once and compares what they were told with what the ledger says.
 *
 * @param dataDir  data directory of the service, to read its ledger
 */
export async function runLoad(service: OwnService, dataDir: string, key: string, load: Load): Promise<LoadReport> {
  const tally: Tally = { predictions: 0, statuses: {}, billed: new Set(), isRetryAfterPresent: true, samples: [] };
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > load.seconds * 1000 || tally.predictions >= load.predictions;
  const sampling = sampleProcess(service, tally, isOver);
  await Promise.all(Array.from({ length: load.clients }, (_, client) => runClient(service, key, load, client, tally, isOver)));
  await sampling;
  const seconds = (performance.now() - startedAt) / 1000;
  const { samples } = tally;
  return {
    predictions: tally.predictions, seconds, statuses: tally.statuses, billed: tally.billed.size, isRetryAfterPresent: tally.isRetryAfterPresent,
    ...compareWithLedger(dataDir, tally.billed),
    early: medianOf(samples.slice(Math.floor(samples.length * 0.1), Math.ceil(samples.length * 0.4))),
    late: medianOf(samples.slice(Math.floor(samples.length * 0.7))),
  };
}

async function runClient(service: OwnService, key: string, load: Load, client: number, tally: Tally, isOver: () => boolean): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  for (let call = 0; !isOver(); call += 1) {
    const uuid = `client-${client}-call-${call}`;
    const film = load.films[(client + call) % load.films.length];
    const isBatch = client % batchEvery === batchEvery - 1;
    const body = isBatch ? { images: Array(batchSize).fill(film), uuid } : { image: film, uuid };
    const answer = await service.send("POST", "/v3/predict", JSON.stringify(body), headers);
    tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1;
    if (answer.status === 429) {
      const seconds = Number(answer.headers["retry-after"]);
      tally.isRetryAfterPresent &&= seconds > 0;
      await wait(Math.min(seconds, 1) * 1000);
    } else {
      tally.predictions += isBatch ? batchSize : 1;
      if (answer.status === 200 && (JSON.parse(answer.text) as { billing: { billable: boolean } }).billing.billable) tally.billed.add(uuid);
    }
  }
}

async function sampleProcess(service: OwnService, tally: Tally, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const figures = readProcessFigures(service.child);
    if (figures) tally.samples.push(figures);
    await wait(sampleMs);
  }
}

function compareWithLedger(dataDir: string, billed: ReadonlySet<string>) {
  const db = openStore(dataDir, { create: false, setAside: false });
  try {
    const events = listLedgerEvents(db, { limit: 1_000_000 });
    const reversed = new Set(events.map(({ reverses }) => reverses));
    const charged = events.filter(({ kind, seq }) => kind === "charge" && !reversed.has(seq)).map(({ uuid }) => String(uuid));
    const inLedger = new Set(charged);
    return {
      lost: [...billed].filter((uuid) => !inLedger.has(uuid)).length,
      surplus: charged.filter((uuid) => !billed.has(uuid)).length + (charged.length - inLedger.size),
      isChainIntact: verifyLedger(db).isIntact,
    };
  } finally {
    db.close();
  }
}

function medianOf(samples: readonly ProcessFigures[]): ProcessFigures | null {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const residentMegabytes = middle(samples.map((sample) => sample.residentMegabytes));
  const openFiles = middle(samples.map((sample) => sample.openFiles));
  return residentMegabytes === undefined || openFiles === undefined ? null : { residentMegabytes: Math.round(residentMegabytes), openFiles };
}
