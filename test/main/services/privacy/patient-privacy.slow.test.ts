import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import { recordBillableMeasurement } from "../../store/record-billable-measurement.ts";
import type { MailDraft } from "../../../../main/services/results/mail-draft.ts";
import { clearLeftovers } from "../../../../main/services/program/leftovers.ts";
import { exportPatient } from "../../../../main/services/privacy/export-patient.ts";
import { readNotedHead } from "../../../../main/store/ledger/record-anchor.ts";
import { verifyRecord } from "../../../../main/store/record/record-verification.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { findDicomPatient, linkDicomPatient } from "../../../../main/store/films/dicom/dicom-patients.ts";
import { saveSetAside } from "../../../../main/store/films/dicom/set-aside-objects.ts";
import { filmsDir, notOpenedDir, storeFile } from "../../../../main/store/files/store-files.ts";
import { makeBackup } from "../../../../main/store/backups/backups.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { unzipped } from "../../../fixtures/unzipped.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measuredAt, unmeasured } from "../../store/sample-store.ts";
import { stubHandouts } from "../../../fixtures/stub-handouts.ts";
import { isOnPostgres, onlyOn, rawly, refuseRows, tamper } from "../../../fixtures/raw-store.ts";
import { filesBelow } from "../../../fixtures/folders.ts";
import type { MeteredCall } from "../../../../main/services/calls/billing.ts";
import { useBench } from "../../../fixtures/use-bench.ts";

const bench = useBench({
  openMail: async (draft) => {
    opened.push(draft);
    return "attached";
  },
});
let rex: DesktopResponse<"patients.create">;
let other: DesktopResponse<"patients.create">;
let opened: MailDraft[];
const owner = "Ännchen Geheimrat";

beforeEach(async () => {
  opened = [];
  rex = await bench.addPatient({ breed: "Cavalier", owner, uuid: "practice-4711" });
  other = await bench.addPatient({ name: "Bello", breed: "Cavalier", owner, uuid: "practice-4712" });
  await film(1, rex.id);
  await film(2, other.id);
  const { id: accountId } = await ensureAccount(bench.context.db, { name: "Practice", at: bench.context.now() });
  const record = (call: Pick<MeteredCall, "uuid"> & Partial<MeteredCall>) =>
    recordBillableMeasurement(bench.context.db, { accountId, at: bench.context.now(), ...call });
  for (const uuid of ["practice-4711", "practice-4712"]) await record({ uuid });
  await record({ uuid: "practice-4711", isBillable: false, measurements: [unmeasured] });
  const features = { BUN: 22, CREATININE: 1.2, HGB: 14, "ABSOLUTE LYMPHOCYTES": 2600, age_months: 36 };
  await bench.call("usg.screen", { patientId: rex.id, clinicCode: null, features });
});

async function film(number: number, patientId: string): Promise<void> {
  bench.engine.answers(measuredAt(10 + number / 10));
  const { id } = await bench.openFilm(`film-${number}.png`, await smallPicture(number));
  await bench.call("films.assignPatient", { filmIds: [id], patientId });
}

async function notOpened(fileName: string, patientName: string): Promise<void> {
  const { db, dicom } = bench.context;
  const file = phantomFile({ instance: "1.2.3.4", patientId: "practice-4711", patientName });
  const { instance } = await dicom.contents(file);
  const uuid = instance.patient.uuid ?? "";
  if ((await findDicomPatient(db, uuid)) === null)
    await linkDicomPatient(db, uuid, { patientId: rex.id, name: "Rex", number: "4711" });
  const failure = JSON.stringify({ code: "DICOM_WITHOUT_PIXELS", message: "" });
  const facts = JSON.stringify(instance);
  await saveSetAside(db, { id: randomUUID(), fileName, receivedAtMs: 0, sender: null, facts, failure });
  mkdirSync(notOpenedDir(bench.dataDir), { recursive: true });
  writeFileSync(path.join(notOpenedDir(bench.dataDir), fileName), file);
}

/** Verifies without a thread; the channel "ledger.verify" starts one. */
const verified = () => verifyRecord(bench.context.db, readNotedHead(bench.context.db));
const erase = () => bench.call("patients.erase", { patientId: rex.id, why: "the owner asked for it" });

