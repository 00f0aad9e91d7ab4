import { existsSync, truncateSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseDatabase, chosenDatabase } from "../../main/services/program/store-location.ts";
import { makeBackup } from "../../main/store/backups/backups.ts";
import { openStore } from "../../main/store/database.ts";
import { ensureAccount, listAccounts } from "../../main/store/people/accounts.ts";
import { storeFile } from "../../main/store/files/store-files.ts";
import { startCluster } from "../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { urlOf } from "../fixtures/postgres/temporary-database.ts";
import { freePort } from "../main/dicom/network/dcmtk.ts";
import { dropOnWindow, film, measuredFilm } from "./actions.ts";
import { call, desktopOf, driver, quit } from "./electron-program.ts";
import { dataDirForTest, launchForTest } from "./for-tests.ts";

describe(`a store that does not open in ${driver}`, () => {
  it("uses the computer's own file while the database is unavailable, and restores it if it is damaged", async () => {
    const dataDir = await dataDirForTest();
    const db = await openStore(dataDir);
    await ensureAccount(db, { name: "Clinic", at: new Date() });
    await makeBackup(db, dataDir, new Date());
    await db.destroy();
    truncateSync(storeFile(dataDir), 20_000);
    chooseDatabase(dataDir, `postgres://corvet:geheim@127.0.0.1:${await freePort()}/practice`, null);
    const program = await launchForTest({ dataDir, answers: [1, 0] });
    await program.page();
    const { asked } = await desktopOf(program);
    const [unavailable, damaged] = asked.map(({ detail }) => detail);
    expect(asked).toHaveLength(2);
    expect(unavailable).toContain("postgres://127.0.0.1");
    expect(unavailable).not.toContain("geheim");
    expect(damaged).not.toMatch(/npm|STORE_DAMAGED|SQLITE/);
    expect(await quit(program)).toBe(0);
    expect(chosenDatabase(dataDir)).toContain("/practice");
    const restored = await openStore(dataDir);
    onTestFinished(() => restored.destroy());
    expect((await listAccounts(restored)).map(({ name }) => name)).toEqual(["Clinic"]);
  });

  it.runIf(hasPostgres)("waits for its database and continues to measure while it is unavailable", async () => {
    const [dataDir, cluster] = [await dataDirForTest(), await startCluster()];
    onTestFinished(() => cluster.remove());
    chooseDatabase(dataDir, urlOf(cluster.folder, "postgres"), null);
    const chosen = chosenDatabase(dataDir);
    await cluster.stop("at once");
    // The unanswered dialog stays open until the database is available.
    const program = await launchForTest({ dataDir });
    await expect.poll(async () => (await desktopOf(program)).asked.length).toBe(1);
    await cluster.start();
    const page = await program.page();
    expect((await desktopOf(program)).asked).toHaveLength(1);
    await call(page, "settings.save", { language: "en", userName: "Dr Weber" });
    await cluster.stop("at once");
    await page.getByText("Changes are not being saved.").waitFor();
    await dropOnWindow(page, [film("dog-02.jpg")]);
    await measuredFilm(page, "dog-02.jpg");
    await cluster.start();
    await page.getByText("Changes are not being saved.").waitFor({ state: "detached" });
    expect((await call(page, "films.list", {})).films).toEqual([]);
    expect(chosenDatabase(dataDir)).toBe(chosen);
    expect(existsSync(path.join(dataDir, "server.json"))).toBe(true);
  });
});
