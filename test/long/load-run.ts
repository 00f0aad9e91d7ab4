import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { billing as billingSchema, type Billing } from "../../core/contract/v3/billing.ts";
import { compareWithLedger, type LedgerComparison } from "./ledger-comparison.ts";
import type { OwnService } from "../../tools/own-service.ts";
import { readProcessFigures, type ProcessFigures } from "./process-figures.ts";
import type { ServiceAnswer } from "../../tools/service-client.ts";

/** How hard and how long the service is asked. */
export type Load = {
  readonly clients: number;
  readonly seconds: number;
  /** Films as base64 that have a valid VHS, asked in turn. */
  readonly films: readonly string[];
};

/** What a run showed. */
type LoadReport = LedgerComparison & {
  readonly seconds: number;
  /** Images measured. */
  readonly predictions: number;
  /** Answers by HTTP status; 429 is the full queue. */
  readonly statuses: Readonly<Record<string, number>>;
  /** 429 answers whose Retry-After is no whole number of seconds from 1 to 300. */
  readonly badRetryAfter: number;
  /** Films that were measured with more than one result: answers of one client mixed with another's. */
  readonly filmsWithSeveralValues: number;
  /** Lines that the service wrote to its standard error during the run. */
  readonly complaints: readonly string[];
  /** Whether a prediction is answered as ever once the clients are gone. */
  readonly isWellAfterwards: boolean;
  /** Medians of the middle and the last third of the run; null where the system does not tell. */
  readonly middle: ProcessFigures | null;
  readonly late: ProcessFigures | null;
};

/** The answers so far. */
type Tally = {
  predictions: number;
  readonly statuses: Record<string, number>;
  badRetryAfter: number;
  /** Billing objects of every answered call, by patient. */
  readonly billing: Map<string, Billing[]>;
  /** Results by film. */
  readonly values: Map<string, Set<string>>;
  readonly samples: ProcessFigures[];
};

/** Every fourth client sends batches of ten: with 32 clients they ask for 104 places in a queue of 64. */
const batchEvery = 4;
const batchSize = 10;
const sampleMs = 250;
/**
 * Memory is flat when its median in the last third of the run is at most this much above that of the middle third [MB].
 */
const flatMegabytes = 64;
/** Open files likewise: connections may come and go. */
const flatFiles = 8;

const answerSchema = z.object({ vhs: z.number(), vlas: z.number().nullable(), billing: billingSchema });

/**
 * Asks a service from many clients at once and compares what they were told with what the ledger says. Each patient is
 * asked about twice in a row, so that the second call must be free.
 *
 * @param dataDir  data directory of the service, to read its ledger
 */
export async function runLoad(service: OwnService, dataDir: string, key: string, load: Load): Promise<LoadReport> {
  const tally: Tally = {
    predictions: 0,
    statuses: {},
    badRetryAfter: 0,
    billing: new Map(),
    values: new Map(),
    samples: [],
  };
  const send = (body: object) =>
    service.send("POST", "/v3/predict", JSON.stringify(body), { "x-api-key": key, "content-type": "application/json" });
  const complaintsBefore = service.complaints.length;
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > load.seconds * 1000;
  const sampling = sampleProcess(service, tally, isOver);
  await Promise.all(
    Array.from({ length: load.clients }, (_, client) => runClient(send, load.films, client, tally, isOver)),
  );
  await sampling;
  const { predictions, statuses, badRetryAfter, billing, values, samples } = tally;
  return {
    seconds: (performance.now() - startedAt) / 1000,
    predictions,
    statuses,
    badRetryAfter,
    ...(await compareWithLedger(dataDir, billing)),
    filmsWithSeveralValues: [...values.values()].filter((results) => results.size > 1).length,
    complaints: service.complaints.slice(complaintsBefore),
    isWellAfterwards: (await send({ image: load.films[0] })).status === 200,
    middle: medianOf(samples.slice(Math.floor(samples.length / 3), Math.floor((samples.length * 2) / 3))),
    late: medianOf(samples.slice(Math.floor((samples.length * 2) / 3))),
  };
}

async function runClient(
  send: (body: object) => Promise<ServiceAnswer>,
  films: readonly string[],
  client: number,
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  const isBatch = client % batchEvery === batchEvery - 1;
  for (let call = 0; !isOver(); call += 1) {
    const uuid = `client-${client}-patient-${call >> 1}`;
    const film = films[(client + (call >> 1)) % films.length] as string;
    const answer = await send(isBatch ? { images: Array(batchSize).fill(film), uuid } : { image: film, uuid });
    tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1;
    if (answer.status === 200) takeAnswer(tally, uuid, film, answer.text, isBatch ? batchSize : 1);
    if (answer.status === 429) await comeBack(tally, answer.headers["retry-after"]);
  }
}

function takeAnswer(tally: Tally, uuid: string, film: string, text: string, images: number): void {
  tally.predictions += images;
  const { vhs, vlas, billing } = answerSchema.parse(JSON.parse(text));
  tally.billing.set(uuid, [...(tally.billing.get(uuid) ?? []), billing]);
  tally.values.set(film, (tally.values.get(film) ?? new Set()).add(`${vhs} ${vlas}`));
}

/** Sooner than told, so that the queue stays full. */
async function comeBack(tally: Tally, retryAfter: unknown): Promise<void> {
  const seconds = typeof retryAfter === "string" && /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0;
  if (seconds < 1 || seconds > 300) tally.badRetryAfter += 1;
  await wait(500);
}

async function sampleProcess(service: OwnService, tally: Tally, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const figures = readProcessFigures(service.child);
    if (figures) tally.samples.push(figures);
    await wait(sampleMs);
  }
}

function medianOf(samples: readonly ProcessFigures[]): ProcessFigures | null {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const residentMegabytes = middle(samples.map((sample) => sample.residentMegabytes));
  const openFiles = middle(samples.map((sample) => sample.openFiles));
  return residentMegabytes === undefined || openFiles === undefined
    ? null
    : { residentMegabytes: Math.round(residentMegabytes), openFiles };
}

/** The rules that hold under any load heavy enough to fill the queue; empty when all were kept. */
export function faultsOf(report: LoadReport): string[] {
  const { statuses, middle, late } = report;
  const unexpected = Object.keys(statuses).filter((status) => status !== "200" && status !== "429");
  const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);
  return [
    ...unexpected.map((status) => `${statuses[status]} answers with status ${status}`),
    ...(statuses["200"] ? [] : ["nothing was measured"]),
    ...(statuses["429"] ? [] : ["the queue never ran full: no 429 was seen"]),
    ...counted(report.badRetryAfter, "answers 429 without a valid Retry-After"),
    ...counted(report.lost, "answers say that they were charged, and the ledger does not, or says another amount"),
    ...counted(report.surplus, "charges that no answer tells of"),
    ...counted(report.chargedTwice, "patients charged more than once"),
    ...counted(report.neverCharged, "patients measured and never charged"),
    ...(report.isChainIntact ? [] : ["the ledger's chain does not verify"]),
    ...counted(report.filmsWithSeveralValues, "films measured with more than one result"),
    ...report.complaints.map((line) => `the service complained: ${line}`),
    ...(report.isWellAfterwards ? [] : ["the service does not answer when the load is over"]),
    ...(middle && late && late.residentMegabytes - middle.residentMegabytes > flatMegabytes
      ? [`memory grew from ${middle.residentMegabytes} to ${late.residentMegabytes} MB`]
      : []),
    ...(middle && late && late.openFiles - middle.openFiles > flatFiles
      ? [`open files grew from ${middle.openFiles} to ${late.openFiles}`]
      : []),
  ];
}
