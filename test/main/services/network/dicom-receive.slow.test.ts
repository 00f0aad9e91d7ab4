// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { createServer } from "node:net";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { DicomReceiver } from "../../../../core/contract/desktop/network/dicom.ts";
import { createDicomReceive } from "../../../../main/services/network/dicom-receive.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { dataSet, partTen, text } from "../../dicom/dicom-writer.ts";
import { phantomElements } from "../../dicom/phantom-film.ts";
import { endOf, freePort, hasDcmtk, run, sampleFile, writeSample } from "../../dicom/network/dcmtk.ts";
import { waitUntil } from "../../../fixtures/patience.ts";
import { openSurroundings } from "./surroundings.ts";

const around = openSurroundings();
let bench: DesktopBench;
let port: number;

beforeEach(async () => {
  port = await freePort();
  bench = await opened();
});

async function opened(): Promise<DesktopBench> {
  const opening = await around.open();
  opening.engine.answers(measuredAt(9.6));
  return opening;
}

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
  await waitUntil(isTrue).catch(() => expect.unreachable(`timed out waiting for ${what}`));
}

const objects = async () => (await bench.call("received.list", {})).objects;
const receivedFiles = () => readdirSync(path.join(around.folder, "data", "dicom-received"));

describe.skipIf(!hasDcmtk)("the receiver", () => {
  test("is off by default; once enabled, imports a film once and measures only lateral films", async () => {
    const { ownAddresses, ...state } = await bench.call("dicom.get", {});
    expect(ownAddresses).toEqual(expect.any(Array));
    const unchanged = { receiver: receiver({ isOn: false, port: 11_112 }), refusedAssociations: 0 };
    expect(state).toEqual({ ...unchanged, state: "off", fault: null });

    expect((await bench.call("dicom.configure", receiver())).state).toBe("listening");
    const film = writeSample(around.folder, "film", { sopInstanceUid: "1.2.3.4.1", sidePx: 128, bits: 12 });
    expect((await send(film)).status).toBe(0);
    await until(async () => (await films())[0]?.state === "done", "a measured film");
    const measured = (await films()).map(({ origin, widthPx, reading }) => ({ origin, widthPx, vhs: reading?.vhs }));
    expect(measured).toEqual([{ origin: "dicom", widthPx: 128, vhs: 9.6 }]);
    await until(() => receivedFiles().length === 0, "an empty folder");
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

    const run = path.join(around.folder, "run.dcm");
    const facts = { instance: "1.2.3.4.12", modality: "XA", frames: 3, view: null } as const;
    const replaced = text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.12.1");
    const elements = phantomElements(facts).map((element) => (element.tag === "00080016" ? replaced : element));
    writeFileSync(run, partTen("1.2.840.10008.1.2.1", dataSet(...elements)));
    expect((await send(film, run)).status).toBe(0);
    await until(async () => (await films()).length === 2 && receivedFiles().length === 0, "the run");
    const shown = (await films()).find(({ dicom }) => dicom?.modality === "XA")!;
    expect([shown.dicom?.frames, shown.state, shown.reading]).toEqual([3, "cancelled", null]);
    const third = await bench.call("films.addFrame", { filmId: shown.id, frameIndex: 2 });
    expect(third.film).toMatchObject({ frameIndex: 2, state: "cancelled" });
    expect(await objects()).toEqual([]);
  });

  test("sets aside and reports an object that cannot be opened, and imports the next one", async () => {
    await bench.call("dicom.configure", receiver());
    const empty = path.join(around.folder, "empty.dcm");
    const whole = sampleFile({ sopInstanceUid: "1.2.3.4.3" });
    writeFileSync(empty, whole.subarray(0, whole.indexOf(Buffer.from("e07f1000", "hex"))));
    const next = writeSample(around.folder, "film", { sopInstanceUid: "1.2.3.4.4", sidePx: 128 });
    expect((await send(empty, next)).status).toBe(0);
    await until(async () => (await films()).length === 1, "a film");
    expect(await objects()).toEqual([
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

    // While the practice's database is unavailable, the sender must retry.
    const file = writeSample(around.folder, "retried", { sopInstanceUid: "1.2.3.4.77", sidePx: 128 });
    await bench.desktop.rememberSettings();
    await bench.desktop.setDatabaseAway(true);
    expect((await send(file)).output).toContain("Refused: OutOfResources");
    expect(receivedFiles().filter((name) => name.endsWith(".dcm"))).toEqual([]);
    await bench.desktop.setDatabaseAway(false);
    expect((await send(file)).output).toContain("Success");
    await until(async () => (await films()).length === 2, "the film that was sent again");
  });

  test("warns the sender about an object that cannot be shown, and allows to retry, save and delete it", async () => {
    await bench.call("dicom.configure", receiver());
    const tall = sampleFile({ sopInstanceUid: "1.2.3.4.31", sidePx: 128 });
    tall.writeUInt16LE(4000, tall.indexOf(Buffer.from("280010005553", "hex")) + 8);
    const short = path.join(around.folder, "short.dcm");
    writeFileSync(short, tall);
    const inDetail = await run("storescu", ["-d", "-aec", "CORVET", "-aet", "XRAY", "127.0.0.1", String(port), short]);
    expect(inDetail.output).toMatch(/b007/i);
    await until(async () => (await objects()).length === 1, "an object in the list");
    const [object] = await objects();
    const objectIds = [object!.id];
    expect(await bench.call("received.retry", { objectIds })).toMatchObject({ opened: 0, objects: [object] });
    expect((await bench.call("received.export", { objectId: object!.id })).download).toEqual({
      fileName: "1.2.3.4.31.dcm",
      url: expect.stringMatching(/^\/app\/exports\/.*\.dcm$/),
    });
    await bench.close();
    // An earlier version set this object aside without a list.
    const aside = path.join(around.folder, "data", "dicom-received", "not-opened");
    writeFileSync(path.join(aside, "old.dcm"), sampleFile({ sopInstanceUid: "1.2.3.4.32", sidePx: 128 }));
    bench = await opened();
    await until(async () => (await objects()).length === 2, "both objects");
    const all = (await objects()).map(({ id }) => id);
    expect(await bench.call("received.retry", { objectIds: all })).toMatchObject({ opened: 1 });
    expect(await films()).toHaveLength(1);
    await bench.call("received.delete", { objectIds });
    expect(await objects()).toEqual([]);
    expect(readdirSync(aside)).toEqual([]);
    const { events } = await bench.call("audit.list", {});
    expect(events.filter(({ action }) => action.startsWith("received."))).toMatchObject([
      { action: "received.removed", subject: "1.2.3.4.31", detail: { sender: "XRAY" } },
      { action: "received.exported", subject: "1.2.3.4.31", detail: { sender: "XRAY" } },
    ]);
    await expect(bench.call("received.export", { objectId: object!.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("admits only configured senders of the practice's network, and logs refusals without patients", async () => {
    const open = await bench.call("dicom.configure", receiver({ bind: "practice-network" }));
    expect(open.state).toBe("listening");
    const knock = (title: string) => run("echoscu", ["-aec", "CORVET", "-aet", title, "127.0.0.1", String(port)]);
    for (let round = 0; round < 2; round++) expect((await knock("XRAY")).status).not.toBe(0);
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
      { callingAeTitle: null, fault: "address-not-allowed", echoes: 0, associations: 2 },
    ]);
    expect((await bench.call("dicom.get", {})).refusedAssociations).toBe(3);
    expect(bench.logged.filter((line) => line.startsWith("a DICOM association was rejected"))).toHaveLength(3);
  });

  test("applies changes without a restart, and listens only after all changes are applied", async () => {
    await bench.call("dicom.configure", receiver());
    const ring = (to: number) => run("echoscu", ["-aec", "CORVET", "-aet", "XRAY", "127.0.0.1", String(to)]);
    expect((await ring(port)).status).toBe(0);
    const other = await freePort();
    await bench.call("dicom.configure", receiver({ port: other }));
    expect([(await ring(port)).status, (await ring(other)).status]).toEqual([1, 0]);
    expect(await bench.call("dicom.configure", { isOn: false })).toMatchObject({
      state: "off",
      receiver: receiver({ isOn: false, port: other }),
    });
    expect((await ring(other)).status).toBe(1);
    const named = receiver({ port: other, bind: "practice-network", allowedAeTitles: ["XRAY"] });
    const titles = bench.call("dicom.configure", named);
    const addresses = bench.call("dicom.configure", { allowedAddresses: ["127.0.0.1"] });
    expect((await bench.call("dicom.get", {})).state).not.toBe("listening");
    expect((await titles).state).toBe("starting");
    expect((await addresses).state).toBe("listening");
    expect((await ring(other)).status).toBe(0);
  });

  test("reports a port in use, and an unexpected stop, until it listens again", async ({ onTestFinished }) => {
    const blocker = createServer().listen(port, "127.0.0.1");
    await once(blocker, "listening");
    const told: (string | null)[] = [];
    const pauses = { firstMs: 20, longestMs: 50 };
    const other = createDicomReceive(bench.desktop.context, (fault) => void told.push(fault), pauses);
    onTestFinished(async () => {
      blocker.close();
      await other.close();
    });
    expect(await other.configure(receiver())).toMatchObject({ state: "failed", fault: "port-in-use" });
    await until(() => told.length > 1, "another try");
    blocker.close();
    await until(() => told.at(-1) === null, "the receiver");
    expect(new Set(told)).toEqual(new Set(["port-in-use", null]));
    expect(await other.get()).toMatchObject({ state: "listening", fault: null });

    await other.configure({ isOn: false });
    const blocked = path.join(around.folder, "data", "dicom-received");
    rmSync(blocked, { recursive: true, force: true });
    writeFileSync(blocked, "in the way");
    expect(await other.configure(receiver())).toMatchObject({ state: "failed", fault: "stopped" });
    rmSync(blocked);
    await until(async () => (await other.get()).state === "listening", "a receiver that listens again");
  });

  test("keeps acknowledged objects after kill -9", async ({ onTestFinished }) => {
    await bench.close();
    const dataDir = path.join(around.folder, "data");
    const program = spawn(
      process.execPath,
      ["--no-warnings", path.join(import.meta.dirname, "dicom-receiving-process.ts"), dataDir, String(port)],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    program.stderr.pipe(process.stderr);
    onTestFinished(() => void program.kill("SIGKILL"));
    expect(String((await once(program.stdout, "data"))[0])).toBe("listening\n");
    const files = Array.from({ length: 12 }, (_, film) =>
      writeSample(around.folder, `${film}`, { sopInstanceUid: `1.2.3.5.${film}`, sidePx: 300, bits: 12 }),
    );
    const sending = spawn("storescu", ["-v", "-aec", "CORVET", "127.0.0.1", String(port), ...files]);
    const ended = endOf(sending);
    let heard = "";
    const acknowledged = () => heard.split("(Success)").length - 1;
    for (const stream of [sending.stdout, sending.stderr])
      stream.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
        if (acknowledged() > 3) program.kill("SIGKILL");
      });
    await ended;
    program.kill("SIGKILL");
    expect(acknowledged()).toBeGreaterThanOrEqual(4);
    bench = await opened();
    await until(async () => (await films()).length >= acknowledged(), "every acknowledged film");
    await until(() => receivedFiles().length === 0, "an empty folder");
  });
});
