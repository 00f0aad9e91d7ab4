import { spawnSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { association as associations, requests as requested, responses as answers } from "dcmjs-dimse";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { askForCommitment } from "../../../../main/dicom/network/commitment/commitment.ts";
import { Dataset, Scp, constants, requests, responses } from "../../../../main/dicom/network/dimse.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import { startReceiver, type Receiver } from "../../../../main/dicom/network/receiving/receiver.ts";
import { receivedDir } from "../../../../main/store/store-files.ts";
import { programDir } from "../../../../main/program.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { endOf, freePort, hasDcmtk, run } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";

let folder: string;
let bench: DesktopBench;
let ownPort: number;
let pacsPort: number;
let nodeId: string;
let filmId: string;
const children: ChildProcess[] = [];
const servers: Server[] = [];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-commitment-"));
  [ownPort, pacsPort] = [await freePort(), await freePort()];
  bench = await openBench({ dataDir: path.join(folder, "data") });
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  const node = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", asksCommitment: true };
  nodeId = (await bench.call("dicom.saveNode", { nodeId: null, name: "PACS", ...node })).nodes[0]!.id;
  await bench.addFile("film.dcm", phantomFile({ instance: "1.2.3.5.1" }));
  await vi.waitUntil(async () => (await films())[0]?.state === "done", { timeout: 30_000 });
  filmId = (await films())[0]!.id;
});
afterEach(async () => {
  await bench.close();
  await Promise.all(
    children.splice(0).map(async (child) => {
      const ended = endOf(child);
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await ended;
    }),
  );
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const films = async () => (await bench.call("films.list", {})).films;
const sendings = async () => (await bench.call("dicom.sendings", { filmId })).sendings;
const state = async () => (await sendings())[0]?.commitment?.state;
const send = () => bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId });
const listen = (isOn: boolean) => bench.call("dicom.configure", { isOn, port: ownPort });
const isFinal = (expected: string) =>
  vi.waitUntil(async () => (await state()) === expected, { timeout: 60_000, interval: 50 });

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

type ActionRequest = InstanceType<typeof requested.NActionRequest>;
type Answer = InstanceType<typeof answers.NActionResponse>;
type StoreRequest = InstanceType<typeof requested.CStoreRequest>;
type StoreAnswer = InstanceType<typeof answers.CStoreResponse>;
type Said = { readonly TransactionUID: string; readonly ReferencedSOPSequence: object[] };

/** A PACS that answers for what it was sent over the same association, or not at all. */
class Archive extends Scp {
  readonly #says: (asked: Said) => object | null;
  readonly #status: number;

  constructor(socket: Socket, says: (asked: Said) => object | null, status: number) {
    super(socket);
    this.#says = says;
    this.#status = status;
    this.on("networkError", () => undefined);
  }

  override associationRequested(association: InstanceType<typeof associations.Association>): void {
    for (const { context } of association.getPresentationContexts())
      context.setResult(constants.PresentationContextResult.Accept, context.getTransferSyntaxUids()[0]);
    this.sendAssociationAccept();
  }

  override associationReleaseRequested(): void {
    this.sendAssociationReleaseResponse();
  }

  override cStoreRequest(request: StoreRequest, answer: (response: StoreAnswer) => void): void {
    const response = responses.CStoreResponse.fromRequest(request);
    response.setStatus(0);
    answer(response);
  }

