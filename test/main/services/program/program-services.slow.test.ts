// Runs once: its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ensureTlsCredentials } from "../../../../main/server/tls/tls.ts";
import { importPack } from "../../../../main/services/program/packs.ts";
import { recordBillableMeasurement } from "../../store/record-billable-measurement.ts";
import { applyImageRetention } from "../../../../main/services/worklist/image-retention.ts";
import { backupsDir, filmsDir } from "../../../../main/store/files/store-files.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { turnsOfFreeLoop, turnsUntil } from "../../../fixtures/event-loop.ts";
import { measured } from "../../store/sample-store.ts";
import { addBallast, refuseRows, tamper } from "../../../fixtures/raw-store.ts";
import { zipOf } from "../../../fixtures/zip-of.ts";
import { restart, useBench } from "../../../fixtures/use-bench.ts";

const bench = useBench();
beforeEach(() => bench.engine.answers(measured));

describe("image retention", () => {
  const images = async () => (await bench.call("films.list", {})).films.map((film) => film.hasImage);
  const add = async (number: number) => {
    await bench.addFile(`${number}.png`, await smallPicture(number));
    await bench.desktop.parts.queue.whenIdle();
  };

  it("keeps images until the film is removed from the worklist by default", async () => {
    await add(1);
    bench.setNow(new Date(Date.UTC(2030, 1, 1)));
    await applyImageRetention(bench.desktop.context, true);
    expect(await images()).toEqual([true]);
  });

  it("deletes images after the configured days, keeps the readings, and allows to open the file again", async () => {
    await add(1);
    await bench.call("settings.save", { keepImages: "days", keepImagesDays: 10 });
    bench.setNow(new Date(Date.UTC(2026, 10, 30)));
    await add(2);
    await applyImageRetention(bench.desktop.context, false);
    expect(await images()).toEqual([true, true]);
    bench.setNow(new Date(Date.UTC(2026, 11, 2)));
    await applyImageRetention(bench.desktop.context, false);
    expect(await images()).toEqual([true, false]);
    const gone = (await bench.call("films.list", { search: "1.png" })).films[0]!;
    expect([gone.reading?.vhs, gone.urls]).toEqual([
      measured.score.vhs,
      { thumbnail: null, pixels: null, rectified: null },
    ]);
    expect(existsSync(path.join(bench.dataDir, "films", gone.sha256))).toBe(false);
    await add(1);
    await applyImageRetention(bench.desktop.context, false);
    expect(await images()).toEqual([true, true]);
  });

  it("keeps images a week longer after the clock jumped, and deletes none if the clock is corrected", async () => {
    await add(1);
    await bench.call("settings.save", { keepImages: "days", keepImagesDays: 10 });
    const after = async (day: string) => {
      bench.setNow(new Date(`${day}T08:00:00Z`));
      await applyImageRetention(bench.desktop.context, false);
      return images();
    };
    expect(await after("2026-11-25")).toEqual([true]);
    // The clock of a workstation jumps ahead and is corrected after two days.
    expect(await after("2036-11-25")).toEqual([true]);
    expect(await after("2036-11-27")).toEqual([true]);
    expect(await after("2026-11-27")).toEqual([true]);
    // The practice was closed for six weeks.
    expect(await after("2027-01-08")).toEqual([true]);
    expect(await after("2027-01-14")).toEqual([true]);
    expect(await after("2027-01-16")).toEqual([false]);
  });

  it("can delete images when the program ends, except those of pending films", async () => {
    await bench.call("settings.save", { keepImages: "while_open" });
    await add(1);
    bench.engine.hold();
    await bench.addFile("2.png", await smallPicture(2));
    await applyImageRetention(bench.desktop.context, false);
    expect(await images()).toEqual([true, true]);
    await restart(bench, { start: false });
    bench.engine.answers(measured);
    await bench.desktop.start();
    await bench.desktop.parts.queue.whenIdle();
    await bench.desktop.close();
    expect(
      bench
        .eventsOf("film.changed")
        .filter(({ film }) => !film.hasImage)
        .map(({ film }) => film.fileName),
    ).toEqual(["1.png"]);
  });
});

