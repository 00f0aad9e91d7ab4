// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { askForCommitment } from "../../../../main/dicom/network/commitment/commitment.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import { startReceiver, type Receiver } from "../../../../main/dicom/network/receiving/receiver.ts";
import { sopClasses } from "../../../../main/dicom/results/uids.ts";
import { receivedDir } from "../../../../main/store/files/store-files.ts";
import { programDir } from "../../../../main/program.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort, hasDcmtk } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { createArchive, type Behaviour, type Said } from "./archive.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundings } from "./surroundings.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

const around = openSurroundings();
let bench: DesktopBench;
let ownPort: number;
let pacsPort: number;
let nodeId: string;
let filmId: string;

beforeEach(async () => {
  [ownPort, pacsPort] = [await freePort(), await freePort()];
  bench = await around.open();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  const node = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", asksCommitment: true };
  nodeId = (await bench.call("dicom.saveNode", { nodeId: null, name: "PACS", ...node })).nodes[0]!.id;
  await bench.addFile("film.dcm", phantomFile({ instance: "1.2.3.5.1" }));
  await waitUntil(async () => (await films())[0]?.state === "done");
  filmId = (await films())[0]!.id;
});

const films = async () => (await bench.call("films.list", {})).films;
const sendings = async () => (await bench.call("dicom.sendings", { filmId })).sendings;
const state = async () => (await sendings())[0]?.commitment?.state;
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

const startArchive = (says: Behaviour["says"] = () => null, status = 0) =>
  around.listening(createArchive({ says, status }), pacsPort);
const startOrthanc = () => around.answering(spawnOrthanc(around.folder, { dicomPort: pacsPort, ownPort }), pacsPort);

describe.skipIf(!hasOrthanc || !hasDcmtk)("Orthanc", () => {
  test("reports on results over a separate association", async () => {
    await startOrthanc();
    await listen(true);
    const { sentObjects } = await send();
    await isFinal("kept");
    const { events } = await bench.call("audit.list", { actions: ["film.sent"] });
    expect(events.map(({ subject }) => subject)).toEqual([filmId]);
    expect(await sendings()).toMatchObject([
      { node: "PACS", objects: sentObjects, commitment: { state: "kept", notKept: 0, failure: null } },
    ]);
    const reports = () =>
      readdirSync(receivedDir(path.join(around.folder, "data"))).filter((name) => name.endsWith(".committed"));
    await expect.poll(reports).toEqual([]);
  });

  test("reports an unknown object as not kept", async () => {
    await startOrthanc();
    const into = path.join(around.folder, "reports");
    const coming = Promise.withResolvers<string>();
    const receiver = await startReceiving(into, coming.resolve);
    const peer = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", encryption: null };
    const object = { sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.404" };
    const options = { aeTitle: "CORVET", transactionUid: "2.25.77", folder: into, waitMs: 0 };
    expect(await askForCommitment(peer, [object], options)).toEqual({ reportFile: null, failure: null });
    expect(JSON.parse(readFileSync(path.join(into, await coming.promise), "utf8"))).toEqual({
      transactionUid: "2.25.77",
      kept: [],
      // No such object instance.
      failed: [{ sopInstanceUid: "1.2.3.404", reason: "0112" }],
    });
    await receiver.close();
  });

  test("is requested by the command, which prints the answer", async () => {
    await startOrthanc();
    const file = path.join(around.folder, "film.dcm");
    writeFileSync(file, phantomFile({ instance: "1.2.3.5.9" }));
    const node = `127.0.0.1:${pacsPort}:PACS`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["main/commands/corvet.ts", "pacs", "send", "--node", node, "--commit", "--receive", String(ownPort), file],
      { cwd: programDir, encoding: "utf8" },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "1 sent\n1 kept, 0 not\n", stderr: "" });
  });
});

