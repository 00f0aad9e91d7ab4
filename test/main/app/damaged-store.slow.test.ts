import Database from "better-sqlite3";
import { readdirSync, truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { folderForTest } from "../../fixtures/folders.ts";
import { openOrRecover } from "../../../main/app/starting/open-or-recover.ts";
import { recordAudit } from "../../../main/store/audit/audit-events.ts";
import { makeBackup } from "../../../main/store/backups/backups.ts";
import { openStore } from "../../../main/store/database.ts";
import { ensureAccount, listAccounts } from "../../../main/store/people/accounts.ts";
import { storeFile } from "../../../main/store/files/store-files.ts";

const at = new Date("2026-11-20T03:00:00Z");

async function damagedDirectory({ hasBackup }: { readonly hasBackup: boolean }): Promise<string> {
  const dataDir = folderForTest();
  const db = await openStore(dataDir);
  await ensureAccount(db, { name: "Clinic", at });
  if (hasBackup) await makeBackup(db, dataDir, at);
  await db.destroy();
  truncateSync(storeFile(dataDir), 20_000);
  return dataDir;
}

const asides = (dataDir: string) => readdirSync(dataDir).filter((name) => name.includes(".damaged-")).length;

async function accountsAfter(dataDir: string, said: "restore" | "empty"): Promise<readonly string[]> {
  const db = await openOrRecover({ dataDir, open: () => openStore(dataDir), ask: () => Promise.resolve(said) });
  const accounts = await listAccounts(db!);
  await db!.destroy();
  return accounts.map(({ name }) => name);
}

describe("a store that is damaged", () => {
  it.each([
    ["restore", true, ["Clinic"]],
    ["empty", true, []],
    ["restore", false, []],
  ] as const)("is replaced as the user decides: %s, with a backup: %s", async (said, hasBackup, accounts) => {
    const dataDir = await damagedDirectory({ hasBackup });
    expect(await accountsAfter(dataDir, said)).toEqual(accounts);
    expect(asides(dataDir)).toBe(1);
  });

  it("asks again at the next start if the user quits", async () => {
    const dataDir = await damagedDirectory({ hasBackup: true });
    const ask = () => Promise.resolve("quit" as const);
    for (let start = 0; start < 2; start += 1)
      expect(await openOrRecover({ dataDir, open: () => openStore(dataDir), ask })).toBeNull();
    expect(await accountsAfter(dataDir, "restore")).toEqual(["Clinic"]);
  });

  it("offers the next older backup if the record of a backup does not verify", async () => {
    const dataDir = folderForTest();
    const db = await openStore(dataDir);
    await recordAudit(db, { action: "key.created", subject: "clinic" });
    const older = await makeBackup(db, dataDir, at);
    const newer = await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    await db.destroy();
    const copy = new Database(newer.path);
    copy.exec("DROP TRIGGER audit_events_refuse_update; UPDATE audit_events SET subject = 'other'");
    copy.close();
    truncateSync(storeFile(dataDir), 20_000);
    const offered: (string | undefined)[] = [];
    const ask = (_error: unknown, backup: { readonly name: string } | null) => {
      offered.push(backup?.name);
      return Promise.resolve("restore" as const);
    };
    await (await openOrRecover({ dataDir, open: () => openStore(dataDir), ask }))!.destroy();
    expect(offered).toEqual([newer.name, older.name]);
  });

  it("does not ask about other failures", async () => {
    const fail = () => Promise.reject(new Error("another"));
    const ask = () => expect.unreachable();
    await expect(openOrRecover({ dataDir: "/nowhere", open: fail, ask })).rejects.toThrow("another");
  });
});