describe("settings", () => {
  it("are stored by field and published", async () => {
    expect(await bench.call("settings.get", {})).toMatchObject({
      language: "system",
      theme: "dark",
      keepImages: "until_removed",
      measuresOnArrival: true,
      isSetUp: false,
    });
    await bench.call("settings.save", { language: "de", shortcuts: { invert: "I" } });
    await bench.call("settings.save", { userName: "Dr. Muster" });
    expect(await bench.call("settings.get", {})).toMatchObject({
      language: "de",
      shortcuts: { invert: "I" },
      userName: "Dr. Muster",
      theme: "dark",
    });
    expect(bench.eventsOf("settings.changed").map(({ settings }) => settings.userName)).toEqual(["", "Dr. Muster"]);
    await expect(bench.call("settings.save", { theme: "pink" as never })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
  });
});

describe("the service", () => {
  it("returns its address and applies changed settings at the next start", async () => {
    const { authorityPath } = await ensureTlsCredentials(bench.dataDir, [], bench.context.now());
    expect(await bench.call("server.get", {})).toMatchObject({
      url: "https://localhost:4443",
      hostNames: [],
      needsRestart: false,
      authority: { file: authorityPath },
    });
    const changed = await bench.call("server.configure", {
      hostNames: ["Xray.Practice.local", "10.0.0.7"],
      isPlainHttpAllowed: false,
    });
    expect(changed).toMatchObject({ hostNames: ["xray.practice.local", "10.0.0.7"], needsRestart: true });
    for (const name of ["http://a", "a b", "-a", "a/", "*"]) {
      await expect(
        bench.call("server.configure", { hostNames: [name], isPlainHttpAllowed: false }),
      ).rejects.toMatchObject({ code: "INVALID_FIELD" });
    }
    expect(await bench.call("server.configure", { isPlainHttpAllowed: true })).toMatchObject({
      hostNames: ["xray.practice.local", "10.0.0.7"],
      isPlainHttpAllowed: true,
    });
    expect(await bench.call("server.configure", { hostNames: ["later"] })).toMatchObject({
      hostNames: ["later"],
      isPlainHttpAllowed: true,
    });
    expect((await bench.call("server.authority", {})).text).toMatch(/^-----BEGIN CERTIFICATE-----/);
    await expect(bench.call("app.openDataFolder", {})).rejects.toMatchObject({ code: "NOT_AVAILABLE" });
  });

  it("describes itself, with the licences of its libraries", async () => {
    const about = await bench.call("app.about", {});
    const licences = await bench.call("app.licences", {});
    expect(about).toMatchObject({ programVersion: "0.1.0", dataDir: bench.dataDir });
    expect(licences.licences.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["better-sqlite3", "fastify", "onnxruntime-node", "react", "sharp", "zod"]),
    );
    expect(licences.licences.map(({ name }) => name)).not.toContain("vitest");
    expect(licences.licenceText).toContain("MIT");
    const credited = licences.trainingSources.map(({ pack, source }) => `${pack}: ${source}`).join("\n");
    expect(credited).toMatch(/landmarks-corvet: .*Zenodo 19051776, CC BY 4\.0/);
    expect(await bench.call("app.health", {})).toMatchObject({ hasNoPack: false, release: null });
  });
});

describe("keys and ledger", () => {
  it("create a key that is returned once, rename and revoke it", async () => {
    const { keyId, key } = await bench.call("keys.create", { accountName: "Clinic", name: "practice software" });
    expect(key).toMatch(/^corvet_/);
    await bench.call("keys.rename", { keyId, name: "PMS" });
    await bench.call("keys.revoke", { keyId });
    const { keys } = await bench.call("keys.list", {});
    expect(keys).toEqual([
      {
        keyId,
        name: "PMS",
        accountId: expect.any(String),
        accountName: "Clinic",
        createdAt: expect.any(String),
        lastUsedAt: null,
        revokedAt: expect.any(String),
      },
    ]);
    expect(JSON.stringify(keys)).not.toContain(key);
    await expect(bench.call("keys.revoke", { keyId: "none" })).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
  });

  it("show the month's usage, filtered events, a CSV table and the verification of the chain", async () => {
    await bench.call("keys.create", { accountName: "Clinic", name: "" });
    const { accountId } = (await bench.call("keys.list", {})).keys[0]!;
    for (const uuid of ["P-1", "P-2"]) await recordBillableMeasurement(bench.context.db, { accountId, uuid });
    await recordBillableMeasurement(bench.context.db, { accountId, callType: "session" });
    const { usage, months } = await bench.call("ledger.usage", { month: "2026-11" });
    expect(usage).toEqual([
      {
        accountId,
        accountName: "Clinic",
        calls: 3,
        cardiacCalls: 3,
        usgCalls: 0,
        amountCents: 1000,
      },
    ]);
    expect(months).toEqual(["2026-11"]);
    const { events, total } = await bench.call("ledger.events", { limit: 2 });
    expect([total, events.map(({ seq, accountName }) => [seq, accountName])]).toEqual([
      3,
      [
        [3, "Clinic"],
        [2, "Clinic"],
      ],
    ]);
    expect((await bench.call("ledger.events", { search: "p-1" })).events.map(({ uuid }) => uuid)).toEqual(["P-1"]);
    const csv = await bench.call("ledger.csv", { month: "2026-11" });
    expect([csv.fileName, csv.text.split("\r\n").length]).toEqual(["ledger-2026-11.csv", 5]);
    expect(await bench.call("ledger.verify", {})).toEqual({ rows: 3, fault: null, statements: [] });
    await tamper(bench.context.db, "UPDATE ledger SET amount_cents = 1 WHERE seq = 2");
    expect(await bench.call("ledger.verify", {})).toMatchObject({
      fault: { subject: "2", problem: { name: "ledgerRowChanged", values: { row: 2 } } },
    });
  });
});

