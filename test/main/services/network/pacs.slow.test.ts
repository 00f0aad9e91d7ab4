// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import type { DimseCalls } from "../../../../main/dicom/network/node-calls.ts";
import { fetchFrom, maxMatches } from "../../../../main/dicom/network/nodes.ts";
import { studyRoot } from "../../../../main/dicom/network/query/query-calls.ts";
import { shareThread } from "../../../fixtures/shared-thread.ts";
import { watchMemory } from "../../../fixtures/memory.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort, hasDcmtk, run } from "../../dicom/network/dcmtk.ts";
import { element, fragment, pdu } from "../../dicom/network/raw-association.ts";
import { createArchive } from "./archive.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { hasTool } from "../../dicom/pixels/dicom-tools.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { patienceMs, waitUntil } from "../../../fixtures/patience.ts";

const hasDcmqrscp = hasTool("dcmqrscp");

const around = openSurroundingsOfFile();
const callThread = shareThread<DimseCalls>(new URL("../../../../main/dicom/network/dimse-thread.ts", import.meta.url));
let bench: DesktopBench;
let ownPort: number;
let pacsPort: number;
let nodeId: string | null = null;

beforeAll(async () => {
  bench = await around.open();
  bench.engine.answers(measuredAt(9.6));
});

beforeEach(async () => {
  [ownPort, pacsPort] = [await freePort(), await freePort()];
  const { nodes } = await bench.call("dicom.saveNode", {
    ...{ nodeId, name: "PACS", host: "127.0.0.1", port: pacsPort, aeTitle: "PACS" },
  });
  nodeId = nodes[0]!.id;
});

const job = () => randomUUID();
const node = () => ({ jobId: job(), nodeId: nodeId! });
const films = async (...studies: readonly string[]) =>
  (await bench.call("films.list", { limit: 500 })).films.filter(({ dicom }) =>
    studies.includes(dicom!.studyInstanceUid!),
  );
