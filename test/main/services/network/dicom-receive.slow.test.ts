// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { createServer } from "node:net";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DicomReceiver } from "../../../../core/contract/desktop/network/dicom.ts";
import { createDicomReceive } from "../../../../main/services/network/dicom-receive.ts";
import { openStore } from "../../../../main/store/database.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { dataSet, partTen, text } from "../../dicom/dicom-writer.ts";
import { phantomElements } from "../../dicom/phantom-film.ts";
import { endOf, freePort, hasDcmtk, run, sampleFile, writeSample } from "../../dicom/network/dcmtk.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

let folder: string;
let bench: DesktopBench;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-receive-"));
  port = await freePort();
  bench = await openBench({ dataDir: path.join(folder, "data") });
  bench.engine.answers(measuredAt(9.6));
});

afterEach(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

const receiver = (changes: Partial<DicomReceiver> = {}): DicomReceiver => ({
  isOn: true,
  port,
  aeTitle: "CORVET",
  bind: "this-computer",
  allowedAeTitles: [],
  allowedAddresses: [],
  security: "none",
  trustedClients: "",
  ...changes,
});
const send = (...files: string[]) =>
  run("storescu", ["-v", "-aec", "CORVET", "-aet", "XRAY", "127.0.0.1", String(port), ...files]);
const films = async () => (await bench.call("films.list", { limit: 500 })).films;

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await waitUntil(isTrue).catch(() => expect.unreachable(`waited in vain: ${what}`));
}

test("is off, on DICOM's own port and for this computer alone until the user says otherwise", async () => {
  const { ownAddresses, ...state } = await bench.call("dicom.get", {});
  expect(ownAddresses).toEqual(expect.any(Array));
  expect(state).toEqual({
    receiver: receiver({ isOn: false, port: 11_112 }),
    state: "off",
    fault: null,
    refusedAssociations: 0,
  });
});

test.runIf(hasDcmtk)(
  "refuses objects while the practice's database is away, so that their sender retries",
  async () => {
    const file = writeSample(folder, "retried", { sopInstanceUid: "1.2.3.4.77", sidePx: 128 });
    await bench.call("dicom.configure", receiver());
    await bench.desktop.rememberSettings();
    await bench.desktop.setDatabaseAway(true);
    expect((await send(file)).output).toContain("Refused: OutOfResources");
    const received = path.join(folder, "data", "dicom-received");
    expect(readdirSync(received).filter((name) => name.endsWith(".dcm"))).toEqual([]);
    await bench.desktop.setDatabaseAway(false);
    expect((await send(file)).output).toContain("Success");
    await until(async () => (await films()).length === 1, "the film that was sent again");
  },
);

