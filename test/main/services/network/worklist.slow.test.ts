// Runs once: its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort, hasDcmtk } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { ask, isMissing } from "../../dicom/results/judges.ts";
import { measured } from "../../store/sample-store.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";
import { orderEntry, spawnWlmscpfs } from "./wlmscpfs.ts";
import { rawly } from "../../../fixtures/raw-store.ts";

const around = openSurroundingsOfFile();
let bench: DesktopBench;
let nodeId: string;
let port: number;

beforeAll(async () => {
  bench = await around.open();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  if (!hasDcmtk) return;
  port = await freePort();
  await around.answering(spawnWlmscpfs(around.folder, port, orders()), port);
  const node = { host: "127.0.0.1", port, aeTitle: "PRACTICE", offersWorklist: true };
  nodeId = (await bench.call("dicom.saveNode", { nodeId: null, name: "Practice", ...node })).nodes[0]!.id;
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
const pictureOf = (grey: number) =>
  sharp({ create: { width: 96, height: 80, channels: 3, background: { r: grey, g: grey, b: grey } } })
    .png()
    .toBuffer();
const openPicture = async (grey: number) => bench.openFilm(`${grey}.png`, await pictureOf(grey));

describe.skipIf(!hasDcmtk)("with DCMTK's wlmscpfs", () => {
  test("finds orders by day, station, name and number, with all attributes", async () => {
    expect(await names({})).toEqual(["Hoppel", "Luna", "Rex"]);
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
            // DCMTK returns neither.
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

  test("links the next image to the order, and a later image only if it is assigned to the patient", async () => {
    const { patient } = await take("P-5");
    expect(patient).toMatchObject({ name: "Luna", owner: "Sömmer", species: "dog", uuid: "P-5", sex: "female" });
    expect((await bench.call("orders.next", {})).next).toMatchObject({ order: { accessionNumber: "A-P-5" } });
    const { id, patient: itsPatient } = await openPicture(90);
    expect(itsPatient?.id).toBe(patient.id);
    expect(await bench.call("orders.next", {})).toEqual({ next: null });
    const second = await openPicture(120);
    expect(second.patient).toBeNull();

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

    const numberOf = async (filmId: string) => {
      const [picture] = await makeResultObjects(bench.desktop.context, filmId);
      return readDicomFile(picture!.bytes).text("00080050");
    };
    await bench.call("films.assignPatient", { filmIds: [second.id], patientId: patient.id });
    expect(await numberOf(second.id)).toBe("A-P-5");
    await bench.addPatient({ name: "Maja", uuid: "" }, second.id);
    expect(await numberOf(second.id)).toBeNull();

    await bench.call("films.assignPatient", { filmIds: [second.id], patientId: patient.id });
    await bench.call("patients.erase", { patientId: patient.id, why: "asked for" });
    const kept = await rawly(bench.context.db, "SELECT value FROM settings");
    expect(JSON.stringify(kept)).not.toContain("1.2.3.71");
  });

  test("ends an order with a DICOM film of its study or its release; rejects other species and numbers", async () => {
    const { patient } = await take("P-6");
    await bench.addFile(
      "rex.dcm",
      phantomFile({ instance: "1.2.3.72.1", study: "1.2.3.72", patientId: "P-6", patientName: "Winter^Rex" }),
    );
    expect(await bench.call("orders.next", {})).toEqual({ next: null });
    // The file states an issuer and the order does not, so the practice's own number is decisive.
    expect((await bench.call("patients.list", {})).patients.map(({ id }) => id)).toContain(patient.id);

    await take("P-6");
    await bench.call("orders.putBack", {});
    expect((await openPicture(150)).patient).toBeNull();

    await expect(take("P-7", "other")).rejects.toThrow("neither dog nor cat");
    expect((await bench.call("patients.list", {})).patients.map(({ name }) => name)).not.toContain("Hoppel");
    await bench.addFile("x.dcm", phantomFile({ instance: "1.2.3.9", patientId: "P-7", patientName: "Berg^Anton" }));
    const { orders: found } = await find({ patientId: "P-7" });
    const order = { ...found[0]!, patient: { ...found[0]!.patient, issuer: "Praxis am See" } };
    await expect(bench.call("orders.take", { order })).rejects.toThrow("Anton");
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
