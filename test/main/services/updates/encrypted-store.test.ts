// Runs once: tests the file of SQLite (format, migrations, encryption).
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listBackups } from "../../../../main/store/backups/backups.ts";
import { openDatabaseFile } from "../../../../main/store/encryption/database-file.ts";
import { keyOfStore } from "../../../../main/store/encryption/key-keeper.ts";
import { findDamageInFile } from "../../../../main/store/record/integrity.ts";
import { storeFile } from "../../../../main/store/store-files.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";

const marker = "Clinic before the update";
let [dataDir, keysDir] = ["", ""];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "corvet-update-store-"));
  keysDir = mkdtempSync(path.join(tmpdir(), "corvet-update-keys-"));
  vi.stubEnv("CORVET_KEYS_DIR", keysDir);
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of [dataDir, keysDir]) rmSync(folder, { recursive: true, force: true });
});

/** The program from start to end, on the data directory. */
async function run(work: (bench: DesktopBench) => Promise<unknown>): Promise<void> {
  const bench = await openBench({ dataDir, start: false });
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

it("keeps an encrypted copy of an encrypted store before an update changes it, which the older program opens", async () => {
  await run(async ({ call }) => {
    await call("settings.save", { clinicName: marker });
    const { offered } = await call("encryption.offer", {});
    await call("encryption.plan", { isWanted: true, recoveryKey: offered?.recoveryKey ?? null });
  });
  await run(async ({ call }) => expect(await call("encryption.get", {})).toMatchObject({ isEncrypted: true }));
  const key = keyOfStore(dataDir);
  expect(key).not.toBeNull();
  // As an older program left it: a migration is not there yet.
  const older = openDatabaseFile(storeFile(dataDir), key);
  older.exec("DROP TABLE set_aside_objects");
  older.prepare("DELETE FROM migrations WHERE name LIKE '0450-%'").run();
  older.close();
  const before = new Set(listBackups(dataDir).map(({ name }) => name));

  await run(async ({ call }) => {
    expect(await call("settings.get", {})).toMatchObject({ clinicName: marker });
  });

  const [copy, ...others] = listBackups(dataDir).filter(({ name }) => !before.has(name));
  expect(others).toEqual([]);
  const bytes = readFileSync(copy!.path);
  expect([bytes.includes("SQLite format 3"), bytes.includes(marker)]).toEqual([false, false]);
  expect(findDamageInFile(copy!.path, key)).toBeNull();
  const opened = openDatabaseFile(copy!.path, key, { readonly: true });
  const names = opened.prepare("SELECT name FROM migrations WHERE name LIKE '0450-%'").pluck().all();
  const settings = opened.prepare("SELECT value FROM settings WHERE key = 'desktop'").pluck().get();
  opened.close();
  expect([names, String(settings).includes(marker)]).toEqual([[], true]);
});
