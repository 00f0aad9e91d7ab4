import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { folderForTest } from "../../fixtures/folders.ts";
import { recordBillableMeasurement } from "../store/record-billable-measurement.ts";
import { authenticateKey, getEnterpriseRates } from "../../../main/store/people/api-keys.ts";
import { listLedgerEvents } from "../../../main/store/ledger/ledger-reports.ts";
import { openStore, type WritableDb } from "../../../main/store/database.ts";
import { runCommand } from "../../fixtures/process/corvet-command.ts";
import { temporaryDataDir, temporaryStore } from "../store/sample-store.ts";

const directory = temporaryDataDir();
const { dataDir } = directory;
let service: WritableDb;
beforeAll(async () => {
  service = await openStore(dataDir); // the store is open as the running service has it
});
afterAll(async () => {
  await service.destroy();
  directory.remove();
});

const run = (command: "keys" | "ledger" | "backup", ...args: string[]) => runCommand(command, ...args);
const inDir = ["--data-dir", dataDir];

async function openOther() {
  const { db, dataDir, remove } = await temporaryStore({ isFast: false });
  onTestFinished(remove);
  return { db, dataDir, inDir: ["--data-dir", dataDir] };
}

describe("keys", () => {
  it("prints only the new key, which the running service accepts at once", async () => {
    const { status, stdout, stderr } = await run("keys", "create", ...inDir);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^corvet_[A-Za-z0-9_-]{43}\n$/);
    expect(await authenticateKey(service, stdout.trim(), new Date())).not.toBeNull();
  });

  it.runIf(process.platform === "linux")("revokes a new key that cannot be printed", async () => {
    const { dataDir, remove } = temporaryDataDir();
    onTestFinished(remove);
    const full = openSync("/dev/full", "w");
    const onFullDisk = (...args: string[]) => {
      const command = [path.resolve("main/commands/corvet.ts"), "keys", ...args, "--data-dir", dataDir];
      const { status, stderr } = spawnSync(process.execPath, command, {
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
      });
      return [status, stderr];
    };
    expect(onFullDisk("create")).toEqual([1, "keys: The new key could not be printed and is revoked.\n"]);
    expect(onFullDisk("list")).toEqual([1, expect.stringMatching(/^corvet: The output cannot be written \(.*\)\.\n$/)]);
    closeSync(full);
    const [, row = ""] = (await run("keys", "list", "--data-dir", dataDir)).stdout.split("\n");
    expect(row.split(/ {2,}/)[5]).toMatch(/^\d{4}-/);
  });

  it("lists keys without their secrets", async () => {
    const { db, inDir } = await openOther();
    const named = await run("keys", "create", ...inDir, "--account", "Clinic am See", "--name", "X-ray room");
    await authenticateKey(db, named.stdout.trim(), new Date("2026-11-10T09:00:00Z"));
    const key = (await run("keys", "create", ...inDir)).stdout.trim();
    const { status, stdout } = await run("keys", "list", ...inDir);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.split(/ {2,}/));
    const time = expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/);
    const id = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect([status, stdout.includes(key.slice(7, 20))]).toEqual([0, false]);
    expect(rows).toEqual([
      ["ID", "ACCOUNT", "NAME", "CREATED", "LAST USED", "REVOKED", "ENTERPRISE"],
      [id, "Clinic am See", "X-ray room", time, "2026-11-10T09:00:00.000Z", "-", "-"],
      [id, "Clinic", "-", time, "-", "-", "-"],
    ]);
    expect((await run("keys", "list", ...inDir, "--account", "clinic")).stdout.split("\n")).toHaveLength(3);
  });

  it("revokes a key from the service's next call on", async () => {
    const key = (await run("keys", "create", ...inDir, "--account", "Leaver")).stdout.trim();
    const keyId = (await authenticateKey(service, key, new Date()))?.keyId ?? "";
    expect(await run("keys", "revoke", ...inDir, keyId)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(await authenticateKey(service, key, new Date())).toBeNull();
    expect((await run("keys", "list", ...inDir, "--account", "Leaver")).stdout).toMatch(/Z {2,}-\n$/);
  });

  it("sets, lists and resets the enterprise rates of a key", async () => {
    const keyId =
      (
        await authenticateKey(
          service,
          (await run("keys", "create", ...inDir, "--account", "Hospital")).stdout.trim(),
          new Date(),
        )
      )?.keyId ?? "";
    const shown = async () =>
      (await run("keys", "list", ...inDir, "--account", "Hospital")).stdout.trimEnd().split(/ {2,}/).at(-1);
    expect(await run("keys", "rate", ...inDir, keyId, "--single", "1.80", "--session", "2.7")).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
    expect([await getEnterpriseRates(service, keyId), await shown()]).toEqual([
      { single: 180, session: 270 },
      "1.80/2.70",
    ]);
    expect(await run("keys", "rate", ...inDir, keyId, "--none")).toEqual({ status: 0, stdout: "", stderr: "" });
    expect([await getEnterpriseRates(service, keyId), await shown()]).toEqual([null, "-"]);
  });

  it.each([
    ["an unknown key's rates", 1, ["rate", ...inDir, "nobody", "--none"], "keys: There is no key nobody.\n"],
    ["half of the rates", 2, ["rate", ...inDir, "nobody", "--single", "1.80"], "--single and --session, or --none"],
    [
      "a rate below a cent",
      2,
      ["rate", ...inDir, "nobody", "--single", "1.805", "--session", "2"],
      "option '--single <dollars>' argument '1.805' is invalid",
    ],
    ["rates together with --none", 2, ["rate", ...inDir, "nobody", "--none", "--session", "2"], "--none excludes"],
    ["an unknown key", 1, ["revoke", ...inDir, "nobody"], "keys: There is no key nobody.\n"],
    ["an unknown account", 1, ["list", ...inDir, "--account", "Nobody"], "keys: There is no account Nobody.\n"],
    [
      "a data directory without a store",
      1,
      ["list", "--data-dir", `${dataDir}/none`],
      `keys: There is no store in ${dataDir}/none; --data-dir names another folder.\n`,
    ],
    ["a missing KEY_ID", 2, ["revoke", ...inDir], "missing required argument 'key-id'"],
    ["an account without a name", 2, ["create", ...inDir, "--account", " "], "--account must not be empty"],
    ["a control character", 2, ["create", ...inDir, "--account", "a\u0007b"], "--account must not contain control"],
  ])("rejects %s", async (_case, status, args, message) => {
    const result = await run("keys", ...args);
    expect([result.status, result.stdout]).toEqual([status, ""]);
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toContain("    at ");
    expect(existsSync(`${dataDir}/none`)).toBe(false);
  });
});

