import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createKey } from "../../main/services/calls/keys.ts";
import { databaseVariable } from "../../main/program.ts";
import type { WritableDb } from "../../main/store/database.ts";
import { openPostgresStore } from "../../main/store/engines/postgres/open-postgres-store.ts";
import { startOwnService, type OwnService } from "../../tools/own-service.ts";
import { startCluster, type Cluster } from "../fixtures/postgres/cluster.ts";
import { urlOf } from "../fixtures/postgres/temporary-database.ts";

export type Node = { readonly dataDir: string; service: OwnService | null };

export type Practice = {
  readonly cluster: Cluster;
  readonly url: string;
  readonly key: string;
  readonly nodes: readonly Node[];
  start(node?: Node): Promise<Node>;
  open(): Promise<WritableDb>;
  close(): Promise<void>;
};

const recorded = "test/cluster/recorded-node.ts";

/** Starts a PostgreSQL server with durable commits, and nodes on it whose networks are replaced. */
export async function openPractice({ nodes: count }: { readonly nodes: number }): Promise<Practice> {
  const cluster = await startCluster({ isDurable: true });
  const url = urlOf(cluster.folder, "postgres");
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-practice-"));
  const nodes: Node[] = [];
  const open = () => openPostgresStore(url);
  const start = async (node: Node = { dataDir: path.join(folder, `node-${nodes.length + 1}`), service: null }) => {
    if (!nodes.includes(node)) nodes.push(node);
    node.service = await startOwnService(node.dataDir, {
      environment: { [databaseVariable]: url },
      isQuiet: true,
      program: recorded,
    });
    return node;
  };
  const close = async () => {
    for (const { service } of nodes) await service?.stop("SIGKILL");
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const db = await open();
    const { key } = await createKey(db, { accountName: "Practice", name: "cluster", at: new Date() });
    await db.destroy();
    await Promise.all(Array.from({ length: count }, () => start()));
    return { cluster, url, key, nodes, start, open, close };
  } catch (error) {
    await close();
    throw error;
  }
}
