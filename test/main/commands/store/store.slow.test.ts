import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { lockDataDir } from "../../../../main/instance-lock.ts";
import { chooseDatabase, chosenDatabase, openStoreOf } from "../../../../main/services/program/store-location.ts";
import { readAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { openStore } from "../../../../main/store/database.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import { runCommand } from "../../../fixtures/process/corvet-command.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { fillFilmFiles, fillStore } from "../../store/copying/full-store.ts";
import { temporaryDataDir } from "../../store/sample-store.ts";

const password = "geheim";

describe.runIf(hasPostgres)("store", () => {
  const { dataDir: folder, remove } = temporaryDataDir();
  const [from, to] = [path.join(folder, "from"), path.join(folder, "to")];
  let database: TemporaryDatabase;
  let url = "";
  beforeAll(async () => {
    mkdirSync(from, { mode: 0o700 });
    const db = await openStore(from);
    await fillStore(db);
    await fillFilmFiles(from);
    await db.destroy();
    database = await temporaryDatabase();
    url = database.url.replace("postgres@", `postgres:${password}@`);
  });
  afterAll(async () => {
    await database.remove();
    remove();
  });

  async function store(databaseUrl: string | undefined, ...args: string[]) {
    vi.stubEnv("CORVET_DATABASE_URL", databaseUrl);
    const { status, stdout, stderr } = await runCommand("store", ...args);
    vi.unstubAllEnvs();
    expect(stdout + stderr).not.toContain(password);
    return { status, stdout, lines: stderr.split("\n") };
  }

  it("copies into the database of the environment, with progress and the list of files left behind", async () => {
    const { status, stdout, lines } = await store(url, "copy", "--from", from);
    expect(lines).toEqual(
      expect.arrayContaining([
        "copying films: 10 of 10",
        "copying film_images: 10 of 10",
        "comparing ledger: 13 of 13",
        "",
      ]),
    );
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          `^\\d+ rows and 19 images of films are the same in ${from} and postgres://[^@]*\\.\n` +
            "Missing in the source already: film_images/\\w+/0/thumbnail\n" +
            "Damaged in the source, copied as is: film_images/\\w+/0/original\n" +
            `The ledger is intact: 13 rows, last hash \\w+\n` +
            "Measurements, readings and screenings are unchanged: 33\n" +
            "The audit trail is unchanged\n" +
            "Not copied, because they are not in the store: the files of 6 objects that were set aside\\. " +
            `They are in ${from}/dicom-received/not-opened\\.\n$`,
        ),
      ),
    ]);
    expect((await store(undefined, "verify", "--database", url)).stdout).toMatch("The ledger is intact: 13 rows");
    expect(await store(url, "copy", "--to", to)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("workstations"),
    });
  });

  it("requires the owner of a database to copy it", async () => {
    const [role, empty] = [`reader_${process.pid}`, await temporaryDatabase()];
    const db = await openPostgresStore(empty.url);
    await rawly(db, `CREATE ROLE ${role} LOGIN`);
    await rawly(db, `GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO ${role}`);
    await db.destroy();
    const urlOfReader = empty.url.replace("postgres@", `${role}:${password}@`);
    for (const side of [
      ["--from", from],
      ["--to", path.join(folder, "other")],
    ])
      expect(await store(urlOfReader, "copy", ...side)).toMatchObject({
        status: 1,
        lines: expect.arrayContaining([
          expect.stringContaining("Copying a database requires its owner (permission denied"),
        ]),
      });
    await empty.remove();
  });

  it("reverts to the file if the chosen database is unreachable", async () => {
    const dataDir = path.join(folder, "workstation");
    await (await openStore(dataDir)).destroy();
    chooseDatabase(dataDir, url, null);
    for (const words of [
      ["backup", "list"],
      ["encryption", "status"],
    ]) {
      const { stdout } = await runCommand(...words, "--data-dir", dataDir);
      expect(stdout).toMatch(
        /^The store is in postgres:\/\/[^@]*(?::| and) .*The file that this computer used before:\n/,
      );
    }
    expect(await store(undefined, "use-file", "--data-dir", dataDir)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(path.join(dataDir, "corvet.db")),
    });
    expect(chosenDatabase(dataDir)).toBeNull();
    expect(readFileSync(path.join(dataDir, "secrets.json"), "utf8")).not.toContain(password);
    const db = await openStoreOf(dataDir);
    expect(await Array.fromAsync(readAuditEvents(db, {}), ({ action, subject }) => [action, subject])).toContainEqual([
      "database.chosen",
      "corvet.db",
    ]);
    await db.destroy();
    expect((await store(undefined, "use-file", "--data-dir", dataDir)).lines[0]).toMatch(/no database was chosen/);
  });

  it("prints the reason for a refused copy, never the password", async () => {
    const lock = lockDataDir(from);
    const refusals = [
      await store(url, "copy", "--from", from),
      await store(url, "copy", "--from", path.join(folder, "none")),
      await store(undefined, "copy", "--from", from),
      await store(url, "copy"),
      await store(url, "copy", "--from", url),
      await store(url, "verify", "--database", from),
      await store(undefined, "copy", "--to", from, "--from", `mysql://root:${password}@localhost/practice`),
      await store(undefined, "copy", "--to", to, "--from", `postgres://corvet:${password}@127.0.0.1:1/practice`),
    ];
    lock.release();
    expect(refusals.map(({ status, lines }) => [status, lines[0]])).toEqual([
      [1, `store: Corvet is already running on ${from}. Stop it first.`],
      [1, `store: There is no store in ${path.join(folder, "none")}.`],
      [2, "store: --to is missing, and CORVET_DATABASE_URL is not set"],
      [2, "store: copy needs --from, --to or both"],
      [2, "store: --from and --to are the same store"],
      [2, "store: --database is a postgres:// address; a data directory has ledger verify"],
      [1, "store: The address of the database cannot be used: it must begin with postgres://."],
      [1, "store: The database postgres://127.0.0.1:1/practice cannot be used (ECONNREFUSED)."],
    ]);
  });
});
