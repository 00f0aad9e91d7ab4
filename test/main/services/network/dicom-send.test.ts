// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { DicomNode } from "../../../../core/contract/desktop/network/dicom.ts";
import { useBenchOfFile } from "../../../fixtures/use-bench.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { filesIn, freePort, hasDcmtk, sampleFile, startStorescp } from "../../dicom/network/dcmtk.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";
import { ownCertifiedKey } from "../../../../main/services/network/own-certificate.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { folderForFile } from "../../../fixtures/folders.ts";
import { createArchive } from "./archive.ts";

const folder = folderForFile();
const bench = useBenchOfFile();
const children: ChildProcess[] = [];

beforeAll(() => bench.engine.answers(measuredAt(9.6)));

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

const pacs = { name: "PACS", host: "127.0.0.1", port: 104, aeTitle: "PACS" };

async function startNode(...options: string[]): Promise<{ readonly port: number; readonly into: string }> {
  const into = mkdtempSync(path.join(folder, "node-"));
  const { child, port } = await startStorescp(into, options);
  children.push(child);
  return { port, into };
}

async function saveNode(name: string, port: number): Promise<string> {
  const { nodes } = await bench.call("dicom.saveNode", { nodeId: null, ...pacs, name, port });
  return nodes.find((node) => node.name === name)!.id;
}

test("keeps the key of our certificate if another certificate cannot be stored", async () => {
  await bench.call("dicom.saveCertificate", { pem: null });
  const before = await ownCertifiedKey(bench.desktop.context);
  const allow = await refuseRows(bench.context.db, "audit_events", { message: "no rows" });
  await expect(bench.call("dicom.saveCertificate", { pem: null })).rejects.toMatchObject({ code: "INTERNAL" });
  await allow();
  expect(await ownCertifiedKey(bench.desktop.context)).toEqual(before);
});

test("adds, changes, sorts and deletes nodes, and rejects changes of a deleted node", async () => {
  const own = (nodes: readonly DicomNode[]) => nodes.filter(({ name }) => name.startsWith("own"));
  const nodeId = await saveNode("own PACS", 104);
  await saveNode("own Archive", 104);
  const changed = { nodeId, ...pacs, name: "own PACS" };
  const { nodes } = await bench.call("dicom.saveNode", { ...changed, host: "pacs.local" });
  expect(own(nodes)).toMatchObject([
    { name: "own Archive", host: "127.0.0.1" },
    { name: "own PACS", host: "pacs.local" },
  ]);
  await bench.call("dicom.deleteNode", { nodeId });
  const left = await bench.call("dicom.nodes", {});
  expect(own(left.nodes).map(({ name }) => name)).toEqual(["own Archive"]);
  await expect(bench.call("dicom.saveNode", changed)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const sending = bench.call("dicom.send", { sendId: randomUUID(), filmId: "x", nodeId });
  await expect(sending).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("refuses nodes with invalid fields", async () => {
  for (const fault of [
    { aeTitle: "a title that is too long" },
    { aeTitle: "back\\slash" },
    { host: "-x y" },
    { port: 0 },
    { name: " " },
  ])
    await expect(bench.call("dicom.saveNode", { nodeId: null, ...pacs, ...fault })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
});

describe.skipIf(!hasDcmtk)("sending", () => {
  let filmId: string;
  beforeAll(async () => {
    filmId = (await bench.openFilm("film.dcm", sampleFile({ sopInstanceUid: "1.2.3.6.1", sidePx: 200 }))).id;
  });

  test("transmits a film's results unchanged, with progress", async () => {
    const { port, into } = await startNode();
    const [nodeId, sendId] = [await saveNode("taking", port), randomUUID()];
    const objects = await makeResultObjects(bench.desktop.context, filmId);
    const sent = { sentObjects: objects.length, failure: null };
    expect(await bench.call("dicom.send", { sendId, filmId, nodeId })).toEqual(sent);
    const dataSet = (bytes: Buffer) => bytes.subarray(144 + bytes.readUInt32LE(140)).toString("base64");
    const received = filesIn(into).map((file) => dataSet(readFileSync(file)));
    expect(received.sort()).toEqual(objects.map(({ bytes }) => dataSet(Buffer.from(bytes))).sort());
    expect(bench.eventsOf("dicom.sending").at(-1)).toMatchObject({
      sendId,
      progress: { sentObjects: objects.length, objects: objects.length },
    });
  });

  test("rejects a film without a reading", async () => {
    const nodeId = await saveNode("unused", await freePort());
    await bench.call("settings.save", { measuresOnArrival: false });
    const film = await bench.addFile("unread.dcm", sampleFile({ sopInstanceUid: "1.2.3.6.2", sidePx: 100 }));
    await bench.call("settings.save", { measuresOnArrival: true });
    const sending = bench.call("dicom.send", { sendId: randomUUID(), filmId: film.id, nodeId });
    await expect(sending).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("tests whether a node is reachable, and returns the reason otherwise", async () => {
    const { port } = await startNode();
    const nodeId = await saveNode("tested", port);
    expect(await bench.call("dicom.testNode", { nodeId })).toEqual({ failure: null });
    await bench.call("dicom.saveNode", { nodeId, ...pacs, name: "tested", port: await freePort() });
    expect((await bench.call("dicom.testNode", { nodeId })).failure).toEqual({
      reason: "unreachable",
      detail: "ECONNREFUSED",
    });
  });

  test("is audited even if the node refuses a later object, but not if it received none", async () => {
    const sentTo = async () => {
      const { events } = await bench.call("audit.list", { actions: ["film.sent"] });
      return events.map(({ detail }) => detail["to"]).filter((name) => name === "refusing");
    };
    const port = await freePort();
    const nodeId = await saveNode("refusing", port);
    const send = () => bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId });
    expect((await send()).failure?.reason).toBe("unreachable");
    expect(await sentTo()).toEqual([]);
    let stored = 0;
    const archive = createArchive({ stores: () => (stored++ === 0 ? 0 : 0x0110) }).listen(port, "127.0.0.1");
    onTestFinished(() => void archive.close());
    await once(archive, "listening");
    expect(await send()).toEqual({ sentObjects: 1, failure: { reason: "object-refused", detail: "0110" } });
    expect(await sentTo()).toEqual(["refusing"]);
  });

  test("is cancelled by its id", async () => {
    const { port } = await startNode("--sleep-during", "20");
    const [nodeId, sendId] = [await saveNode("sleeping", port), randomUUID()];
    bench.desktop.subscribe((event) => {
      if (event.name === "dicom.sending" && event.payload.sendId === sendId)
        void bench.call("jobs.cancel", { jobId: sendId });
    });
    expect(await bench.call("dicom.send", { sendId, filmId, nodeId })).toEqual({
      sentObjects: 0,
      failure: { reason: "cancelled", detail: "" },
    });
  });
});
