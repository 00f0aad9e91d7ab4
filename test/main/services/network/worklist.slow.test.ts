// Runs once: its queries are tested elsewhere.
import { spawnSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { programDir } from "../../../../main/program.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { endOf, freePort, hasDcmtk, run } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { ask, isMissing } from "../../dicom/results/judges.ts";
import { measured } from "../../store/sample-store.ts";
import { orderEntry, spawnWlmscpfs } from "./wlmscpfs.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

let folder: string;
let bench: DesktopBench;
let nodeId: string;
let port: number;
let provider: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-worklist-"));
  bench = await openBench({ dataDir: path.join(folder, "data") });
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  if (!hasDcmtk) return;
  port = await freePort();
  provider = spawnWlmscpfs(folder, port, orders());
  const echo = ["-aec", "PRACTICE", "127.0.0.1", String(port)];
  await waitUntil(async () => (await run("echoscu", echo)).status === 0);
  const node = { host: "127.0.0.1", port, aeTitle: "PRACTICE", offersWorklist: true };
  nodeId = (await bench.call("dicom.saveNode", { nodeId: null, name: "Practice", ...node })).nodes[0]!.id;
});
afterEach(async () => {
  await bench.close();
  if (hasDcmtk) {
    const ended = endOf(provider);
    provider.kill("SIGKILL");
    if (provider.exitCode === null) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

const orders = () => ({
  "luna.wl": orderEntry({ study: "1.2.3.71", name: "Sömmer^Luna", id: "P-5" }),
  "rex.wl": orderEntry({ study: "1.2.3.72", name: "Winter^Rex", id: "P-6", day: "20261123", station: "XRAY2" }),
  "hoppel.wl": orderEntry({ study: "1.2.3.73", name: "Berg^Hoppel", id: "P-7" }),
});

const find = async (query: object) => bench.call("orders.find", { jobId: randomUUID(), nodeId, query });
const names = async (query: object) => (await find(query)).orders.map(({ patient }) => patient.name).sort();
const take = async (patientId: string, species: "dog" | "other" = "dog") => {
  const { orders: found } = await find({ patientId });
  return bench.call("orders.take", { order: { ...found[0]!, patient: { ...found[0]!.patient, species } } });
};
const film = async (id: string) => (await bench.call("films.list", {})).films.find((one) => one.id === id);
const pictureOf = (grey: number) =>
  sharp({ create: { width: 96, height: 80, channels: 3, background: { r: grey, g: grey, b: grey } } })
    .png()
    .toBuffer();
async function openPicture(grey: number) {
  const before = new Set((await bench.call("films.list", {})).films.map(({ id }) => id));
  await bench.addFile(`${grey}.png`, await pictureOf(grey));
  const added = (await bench.call("films.list", {})).films.find(({ id }) => !before.has(id))!;
  await waitUntil(async () => (await film(added.id))?.state === "done");
  return (await film(added.id))!;
}

describe.skipIf(!hasDcmtk)("with DCMTK's wlmscpfs", () => {
  test("orders are found by day, modality, name and number, with all attributes", async () => {
    expect(await names({})).toEqual(["Hoppel", "Luna", "Rex"]);
    expect(await names({ from: "2026-11-23" })).toEqual(["Rex"]);
    expect(await names({ from: "2026-11-22", to: "2026-11-22" })).toEqual(["Hoppel", "Luna"]);
    expect(await names({ station: "XRAY2" })).toEqual(["Rex"]);
    expect(await names({ name: "Luna" })).toEqual(["Luna"]);
    expect(await names({ accessionNumber: "A-P-6" })).toEqual(["Rex"]);
    expect(await find({ patientId: "P-5" })).toEqual({
      isCutOff: false,
      failure: null,
      orders: [
        {
          studyInstanceUid: "1.2.3.71",
          accessionNumber: "A-P-5",
          procedureId: "R-P-5",
          procedure: "Thorax in zwei Ebenen",
          stepId: "S-P-5",
          step: "Thorax links",
          station: "XRAY1",
          modality: "DX",
          day: "2026-11-22",
          time: "10:30",
          referrer: "Weiß^Ina",
          patient: {
            number: "P-5",
            issuer: null,
            fullName: "Sömmer^Luna",
            name: "Luna",
            owner: "Sömmer",
            // DCMTK answers neither.
            species: null,
            breed: "",
            sex: "female",
            isNeutered: null,
            birthDate: "2019-03-04",
          },
        },
      ],
    });
  });

  test("the next picture is the ordered patient's, the one after it nobody's", async () => {
    const { patient } = await take("P-5");
    expect(patient).toMatchObject({ name: "Luna", owner: "Sömmer", species: "dog", uuid: "P-5", sex: "female" });
    expect((await bench.call("orders.next", {})).next).toMatchObject({ order: { accessionNumber: "A-P-5" } });
    expect((await openPicture(90)).patient?.id).toBe(patient.id);
    expect(await bench.call("orders.next", {})).toEqual({ next: null });
    expect((await openPicture(120)).patient).toBeNull();
  });

  test("results of the picture carry the order's study and numbers, and dciodvfy finds nothing", async () => {
    await take("P-5");
    const { id } = await openPicture(90);
    const files = await makeResultObjects(bench.desktop.context, id);
    const said = files.map(({ bytes }) => {
      const file = readDicomFile(bytes);
      return ["0020000D", "00080050", "00100020", "00100010", "00200010"].map((tag) => file.text(tag));
    });
    expect(said).toEqual(files.map(() => ["1.2.3.71", "A-P-5", "P-5", "Sömmer^Luna", "R-P-5"]));
    const picture = readDicomFile(files[0]!.bytes).items("00400275")[0]!;
    expect(["00400009", "00401001", "00400007"].map((tag) => picture.text(tag))).toEqual([
      "S-P-5",
      "R-P-5",
      "Thorax links",
    ]);
    const [report] = files.flatMap(({ bytes }) => readDicomFile(bytes).items("0040A370"));
    expect(["0020000D", "00080050", "00401001"].map((tag) => report?.text(tag))).toEqual([
      "1.2.3.71",
      "A-P-5",
      "R-P-5",
    ]);
    if (!isMissing("dciodvfy"))
      for (const { bytes } of files)
        expect(ask("dciodvfy", bytes).lines.filter((line) => /^Error/.test(line))).toEqual([]);
  });

  test("a second picture assigned to the patient on the same day belongs to the order, too", async () => {
    const { patient } = await take("P-5");
    await openPicture(90);
    const { id } = await openPicture(120);
    await bench.call("films.assignPatient", { filmIds: [id], patientId: patient.id });
    const [picture] = await makeResultObjects(bench.desktop.context, id);
    expect(readDicomFile(picture!.bytes).text("00080050")).toBe("A-P-5");
    const other = await bench.call("patients.create", { name: "Maja", species: "dog", breed: "", owner: "", uuid: "" });
    await bench.call("films.assignPatient", { filmIds: [id], patientId: other.id });
    const [given] = await makeResultObjects(bench.desktop.context, id);
    expect(readDicomFile(given!.bytes).text("00080050")).toBeNull();
  });

  test("a film that the machine made for the order ends the waiting, and finds the patient", async () => {
    const { patient } = await take("P-5");
    await bench.addFile(
      "luna.dcm",
      phantomFile({ instance: "1.2.3.71.1", study: "1.2.3.71", patientId: "P-5", patientName: "Sömmer^Luna" }),
    );
    expect(await bench.call("orders.next", {})).toEqual({ next: null });
    // The film's file names who issues the numbers and the order does not: the practice's own number decides.
    expect((await bench.call("patients.list", {})).patients.map(({ id }) => id)).toContain(patient.id);
  });

  test("a released order does not wait, and a rabbit is not imported", async () => {
    await take("P-6");
    await bench.call("orders.putBack", {});
    expect((await openPicture(90)).patient).toBeNull();
    await expect(take("P-7", "other")).rejects.toThrow("neither dog nor cat");
    expect((await bench.call("patients.list", {})).patients.map(({ name }) => name)).toEqual(["Rex"]);
  });

  test("a number that films know as another animal's is a conflict", async () => {
    await bench.addFile("x.dcm", phantomFile({ instance: "1.2.3.9", patientId: "P-5", patientName: "Berg^Anton" }));
    const { orders: found } = await find({ patientId: "P-5" });
    const order = { ...found[0]!, patient: { ...found[0]!.patient, issuer: "Praxis am See" } };
    await expect(bench.call("orders.take", { order })).rejects.toThrow("Anton");
  });

  test("an erased patient leaves no order behind", async () => {
    const { patient } = await take("P-5");
    await openPicture(90);
    await bench.call("patients.erase", { patientId: patient.id, why: "asked for" });
    const kept = await rawly(bench.context.db, "SELECT value FROM settings");
    expect(JSON.stringify(kept)).not.toContain("1.2.3.71");
  });

  test("the command prints one line for each", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["main/commands/corvet.ts", "pacs", "worklist", "--node", `127.0.0.1:${port}:PRACTICE`, "--from", "2026-11-23"],
      { cwd: programDir, encoding: "utf8" },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ accessionNumber: "A-P-6", patient: { name: "Rex", owner: "Winter" } });
  });
});

test("reports a node without a worklist", async () => {
  const { nodes } = await bench.call("dicom.saveNode", {
    ...{ kind: "web", nodeId: null, name: "Web", url: "http://127.0.0.1:9/dicom-web", signIn: "none", user: "" },
    trusted: "",
  });
  const webId = nodes.find(({ kind }) => kind === "web")!.id;
  const asked = bench.call("orders.find", { jobId: randomUUID(), nodeId: webId, query: {} });
  await expect(asked).rejects.toThrow("DICOMweb");
});
