import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createKey } from "../../main/services/calls/keys.ts";
import { databaseVariable } from "../../main/program.ts";
import type { WritableDb } from "../../main/store/database.ts";
import { openPostgresStore } from "../../main/store/engines/postgres/open-postgres-store.ts";
import { startOwnService } from "../../tools/own-service.ts";
import { runAsServer, startCluster, type Cluster, type ClusterOptions } from "../fixtures/postgres/cluster.ts";
import { faultyNetwork } from "../fixtures/postgres/faulty-network.ts";
import { freePort } from "../main/dicom/network/dcmtk.ts";
import { runCommandsOf, settingsOf, type Substitutions } from "./practice-document.ts";
import type { Node } from "./practice.ts";

/** A practice whose database is set up and operated as described in docs/practice.md. */
export type OperatedPractice = {
  readonly meant: Substitutions;
  readonly key: string;
  readonly nodes: Node[];
  /** Server that the practice's host name leads to. */
  server(): Cluster;
  /** Starts another server from a base backup; the host name does not change. */
  serverFrom(base: string, settings: readonly string[]): Promise<Cluster>;
  leadTo(cluster: Cluster): void;
  start(name: string, database?: string): Promise<Node>;
  stop(): Promise<void>;
  ask<Answer>(question: (db: WritableDb) => Promise<Answer>, database?: string): Promise<Answer>;
  close(): Promise<void>;
};

const recorded = "test/cluster/recorded-node.ts";
const firstChapter = "The database server";

/** Follows the document up to the owner's first migration. */
export async function openOperatedPractice(): Promise<OperatedPractice> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-operation-"));
  const servers: Cluster[] = [];
  const serve = async (name: string, options: ClusterOptions) => {
    const port = await freePort();
    const cluster = await startCluster({ ...options, folder: `${folder}-${name}`, port, isDurable: true });
    servers.push(cluster);
    return cluster;
  };
  const second = path.join(`${folder}-first`, "second-disk");
  const meant = { "/SECOND/DISK": second };
  let server = await serve("first", { settings: settingsOf(firstChapter, ["archive_"], meant) });
  const network = await faultyNetwork(server.port);
  runAsServer("mkdir", ["-p", path.join(second, "wal")], server);
  runCommandsOf(firstChapter, /psql|createdb/, server);
  const password = `ALTER ROLE corvet PASSWORD '${server.password}'`;
  runAsServer("psql", ["-c", password], server);
  const ask: OperatedPractice["ask"] = async (question, database = "practice") => {
    await using db = await openPostgresStore(
      `postgres://corvet_owner@localhost:${server.port}/${database}?host=${server.folder}`,
    );
    return await question(db);
  };
  const { key } = await ask((db) => createKey(db, { accountName: "Practice", name: "reception", at: new Date() }));
  const nodes: Node[] = [];
  const stopAll = async (signal?: "SIGKILL") =>
    void (await Promise.all(nodes.splice(0).map(async ({ service }) => await service?.stop(signal))));
  return {
    meant,
    key,
    nodes,
    server: () => server,
    serverFrom: (base, settings) =>
      serve(`from-${path.basename(base)}`, {
        base: { folder: base, password: server.password },
        settings,
      }),
    leadTo(cluster) {
      server = cluster;
      network.leadTo(cluster.port);
    },
    async start(name, database = "practice") {
      const url = `postgres://corvet:${server.password}@127.0.0.1:${network.port}/${database}`;
      const dataDir = path.join(folder, name);
      const options = { environment: { [databaseVariable]: url }, isQuiet: true, program: recorded };
      const node = { dataDir, service: await startOwnService(dataDir, options) };
      nodes.push(node);
      return node;
    },
    stop: () => stopAll(),
    ask,
    async close() {
      await stopAll("SIGKILL");
      await network.close();
      for (const cluster of servers) await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
