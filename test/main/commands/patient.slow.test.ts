import { existsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataDir } from "../../../main/instance-lock.ts";
import { recordBillableMeasurement } from "../store/record-billable-measurement.ts";
import { ensureAccount } from "../../../main/store/people/accounts.ts";
import { listAuditEvents } from "../../../main/store/audit/audit-events.ts";
import { savePatient } from "../../../main/store/films/patients.ts";
import { temporaryStore } from "../store/sample-store.ts";
import { runCommand } from "../../fixtures/process/corvet-command.ts";
import { rawly } from "../../fixtures/raw-store.ts";

let store: Awaited<ReturnType<typeof temporaryStore>>;
const at = new Date("2026-11-10T09:00:00Z");
beforeEach(async () => {
  store = await temporaryStore();
  const { db } = store;
  const seen = { createdAtMs: at.getTime(), lastSeenAtMs: at.getTime() };
  await savePatient(db, {
    id: "rex-row",
    name: "Rex",
    species: "dog",
    breed: "",
    owner: "Muster",
    uuid: "P-1",
    ...seen,
  });
  const { id: accountId } = await ensureAccount(db, { name: "Practice", at });
  for (const uuid of ["P-1", "only-api"]) await recordBillableMeasurement(db, { accountId, uuid, at });
});
afterEach(() => store.remove());

const patient = (...args: string[]) => runCommand("patient", ...args, "--data-dir", store.dataDir);
const uuids = async () =>
  (await rawly(store.db, "SELECT uuid FROM ledger WHERE kind = 'charge' ORDER BY seq")).map(({ uuid }) => uuid);
const statement = ["--why", "asked for", "--by", "Dr. Sommer"];

test("lists patients, and exports one into a ZIP that only the user can read", async () => {
  expect((await patient("list")).stdout).toMatch(/rex-row +Rex +dog +Muster +P-1/);
  const file = path.join(store.dataDir, "rex.zip");
  expect(await patient("export", "P-1", "--to", file)).toMatchObject({ status: 0, stderr: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const unknown = path.join(store.dataDir, "nobody.zip");
  expect(await patient("export", "nobody", "--to", unknown)).toMatchObject({ status: 1 });
  expect(existsSync(unknown)).toBe(false);
});

test("records in the audit trail who exported and erased a patient", async () => {
  await patient("export", "P-1", "--to", path.join(store.dataDir, "rex.zip"));
  await patient("erase", "rex-row", "--yes", ...statement);
  const { rows } = await listAuditEvents(store.db, { limit: 2, offset: 0 });
  const byUser = { via: "command", who: userInfo().username };
  expect(rows).toMatchObject([
    { action: "patient.erased", ...byUser },
    { action: "patient.exported", ...byUser },
  ]);
});

test("lists every patient of a large practice", async () => {
  await rawly(
    store.db,
    `WITH RECURSIVE many (place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM many WHERE place < 10000)
    INSERT INTO patients (id, name, species, breed, owner, created_at_ms, last_seen_at_ms)
    SELECT 'row-' || place, 'Bella', 'cat', '', '', 0, 0 FROM many`,
  );
  const lines = (await patient("list")).stdout.trimEnd().split("\n");
  expect([lines.length, new Set(lines).size]).toEqual([10_002, 10_002]);
  expect(lines[1]).toMatch(/^rex-row/);
});

test("erases a patient only with --yes, also one known only to the API", async () => {
  expect((await patient("erase", "rex-row")).stdout).toMatch(/Rex \(Muster\).*1 measurements.*\n.*add --yes/);
  expect(await uuids()).toEqual(["P-1", "only-api"]);
  expect((await patient("erase", "only-api", "--yes", ...statement)).stdout).toMatch(/Erased: 2 rows, 0 films/);
  expect(await patient("erase", "rex-row", "--yes", ...statement)).toMatchObject({ stderr: "", status: 0 });
  expect(await uuids()).toEqual([expect.stringMatching(/^erased-/), expect.stringMatching(/^erased-/)]);
  expect(await patient("erase", "P-1", "--yes", ...statement)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("no longer exists"),
  });
  expect((await patient("list")).stdout).not.toContain("Rex");
});

test("refuses to erase without a reason and a name, or while the program runs", async () => {
  expect((await patient("erase", "P-1", "--yes")).status).toBe(2);
  const lock = lockDataDir(store.dataDir);
  expect((await patient("erase", "P-1", "--yes", ...statement)).stderr).toContain("Corvet is running");
  lock.release();
  expect(await uuids()).toEqual(["P-1", "only-api"]);
});