describe.skipIf(!hasDcmtk)("receiving", () => {
  test("a run of angiography is received, its frames are shown, and nothing is measured", async () => {
    await bench.call("dicom.configure", receiver());
    const run = path.join(folder, "run.dcm");
    const facts = { instance: "1.2.3.4.12", modality: "XA", frames: 3, view: null } as const;
    const replaced = text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.12.1");
    const elements = phantomElements(facts).map((element) => (element.tag === "00080016" ? replaced : element));
    writeFileSync(run, partTen("1.2.840.10008.1.2.1", dataSet(...elements)));
    expect((await send(run)).status).toBe(0);
    await until(async () => (await films()).length === 1, "the run");
    const [film] = await films();
    expect([film!.dicom?.modality, film!.dicom?.frames, film!.state, film!.reading]).toEqual([
      "XA",
      3,
      "cancelled",
      null,
    ]);
    const third = await bench.call("films.addFrame", { filmId: film!.id, frameIndex: 2 });
    expect(third.film).toMatchObject({ frameIndex: 2, state: "cancelled" });
    expect((await bench.call("received.list", {})).objects).toEqual([]);
  });

  test("a received film appears on the worklist and is measured; the folder is empty afterwards", async () => {
    expect((await bench.call("dicom.configure", receiver())).state).toBe("listening");
    expect(
      (await send(writeSample(folder, "film", { sopInstanceUid: "1.2.3.4.1", sidePx: 128, bits: 12 }))).status,
    ).toBe(0);
    await until(async () => (await films())[0]?.state === "done", "a measured film");
    expect((await films()).map(({ origin, widthPx, reading }) => ({ origin, widthPx, vhs: reading?.vhs }))).toEqual([
      { origin: "dicom", widthPx: 128, vhs: 9.6 },
    ]);
    await until(() => readdirSync(path.join(folder, "data", "dicom-received")).length === 0, "an empty folder");
    await until(async () => (await bench.call("dicom.log", {})).entries.length === 1, "an entry");
    expect((await bench.call("dicom.log", {})).entries).toEqual([
      {
        at: expect.any(String),
        address: "127.0.0.1",
        callingAeTitle: "XRAY",
        calledAeTitle: "CORVET",
        storedObjects: 1,
        refusedObjects: 0,
        echoes: 0,
        fault: null,
        associations: 1,
      },
    ]);
  });

  test("the same object twice is one film", async () => {
    await bench.call("dicom.configure", receiver());
    const file = writeSample(folder, "film", { sopInstanceUid: "1.2.3.4.2", sidePx: 128 });
    for (let round = 0; round < 2; round++) expect((await send(file)).status).toBe(0);
    await until(() => readdirSync(path.join(folder, "data", "dicom-received")).length === 0, "an empty folder");
    expect(await films()).toHaveLength(1);
  });

  test("sets aside and reports an object that cannot be opened, and takes the next one", async () => {
    await bench.call("dicom.configure", receiver());
    const empty = path.join(folder, "empty.dcm");
    const whole = sampleFile({ sopInstanceUid: "1.2.3.4.3" });
    writeFileSync(empty, whole.subarray(0, whole.indexOf(Buffer.from("e07f1000", "hex"))));
    expect((await send(empty, writeSample(folder, "film", { sopInstanceUid: "1.2.3.4.4", sidePx: 128 }))).status).toBe(
      0,
    );
    await until(async () => (await films()).length === 1, "a film");
    expect((await bench.call("received.list", {})).objects).toEqual([
      {
        id: expect.any(String),
        receivedAt: expect.any(String),
        sender: "XRAY",
        patientName: "Bello",
        responsiblePerson: "Müller",
        patientId: "P-1",
        takenAt: null,
        modality: "CR",
        failure: { code: "DICOM_WITHOUT_PIXELS", message: "The DICOM file holds no picture" },
      },
    ]);
    expect(bench.logged.join("\n")).not.toMatch(/Müller|Bello|P-1/);
  });

  test("warns the sender about an object that cannot be shown, and allows to retry, save and delete it", async () => {
    await bench.call("dicom.configure", receiver());
    const tall = sampleFile({ sopInstanceUid: "1.2.3.4.31", sidePx: 128 });
    tall.writeUInt16LE(4000, tall.indexOf(Buffer.from("280010005553", "hex")) + 8);
    writeFileSync(path.join(folder, "short.dcm"), tall);
    expect(
      (
        await run("storescu", [
          "-d",
          "-aec",
          "CORVET",
          "-aet",
          "XRAY",
          "127.0.0.1",
          String(port),
          path.join(folder, "short.dcm"),
        ])
      ).output,
    ).toMatch(/b007/i);
    await until(async () => (await bench.call("received.list", {})).objects.length === 1, "an object in the list");
    const [object] = (await bench.call("received.list", {})).objects;
    const objectIds = [object!.id];
    expect(await bench.call("received.retry", { objectIds })).toMatchObject({ opened: 0, objects: [object] });
    expect((await bench.call("received.export", { objectId: object!.id })).download).toEqual({
      fileName: "1.2.3.4.31.dcm",
      url: expect.stringMatching(/^\/app\/exports\/.*\.dcm$/),
    });
    await bench.close();
    // An earlier version set this one aside and kept no list.
    const aside = path.join(folder, "data", "dicom-received", "not-opened");
    writeFileSync(path.join(aside, "old.dcm"), sampleFile({ sopInstanceUid: "1.2.3.4.32", sidePx: 128 }));
    bench = await openBench({ dataDir: path.join(folder, "data") });
    bench.engine.answers(measuredAt(9.6));
    await until(async () => (await bench.call("received.list", {})).objects.length === 2, "both objects");
    const all = (await bench.call("received.list", {})).objects.map(({ id }) => id);
    expect(await bench.call("received.retry", { objectIds: all })).toMatchObject({ opened: 1 });
    expect(await films()).toHaveLength(1);
    expect(await bench.call("received.delete", { objectIds })).toEqual({ objects: [] });
    expect(readdirSync(aside)).toEqual([]);
    const { events } = await bench.call("audit.list", {});
    expect(events.filter(({ action }) => action.startsWith("received."))).toMatchObject([
      { action: "received.removed", subject: "1.2.3.4.31", detail: { sender: "XRAY" } },
      { action: "received.exported", subject: "1.2.3.4.31", detail: { sender: "XRAY" } },
    ]);
    await expect(bench.call("received.export", { objectId: object!.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("admits only named senders on the practice's network, and counts and logs refusals without patients", async () => {
    const open = await bench.call("dicom.configure", receiver({ bind: "practice-network" }));
    expect(open.state).toBe("listening");
    const knock = (title: string) => run("echoscu", ["-aec", "CORVET", "-aet", title, "127.0.0.1", String(port)]);
    for (let round = 0; round < 3; round++) expect((await knock("XRAY")).status).not.toBe(0);
    await bench.call(
      "dicom.configure",
      receiver({ bind: "practice-network", allowedAeTitles: ["XRAY"], allowedAddresses: ["127.0.0.0/8"] }),
    );
    expect((await knock("XRAY")).status).toBe(0);
    expect((await knock("STRANGER")).status).not.toBe(0);
    await until(async () => (await bench.call("dicom.log", {})).entries.length === 3, "three entries");
    expect(
      (await bench.call("dicom.log", {})).entries.map(({ callingAeTitle, fault, echoes, associations }) => ({
        callingAeTitle,
        fault,
        echoes,
        associations,
      })),
    ).toEqual([
      { callingAeTitle: "STRANGER", fault: "calling-ae-not-allowed", echoes: 0, associations: 1 },
      { callingAeTitle: "XRAY", fault: null, echoes: 1, associations: 1 },
      { callingAeTitle: null, fault: "address-not-allowed", echoes: 0, associations: 3 },
    ]);
    expect((await bench.call("dicom.get", {})).refusedAssociations).toBe(4);
    expect(bench.logged.filter((line) => line.startsWith("a DICOM association was refused"))).toHaveLength(4);
  });

  test("switches on, off and to another port without a restart, and reports a port in use", async () => {
    await bench.call("dicom.configure", receiver());
    const ring = (to: number) => run("echoscu", ["-aec", "CORVET", "127.0.0.1", String(to)]);
    expect((await ring(port)).status).toBe(0);
    const other = await freePort();
    await bench.call("dicom.configure", receiver({ port: other }));
    expect([(await ring(port)).status, (await ring(other)).status]).toEqual([1, 0]);
    const second = await openBench({ dataDir: path.join(folder, "second") });
    expect(await second.call("dicom.configure", receiver({ port: other }))).toMatchObject({
      state: "failed",
      fault: "port-in-use",
    });
    await second.close();
    expect(await bench.call("dicom.configure", { isOn: false })).toMatchObject({
      state: "off",
      receiver: receiver({ isOn: false, port: other }),
    });
    expect((await ring(other)).status).toBe(1);
  });

  test("listens once the port is free, and reports the fault until then", async () => {
    const blocker = createServer().listen(port, "127.0.0.1");
    await once(blocker, "listening");
    const told: (string | null)[] = [];
    const other = createDicomReceive(
      bench.desktop.context,
      () => undefined,
      (fault) => void told.push(fault),
      { firstMs: 20, longestMs: 50 },
    );
    try {
      expect((await other.configure(receiver())).fault).toBe("port-in-use");
      await until(() => told.length > 2, "another try");
      blocker.close();
      await until(() => told.at(-1) === null, "the receiver");
      expect(new Set(told)).toEqual(new Set(["port-in-use", null]));
      expect(await other.get()).toMatchObject({ state: "listening", fault: null });
    } finally {
      blocker.close();
      await other.close();
    }
  });

  test("listens only once every change is in force, however quickly they follow one another", async () => {
    const titles = bench.call("dicom.configure", receiver({ bind: "practice-network", allowedAeTitles: ["XRAY"] }));
    const addresses = bench.call("dicom.configure", { allowedAddresses: ["127.0.0.1"] });
    expect((await bench.call("dicom.get", {})).state).not.toBe("listening");
    expect((await titles).state).toBe("starting");
    expect((await addresses).state).toBe("listening");
    expect((await run("echoscu", ["-aec", "CORVET", "-aet", "XRAY", "127.0.0.1", String(port)])).status).toBe(0);
  });

  test("reports and restarts a receiver that stopped by itself", async () => {
    // Once the folder has been made and looked through, nothing of this start touches it any more.
    await bench.call("dicom.configure", { isOn: false });
    const blocked = path.join(folder, "data", "dicom-received");
    rmSync(blocked, { recursive: true, force: true });
    writeFileSync(blocked, "in the way");
    expect(await bench.call("dicom.configure", receiver())).toMatchObject({ state: "failed", fault: "stopped" });
    rmSync(blocked);
    await until(async () => (await bench.call("dicom.get", {})).state === "listening", "a receiver that listens again");
  });

  test("acknowledged objects survive kill -9", async ({ onTestFinished }) => {
    const dataDir = path.join(folder, "killed");
    await (await openStore(dataDir)).destroy();
    let acknowledged = 0;
    for (const round of [0, 1, 2]) {
      const program = spawn(
        process.execPath,
        ["--no-warnings", path.join(import.meta.dirname, "dicom-receiving-process.ts"), dataDir, String(port)],
        { stdio: ["ignore", "pipe", "pipe"] },
      );
      program.stderr.pipe(process.stderr);
      onTestFinished(() => void program.kill("SIGKILL"));
      expect(String((await once(program.stdout, "data"))[0])).toBe("listening\n");
      const files = Array.from({ length: 12 }, (_, film) =>
        writeSample(folder, `${round}-${film}`, { sopInstanceUid: `1.2.3.5.${round}.${film}`, sidePx: 300, bits: 12 }),
      );
      const sending = spawn("storescu", ["-v", "-aec", "CORVET", "127.0.0.1", String(port), ...files]);
      const ended = endOf(sending);
      let heard = "";
      for (const stream of [sending.stdout, sending.stderr])
        stream.on("data", (chunk: Buffer) => {
          heard += chunk.toString();
          if (heard.split("(Success)").length > 3 + round) program.kill("SIGKILL");
        });
      await ended;
      program.kill("SIGKILL");
      acknowledged += heard.split("(Success)").length - 1;
    }
    expect(acknowledged).toBeGreaterThanOrEqual(12);
    const after = await openBench({ dataDir });
    const count = async () => (await after.call("films.list", { limit: 500 })).films.length;
    await until(async () => (await count()) >= acknowledged, "every acknowledged film");
    await until(
      () =>
        !existsSync(path.join(dataDir, "dicom-received")) ||
        readdirSync(path.join(dataDir, "dicom-received")).length === 0,
      "an empty folder",
    );
    await after.close();
  });
});