const find = (query: object) => bench.call("pacs.find", { ...node(), query });
const findDirectly = (limits = networkLimits, most = maxMatches) =>
  callThread("find", {
    ...{ node: { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", encryption: null }, aeTitle: "CORVET" },
    ...{ limits, model: studyRoot.find, identifier: {}, maxMatches: most },
  });

const startOrthanc = () => around.answering(spawnOrthanc(around.folder, { dicomPort: pacsPort, ownPort }), pacsPort);

async function startDcmqrscp(): Promise<void> {
  const config = path.join(around.folder, "dcmqrscp.cfg");
  mkdirSync(path.join(around.folder, "archive"));
  writeFileSync(
    config,
    [
      `NetworkTCPPort = ${pacsPort}`,
      ...["MaxPDUSize = 16384", "MaxAssociations = 16", "HostTable BEGIN"],
      `corvet = (CORVET, 127.0.0.1, ${ownPort})`,
      ...["HostTable END", "VendorTable BEGIN", "VendorTable END", "AETable BEGIN"],
      `PACS ${path.join(around.folder, "archive")} RW (200, 1024mb) ANY`,
      ...["AETable END", ""],
    ].join("\n"),
  );
  const dcmqrscp = spawn("dcmqrscp", ["-c", config, "--disable-get", String(pacsPort)], { stdio: "ignore" });
  await around.answering(dcmqrscp, pacsPort);
}

async function fill(): Promise<void> {
  const write = (name: string, facts: Parameters<typeof phantomFile>[0]) => {
    const file = path.join(around.folder, name);
    writeFileSync(file, phantomFile(facts));
    return file;
  };
  const luna = { patientId: "P-5", patientName: "Sommer^Luna", responsiblePerson: "Sommer^Änne" };
  const files = [
    write("a.dcm", { study: "1.2.3.51", instance: "1.2.3.51.1", ...luna }),
    write("b.dcm", { study: "1.2.3.51", instance: "1.2.3.51.2", grey: 90, ...luna }),
    write("c.dcm", { study: "1.2.3.52", instance: "1.2.3.52.1", grey: 60, ...luna }),
    write("d.dcm", {
      study: "1.2.3.61",
      instance: "1.2.3.61.1",
      patientId: "P-6",
      patientName: "Winter^Rex",
      responsiblePerson: "Winter^Ole",
    }),
  ];
  const sent = await run("storescu", ["-aec", "PACS", "127.0.0.1", String(pacsPort), ...files]);
  expect(sent.status, sent.output).toBe(0);
}

describe.skipIf(!hasOrthanc || !hasDcmtk)("with Orthanc", () => {
  test("finds studies by all keys, retrieves a study by C-GET without the receiver, and then prior films", async () => {
    await startOrthanc();
    await fill();
    const uids = async (query: object) => {
      const { studies, failure } = await find(query);
      expect(failure).toBeNull();
      return studies.map(({ studyInstanceUid }) => studyInstanceUid).sort();
    };
    expect(await uids({ name: "luna" })).toEqual(["1.2.3.51", "1.2.3.52"]);
    expect(await uids({ name: "Winter" })).toEqual(["1.2.3.61"]);
    expect(await uids({ from: "2025-02-03", to: "2025-02-03", modality: "DX" })).toHaveLength(3);
    expect(await uids({ from: "2025-02-04" })).toEqual([]);
    const { studies } = await find({ patientId: "P-6" });
    expect(studies.map(({ studyInstanceUid }) => studyInstanceUid)).toEqual(["1.2.3.61"]);
    expect(studies[0]).toMatchObject({
      patientName: "Winter Rex",
      patientId: "P-6",
      day: "2025-02-03",
      modalities: ["DX"],
      description: "Thorax",
    });
    expect(await bench.call("pacs.fetch", { ...node(), studyInstanceUid: "1.2.3.51" })).toEqual({
      fetchedObjects: 2,
      failedObjects: 0,
      failure: null,
    });
    await waitUntil(async () => (await films("1.2.3.51")).length === 2);
    expect(bench.eventsOf("pacs.fetching").at(-1)?.progress).toEqual({
      fetchedObjects: 2,
      failedObjects: 0,
      objects: 2,
    });
    expect(bench.logged.join("\n")).not.toMatch(/Luna|Sommer|P-5/);

    const patientId = (await films("1.2.3.51"))[0]!.patient!.id;
    const prior = await bench.call("pacs.fetchPrior", { ...node(), patientId });
    expect(prior).toEqual({ studies: 1, isCutOff: false, fetchedObjects: 1, failedObjects: 0, failure: null });
    await waitUntil(async () => (await films("1.2.3.51", "1.2.3.52")).length === 3);
  });
});

describe.skipIf(!hasDcmqrscp || !hasDcmtk)("an archive with C-MOVE only", () => {
  test("sends to our receiver; a receiver that is off is reported", async () => {
    await startDcmqrscp();
    await fill();
    const fetch = () => bench.call("pacs.fetch", { ...node(), studyInstanceUid: "1.2.3.61" });
    expect((await fetch()).failure).toEqual({
      reason: "receiver-off",
      detail: "",
    });
    await bench.call("dicom.configure", { isOn: true, port: ownPort, aeTitle: "CORVET" });
    expect(await fetch()).toMatchObject({ failedObjects: 0, failure: null });
    await waitUntil(async () => (await films("1.2.3.61")).length === 1);
    await bench.call("dicom.configure", { aeTitle: "UNKNOWN" });
    expect((await fetch()).failure?.reason).toBe("destination-unknown");
    await bench.call("dicom.configure", { isOn: false, aeTitle: "CORVET" });
  });
});

function badPacs(afterRequest: (socket: Socket) => unknown): Promise<number> {
  const item = (type: number, body: Buffer) => {
    const head = Buffer.from([type, 0, body.length >> 8, body.length & 255]);
    return Buffer.concat([head, body]);
  };
  const accept = pdu(
    2,
    Buffer.concat([
      Buffer.from([0, 1, 0, 0]),
      Buffer.alloc(64, " "),
      item(0x10, Buffer.from("1.2.840.10008.3.1.1.1")),
      item(0x21, Buffer.concat([Buffer.from([1, 0, 0, 0]), item(0x40, Buffer.from("1.2.840.10008.1.2"))])),
      item(0x50, Buffer.concat([item(0x51, Buffer.from([0, 0, 64, 0])), item(0x52, Buffer.from("1.2.3.4"))])),
    ]),
  );
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(accept);
      socket.once("data", () => afterRequest(socket));
    });
  });
  return around.listening(server, pacsPort);
}