  override nActionRequest(request: ActionRequest, answer: (response: Answer) => void): void {
    const response = responses.NActionResponse.fromRequest(request);
    response.setStatus(this.#status);
    answer(response);
    const event = this.#says(request.getDataset()!.getElements() as Said);
    if (event === null) return;
    const report = new requests.NEventReportRequest("1.2.840.10008.1.20.1", "1.2.840.10008.1.20.1.1", 1);
    report.setDataset(new Dataset({ ...event }));
    this.sendRequests([report]);
  }
}

function startArchive(says: (asked: Said) => object | null, status = 0): Promise<void> {
  const server = createServer((socket) => void new Archive(socket, says, status));
  servers.push(server);
  return new Promise((resolve) => server.listen(pacsPort, "127.0.0.1", resolve));
}

async function startOrthanc(): Promise<void> {
  children.push(spawnOrthanc(folder, { dicomPort: pacsPort, ownPort }));
  const echo = ["-aec", "PACS", "127.0.0.1", String(pacsPort)];
  await vi.waitUntil(async () => (await run("echoscu", echo)).status === 0, { timeout: 60_000, interval: 100 });
}

describe.skipIf(!hasOrthanc || !hasDcmtk)("Orthanc", () => {
  test("answers for results over an association of its own", async () => {
    await startOrthanc();
    await listen(true);
    const { sentObjects } = await send();
    await isFinal("kept");
    expect(await sendings()).toMatchObject([
      { node: "PACS", objects: sentObjects, commitment: { state: "kept", notKept: 0, failure: null } },
    ]);
    const reports = () =>
      readdirSync(receivedDir(path.join(folder, "data"))).filter((name) => name.endsWith(".committed"));
    await vi.waitUntil(() => reports().length === 0, { timeout: 10_000 });
  });

  test("says of an object that it never had that it does not keep it", async () => {
    await startOrthanc();
    const into = path.join(folder, "reports");
    const coming = Promise.withResolvers<string>();
    const receiver = await startReceiving(into, coming.resolve);
    const peer = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS", encryption: null };
    const object = { sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.404" };
    const options = { aeTitle: "CORVET", transactionUid: "2.25.77", waitMs: 0 };
    expect(await askForCommitment(peer, [object], options)).toEqual({ report: null, failure: null });
    expect(JSON.parse(readFileSync(path.join(into, await coming.promise), "utf8"))).toEqual({
      transactionUid: "2.25.77",
      kept: [],
      // No such object instance.
      failed: [{ sopInstanceUid: "1.2.3.404", reason: "0112" }],
    });
    await receiver.close();
  });

  test("is asked by the command, which prints what it says", async () => {
    await startOrthanc();
    const file = path.join(folder, "film.dcm");
    writeFileSync(file, phantomFile({ instance: "1.2.3.5.9" }));
    const node = `127.0.0.1:${pacsPort}:PACS`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["main/commands/pacs.ts", "send", "--node", node, "--commit", "--receive", String(ownPort), file],
      { cwd: programDir, encoding: "utf8" },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "1 sent\n1 kept, 0 not\n", stderr: "" });
  });
});

describe("a node that answers at once", () => {
  test("is heard over the same association, with the receiver off", async () => {
    await startArchive((asked) => ({ ...asked }));
    await send();
    await isFinal("kept");
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

  test("refuses the question: the sending stands, with the reason", async () => {
    await startArchive(() => null, 0x0110);
    await send();
    await isFinal("refused");
    expect((await sendings())[0]!.commitment!.failure).toEqual({ reason: "query-refused", detail: "0110" });
  });

  test("answers another question: it is not taken for ours", async () => {
    await startArchive((asked) => ({ ...asked, TransactionUID: "1.2.3.4.5" }));
    await listen(true);
    await send();
    await vi.waitUntil(async () => (await state()) === "asked", { timeout: 20_000 });
    await bench.desktop.parts.receive.commitments.close();
    expect(await state()).toBe("asked");
  });
});

test("an answer that came before the program was killed is taken at the next start", async () => {
  await startArchive(() => null);
  await listen(true);
  await send();
  await vi.waitUntil(async () => (await state()) === "asked", { timeout: 20_000 });
  await bench.desktop.parts.receive.commitments.close();
  const kept = sqliteFileOf(bench.context.db).prepare("SELECT value FROM settings WHERE key = ?").pluck();
  const [{ commitment, objects }] = JSON.parse(String(kept.get(`sendings of film ${filmId}`))) as [
    { commitment: { transactionUid: string }; objects: { sopInstanceUid: string }[] },
  ];
  await bench.close();
  const { transactionUid } = commitment;
  const report = { transactionUid, kept: objects.map(({ sopInstanceUid }) => sopInstanceUid), failed: [] };
  const received = receivedDir(path.join(folder, "data"));
  mkdirSync(received, { recursive: true });
  const file = path.join(received, "a.committed");
  writeFileSync(file, JSON.stringify(report));
  bench = await openBench({ dataDir: path.join(folder, "data") });
  await isFinal("kept");
  await vi.waitUntil(() => !existsSync(file), { timeout: 10_000 });
});

test("a node that is not to be asked is not asked", async () => {
  await startArchive(() => null);
  const node = { host: "127.0.0.1", port: pacsPort, aeTitle: "PACS" };
  await bench.call("dicom.saveNode", { nodeId, name: "PACS", ...node });
  await send();
  expect(await sendings()).toMatchObject([{ node: "PACS", commitment: null }]);
});
