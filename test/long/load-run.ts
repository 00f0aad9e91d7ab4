import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { billing as billingSchema, type Billing } from "../../core/contract/v3/billing.ts";
import { compareWithLedger, type LedgerComparison } from "./ledger-comparison.ts";
import type { OwnService } from "../../tools/own-service.ts";
import { readProcessFigures, type ProcessFigures } from "./process-figures.ts";
import type { ServiceAnswer } from "../../tools/service-client.ts";

export type Load = {
  readonly clients: number;
  readonly seconds: number;
  /** Films (base64) that have a valid VHS, sent in turn. */
  readonly films: readonly string[];
};

type LoadReport = LedgerComparison & {
  /** Number of responses by HTTP status; 429 for a full queue. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of 429 responses whose Retry-After is not a whole number of seconds from 1 to 300. */
  readonly badRetryAfter: number;
  /** Films with more than one result, which shows that responses of clients were mixed up. */
  readonly filmsWithSeveralValues: number;
  readonly complaints: readonly string[];
  readonly isWellAfterwards: boolean;
  /** Medians of the middle and the last third of the run; null if the system does not report them. */
  readonly middle: ProcessFigures | null;
  readonly late: ProcessFigures | null;
};

type Tally = {
  readonly statuses: Record<string, number>;
  badRetryAfter: number;
  readonly billing: Map<string, Billing[]>;
  readonly values: Map<string, Set<string>>;
  readonly samples: ProcessFigures[];
};

/** Every fourth client sends batches of ten: 32 clients then need 104 places in a queue of 64. */
const batchEvery = 4;
const batchSize = 10;
const sampleMs = 250;
/** Highest increase of the median memory from the middle to the last third of a run [MB]. */
const flatMegabytes = 64;
/** The same for the number of open files, which varies with connections. */
const flatFiles = 8;

const answerSchema = z.object({ vhs: z.number(), vlas: z.number().nullable(), billing: billingSchema });

/** Sends calls of many clients and compares the responses with the ledger. A patient's second call must be free. */
export async function runLoad(service: OwnService, dataDir: string, key: string, load: Load): Promise<LoadReport> {
  const tally: Tally = {
    statuses: {},
    badRetryAfter: 0,
    billing: new Map(),
    values: new Map(),
    samples: [],
  };
  const send = (body: object) => service.post(key, "/v3/predict", body);
  const complaintsBefore = service.complaints.length;
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > load.seconds * 1000;
  const sampling = sampleProcess(service, tally, isOver);
  await Promise.all(
    Array.from({ length: load.clients }, (_, client) => runClient(send, load.films, client, tally, isOver)),
  );
  await sampling;
  const { statuses, badRetryAfter, billing, values, samples } = tally;
  return {
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
    if (answer.status === 200) takeAnswer(tally, uuid, film, answer.text);
    if (answer.status === 429) await comeBack(tally, answer.headers["retry-after"]);
  }
}

function takeAnswer(tally: Tally, uuid: string, film: string, text: string): void {
  const { vhs, vlas, billing } = answerSchema.parse(JSON.parse(text));
  tally.billing.set(uuid, [...(tally.billing.get(uuid) ?? []), billing]);
  tally.values.set(film, (tally.values.get(film) ?? new Set()).add(`${vhs} ${vlas}`));
}

/** Waits for less than Retry-After, so that the queue stays full. */
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

/** Violated rules, which apply to any load that fills the queue; empty if none. */
export function faultsOf(report: LoadReport): string[] {
  const { statuses, middle, late } = report;
  const unexpected = Object.keys(statuses).filter((status) => status !== "200" && status !== "429");
  const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);
  return [
    ...unexpected.map((status) => `${statuses[status]} responses with status ${status}`),
    ...(statuses["200"] ? [] : ["nothing was measured"]),
    ...(statuses["429"] ? [] : ["the queue was never full: no response had status 429"]),
    ...counted(report.badRetryAfter, "responses with status 429 without a valid Retry-After"),
    ...counted(report.lost, "responses reported a charge that is missing from the ledger or has another amount there"),
    ...counted(report.surplus, "charges that no response reported"),
    ...counted(report.chargedTwice, "patients charged more than once"),
    ...counted(report.neverCharged, "patients measured and never charged"),
    ...(report.isChainIntact ? [] : ["the ledger's chain does not verify"]),
    ...counted(report.filmsWithSeveralValues, "films measured with more than one result"),
    ...report.complaints.map((line) => `the service reported: ${line}`),
    ...(report.isWellAfterwards ? [] : ["the service does not respond after the load"]),
    ...(middle && late && late.residentMegabytes - middle.residentMegabytes > flatMegabytes
      ? [`memory grew from ${middle.residentMegabytes} to ${late.residentMegabytes} MB`]
      : []),
    ...(middle && late && late.openFiles - middle.openFiles > flatFiles
      ? [`open files grew from ${middle.openFiles} to ${late.openFiles}`]
      : []),
  ];
}