describe("the export of a patient", () => {
  it("contains data, films, handouts and DICOM results, but nothing of other patients", async () => {
    const { download, ...held } = await bench.call("patients.export", { patientId: rex.id, language: "de" });
    expect(held).toEqual({ films: 1, filmsWithoutFile: 0 });
    const { rows } = await listAuditEvents(bench.context.db, { patientId: rex.id, limit: 10, offset: 0 });
    expect(rows.find(({ action }) => action === "patient.exported")?.detail).toEqual({ films: 1 });
    const files = await unzipped(readFileSync(path.join(bench.dataDir, "exports", path.basename(download.url))));
    const [folder] = [...files.keys()].flatMap((name) => /^films\/[^/]+/.exec(name)?.[0] ?? []);
    expect([...files.keys()].sort()).toEqual(
      [
        "README.txt",
        ...["audit", "billing", "films", "measurements", "patient", "reading_values", "readings", "screenings"].map(
          (table) => `data/${table}.csv`,
        ),
        "data/patient.json",
        `${folder}/film-1.png`,
        ...["annotated.dcm", "film.dcm", "graphics.dcm", "handout.pdf", "report.dcm"].map(
          (name) => `${folder}/results/${name}`,
        ),
      ].sort(),
    );
    expect(String(files.get("data/patient.csv")).startsWith("\ufeff")).toBe(true);
    const data = JSON.parse(String(files.get("data/patient.json"))) as Record<string, Record<string, unknown>[]>;
    expect([data["patient"]?.[0]?.["owner"], data["billing"]?.length, data["measurements"]?.length]).toEqual([
      owner,
      1,
      2,
    ]);
    expect(data["readings"]?.[0]?.["detail"]).toMatchObject({ frame: { widthPx: 1080 } });
    expect(files.get(`${folder}/film-1.png`)).toEqual(await smallPicture(1));
    expect(String(files.get("README.txt"))).toContain("Nicht klinisch validiert");
    for (const bytes of files.values()) expect(bytes.includes("practice-4712") || bytes.includes("Bello")).toBe(false);
  });

  it("skips films without a file and reports their number", async () => {
    stubHandouts(bench.desktop.context);
    await film(3, rex.id);
    const [gone] = await rawly(bench.context.db, "SELECT sha256 FROM films WHERE file_name = 'film-1.png'");
    const sha256 = String(gone?.["sha256"]);
    if (isOnPostgres) await rawly(bench.context.db, `DELETE FROM film_images WHERE sha256 = '${sha256}'`);
    else rmSync(path.join(bench.dataDir, "films", sha256));
    const { download, ...held } = await bench.call("patients.export", { patientId: rex.id, language: "en" });
    expect(held).toEqual({ films: 1, filmsWithoutFile: 1 });
    const files = await unzipped(readFileSync(path.join(bench.dataDir, "exports", path.basename(download.url))));
    expect([...files.keys()].filter((name) => name.endsWith(".png"))).toEqual([
      expect.stringMatching(/^films\/[^/]+\/film-3\.png$/),
    ]);
  });

  it("leaves no file behind if it fails, and is rejected for an unknown patient", async () => {
    const { context, dataDir } = bench;
    await expect(bench.call("patients.export", { patientId: "nobody", language: "en" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const print = () => Promise.reject(new AppError("DISK_FULL"));
    const failing = { ...context, handouts: { ...context.handouts, print } };
    const before = readdirSync(dataDir).sort();
    const file = path.join(dataDir, "rex.zip");
    await expect(exportPatient(failing, rex.id, { file, language: "en" })).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(readdirSync(dataDir).sort()).toEqual(before);
    const allow = await refuseRows(context.db, "audit_events", { message: "no rows" });
    await expect(exportPatient(context, rex.id, { file, language: "en" })).rejects.toThrow();
    await allow();
    expect(readdirSync(dataDir).sort()).toEqual(before);
  });
});

describe("an erased patient", () => {
  it("leaves no name, value or image in the data directory, and the record verifies", async () => {
    const [film] = await rawly(bench.context.db, `SELECT sha256 FROM films WHERE patient_id = '${rex.id}'`);
    const sha256 = String(film?.["sha256"]);
    await notOpened("object.dcm", "REX");
    expect((await bench.call("patients.holdings", { patientId: rex.id })).goes).toEqual({
      films: 1,
      readings: 1,
      measurements: 2,
      screenings: 1,
    });
    const { rows } = await erase();
    // 1 charge, 2 measurements, 1 screening, 1 reading
    expect(rows).toBe(5);
    expect(await verified()).toMatchObject({ fault: null });
    await expect(bench.call("patients.get", { patientId: rex.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await bench.call("films.list", {})).films.map(({ fileName }) => fileName)).toEqual(["film-2.png"]);
    await bench.close();
    for (const secret of ["practice-4711", sha256, "film-1.png"])
      expect([secret, ...filesWith(bench.dataDir, secret)]).toEqual([secret]);
    expect(existsSync(path.join(bench.dataDir, "films", sha256))).toBe(false);
  });

  it("cannot be erased while the clock is behind the ledger; all accounts with its identifier are listed", async () => {
    const { db, now } = bench.context;
    const right = now();
    bench.setNow(new Date(right.getTime() - 86_400_000));
    await expect(erase()).rejects.toMatchObject({ code: "CLOCK_BEHIND" });
    expect((await bench.call("ledger.events", {})).events.map(({ kind }) => kind)).toEqual(["charge", "charge"]);
    bench.setNow(right);
    const holdings = async () => (await bench.call("patients.holdings", { patientId: rex.id })).accounts;
    expect(await holdings()).toEqual(["Practice"]);
    const { id: accountId } = await ensureAccount(db, { name: "Another practice", at: now() });
    await recordBillableMeasurement(db, { accountId, uuid: "practice-4711", at: now() });
    // The measurements of all accounts are erased.
    expect(await holdings()).toEqual(["Another practice", "Practice"]);
  });

  // These files do not depend on the engine.
  it.runIf(!isOnPostgres)(
    onlyOn("SQLite", "leaves no exports or mail drafts; another patient's draft is kept"),
    async () => {
      stubHandouts(bench.desktop.context);
      const mail = { language: "en", subject: "Results", body: "" } as const;
      for (const { id } of [rex, other]) {
        const { films } = await bench.call("films.list", { patientId: id });
        await bench.call("reports.handout", { exportId: randomUUID(), filmId: films[0]!.id, language: "en" });
        await bench.call("reports.mail", { exportId: randomUUID(), filmId: films[0]!.id, ...mail });
      }
      await bench.call("patients.export", { patientId: rex.id, language: "en" });
      await erase();
      const files = filesBelow(path.join(bench.dataDir, "exports"));
      expect(files.toSorted()).toEqual([opened[1]!.attachment, opened[1]!.message].toSorted());
    },
  );

  it("remains billed under a pseudonym stated in the ledger, and its erasure is audited", async () => {
    const before = await bench.call("trends.get", { patientId: other.id });
    const { pseudonym } = await erase();
    const { rows } = await listAuditEvents(bench.context.db, { patientId: rex.id, limit: 10, offset: 0 });
    expect(rows.find(({ action }) => action === "patient.erased")?.detail).toEqual({ pseudonym, rows: 5, films: 1 });
    const { events } = await bench.call("ledger.events", {});
    expect(events.map(({ kind, uuid, amountCents }) => [kind, uuid, amountCents])).toEqual([
      ["statement", null, null],
      ["charge", "practice-4712", 300],
      ["charge", pseudonym, 300],
    ]);
    const { fault, statements } = await bench.call("ledger.verify", {});
    expect([fault, statements]).toMatchObject([
      null,
      [{ subject: `erasure/${pseudonym}`, why: "the owner asked for it", by: "the window" }],
    ]);
    expect(await bench.call("trends.get", { patientId: other.id })).toEqual(before);
    await bench.call("patients.erase", { patientId: other.id, why: "moved away" });
    expect(await verified()).toMatchObject({ fault: null });
    expect((await bench.call("ledger.events", {})).events.filter(({ kind }) => kind === "charge")).toHaveLength(2);
  });

  it("keeps received objects of other animals, and lists those of other workstations", async () => {
    await notOpened("another.dcm", "Bello");
    await notOpened("elsewhere.dcm", "Rex");
    await rawly(bench.context.db, "UPDATE set_aside_objects SET machine_id = 'm' WHERE file_name = 'elsewhere.dcm'");
    await rawly(bench.context.db, "INSERT INTO machines VALUES ('m', 'Surgery', '1.0.0', 0)");
    const named = { backups: ["elsewhere.dcm (Surgery)"] };
    expect(await bench.call("patients.holdings", { patientId: rex.id })).toMatchObject(named);
    expect(await erase()).toMatchObject(named);
    expect((await bench.call("ledger.verify", {})).statements[0]?.why).toContain("elsewhere.dcm (Surgery)");
    expect(readdirSync(notOpenedDir(bench.dataDir))).toEqual(["another.dcm", "elsewhere.dcm"]);
    expect(await rawly(bench.context.db, "SELECT file_name FROM set_aside_objects ORDER BY file_name")).toMatchObject([
      { file_name: "another.dcm" },
      { file_name: "elsewhere.dcm" },
    ]);
  });

  // A database is backed up by its server.
  it.runIf(!isOnPostgres)(onlyOn("SQLite", "is listed with the backups that still contain it"), async () => {
    const { name } = await makeBackup(bench.context.db, bench.dataDir, bench.context.now());
    expect((await bench.call("patients.holdings", { patientId: rex.id })).backups).toEqual([name]);
    expect(await erase()).toMatchObject({ backups: [name], ownData: [] });
    expect((await bench.call("ledger.verify", {})).statements[0]?.why).toContain(name);
  });

  it.runIf(isOnPostgres)(
    onlyOn("PostgreSQL", "may remain in this computer's data from before the database, which is listed"),
    async () => {
      const held = async () => (await bench.call("patients.holdings", { patientId: rex.id })).ownData;
      mkdirSync(filmsDir(bench.dataDir));
      expect(await held()).toEqual(["films/"]);
      writeFileSync(storeFile(bench.dataDir), "");
      expect(await erase()).toMatchObject({ backups: [], ownData: ["corvet.db", "films/"] });
      const why = (await bench.call("ledger.verify", {})).statements[0]?.why;
      expect(why).toBe("the owner asked for it (may be in this computer's own data, too: corvet.db, films/)");
    },
  );

  it.each([
    ["a changed pseudonym", "UPDATE ledger SET uuid = 'rex', uuid_nfc = 'rex' WHERE seq = 1"],
    ["a restored value", "UPDATE measurements SET vhs = 9 WHERE uuid LIKE 'erased-%'"],
    ["another deleted row", "DELETE FROM readings WHERE id IN (SELECT id FROM readings LIMIT 1)"],
    [
      "another deleted row that was added to the list",
      `INSERT INTO erased_rows SELECT 'readings/' || id, (SELECT pseudonym FROM erased_rows LIMIT 1), NULL FROM readings LIMIT 1;
       DELETE FROM readings WHERE id IN (SELECT substr(subject, 10) FROM erased_rows)`,
    ],
    ["a deleted list", "DELETE FROM erased_rows"],
  ])("does not cover %s", async (_name, sql) => {
    await erase();
    await tamper(bench.context.db, sql);
    expect((await verified()).fault).not.toBeNull();
  });
});

/** Files of a folder whose path or content contains a text, as UTF-8. */
function filesWith(folder: string, text: string): string[] {
  return filesBelow(folder).filter((file) => file.includes(text) || readFileSync(file).includes(text));
}

it("deletes films of an erased patient at the next start if the program was killed before", async () => {
  const filmsOf = async () => (await bench.call("films.list", {})).films.length;
  const files = async () =>
    isOnPostgres
      ? await rawly(bench.context.db, "SELECT sha256 FROM film_images WHERE image = 'original' AND part = 0")
      : readdirSync(path.join(bench.dataDir, "films")).filter((name) => !name.includes("."));
  expect([await filmsOf(), (await files()).length]).toEqual([2, 2]);
  const program = path.resolve("test/main/services/privacy/erasing-process.ts");
  const killed = spawnSync(process.execPath, [program, bench.dataDir, rex.id], { encoding: "utf8" });
  expect([killed.signal, killed.stderr]).toEqual(["SIGKILL", ""]);
  // In a database, the images are deleted in the transaction of the erasure.
  expect([await filmsOf(), (await files()).length]).toEqual([1, isOnPostgres ? 1 : 2]);
  await clearLeftovers(bench.context);
  expect([await filmsOf(), (await files()).length]).toEqual([1, 1]);
  expect(await verified()).toMatchObject({ fault: null });
});
