import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { folderForFile } from "../../../fixtures/folders.ts";
import type { SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import type { DimseCalls } from "../../../../main/dicom/network/node-calls.ts";
import { sendCommitmentRequest, sendTo, testNode } from "../../../../main/dicom/network/nodes.ts";
import type { ReachedPeer } from "../../../../main/dicom/network/secure-socket.ts";
import { shareThread } from "../../../fixtures/shared-thread.ts";
import { dataSet, explicit, text } from "../dicom-writer.ts";
import { phantomElements } from "../phantom-film.ts";
import {
  dataSetHash,
  filesIn,
  freePort,
  hasDcmtk,
  run,
  sampleFile,
  startStorescp,
  transferSyntaxOf,
  writeSample,
} from "./dcmtk.ts";
import { acceptance, pdu } from "./raw-association.ts";
import { createArchive } from "../../services/network/archive.ts";

const aeTitle = "CORVET";
const quick = { ...networkLimits, associationMs: 400, idleMs: 400, pduMs: 400 };
const folder = folderForFile();
const started: (ChildProcess | Server)[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const each of started.splice(0))
    if ("kill" in each) each.kill("SIGKILL");
    else each.close();
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function node(...options: string[]): Promise<{ readonly into: string; readonly peer: ReachedPeer }> {
  const into = mkdtempSync(path.join(folder, "node-"));
  const { child, port } = await startStorescp(into, options);
  started.push(child);
  return { into, peer: { host: "127.0.0.1", port, aeTitle: "PACS", encryption: null } };
}

type OmitNode<Given extends unknown[]> = Given extends [unknown, ...infer Rest] ? Rest : never;

async function failureOf(peer: ReachedPeer, ...[files, options]: OmitNode<Parameters<typeof sendTo>>) {
  return (await sendTo({ kind: "dimse", ...peer }, files, options)).failure;
}

async function badNode(behave: (socket: Socket) => void): Promise<ReachedPeer> {
  return peerAt(
    createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      behave(socket);
    }),
  );
}

async function peerAt(server: Server): Promise<ReachedPeer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  started.push(server);
  const address = server.address();
  return {
    host: "127.0.0.1",
    port: typeof address === "object" && address ? address.port : 0,
    aeTitle: "BAD",
    encryption: null,
  };
}

describe.skipIf(!hasDcmtk)("to DCMTK's storescp", () => {
  test("sends several objects in one association, byte for byte, with progress", async () => {
    const { into, peer } = await node();
    const sources = [1, 2, 3].map((film) =>
      writeSample(folder, `film-${film}`, { sopInstanceUid: `1.2.3.9.${film}`, sidePx: 256, bits: 12 }),
    );
    const report = writeSample(folder, "report", {
      sopInstanceUid: "1.2.3.9.4",
      sopClassUid: "1.2.840.10008.5.1.4.1.1.88.33",
    });
    const progress: SendProgress[] = [];
    expect(
      await failureOf(
        peer,
        [...sources, report].map((file) => readFileSync(file)),
        { aeTitle, onProgress: (step) => void progress.push(step) },
      ),
    ).toBeNull();
    expect(filesIn(into).map(dataSetHash).sort()).toEqual([...sources, report].map(dataSetHash).sort());
    const totalBytes = progress[0]?.totalBytes;
    expect(progress.at(-1)).toEqual({ sentBytes: totalBytes, totalBytes, sentObjects: 4, objects: 4 });
    expect(progress.map(({ sentObjects }) => sentObjects)).toEqual(
      progress.map(({ sentObjects }) => sentObjects).toSorted((a, b) => a - b),
    );
  });

  test("sends a file without a header, and one with a header of unknown length", async () => {
    const { into, peer } = await node();
    const contentOf = (instance: string) => dataSet(...phantomElements({ instance }));
    const contents = [contentOf("1.2.3.9.31"), contentOf("1.2.3.9.32")] as const;
    const syntax = explicit(text("00020010", "UI", "1.2.840.10008.1.2.1"));
    const headed = Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), syntax, contents[1]]);
    expect(await failureOf(peer, [contents[0], headed], { aeTitle })).toBeNull();
    const kept = filesIn(into).map((file) => Buffer.from(readDicomFile(readFileSync(file)).dataSet));
    expect(kept.sort(Buffer.compare)).toEqual(contents.toSorted(Buffer.compare));
  });

  test("sends objects of one class in two syntaxes, each unchanged", async () => {
    const { into, peer } = await node("+xa");
    const plain = writeSample(folder, "one", { sopInstanceUid: "1.2.3.9.21", bits: 12 });
    const coded = writeSample(folder, "two", { sopInstanceUid: "1.2.3.9.22", bits: 12 }, ["dcmcjpeg", "+e1"]);
    for (const files of [
      [plain, coded],
      [coded, plain],
    ]) {
      expect(
        await failureOf(
          peer,
          files.map((file) => readFileSync(file)),
          { aeTitle },
        ),
      ).toBeNull();
      const said = (file: string) => [transferSyntaxOf(file), dataSetHash(file)].join();
      expect(filesIn(into).map(said).sort()).toEqual([plain, coded].map(said).sort());
      for (const file of filesIn(into)) rmSync(file);
    }
  });

  test("sends nothing if a node rejects a class in its syntax, and reports the class", async () => {
    const { into, peer } = await node();
    const plain = writeSample(folder, "taken", { sopInstanceUid: "1.2.3.9.23", bits: 12 });
    const coded = writeSample(folder, "left", { sopInstanceUid: "1.2.3.9.24", bits: 12 }, ["gdcmconv", "--j2k"]);
    for (const files of [[coded], [plain, coded]]) {
      const bytes = files.map((file) => readFileSync(file));
      const refused = { reason: "kind-refused", detail: "1.2.840.10008.5.1.4.1.1.1" };
      expect(await failureOf(peer, bytes, { aeTitle })).toEqual(refused);
    }
    expect(filesIn(into)).toEqual([]);
  });

  test("re-encodes objects for a node that accepts only implicit little endian", async () => {
    const { into, peer } = await node("+xi");
    const source = writeSample(folder, "implicit", { sopInstanceUid: "1.2.3.9.6", bits: 12 });
    expect(await failureOf(peer, [readFileSync(source)], { aeTitle })).toBeNull();
    const [kept = ""] = filesIn(into);
    expect(transferSyntaxOf(kept)).toBe("1.2.840.10008.1.2");
    const back = path.join(folder, "back.dcm");
    expect(await run("dcmconv", ["+te", "-g", kept, back])).toMatchObject({ status: 0 });
    const dump = async (file: string) =>
      (await run("dcmdump", ["-Un", "+L", file])).output.split("\n").filter((line) => !/^(#|\(0002|$)/.test(line));
    expect(await dump(back)).toEqual(await dump(source));
  });

  test("reports by C-ECHO whether a node is reachable", async () => {
    const peer = { kind: "dimse", ...(await node()).peer } as const;
    expect(await testNode(peer, { aeTitle })).toBeNull();
    expect(await testNode({ ...peer, port: await freePort() }, { aeTitle })).toEqual({
      reason: "unreachable",
      detail: "ECONNREFUSED",
    });
    expect(await testNode({ ...peer, host: "nowhere.invalid" }, { aeTitle })).toMatchObject({ reason: "unknown-host" });
  });

  test.each([
    ["--refuse", "association-refused"],
    ["--abort-during", "connection-lost"],
  ])("reports a node started with %s", async (option, reason) => {
    const { peer } = await node(option);
    const source = writeSample(folder, "unwanted", { sopInstanceUid: "1.2.3.9.7", bits: 12 });
    expect(await failureOf(peer, [readFileSync(source)], { aeTitle })).toMatchObject({ reason });
  });

  test("cancels a transfer under way", async () => {
    const { peer } = await node("--sleep-during", "20");
    const cancel = new AbortController();
    // Without cancellation, the node would store the film after twenty seconds.
    const sending = failureOf(peer, [sampleFile({ sopInstanceUid: "1.2.3.9.9", sidePx: 512 })], {
      aeTitle,
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    });
    expect(await sending).toEqual({ reason: "cancelled", detail: "" });
    expect(await failureOf(peer, [], { aeTitle, signal: cancel.signal })).toEqual({
      reason: "cancelled",
      detail: "",
    });
  });
});

