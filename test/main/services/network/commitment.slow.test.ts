// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sendCommitmentRequest } from "../../../../main/dicom/network/nodes.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import { startReceiver, type Receiver } from "../../../../main/dicom/network/receiving/receiver.ts";
import { sopClasses } from "../../../../main/dicom/results/uids.ts";
import { receivedDir } from "../../../../main/store/files/store-files.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort, hasDcmtk } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { createArchive, type Behaviour, type Said } from "./archive.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

const around = openSurroundingsOfFile();
let bench: DesktopBench;
let filmId: string;
let ownPort: number;
let pacsPort: number;
let nodeId: string;

beforeAll(async () => {
  bench = await opened("data");
  filmId = await addedFilm();
});

beforeEach(async () => {
  [ownPort, pacsPort] = [await freePort(), await freePort()];
  nodeId = await savedNode();
});

afterEach(async () => void (await listen(false)));

async function opened(name: string): Promise<DesktopBench> {
  const opening = await around.open(name);
  opening.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  return opening;
}

async function addedFilm(): Promise<string> {
  return (await bench.openFilm("film.dcm", phantomFile({ instance: "1.2.3.5.1" }))).id;
}

async function savedNode(changedId: string | null = null): Promise<string> {
  const name = String(pacsPort);
  const node = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", asksCommitment: true };
  const { nodes } = await bench.call("dicom.saveNode", { nodeId: changedId, name, ...node });
  return nodes.find((saved) => saved.name === name)!.id;
}

const newest = async () => (await bench.call("dicom.sendings", { filmId })).sendings[0]!;
const state = async () => (await newest()).commitment?.state;
const send = () => bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId });
const listen = (isOn: boolean) => bench.call("dicom.configure", { isOn, port: ownPort });
const isFinal = (expected: string) => waitUntil(async () => (await state()) === expected);

function startReceiving(into: string, received: (fileName: string) => void): Promise<Receiver> {
  return new Promise((resolve, reject) => {
    const receiver = startReceiver(
      {
        ...{ addresses: ["127.0.0.1"], port: ownPort, aeTitle: "CORVET", encryption: null, limits: networkLimits },
        ...{ allowedAeTitles: null, allowedAddresses: null, folder: into },
      },
      { received, association: () => undefined, listening: () => resolve(receiver), failed: reject },
    );
  });
}

const startArchive = (behaviour: Behaviour = {}) => around.listening(createArchive(behaviour), pacsPort);
const startOrthanc = () => around.answering(spawnOrthanc(around.folder, { dicomPort: pacsPort, ownPort }), pacsPort);

