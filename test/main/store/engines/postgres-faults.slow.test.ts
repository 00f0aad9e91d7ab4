// Runs once: opens PostgreSQL or both engines directly.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { inspect } from "node:util";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeAuthority, makeLeaf } from "../../../../main/server/tls/certificates.ts";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { transaction } from "../../../../main/store/engines/engine.ts";
import {
  openPostgresStore,
  type OpenPostgresOptions,
} from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import { postgresTimeouts } from "../../../../main/store/engines/postgres/postgres-timeouts.ts";
import { startCluster, type Cluster } from "../../../fixtures/postgres/cluster.ts";
import { folderForTest } from "../../../fixtures/folders.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { freePort } from "../../dicom/network/dcmtk.ts";

const unavailable = expect.objectContaining({ code: "STORE_UNAVAILABLE" });

describe.runIf(hasPostgres)("a store in PostgreSQL", () => {
  const [from, until] = [new Date(), new Date(Date.now() + 86_400_000)];
  let authority: Awaited<ReturnType<typeof makeAuthority>>;
  let cluster: Cluster;
  let stores: WritableDb[] = [];
  /** Separate for each test. */
  let database = "postgres";
  let tests = 0;
  beforeAll(async () => {
    authority = await makeAuthority("Practice", ["localhost"], from, until);
    const leaf = await makeLeaf(authority, ["localhost"], from, until);
    const tls = { certificate: leaf.certificatePem, key: leaf.privateKeyPem };
    cluster = await startCluster({ port: await freePort(), tls });
  });
  afterAll(() => cluster.remove());
  beforeEach(async () => {
    database = "postgres";
    await ask(`CREATE DATABASE test_${(tests += 1)}`);
    database = `test_${tests}`;
  });
  afterEach(async () => {
    await Promise.all(stores.map((db) => db.destroy()));
    stores = [];
  });
  const urlOf = (name = database, user = `postgres:${cluster.password}`) =>
    `postgres://${user}@127.0.0.1:${cluster.port}/${name}`;
  const open = async (url = urlOf(), options: OpenPostgresOptions = {}) => {
    const db = await openPostgresStore(url, options);
    stores.push(db);
    return db;
  };
  const ask = async (statement: string) => {
    const client = new Client(urlOf());
    await client.connect();
    await client.query(statement);
    await client.end();
  };

  it("reports an unreachable server and reconnects by itself", async () => {
    const db = await open();
    await note(db, "before");
    await cluster.stop("kindly");
    await expect(note(db, "away")).rejects.toEqual(unavailable);
    await expect(noted(db)).rejects.toEqual(unavailable);
    await cluster.start();
    await note(db, "after");
    expect(await noted(db)).toEqual(["after", "before"]);
  });

  it("rolls back a transaction in which the server crashes", async () => {
    const db = await open();
    await note(db, "before");
    await expect(
      transaction(db, async () => {
        await note(db, "one");
        await cluster.stop("at once");
        await note(db, "two");
      }),
    ).rejects.toEqual(unavailable);
    await cluster.start();
    expect(await noted(db)).toEqual(["before"]);
  });

  it("reports no fault after the server restarted between queries", async () => {
    const db = await open();
    await Promise.all(Array.from({ length: 8 }, () => noted(db)));
    await cluster.stop("at once");
    await cluster.start();
    await note(db, "after");
    expect(await noted(db)).toEqual(["after"]);
  });

  it("reads from a standby and refuses writes until it is promoted", async () => {
    const db = await open();
    await cluster.stop("kindly");
    writeFileSync(path.join(cluster.folder, "data", "standby.signal"), "");
    await cluster.start();
    expect(await noted(db)).toEqual([]);
    await expect(note(db, "standby")).rejects.toEqual(unavailable);
    await ask("SELECT pg_promote()");
    await note(db, "primary");
    expect(await noted(db)).toEqual(["primary"]);
  });

  it("lets other programs write after a hanging one has timed out", async () => {
    const timeouts = { ...postgresTimeouts, idleInTransactionMs: 2000 };
    const [hanging, other] = [await open(undefined, { timeouts }), await open()];
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<undefined>();
    const hang = () =>
      transaction(hanging, async () => {
        await note(hanging, "hung");
        begin(undefined);
        await mayGoOn;
        await note(hanging, "too late");
      });
    const writeMeanwhile = async () => {
      await begun;
      await note(other, "other");
      goOn(undefined);
    };
    const [hung, meanwhile] = await Promise.allSettled([hang(), writeMeanwhile()]);
    expect([hung, meanwhile.status]).toEqual([{ status: "rejected", reason: unavailable }, "fulfilled"]);
    expect(await noted(hanging)).toEqual(["other"]);
  });

  it("reports a wrong password without revealing it, and a server without the required encryption", async () => {
    const refusal: unknown = await open(urlOf(database, "postgres:Geheim-9")).catch((error: unknown) => error);
    expect(refusal).toEqual(unavailable);
    expect(inspect(refusal, { depth: 9, showHidden: true })).not.toContain("Geheim-9");
    await expect(open(urlOf(database, "postgres"))).rejects.toThrow(
      "the server requires a password that the address does not contain",
    );
    await open();
    const port = await serverWithoutTls();
    await expect(open(`postgres://postgres@127.0.0.1:${port}/postgres?sslmode=verify-full`)).rejects.toThrow(
      "does not support SSL",
    );
  });

  it("trusts a TLS server only if authority and host name match", async () => {
    const folder = folderForTest();
    const stranger = await makeAuthority("Stranger", ["localhost"], from, until);
    const [authorityFile, strangerFile] = ["authority.pem", "stranger.pem"].map((name) => path.join(folder, name));
    writeFileSync(authorityFile!, authority.certificatePem);
    writeFileSync(strangerFile!, stranger.certificatePem);
    const over = (host: string, file = "") =>
      `${urlOf().replace("127.0.0.1", host)}?sslmode=verify-full&sslrootcert=${file}`;
    await open(over("localhost", authorityFile));
    await expect(open(over("localhost", strangerFile))).rejects.toEqual(unavailable);
    await expect(open(over("127.0.0.1", authorityFile))).rejects.toThrow("ERR_TLS_CERT_ALTNAME_INVALID");
  });

  it("lets the program's role work, but not change permanent rows", async () => {
    await ask("CREATE ROLE corvet LOGIN PASSWORD 'of-corvet'");
    const url = urlOf(database, "corvet:of-corvet");
    await expect(open(url)).rejects.toThrow("migrated by its owner");
    await open();
    const db = await open(url);
    await note(db, "one");
    await db.updateTable("settings").set({ value: "2" }).execute();
    const forbidden = [
      db.deleteFrom("ledger"),
      db.updateTable("ledger").set({ note: "" }),
      db.deleteFrom("valueSeals"),
      db.updateTable("auditEvents").set({ who: "" }),
      db.updateTable("readings").set({ remark: "" }),
      db.deleteFrom("people"),
      db.updateTable("accounts").set({ name: "" }),
      db.deleteFrom("apiKeys"),
      db.updateTable("apiKeys").set({ accountId: "" }),
      db.updateTable("apiKeys").set({ keySha256: Buffer.alloc(32) }),
      db.insertInto("migrations").values({ name: "", sha256: "", appliedAtMs: 1 }),
    ];
    for (const statement of forbidden) await expect(statement.execute()).rejects.toThrow("permission denied");
    expect(await transaction(db, () => db.deleteFrom("measurements").execute())).toHaveLength(1);
  });

  it("refuses a database migrated by a newer Corvet", async () => {
    await open();
    await ask("INSERT INTO migrations VALUES ('9999-future.sql', '', 1)");
    await expect(open()).rejects.toMatchObject({ code: "STORE_TOO_NEW" });
  });

  it("refuses a database that cannot store every character", async () => {
    await ask("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0");
    await expect(open(urlOf("latin"))).rejects.toThrow("must be made with ENCODING 'UTF8'");
  });
});

/** Starts a server that refuses encryption, for one test. @returns its port */
async function serverWithoutTls(): Promise<number> {
  const server = createServer((socket) => socket.once("data", () => socket.end("N")));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

async function note(db: WritableDb, key: string): Promise<void> {
  await db.insertInto("settings").values({ key, value: "1" }).execute();
}

async function noted(db: WritableDb): Promise<readonly string[]> {
  const rows = await db.selectFrom("settings").select("key").orderBy("key").execute();
  return rows.map(({ key }) => key);
}