describe("many backups", () => {
  it("are checked for the list and before a restore without blocking the program", async () => {
    addBallast(bench.context.db, 10_000);
    for (let count = 0; count < 2; count += 1) await bench.call("backups.make", { backupId: randomUUID() });
    const { backups } = await bench.call("backups.list", {});
    for (const check of [
      () => bench.call("backups.listDamaged", {}),
      () => bench.call("backups.restore", { name: backups[0]!.name }),
    ])
      expect(await turnsUntil(check())).toBeGreaterThan(turnsOfFreeLoop);
  });
});

describe("cancellation of a backup", () => {
  it("leaves no file, reports the cancellation, and does not block the next one", async () => {
    const backupId = randomUUID();
    const making = bench.desktop.call("backups.make", { backupId }, "window");
    await bench.call("backups.cancel", { backupId: randomUUID() });
    await expect(bench.call("backups.make", { backupId: randomUUID() })).rejects.toMatchObject({ code: "CONFLICT" });
    await bench.call("backups.cancel", { backupId });
    expect(await making).toMatchObject({ ok: false, code: "ABORTED" });
    expect(readdirSync(backupsDir(bench.dataDir))).toEqual([]);
    await bench.call("backups.cancel", { backupId });
    const made = await bench.call("backups.make", { backupId });
    expect(readdirSync(backupsDir(bench.dataDir))).toEqual([made.name]);
  });

  it("ends the copy to a second folder, whose progress is published, and keeps the local backup", async () => {
    const folder = path.join(bench.dataDir, "..", `${path.basename(bench.dataDir)}-outside`);
    mkdirSync(folder);
    const film = path.join(filmsDir(bench.dataDir), "a".repeat(64));
    mkdirSync(path.dirname(film), { recursive: true });
    writeFileSync(film, "");
    truncateSync(film, 1_000_000_000);
    await bench.call("backups.savePlan", { folder, withFilms: true, isEncrypted: false });
    const backupId = randomUUID();
    const making = bench.desktop.call("backups.make", { backupId }, "window");
    const last = () => bench.eventsOf("backup.progress").at(-1);
    await expect.poll(last).toMatchObject({ backupId, progress: { place: "outside" } });
    await bench.call("backups.cancel", { backupId });
    expect(await making).toMatchObject({ ok: false, code: "ABORTED" });
    expect([last()!.progress.totalBytes > 1_000_000_000, readdirSync(folder)]).toEqual([true, []]);
    expect((await bench.call("backups.list", {})).backups).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  it("happens when the program ends", async () => {
    const making = bench.desktop.call("backups.make", { backupId: randomUUID() }, "window");
    await bench.close();
    expect(await making).toMatchObject({ ok: false, code: "ABORTED" });
    expect(readdirSync(backupsDir(bench.dataDir))).toEqual([]);
  });
});

describe("packs", () => {
  const usgPack = "models/packs/usg-corvet";
  const renamed = (name: string) =>
    JSON.stringify({ ...(JSON.parse(readFileSync(`${usgPack}/manifest.json`, "utf8")) as object), name });
  const importZip = async (entries: Record<string, Buffer | string>) =>
    importPack(bench.desktop.context, bench.desktop.parts.options, await zipOf(entries));

  it("are listed with card, figures and statement", async () => {
    const { packs } = await bench.call("packs.list", {});
    const usg = packs.find(({ name }) => name === "usg-corvet")!;
    expect(usg).toMatchObject({ kind: "usg", isClinicallyValidated: false });
    expect(usg.card).toMatch(/not clinically validated/i);
    expect(usg.evaluation.length).toBeGreaterThan(3);
    expect(usg.trainingData).not.toBe("");
  });

  it("are imported from a ZIP and activated", async () => {
    await importZip({
      "mine/manifest.json": renamed("usg-mine"),
      "mine/model.json": readFileSync(`${usgPack}/model.json`),
      "mine/CARD.md": "# Mine",
      "mine/deeper/other.txt": "no",
    });
    expect((await bench.call("packs.list", {})).packs.find(({ name }) => name === "usg-mine")).toMatchObject({
      card: "# Mine",
      state: "available",
    });
    expect(existsSync(path.join(bench.dataDir, "packs", "usg-mine", "other.txt"))).toBe(false);
    await bench.call("packs.activate", { name: "usg-mine" });
    const { packs } = await bench.call("packs.list", {});
    expect(
      packs
        .filter(({ kind }) => kind === "usg")
        .map(({ name, state }) => [name, state])
        .sort(),
    ).toEqual([
      ["usg-corvet", "available"],
      ["usg-mine", "active"],
    ]);
    await expect(bench.call("packs.activate", { name: "none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("replace broken packs of the same name; broken packs cannot be activated", async () => {
    const place = path.join(bench.dataDir, "packs", "usg-mine");
    mkdirSync(place, { recursive: true });
    for (const file of ["manifest.json", "half-of-it"]) writeFileSync(path.join(place, file), "{");
    await expect(bench.call("packs.activate", { name: "usg-mine" })).rejects.toMatchObject({
      code: "PACK_REFUSED",
      message: expect.stringContaining("manifest.json") as string,
    });
    const model = readFileSync(`${usgPack}/model.json`);
    await importZip({ "manifest.json": renamed("usg-mine"), "model.json": model });
    expect(readdirSync(place).sort()).toEqual(["manifest.json", "model.json"]);
    await bench.call("packs.activate", { name: "usg-mine" });
    const { packs } = await bench.call("packs.list", {});
    expect(packs.find(({ name }) => name === "usg-mine")?.state).toBe("active");
    await importZip({ "manifest.json": renamed("usg-broken"), "model.json": "{}" });
    await expect(bench.call("packs.activate", { name: "usg-broken" })).rejects.toMatchObject({ code: "PACK_REFUSED" });
    expect((await bench.call("usg.model", {})).isLoaded).toBe(true);
    expect((await bench.call("packs.list", {})).packs.find(({ name }) => name === "usg-mine")?.state).toBe("active");
  });

  it("are not imported if the import cannot be audited", async () => {
    const model = readFileSync(`${usgPack}/model.json`);
    const allow = await refuseRows(bench.context.db, "audit_events", { message: "no rows" });
    const importing = importZip({ "manifest.json": renamed("usg-mine"), "model.json": model });
    await expect(importing).rejects.toThrow("no rows");
    await allow();
    expect(readdirSync(path.join(bench.dataDir, "packs"))).toEqual([]);
  });

  it("do not replace other packs in a folder of the same name, and invalid files are rejected", async () => {
    const place = path.join(bench.dataDir, "packs", "usg-mine");
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, "manifest.json"), renamed("usg-other"));
    await expect(importZip({ "manifest.json": renamed("usg-mine"), "model.json": "{}" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(readdirSync(place)).toEqual(["manifest.json"]);
    rmSync(place, { recursive: true });
    await refusesFiles();
  });

  it("are used even if a broken pack in another folder has the same name", async () => {
    const { health } = bench.engine;
    const reason = "manifest.json is not JSON";
    const broken = { kind: null, name: "landmarks-corvet", version: null, folder: "/elsewhere", reason, why: null };
    bench.engine.health = () => ({ ...health(), packs: [{ ...broken, state: "refused" }] });
    await bench.call("packs.activate", { name: "landmarks-corvet" });
    const { packs } = await bench.call("packs.list", {});
    expect(packs.find(({ folder }) => folder === "/elsewhere")).toMatchObject({ state: "refused", reason });
  });

  /** Expects files that are no packs, or have the name of one of Corvet's packs, to be rejected. */
  async function refusesFiles(): Promise<void> {
    const ofCorvet = readFileSync(`${usgPack}/manifest.json`);
    const refused: readonly (readonly [Buffer, string])[] = [
      [Buffer.from("nothing of the kind"), "PACK_REFUSED"],
      [await zipOf({ "a.txt": "a" }), "PACK_REFUSED"],
      [await zipOf({ "manifest.json": "{}" }), "PACK_REFUSED"],
      [await zipOf({ "manifest.json": ofCorvet }), "CONFLICT"],
    ];
    for (const [zip, code] of refused)
      await expect(importPack(bench.desktop.context, bench.desktop.parts.options, zip)).rejects.toMatchObject({ code });
    mkdirSync(path.join(bench.dataDir, "packs"), { recursive: true });
    writeFileSync(path.join(bench.dataDir, "packs", "marker"), "");
    const { packs } = await bench.call("packs.list", {});
    expect(packs.some(({ folder }) => folder.startsWith(bench.dataDir))).toBe(false);
  }
});
