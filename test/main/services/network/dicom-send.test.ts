// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DicomNode } from "../../../../core/contract/desktop/network/dicom.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { filesIn, freePort, hasDcmtk, sampleFile, startStorescp } from "../../dicom/network/dcmtk.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";
import { ownCertifiedKey } from "../../../../main/services/network/own-certificate.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const folder = folderForEach();
let bench: DesktopBench;
const children: ChildProcess[] = [];

beforeEach(async () => {
  bench = await openBench({ dataDir: path.join(folder(), "data") });
  bench.engine.answers(measuredAt(9.6));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await bench.close();
});

const pacs = { name: "PACS", host: "127.0.0.1", port: 104, aeTitle: "PACS" };

async function startNode(...options: string[]): Promise<{ readonly port: number; readonly into: string }> {
  const into = path.join(folder(), "node");
  const { child, port } = await startStorescp(into, options);
  children.push(child);
  return { port, into };
}

test("our certificate keeps its key when another one cannot be stored", async () => {
  await bench.call("dicom.saveCertificate", { pem: null });
  const before = await ownCertifiedKey(bench.desktop.context);
  const allow = await refuseRows(bench.context.db, "audit_events", { message: "no rows" });
  await expect(bench.call("dicom.saveCertificate", { pem: null })).rejects.toMatchObject({ code: "INTERNAL" });
  await allow();
  expect(await ownCertifiedKey(bench.desktop.context)).toEqual(before);
});

test("nodes are added, changed, sorted by name and deleted; a deleted one cannot be changed", async () => {
  const [added] = (await bench.call("dicom.saveNode", { nodeId: null, ...pacs })).nodes;
  await bench.call("dicom.saveNode", { nodeId: null, ...pacs, name: "Archive" });
  const { nodes } = await bench.call("dicom.saveNode", { nodeId: added!.id, ...pacs, host: "pacs.local" });
  expect(nodes).toMatchObject([
    { name: "Archive", host: "127.0.0.1" },
    { name: "PACS", host: "pacs.local" },
  ]);
  expect((await bench.call("dicom.deleteNode", { nodeId: added!.id })).nodes.map(({ name }) => name)).toEqual([
    "Archive",
  ]);
  await expect(bench.call("dicom.saveNode", { nodeId: added!.id, ...pacs })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(
    bench.call("dicom.send", { sendId: randomUUID(), filmId: "x", nodeId: added!.id }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  { aeTitle: "a title that is too long" },
  { aeTitle: "back\\slash" },
  { host: "-x y" },
  { port: 0 },
  { name: " " },
])("refuses a node with %j", async (fault) => {
  await expect(bench.call("dicom.saveNode", { nodeId: null, ...pacs, ...fault })).rejects.toMatchObject({
    code: "INVALID_FIELD",
  });
});

describe.skipIf(!hasDcmtk)("sending", () => {
  test("a film's results arrive at a node as they are, with progress", async () => {
    const { port, into } = await startNode();
    const { nodes } = await bench.call("dicom.saveNode", { nodeId: null, ...pacs, port });
    await bench.addFile("film.dcm", sampleFile({ sopInstanceUid: "1.2.3.6.1", sidePx: 200 }));
    await bench.desktop.parts.queue.whenIdle();
    const [film] = (await bench.call("films.list", {})).films;
    const sendId = randomUUID();
    const objects = await makeResultObjects(bench.desktop.context, film!.id);
    expect(await bench.call("dicom.send", { sendId, filmId: film!.id, nodeId: nodes[0]!.id })).toEqual({
      sentObjects: objects.length,
      failure: null,
    });
    const dataSet = (bytes: Buffer) => bytes.subarray(144 + bytes.readUInt32LE(140)).toString("base64");
    expect(
      filesIn(into)
        .map((file) => dataSet(readFileSync(file)))
        .sort(),
    ).toEqual(objects.map(({ bytes }) => dataSet(Buffer.from(bytes))).sort());
    expect(bench.eventsOf("dicom.sending").at(-1)).toMatchObject({
      sendId,
      progress: { sentObjects: objects.length, objects: objects.length },
    });
  });

  test("a film without a reading is not sent", async () => {
    const { port } = await startNode();
    const { nodes } = await bench.call("dicom.saveNode", { nodeId: null, ...pacs, port });
    await bench.call("settings.save", { measuresOnArrival: false });
    await bench.addFile("film.dcm", sampleFile({ sopInstanceUid: "1.2.3.6.2", sidePx: 200 }));
    const [film] = (await bench.call("films.list", {})).films;
    await expect(
      bench.call("dicom.send", { sendId: randomUUID(), filmId: film!.id, nodeId: nodes[0]!.id }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("a test reports a reachable node, or the reason", async () => {
    const { port } = await startNode();
    const [{ id: nodeId }] = (await bench.call("dicom.saveNode", { nodeId: null, ...pacs, port })).nodes as [DicomNode];
    expect(await bench.call("dicom.testNode", { nodeId })).toEqual({ failure: null });
    await bench.call("dicom.saveNode", { nodeId, ...pacs, port: await freePort() });
    expect((await bench.call("dicom.testNode", { nodeId })).failure).toEqual({
      reason: "unreachable",
      detail: "ECONNREFUSED",
    });
  });

  test("a sending is cancelled by its id", async () => {
    const { port } = await startNode("--sleep-during", "20");
    const { nodes } = await bench.call("dicom.saveNode", { nodeId: null, ...pacs, port });
    await bench.addFile("film.dcm", sampleFile({ sopInstanceUid: "1.2.3.6.3", sidePx: 200 }));
    await bench.desktop.parts.queue.whenIdle();
    const [film] = (await bench.call("films.list", {})).films;
    const sendId = randomUUID();
    bench.desktop.subscribe(({ name }) => {
      if (name === "dicom.sending") void bench.call("jobs.cancel", { jobId: sendId });
    });
    expect(await bench.call("dicom.send", { sendId, filmId: film!.id, nodeId: nodes[0]!.id })).toEqual({
      sentObjects: 0,
      failure: { reason: "cancelled", detail: "" },
    });
  });
});
