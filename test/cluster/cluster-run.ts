import { setTimeout as wait } from "node:timers/promises";
import { machineOf } from "../../main/store/machines/machine.ts";
import { listUndelivered } from "../../main/store/ledger/undelivered-charges.ts";
import type { OwnService } from "../../tools/own-service.ts";
import { newTally, runClient, type Tally } from "./clients.ts";
import { judge, type LedgerJudgement } from "./cluster-ledger.ts";
import { openPractice, type Node, type Practice } from "./practice.ts";

export type ClusterLoad = {
  readonly nodes: number;
  readonly clients: number;
  readonly answersBetween: number;
  readonly image: string;
};

type ClusterReport = LedgerJudgement & Pick<Tally, "refused">;

const takesAtMostMs = 180_000;

/** Compares responses with the ledger after nodes were killed and the database restarted and crashed. */
export async function runCluster({ nodes, clients, answersBetween, image }: ClusterLoad): Promise<ClusterReport> {
  const practice = await openPractice({ nodes });
  try {
    const tally = newTally();
    const killed: OwnService[] = [];
    let isOver = false;
    const asking = Array.from({ length: clients }, (_, client) =>
      runClient(practice, client, image, tally, () => isOver),
    );
    const more = () => moreAnswers(tally, answersBetween);
    try {
      await more();
      killed.push(await kill(practice.nodes[0] as Node));
      await more();
      await practice.start(practice.nodes[0]);
      await more();
      await restartDatabase(practice, more);
      killed.push(await kill(practice.nodes[1] as Node));
      await practice.start(practice.nodes[1]);
      await more();
      // Another node must adopt the work of this one.
      killed.push(await kill(practice.nodes[2] as Node));
      await forget(practice, practice.nodes[2] as Node);
      await practice.start();
      await more();
      await practice.cluster.stop("at once");
      await practice.cluster.start();
      await more();
    } finally {
      isOver = true;
      await Promise.all(asking);
    }
    for (const { service } of practice.nodes) await service?.stop();
    const db = await practice.open();
    const lastBeforeKill = killed.flatMap((service) => [...(tally.lastOf.get(service)?.values() ?? [])].flat());
    const judgement = await judge(db, tally, new Set(lastBeforeKill));
    await db.destroy();
    return { refused: tally.refused, ...judgement };
  } finally {
    await practice.close();
  }
}

export function clusterFaultsOf(report: ClusterReport): string[] {
  const { lost, double, surplus, misnumbered, refused } = report;
  const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);
  const unexpected = Object.keys(refused).filter((status) => !["0", "429", "500", "503"].includes(status));
  return [
    ...counted(lost, "charges lost"),
    ...counted(double, "patients charged twice"),
    ...counted(surplus, "charges that no response reported"),
    ...counted(misnumbered, "charges with a wrong ordinal or tier"),
    ...(report.isChainIntact ? [] : ["the chain does not verify"]),
    ...unexpected.map((status) => `${refused[Number(status)]} responses with status ${status}`),
  ];
}

async function moreAnswers({ answers }: Tally, count: number): Promise<void> {
  const enough = answers.length + count;
  const startMs = performance.now();
  while (answers.length < enough) {
    if (performance.now() - startMs > takesAtMostMs) throw new Error("the practice no longer responds");
    await wait(20);
  }
}

async function kill(node: Node): Promise<OwnService> {
  const { service } = node;
  if (service === null) throw new Error("the node was already killed");
  node.service = null;
  await service.stop("SIGKILL");
  return service;
}

/** Resets the heartbeat of a killed node, instead of waiting until it counts as stopped. */
async function forget(practice: Practice, { dataDir }: Node): Promise<void> {
  const db = await practice.open();
  await db.updateTable("machines").set({ seenAtMs: 0 }).where("id", "=", machineOf(dataDir).id).execute();
  await db.destroy();
}

/** Restarts the database and waits until the nodes have settled the deliveries pending from the outage. */
async function restartDatabase(practice: Practice, more: () => Promise<void>): Promise<void> {
  await practice.cluster.stop("kindly");
  await practice.cluster.start();
  const db = await practice.open();
  const untold = new Set((await listUndelivered(db)).map(({ seq }) => seq));
  await more();
  const startMs = performance.now();
  while ((await listUndelivered(db)).some(({ seq }) => untold.has(seq))) {
    if (performance.now() - startMs > takesAtMostMs) throw new Error("pending deliveries are not settled");
    await wait(200);
  }
  await db.destroy();
}
