import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { billing as billingSchema, type Billing } from "../../core/contract/v3/billing.ts";
import type { OwnService } from "../../tools/own-service.ts";
import type { Node, Practice } from "./practice.ts";

/** An answer that was read whole. */
export type ReadAnswer = { readonly patient: string; readonly billing: Billing };

/** What the clients were told. */
export type Tally = {
  readonly answers: ReadAnswer[];
  /** Patients that were asked about, answered or not. */
  readonly asked: Set<string>;
  /** Calls that came to nothing, by status; 0 is a connection that failed. */
  readonly refused: Record<number, number>;
  readonly latenciesMs: number[];
  /** Each client's last answers from each program, as many as it may wait for at a time; by client. */
  readonly lastOf: Map<OwnService, Map<number, readonly ReadAnswer[]>>;
};

export function newTally(): Tally {
  return { answers: [], asked: new Set(), refused: {}, latenciesMs: [], lastOf: new Map() };
}

const answerSchema = z.object({ billing: billingSchema });
/** Every so many patients the same one is sent to two nodes at the same moment, and another one as a batch. */
const pairEvery = 4;
const batchEvery = 5;
/** Before a client tries the next node [ms]. */
const pauseMs = 50;

/**
 * Asks about one new patient after another, each twice, at whichever node comes next, as clients do that are told
 * several addresses; what fails is sent again to another node. Ends once `isOver`.
 */
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
    tally.asked.add(patient);
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
    if (service === null) throw new Error("it was killed");
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const { status, text } = await service.send("POST", "/v3/predict", JSON.stringify(body), headers);
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
