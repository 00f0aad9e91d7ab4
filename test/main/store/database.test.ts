// Runs once: tests the file of SQLite (format, migrations, encryption).
import Database from "better-sqlite3";
import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { ensureAccount, listAccounts } from "../../../main/store/people/accounts.ts";
import { recordAudit } from "../../../main/store/audit/audit-events.ts";
import { findNewestGoodBackup, makeBackup } from "../../../main/store/backups/backups.ts";
import { openStore, startEmptyStore } from "../../../main/store/database.ts";
import { restoreBackup, scheduleRestore } from "../../../main/store/backups/restore.ts";
import { listDamagedFiles } from "../../../main/store/files/store-files.ts";
import { transaction, sqliteFileOf } from "../../../main/store/engines/engine.ts";
import { folderForEach, folderForFile } from "../../fixtures/folders.ts";

const dataDir = folderForEach();
const inDir = (...names: string[]) => path.join(dataDir(), ...names);
const prepared = folderForFile();
let preparedBackup: string | null = null;

/** Prepares a store with 300 accounts, a backup of it, and an account added after the backup. @returns its name */
async function filledStore(): Promise<string> {
  preparedBackup ??= await prepareStore();
  cpSync(prepared, dataDir(), { recursive: true });
  return preparedBackup;
}

async function prepareStore(): Promise<string> {
  const db = await openStore(prepared);
  await transaction(db, async () => {
    for (let account = 0; account < 300; account += 1)
      await ensureAccount(db, { name: `before ${account} ${"x".repeat(100)}`, at: new Date() });
  });
  const { name } = await makeBackup(db, prepared, new Date("2026-11-20T03:00:00Z"));
  await ensureAccount(db, { name: "after", at: new Date() });
  await db.destroy();
  return name;
}

/** Leaves a write-ahead log without its store, as if the program was killed and the store deleted. @returns a backup */
async function storeGoneWithoutItsLog(): Promise<string> {
  const backup = await filledStore();
  const db = await openStore(dataDir());
  await ensureAccount(db, { name: "in the log", at: new Date() });
  const log = readFileSync(inDir("corvet.db-wal"));
  await db.destroy();
  rmSync(inDir("corvet.db"));
  writeFileSync(inDir("corvet.db-wal"), log);
  return backup;
}

async function accounts(): Promise<string[]> {
  await using db = await openStore(dataDir());
  return (await listAccounts(db)).map(({ name }) => name);
}

async function refusal(open: () => Promise<unknown>): Promise<AppError> {
  try {
    await open();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("was not refused");
}

describe("openStore", () => {
  it("creates a store that only its owner can read, with all required pragmas", async () => {
    const db = await openStore(inDir("new", "folder"));
    const pragma = (name: string) => sqliteFileOf(db).pragma(name, { simple: true });
    expect([
      pragma("journal_mode"),
      pragma("synchronous"),
      pragma("foreign_keys"),
      pragma("recursive_triggers"),
      pragma("temp_store"),
    ]).toEqual(["wal", 2, 1, 1, 2]);
    await db.destroy();
    expect(readdirSync(inDir("new", "folder"))).toEqual(["corvet.db", "store-log"]);
    if (process.platform !== "win32")
      expect((statSync(inDir("new", "folder", "corvet.db")).mode & 0o777).toString(8)).toBe("600");
  });

  it("reopens a store with earlier writes", async () => {
    const first = await openStore(dataDir());
    await ensureAccount(first, { name: "Clinic", at: new Date() });
    await first.destroy();
    expect(await accounts()).toEqual(["Clinic"]);
  });

  it("creates one store for several processes that start at the same time", async () => {
    const script = `import { openStore } from ${JSON.stringify(path.resolve("main/store/database.ts"))};
      import { ensureAccount } from ${JSON.stringify(path.resolve("main/store/people/accounts.ts"))};
      const db = await openStore(process.argv[1]); await ensureAccount(db, { name: process.argv[2], at: new Date() }); await db.destroy();`;
    const names = ["a", "b", "c"];
    const command = names.map((name) => `"$0" --input-type=module-typescript -e "$1" "$2" ${name} & `).join("");
    const result = spawnSync("/bin/sh", ["-c", `${command} wait`, process.execPath, script, dataDir()], {
      encoding: "utf8",
    });
    expect(result.stderr).toBe("");
    expect(await accounts()).toEqual(names);
    expect(readdirSync(dataDir())).toEqual(["corvet.db", "record-head", "store-log"]);
  });

  it("creates no store if that is not requested, and names an unusable data directory", async () => {
    expect((await refusal(() => openStore(inDir("none"), { create: false }))).code).toBe("STORE_NOT_FOUND");
    expect(existsSync(inDir("none"))).toBe(false);
    writeFileSync(inDir("file"), "");
    expect(await refusal(() => openStore(inDir("file")))).toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining(inDir("file")),
    });
  });

  it("refuses a store that another program has locked exclusively", async () => {
    await (await openStore(dataDir())).destroy();
    const other = new Database(inDir("corvet.db"));
    other.pragma("locking_mode = EXCLUSIVE");
    other.exec("BEGIN EXCLUSIVE");
    expect((await refusal(() => openStore(dataDir(), { busyMs: 50 }))).code).toBe("STORE_BUSY");
    other.close();
  });
});

