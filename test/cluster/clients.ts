import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { billing as billingSchema, type Billing } from "../../core/contract/v3/billing.ts";
import type { OwnService } from "../../tools/own-service.ts";
import type { Node, Practice } from "./practice.ts";

export type ReadAnswer = { readonly patient: string; readonly billing: Billing };

export type Tally = {
  readonly answers: ReadAnswer[];
  /** Failed calls by status; 0 for a failed connection. */
  readonly refused: Record<number, number>;
  readonly latenciesMs: number[];
  /** Last two responses of each program to each client, which sends at most two calls at a time; by client. */
  readonly lastOf: Map<OwnService, Map<number, readonly ReadAnswer[]>>;
};

export function newTally(): Tally {
  return { answers: [], refused: {}, latenciesMs: [], lastOf: new Map() };
}

const answerSchema = z.object({ billing: billingSchema });
/** Every fourth patient is sent to two nodes at the same time, every fifth as a batch. */
const pairEvery = 4;
const batchEvery = 5;
const pauseMs = 50;

/** Sends two calls for each new patient to the nodes in turn and repeats failed ones elsewhere, until `isOver`. */
export async function runClient(
  practice: Pick<Practice, "nodes" | "key">,
  client: number,
  image: string,
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  let turn = client;
  const ask = async (patient: string, isBatch: boolean): Promise<void> => {
    const body = { ...(isBatch ? { images: [image, image] } : { image }), uuid: patient };
    do {
      const node = practice.nodes[turn++ % practice.nodes.length] as Node;
      if (await isAnswered(node, practice.key, client, body, tally)) return;
      await wait(pauseMs);
    } while (!isOver());
  };
  for (let call = 0; !isOver(); call += 1) {
    const patient = `client-${client}-patient-${call}`;
    const isBatch = call % batchEvery === batchEvery - 1;
    if (call % pairEvery === pairEvery - 1) await Promise.all([ask(patient, isBatch), ask(patient, isBatch)]);
    else await ask(patient, isBatch);
    if (!isOver()) await ask(patient, isBatch);
  }
}

async function isAnswered(
  node: Node,
  key: string,
  client: number,
  body: { readonly uuid: string },
  tally: Tally,
): Promise<boolean> {
  const startMs = performance.now();
  try {
    const { service } = node;
    if (service === null) throw new Error("the node was killed");
    const { status, text } = await service.post(key, "/v3/predict", body);
    if (status === 200) {
      const answer = { patient: body.uuid, billing: answerSchema.parse(JSON.parse(text)).billing };
      tally.answers.push(answer);
      const last = tally.lastOf.get(service) ?? new Map<number, readonly ReadAnswer[]>();
      tally.lastOf.set(service, last.set(client, [answer, ...(last.get(client) ?? [])].slice(0, 2)));
      tally.latenciesMs.push(performance.now() - startMs);
      return true;
    }
    tally.refused[status] = (tally.refused[status] ?? 0) + 1;
  } catch (error) {
    if (error instanceof z.ZodError) throw error;
    tally.refused[0] = (tally.refused[0] ?? 0) + 1;
  }
  return false;
}