describe("a node that answers at once", () => {
  test("arrives over the same association with the receiver off", async () => {
    await startArchive((asked) => ({ ...asked }));
    await send();
    await isFinal("kept");
  });

  test.each([
    ["is acknowledged once its answer is on the disk", true, 0x0000],
    ["is told so where its answer cannot be kept", false, 0x0110],
  ])("%s", async (_what, isThere, status) => {
    const folder = path.join(around.folder, "reports");
    if (isThere) mkdirSync(folder);
    const heard: [number, string[]][] = [];
    const hears = (said: number) => heard.push([said, isThere ? readdirSync(folder) : []]);
    const port = await around.listening(createArchive({ says: (asked) => ({ ...asked }), hears }));
    const peer = { host: "127.0.0.1", port, aeTitle: "PACS", encryption: null };
    const object = { sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.404" };
    const options = { aeTitle: "CORVET", transactionUid: "2.25.78", folder, waitMs: 2000 };
    const { reportFile } = await askForCommitment(peer, [object], options);
    expect(heard).toEqual([[status, reportFile === null ? [] : [reportFile]]]);
    if (isThere)
      expect(JSON.parse(readFileSync(path.join(folder, reportFile!), "utf8"))).toMatchObject({ kept: ["1.2.3.404"] });
  });

  test("keeps a part: the rest is counted, and asking again completes it", async () => {
    let isFirst = true;
    await startArchive(({ TransactionUID, ReferencedSOPSequence: [first, ...rest] }) => {
      const kept = isFirst ? [first!] : [first!, ...rest];
      const failed = isFirst ? rest.map((one) => ({ ...one, FailureReason: 0x0110 })) : [];
      isFirst = false;
      return {
        TransactionUID,
        ReferencedSOPSequence: kept,
        ...(failed.length > 0 && { FailedSOPSequence: failed }),
      };
    });
    const { sentObjects } = await send();
    await isFinal("partly");
    const [sending] = await sendings();
    expect(sending!.commitment!.notKept).toBe(sentObjects - 1);
    const { sendings: after } = await bench.call("dicom.askAgain", { filmId, sendingId: sending!.id });
    expect(after[0]!.commitment).toMatchObject({ state: "kept", notKept: 0 });
    await expect(bench.call("dicom.askAgain", { filmId, sendingId: sending!.id })).rejects.toThrow("CONFLICT");
  });

  test("takes no marks: neither counted as sent nor asked for, the rest is kept", async () => {
    const asked: object[] = [];
    const says = (said: Said) => (asked.push(...said.ReferencedSOPSequence), { ...said });
    await around.listening(createArchive({ says, refuses: sopClasses.presentationState }), pacsPort);
    expect(await send()).toEqual({ sentObjects: 2, failure: null });
    await isFinal("kept");
    expect(asked).toHaveLength(2);
    expect(await sendings()).toMatchObject([{ objects: 2, commitment: { state: "kept", notKept: 0 } }]);
  });

  test("refuses the request: the sending is kept, with the reason", async () => {
    await startArchive(() => null, 0x0110);
    await send();
    await isFinal("refused");
    expect((await sendings())[0]!.commitment!.failure).toEqual({ reason: "query-refused", detail: "0110" });
  });

  test("answers another question: it is not taken for ours", async () => {
    await startArchive((asked) => ({ ...asked, TransactionUID: "1.2.3.4.5" }));
    await listen(true);
    await send();
    await waitUntil(async () => (await state()) === "asked");
    await bench.desktop.parts.receive.commitments.close();
    expect(await state()).toBe("asked");
  });
});

test("an answer that came before the program was killed is taken at the next start", async () => {
  await startArchive();
  await listen(true);
  await send();
  await waitUntil(async () => (await state()) === "asked");
  await bench.desktop.parts.receive.commitments.close();
  const [kept] = await rawly(bench.context.db, `SELECT value FROM settings WHERE key = 'sendings of film ${filmId}'`);
  const [{ commitment, objects }] = JSON.parse(String(kept?.["value"])) as [
    { commitment: { transactionUid: string }; objects: { sopInstanceUid: string }[] },
  ];
  await bench.close();
  const { transactionUid } = commitment;
  const report = { transactionUid, kept: objects.map(({ sopInstanceUid }) => sopInstanceUid), failed: [] };
  const received = receivedDir(path.join(around.folder, "data"));
  mkdirSync(received, { recursive: true });
  const file = path.join(received, "a.committed");
  writeFileSync(file, JSON.stringify(report));
  bench = await around.open();
  await isFinal("kept");
  await expect.poll(() => existsSync(file)).toBe(false);
});

test("accepts a late answer to the first request after a second one", async () => {
  const asked: Said[] = [];
  await startArchive((question) => (asked.push(question), null));
  await listen(true);
  await send();
  await waitUntil(async () => (await state()) === "asked");
  await waitUntil(() => asked.length === 1);
  await bench.call("dicom.askAgain", { filmId, sendingId: (await sendings())[0]!.id });
  const objects = asked[0]!.ReferencedSOPSequence as { ReferencedSOPInstanceUID: string }[];
  const uids = objects.map((object) => object.ReferencedSOPInstanceUID);
  const answer = (kept: string[]) =>
    bench.desktop.parts.receive.commitments.processReport({
      transactionUid: asked[0]!.TransactionUID,
      kept,
      failed: [],
    });
  await answer(uids.slice(1));
  expect((await sendings())[0]!.commitment).toMatchObject({ state: "asked", notKept: 1 });
  await answer(uids.slice(0, 1));
  expect((await sendings())[0]!.commitment).toMatchObject({ state: "kept", notKept: 0 });
});

test("keeps the earlier answer of a deleted node", async () => {
  await startArchive(() => null, 0x0110);
  await send();
  await isFinal("refused");
  await bench.call("dicom.deleteNode", { nodeId });
  const sendingId = (await sendings())[0]!.id;
  await expect(bench.call("dicom.askAgain", { filmId, sendingId })).rejects.toThrow("NOT_FOUND");
  expect(await state()).toBe("refused");
});

test("does not ask a node without commitment", async () => {
  await startArchive();
  const node = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS" };
  await bench.call("dicom.saveNode", { nodeId, name: "PACS", ...node });
  await send();
  expect(await sendings()).toMatchObject([{ node: "PACS", commitment: null }]);
});