const pieceBytes = 16_000;
const u16 = (value: number) => Buffer.from([value & 255, value >> 8]);
/** @param name  name of the patient; null for a pending response without a match */
function findResponse(uid: string, name: Buffer | null = Buffer.from("Luna"), characterSet = ""): Buffer {
  const command = Buffer.concat([
    element(0x0002, Buffer.from("1.2.840.10008.5.1.4.1.2.2.1\0")),
    element(0x0100, u16(0x8020)),
    element(0x0120, u16(1)),
    element(0x0800, u16(name === null ? 0x0101 : 1)),
    element(0x0900, u16(0xff00)),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(command.length);
  const asked = fragment("command", true, Buffer.concat([element(0, length), command]));
  if (name === null) return asked;
  const study = element(0x000d, Buffer.from(uid.padEnd(uid.length + (uid.length % 2), "\0")), 0x0020);
  const even = (value: Buffer) => (value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.from(" ")]));
  const said = characterSet === "" ? [] : [element(0x0005, even(Buffer.from(characterSet)), 0x0008)];
  const match = Buffer.concat([...said, element(0x0010, even(name), 0x0010), study]);
  const pieces = Array.from({ length: Math.ceil(match.length / pieceBytes) }, (_, index) =>
    match.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return Buffer.concat([asked, ...pieces.map((piece, index) => fragment("data", index === pieces.length - 1, piece))]);
}

const longName = Buffer.alloc(20_000, "Luna ");
const emptyResponse = findResponse("", null);

test("waits for a PACS that moves a study without pending responses as long as for one message", async () => {
  await around.listening(createArchive({ moves: () => delay(1500, 1) }), pacsPort);
  const pacs = { kind: "dimse", host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", encryption: null } as const;
  const limits = { ...networkLimits, idleMs: 1000 };
  const options = { aeTitle: "CORVET", folder: around.folder, destinationAeTitle: "CORVET", onMessage: vi.fn() };
  const fetched = (messageMs: number) =>
    fetchFrom(pacs, { StudyInstanceUID: "1.2.3" }, { ...options, limits: { ...limits, messageMs } });
  expect(await Promise.all([fetched(patienceMs), fetched(500)])).toMatchObject([
    { fetchedObjects: 1, failure: null },
    { fetchedObjects: 0, failure: { reason: "no-answer" } },
  ]);
});

describe("names in responses", () => {
  const japanese = Buffer.from("Yamada^Hana=\x1b$B;3ED\x1b(B^\x1b$B2V\x1b(B", "latin1");
  test.each<[string, Buffer, string, string]>([
    ["in undeclared Latin-1", Buffer.from("Müller^Bärli", "latin1"), "", "Müller^Bärli"],
    ["in several scripts", japanese, "\\ISO 2022 IR 87", "Yamada^Hana=山田^花"],
  ])("%s are decoded like those in files", async (_, name, characterSet, read) => {
    await badPacs((socket) => socket.end(findResponse("1.2.3", name, characterSet)));
    expect((await findDirectly()).matches).toMatchObject([{ PatientName: read }]);
  });
  test("use the ideographs if there is no other name", async () => {
    await badPacs((socket) => socket.end(findResponse("1.2.3", Buffer.from("=山田^花"), "ISO_IR 192")));
    expect((await find({})).studies.map(({ patientName }) => patientName)).toEqual(["山田 花"]);
  });
});

describe("a PACS that misbehaves", () => {
  /** Starts a PACS that sends up to 100,000 responses to a query. @returns the number of sent responses */
  async function flooding(answer: (sent: number) => Buffer): Promise<() => number> {
    let sent = 0;
    await badPacs((socket) => {
      const more = () => {
        while (sent < 100_000 && !socket.destroyed) {
          sent += 1;
          if (!socket.write(answer(sent))) return void socket.once("drain", more);
        }
      };
      more();
    });
    return () => sent;
  }

  test("is read up to the limit if it sends 100,000 matches of 20 kilobytes", async () => {
    const sent = await flooding((count) => findResponse(`1.2.${count}`, longName));
    const memory = watchMemory();
    const { studies, isCutOff, failure } = await find({});
    expect([studies.length, isCutOff, failure]).toEqual([500, true, null]);
    expect(sent()).toBeLessThan(100_000);
    expect(studies.every(({ patientName }) => patientName!.length <= 200)).toBe(true);
    expect(memory.grownMb()).toBeLessThan(400);
  });
  test("is read up to the limit if it sends 100,000 responses without a match", async () => {
    const sent = await flooding(() => emptyResponse);
    const { matches, isCutOff, failure } = await findDirectly(networkLimits, 50);
    expect([matches.length, isCutOff, failure]).toEqual([0, true, null]);
    expect(sent()).toBeLessThan(100_000);
  });
  test("returns the results before a lost connection, with the failure", async () => {
    await badPacs((socket) => socket.end(findResponse("1.2.3")));
    const { matches, failure } = await findDirectly();
    expect([matches.map(({ StudyInstanceUID }) => StudyInstanceUID), failure?.reason]).toEqual([
      ["1.2.3"],
      "connection-lost",
    ]);
  });
  test("returns the studies of animals with the failure if the search for owners fails", async () => {
    const archive = createArchive({ finds: () => (archive.close(), ["1.2.3"]) });
    await around.listening(archive, pacsPort);
    const { studies, failure } = await find({ name: "Luna" });
    expect([studies.length, failure?.reason]).toEqual([1, "unreachable"]);
  });
  test("may disconnect instead of confirming the release", async () => {
    await around.listening(createArchive({ finds: () => ["1.2.3"], hangsUp: true }), pacsPort);
    const { matches, failure } = await findDirectly();
    expect([matches.length, failure]).toEqual([1, null]);
  });
  test.each<[string, string, () => Buffer]>([
    ["sends a wrong length", "too-large", () => pdu(4, Buffer.alloc(8), 0x7fffffff)],
    ["sends garbage", "connection-lost", () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["sends an endless match", "too-large", () => findResponse("1.2.3", Buffer.alloc(640_000, "Luna "))],
  ])("is disconnected if it %s: %s", async (_name, reason, answer) => {
    await badPacs((socket) => void socket.write(answer()));
    expect((await findDirectly()).failure?.reason).toBe(reason);
  });
  test("is disconnected if it stalls, and cancellation does not wait for it", async () => {
    let requests = 0;
    await badPacs(() => (requests += 1));
    expect((await findDirectly({ ...networkLimits, idleMs: 400 })).failure?.reason).toBe("no-answer");
    const asking = node();
    const asked = bench.call("pacs.find", { ...asking, query: {} });
    await waitUntil(() => requests === 2);
    await bench.call("jobs.cancel", { jobId: asking.jobId });
    expect((await asked).failure?.reason).toBe("cancelled");
  });
  test("is reported if it is unreachable", async () => {
    expect((await findDirectly()).failure?.reason).toBe("unreachable");
  });
});