function overwrite(file: string, position: number, bytes: Uint8Array): void {
  const handle = openSync(file, "r+");
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

const damages: [string, (file: string) => void][] = [
  ["with an invalid header", (file) => overwrite(file, 0, Buffer.alloc(100, 0x5a))],
  ["with overwritten pages", (file) => overwrite(file, 4096 * 3, Buffer.alloc(statSync(file).size - 4096 * 3, 0xa5))],
  ["cut in half", (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
  ["that was emptied", (file) => truncateSync(file, 0)],
  ["replaced by a text file", (file) => writeFileSync(file, "dear diary")],
  [
    "replaced by another program's database",
    (file) => {
      rmSync(file);
      new Database(file).exec("CREATE TABLE notes (text TEXT)").close();
    },
  ],
  [
    "with a dangling reference",
    (file) => {
      const db = new Database(file);
      db.pragma("foreign_keys = OFF");
      db.exec(
        "INSERT INTO api_keys (id, account_id, name, key_sha256, created_at_ms) VALUES ('k', 'nobody', '', zeroblob(32), 0)",
      );
      db.close();
    },
  ],
];

describe("a damaged store", () => {
  it.each(damages)(
    "%s is set aside unchanged, with the newest good backup offered, and not replaced",
    async (_damage, damage) => {
      const backup = await filledStore();
      damage(inDir("corvet.db"));
      const damagedBytes = readFileSync(inDir("corvet.db"));
      const first = await refusal(() => openStore(dataDir()));
      expect(first).toMatchObject({
        code: "STORE_DAMAGED",
        message: expect.stringContaining(`restore ${backup} --data-dir`),
      });
      const [aside = ""] = listDamagedFiles(dataDir());
      expect(first.message).toContain(aside);
      expect(findNewestGoodBackup(dataDir())?.name).toBe(backup);
      expect(readFileSync(inDir(aside)).equals(damagedBytes)).toBe(true);

      const again = await refusal(() => openStore(dataDir()));
      expect(again).toMatchObject({ code: "STORE_DAMAGED", message: expect.stringContaining(aside) });
      expect(existsSync(inDir("corvet.db"))).toBe(false);
    },
  );
});

describe("a damaged store", () => {
  it("is not moved by a command, and is replaced by an empty store only on request", async () => {
    await filledStore();
    writeFileSync(inDir("corvet.db"), "rubbish");
    expect((await refusal(() => openStore(dataDir(), { setAside: false }))).code).toBe("STORE_DAMAGED");
    expect(readFileSync(inDir("corvet.db"), "utf8")).toBe("rubbish");
    await refusal(() => openStore(dataDir()));
    await startEmptyStore(dataDir());
    expect(await accounts()).toEqual([]);
    expect((await refusal(() => startEmptyStore(dataDir()))).code).toBe("STORE_BUSY");
    expect(listDamagedFiles(dataDir())).toHaveLength(1);
  });

  it("is reported for a missing store with backups, also if none of them is good", async () => {
    const backup = await filledStore();
    rmSync(inDir("corvet.db"));
    expect(await refusal(() => openStore(dataDir()))).toMatchObject({
      code: "STORE_DAMAGED",
      message: expect.stringContaining(backup),
    });
    writeFileSync(inDir("backups", backup), "rubbish too");
    writeFileSync(inDir("corvet.db"), "rubbish");
    expect((await refusal(() => openStore(dataDir()))).message).toContain("There is no good backup");
  });

  it("is reported for a missing store with films, or with a noted record", async () => {
    mkdirSync(inDir("films"), { recursive: true });
    writeFileSync(inDir("films", "a".repeat(64)), "");
    expect(await refusal(() => openStore(dataDir()))).toMatchObject({ code: "STORE_DAMAGED" });
    rmSync(inDir("films"), { recursive: true });
    const db = await openStore(dataDir());
    await recordAudit(db, { action: "key.created", subject: "clinic" });
    await db.destroy();
    rmSync(inDir("corvet.db"));
    expect(await refusal(() => openStore(dataDir()))).toMatchObject({ code: "STORE_DAMAGED" });
  });

  it("is reported for a missing store with a write-ahead log", async () => {
    await storeGoneWithoutItsLog();
    rmSync(inDir("backups"), { recursive: true });
    expect(await refusal(() => openStore(dataDir()))).toMatchObject({ code: "STORE_DAMAGED" });
  });

  it("leaves no write-ahead log that would be applied to the store that replaces it", async () => {
    const backup = await storeGoneWithoutItsLog();
    expect(await restoreBackup(dataDir(), inDir("backups", backup), new Date("2026-11-20T04:00:00Z"))).toBeNull();
    expect(await accounts()).toHaveLength(300);
    expect(existsSync(inDir("corvet.db.replaced-20261120T040000000Z-wal"))).toBe(true);

    await storeGoneWithoutItsLog();
    await startEmptyStore(dataDir());
    expect(await accounts()).toEqual([]);
  });
});

describe("restoring a backup", () => {
  it("keeps the replaced store", async () => {
    const backup = await filledStore();
    const aside = await restoreBackup(dataDir(), inDir("backups", backup), new Date());
    expect(await accounts()).toHaveLength(300);
    const replaced = new Database(aside ?? "");
    expect(replaced.prepare("SELECT count(*) FROM accounts").pluck().get()).toBe(301);
    replaced.close();
  });

  it("is refused, and not left scheduled, if the store is opened while the backup is checked", async () => {
    const backup = await filledStore();
    const restoring = restoreBackup(dataDir(), inDir("backups", backup), new Date());
    const [db] = await Promise.all([
      openStore(dataDir(), { setAside: false }),
      expect(restoring).rejects.toMatchObject({ code: "STORE_BUSY" }),
    ]);
    await db.destroy();
    expect(await accounts()).toHaveLength(301);
  });

  it("is refused while the store is open, but can be scheduled for the next start of the program", async () => {
    const backup = await filledStore();
    const running = await openStore(dataDir());
    await expect(restoreBackup(dataDir(), inDir("backups", backup), new Date())).rejects.toMatchObject({
      code: "STORE_BUSY",
    });
    await scheduleRestore(dataDir(), inDir("backups", backup));
    expect(await listAccounts(running)).toHaveLength(301);
    const command = await openStore(dataDir(), { setAside: false });
    expect(await listAccounts(command)).toHaveLength(301);
    await command.destroy();
    await running.destroy();
    for (let start = 0; start < 2; start += 1) expect(await accounts()).toHaveLength(300);
  });

  it("refuses a missing backup", async () => {
    await filledStore();
    const missing = inDir("backups", "corvet-20200101T000000000Z.db");
    await expect(restoreBackup(dataDir(), missing, new Date())).rejects.toMatchObject({
      code: "BACKUP_NOT_FOUND",
    });
  });

  it("refuses a backup whose values do not match their seals, whether restored at once or scheduled", async () => {
    const db = await openStore(dataDir());
    await recordAudit(db, { action: "key.created", subject: "clinic" });
    const { path: file } = await makeBackup(db, dataDir(), new Date());
    await db.destroy();
    const copy = new Database(file);
    copy.exec("DROP TRIGGER audit_events_refuse_update; UPDATE audit_events SET subject = 'other'");
    copy.close();
    for (const restore of [() => restoreBackup(dataDir(), file, new Date()), () => scheduleRestore(dataDir(), file)])
      await expect(restore()).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    await (await openStore(dataDir())).destroy();
    expect(readdirSync(dataDir()).filter((entry) => /check|replaced|scheduled/.test(entry))).toEqual([]);
  });

  it("refuses a damaged backup", async () => {
    const backup = await filledStore();
    truncateSync(inDir("backups", backup), 8192);
    await expect(restoreBackup(dataDir(), inDir("backups", backup), new Date())).rejects.toMatchObject({
      code: "BACKUP_DAMAGED",
    });
    await (await openStore(dataDir())).destroy();
  });
});