describe("ledger", () => {
  it("verifies and exports an intact ledger, and reports a changed row with status 1", async () => {
    const { db, dataDir, inDir } = await openOther();
    const { accountId = "" } =
      (await authenticateKey(
        db,
        (await run("keys", "create", ...inDir, "--account", "Payer")).stdout.trim(),
        new Date(),
      )) ?? {};
    for (const month of ["10", "11"]) {
      const at = new Date(`2026-${month}-01T00:00:00Z`);
      await recordBillableMeasurement(db, { accountId, uuid: `Rex, "${month}"`, at });
    }
    expect(await run("ledger", "verify", ...inDir)).toEqual({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(
        /^The ledger is intact: 2 rows, last hash [0-9a-f]{64}\nMeasurements, readings and screenings are unchanged: 2\nThe audit trail is unchanged\n$/,
      ),
    });
    const lines = (await run("ledger", "export", ...inDir)).stdout.split("\r\n");
    expect([
      lines.length,
      lines[0]?.slice(0, 16),
      lines[1]?.startsWith("1,charge,"),
      lines[2]?.includes('"Rex, ""11"""'),
    ]).toEqual([4, "seq,kind,callId,", true, true]);
    expect(
      (await run("ledger", "export", ...inDir, "--account", "payer", "--month", "2026-10")).stdout.split("\r\n"),
    ).toHaveLength(3);

    const forged = folderForTest();
    // Use another process, since closing the store's file in this one would release SQLite's locks on it.
    const copy = `require("node:fs").cpSync(${JSON.stringify(dataDir)}, ${JSON.stringify(forged)}, { recursive: true })`;
    expect(spawnSync(process.execPath, ["-e", copy]).status).toBe(0);
    const forger = new Database(path.join(forged, "corvet.db"));
    forger.exec("DROP TRIGGER ledger_refuses_update; UPDATE ledger SET amount_cents = 1 WHERE seq = 2");
    forger.close();
    expect(await run("ledger", "verify", "--data-dir", forged)).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "ledger: Row 2 of the ledger does not match its own hash. To accept it, state the reason: " +
        `npx corvet ledger continue --at 2 --by NAME --why TEXT --data-dir "${forged}"\n`,
    });

    const accept = ["--by", "Dr Vet", "--why", "disk died", "--data-dir", forged];
    expect(await run("ledger", "continue", ...accept, "--at", "1")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("The first fault is at 2, not 1"),
    });
    const statement = expect.stringMatching(/Dr Vet.*disk died/);
    expect(await run("ledger", "continue", ...accept, "--at", "2")).toMatchObject({ status: 0, stdout: statement });
    expect(await run("ledger", "verify", "--data-dir", forged)).toMatchObject({ status: 0, stdout: statement });
  });

  it("sets, lists and removes the price of screenings", async () => {
    const { accountId = "" } =
      (await authenticateKey(
        service,
        (await run("keys", "create", ...inDir, "--account", "Cats")).stdout.trim(),
        new Date(),
      )) ?? {};
    const charged = async (month: number) => {
      const at = new Date(Date.UTC(2027, month));
      await recordBillableMeasurement(service, { accountId, service: "usg", measurements: [], at });
      return (await listLedgerEvents(service)).find((event) => event.accountId === accountId)?.amountCents;
    };
    const row = async () =>
      (await run("ledger", "tariff", ...inDir)).stdout.trimEnd().split("\n").at(-1)?.split(/ {2,}/);
    const before = await charged(0);
    const [set, priced, shown] = [await run("ledger", "price-usg", ...inDir, "1.10"), await charged(1), await row()];
    const [cleared, unpriced, hidden] = [
      await run("ledger", "price-usg", ...inDir, "none"),
      await charged(2),
      await row(),
    ];
    const quiet = { status: 0, stdout: "", stderr: "" };
    expect([before, set, priced, shown]).toEqual([null, quiet, 110, ["usg", "-", "1.10", "-"]]);
    expect([cleared, unpriced, hidden]).toEqual([quiet, null, ["usg", "-", "none", "-"]]);
    expect((await run("ledger", "tariff", ...inDir)).stdout.split("\n")[1]?.split(/ {2,}/)).toEqual([
      "paygo",
      "100",
      "3.00",
      "4.00",
    ]);
  });

  it.each([
    ["an invalid price", 2, ["price-usg", ...inDir, "1,10"]],
    ["a negative price", 2, ["price-usg", ...inDir, "--", "-1"]],
    ["an unknown account", 1, ["export", ...inDir, "--account", "Nobody"]],
    ["an invalid month", 2, ["export", ...inDir, "--month", "2026-13"]],
    ["a data directory without a store", 1, ["verify", "--data-dir", `${dataDir}/none`]],
  ])("refuses %s", async (_case, status, args) =>
    expect(await run("ledger", ...args)).toMatchObject({ status, stdout: "" }),
  );
});

describe("backup", () => {
  it("makes and lists a backup while the service runs, and restores it only when stopped", async () => {
    const file = (await run("backup", "make", ...inDir)).stdout.trim();
    const name = path.basename(file);
    expect((await run("backup", "list", ...inDir)).stdout).toMatch(new RegExp(`^${name}  .*  good\n$`));
    expect(await run("backup", "restore", ...inDir, name)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Corvet is running"),
    });
    await service.destroy();
    expect(await run("backup", "restore", ...inDir, name)).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringContaining("is the store now"),
    });
    service = await openStore(dataDir);
    expect(await run("backup", "start-empty", ...inDir)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("already"),
    });
  });
});