test.skipIf(!hasOrthanc || !hasDcmtk)(
  "accepts reports of Orthanc over a separate association, also on an unknown object and for the command",
  async () => {
    await startOrthanc();
    await listen(true);
    const sent = async () => (await bench.call("audit.list", { actions: ["film.sent"] })).events;
    const before = await sent();
    const { sentObjects } = await send();
    await isFinal("kept");
    expect((await sent()).map(({ subject }) => subject)).toEqual([filmId, ...before.map(({ subject }) => subject)]);
    expect(await newest()).toMatchObject({
      ...{ node: String(pacsPort), objects: sentObjects },
      commitment: { state: "kept", notKept: 0, failure: null },
    });
    const reports = () =>
      readdirSync(receivedDir(path.join(around.folder, "data"))).filter((name) => name.endsWith(".committed"));
    await expect.poll(reports).toEqual([]);
    await listen(false);

    const into = path.join(around.folder, "unknown");
    const coming = Promise.withResolvers<string>();
    const receiver = await startReceiving(into, coming.resolve);
    const peer = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", encryption: null };
    const object = { sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.404" };
    const options = { aeTitle: "CORVET", transactionUid: "2.25.77", folder: into, waitMs: 0 };
    expect(await sendCommitmentRequest(peer, [object], options)).toEqual({ reportFile: null, failure: null });
    expect(JSON.parse(readFileSync(path.join(into, await coming.promise), "utf8"))).toEqual({
      transactionUid: "2.25.77",
      kept: [],
      // No such object instance.
      failed: [{ sopInstanceUid: "1.2.3.404", reason: "0112" }],
    });
    await receiver.close();
  },
);

describe("a node that reports at once", () => {
  test.each([
    ["gets a success response once its report is on disk", true, 0x0000],
    ["gets a failure response if its report cannot be stored", false, 0x0110],
  ])("%s", async (_what, isThere, status) => {
    const folder = path.join(around.folder, `reports-${isThere}`);
    if (isThere) mkdirSync(folder);
    const heard: [number, string[]][] = [];
    const cancel = new AbortController();
    const hears = (said: number) => {
      heard.push([said, isThere ? readdirSync(folder) : []]);
      // Otherwise the association stays open for a further report.
      if (!isThere) cancel.abort();
    };
    const port = await around.listening(createArchive({ says: (asked) => ({ ...asked }), hears }));
    const peer = { host: "127.0.0.1", port, aeTitle: "PACS", encryption: null };
    const object = { sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.404" };
    const options = { aeTitle: "CORVET", transactionUid: "2.25.78", folder, waitMs: 60_000, signal: cancel.signal };
    const { reportFile } = await sendCommitmentRequest(peer, [object], options);
    expect(heard).toEqual([[status, reportFile === null ? [] : [reportFile]]]);
    if (isThere)
      expect(JSON.parse(readFileSync(path.join(folder, reportFile!), "utf8"))).toMatchObject({ kept: ["1.2.3.404"] });
  });

  test("may report before it responds to the request, and is not kept waiting", async () => {
    const folder = path.join(around.folder, "reports-first");
    mkdirSync(folder);
    let releases = 0;
    const archive = createArchive({
      says: (asked) => ({ ...asked }),
      saysFirst: true,
      releases: () => (releases += 1),
    });
    const peer = { host: "127.0.0.1", port: await around.listening(archive), aeTitle: "PACS", encryption: null };
    const object = { sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.404" };
    const options = { aeTitle: "CORVET", transactionUid: "2.25.79", folder, waitMs: 2 ** 31 - 1 };
    const answer = await sendCommitmentRequest(peer, [object], options);
    expect([answer, releases]).toEqual([{ reportFile: readdirSync(folder)[0], failure: null }, 1]);
  });

  test("may commit to the rest after a repeated request, unless it is now a web server", async () => {
    let isFirst = true;
    await startArchive({
      says({ TransactionUID, ReferencedSOPSequence: [first, ...rest] }) {
        const kept = isFirst ? [first!] : [first!, ...rest];
        const failed = isFirst ? rest.map((one) => ({ ...one, FailureReason: 0x0110 })) : [];
        isFirst = false;
        return {
          TransactionUID,
          ReferencedSOPSequence: kept,
          ...(failed.length > 0 && { FailedSOPSequence: failed }),
        };
      },
    });
    const { sentObjects } = await send();
    await isFinal("partly");
    const { id: sendingId, commitment } = await newest();
    expect(commitment!.notKept).toBe(sentObjects - 1);
    const web = { kind: "web", url: "http://127.0.0.1/dicom-web", signIn: "none", user: "", trusted: "" } as const;
    await bench.call("dicom.saveNode", { nodeId, name: String(pacsPort), ...web });
    await expect(bench.call("dicom.askAgain", { filmId, sendingId })).rejects.toThrow("CONFLICT");
    expect(await state()).toBe("partly");
    await savedNode(nodeId);
    await bench.call("dicom.askAgain", { filmId, sendingId });
    expect((await newest()).commitment).toMatchObject({ state: "kept", notKept: 0 });
    await expect(bench.call("dicom.askAgain", { filmId, sendingId })).rejects.toThrow("CONFLICT");
  });

  test("may use the same association, and is not asked about presentation states that it does not accept", async () => {
    const asked: object[] = [];
    const says = (said: Said) => (asked.push(...said.ReferencedSOPSequence), { ...said });
    await startArchive({ says, refuses: sopClasses.presentationState });
    expect(await send()).toEqual({ sentObjects: 2, failure: null });
    await isFinal("kept");
    expect(asked).toHaveLength(2);
    expect(await newest()).toMatchObject({ objects: 2, commitment: { state: "kept", notKept: 0 } });
  });

  test("may refuse the request; the reason is stored and remains when the node is deleted", async () => {
    await startArchive({ status: 0x0110 });
    await send();
    await isFinal("refused");
    const { id: sendingId, commitment } = await newest();
    expect(commitment!.failure).toEqual({ reason: "query-refused", detail: "0110" });
    await bench.call("dicom.deleteNode", { nodeId });
    await expect(bench.call("dicom.askAgain", { filmId, sendingId })).rejects.toThrow("NOT_FOUND");
    expect(await state()).toBe("refused");
  });
});

test("ignores reports for other requests, and processes a report from before a kill at the next start", async ({
  onTestFinished,
}) => {
  const [others, itsFilm] = [bench, filmId];
  onTestFinished(() => void ([bench, filmId] = [others, itsFilm]));
  bench = await opened("killed");
  filmId = await addedFilm();
  nodeId = await savedNode();
  const heard: number[] = [];
  await startArchive({
    says: (asked) => ({ ...asked, TransactionUID: "1.2.3.4.5" }),
    hears: (status) => heard.push(status),
  });
  await listen(true);
  await send();
  await waitUntil(() => heard.length > 0);
  expect(heard).toEqual([0x0110]);
  await bench.desktop.parts.receive.commitments.close();
  expect(await state()).toBe("asked");
  const [kept] = await rawly(bench.context.db, `SELECT value FROM settings WHERE key = 'sendings of film ${filmId}'`);
  const [{ commitment, objects }] = JSON.parse(String(kept?.["value"])) as [
    { commitment: { transactionUid: string }; objects: { sopInstanceUid: string }[] },
  ];
  await bench.close();
  const { transactionUid } = commitment;
  const report = { transactionUid, kept: objects.map(({ sopInstanceUid }) => sopInstanceUid), failed: [] };
  const received = receivedDir(path.join(around.folder, "killed"));
  mkdirSync(received, { recursive: true });
  const file = path.join(received, "a.committed");
  writeFileSync(file, JSON.stringify(report));
  bench = await opened("killed");
  await isFinal("kept");
  await expect.poll(() => existsSync(file)).toBe(false);
});

test("accepts a late report for the first request after a second request", async () => {
  const asked: Said[] = [];
  await startArchive({ says: (question) => (asked.push(question), null), leaves: true });
  await send();
  await waitUntil(() => asked.length === 1);
  await bench.call("dicom.askAgain", { filmId, sendingId: (await newest()).id });
  const objects = asked[0]!.ReferencedSOPSequence as { ReferencedSOPInstanceUID: string }[];
  const uids = objects.map((object) => object.ReferencedSOPInstanceUID);
  const answer = (kept: string[]) =>
    bench.desktop.parts.receive.commitments.processReport({
      transactionUid: asked[0]!.TransactionUID,
      kept,
      failed: [],
    });
  await answer(uids.slice(1));
  expect((await newest()).commitment).toMatchObject({ state: "asked", notKept: 1 });
  await answer(uids.slice(0, 1));
  expect((await newest()).commitment).toMatchObject({ state: "kept", notKept: 0 });
});

test("requests no commitment of a node without this option", async () => {
  await startArchive();
  const node = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS" };
  await bench.call("dicom.saveNode", { nodeId, name: "Plain", ...node });
  await send();
  expect(await newest()).toMatchObject({ node: "Plain", commitment: null });
});