describe("to a misbehaving node", () => {
  const callThread = shareThread<DimseCalls>(
    new URL("../../../../main/dicom/network/dimse-thread.ts", import.meta.url),
  );
  const files = [sampleFile({ sopInstanceUid: "1.2.3.9.10", sidePx: 256 })];

  test.each<[string, string, (socket: Socket) => void]>([
    ["sends nothing", "no-answer", () => undefined],
    ["responds with garbage", "connection-lost", (socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["announces four gigabytes", "too-large", (socket) => void socket.write(pdu(2, Buffer.alloc(10), 0xffffffff))],
    ["closes immediately", "connection-lost", (socket) => void socket.destroy()],
    [
      "accepts PDUs of seven bytes",
      "connection-lost",
      (socket) => void socket.once("data", () => socket.write(acceptance(7))),
    ],
    [
      "accepts and then stays idle",
      "no-answer",
      (socket) => void socket.once("data", () => socket.write(acceptance(16_384))),
    ],
    [
      "accepts and then disconnects",
      "connection-lost",
      (socket) =>
        void socket.once("data", () => {
          socket.write(acceptance(16_384));
          socket.once("data", () => socket.resetAndDestroy());
        }),
    ],
    [
      "accepts and stops reading",
      "no-answer",
      (socket) =>
        void socket.once("data", () => {
          socket.write(acceptance(16_384));
          socket.pause();
        }),
    ],
    [
      "rejects our title",
      "calling-ae-refused",
      (socket) => void socket.once("data", () => socket.write(pdu(3, Buffer.from([0, 1, 1, 3])))),
    ],
    [
      "has another title",
      "called-ae-refused",
      (socket) => void socket.once("data", () => socket.write(pdu(3, Buffer.from([0, 1, 1, 7])))),
    ],
  ])("that %s fails with %s", async (_what, reason, behave) => {
    const limits = reason === "no-answer" ? quick : networkLimits;
    const { failure } = await callThread("send", { node: await badNode(behave), aeTitle, files, limits });
    expect(failure).toMatchObject({ reason });
  });

  test("that disconnects instead of confirming the release still sends everything", async () => {
    const peer = await peerAt(createArchive({ hangsUp: true }));
    const answer = await callThread("send", { node: peer, aeTitle, files, limits: networkLimits });
    expect(answer).toEqual({ failure: null, leftOut: [] });
  });

  test("that accepts PDUs of seven bytes requests no storage commitment", async () => {
    const peer = await badNode((socket) => void socket.once("data", () => socket.write(acceptance(7))));
    const objects = [{ sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.9.10" }];
    const { failure } = await sendCommitmentRequest(peer, objects, {
      ...{ aeTitle, transactionUid: "1.2.3.9.11", folder, waitMs: 1000 },
    });
    expect(failure).toEqual({ reason: "connection-lost", detail: "PDU 7" });
  });
});
