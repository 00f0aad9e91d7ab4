import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { networkLimits, type NetworkLimits } from "../../../../main/dicom/network/network-limits.ts";
import type { AssociationReport } from "../../../../main/dicom/network/receiving/receiver-calls.ts";
import { storageClasses } from "../../../../main/dicom/network/storage-classes.ts";
import { outputOf } from "../../../fixtures/process/run-tool.ts";
import { dataSetHash, filesIn, hasDcmtk, run, transferSyntaxOf, writeSample } from "./dcmtk.ts";
import {
  associateRequest,
  connectRaw,
  element,
  fragment,
  pdu,
  pduTypes,
  storeCommand,
  typesIn,
  type RawAssociation,
} from "./raw-association.ts";
import { associated, narrow, nothing, openReceivers, until, type ReceiverBench } from "./receiver-bench.ts";

const receivers = openReceivers();
const { open } = receivers;

const toUs = (port: number, ...args: string[]) => ["-aec", "CORVET", ...args, "127.0.0.1", String(port)];

describe.skipIf(!hasDcmtk)("with DCMTK", () => {
  test("answers C-ECHO", async () => {
    const { port, reports } = await open();
    expect(await run("echoscu", toUs(port, "-aet", "XRAY"))).toMatchObject({ status: 0 });
    await until(() => reports.length === 1, "a report");
    expect(reports).toEqual([{ ...nothing, callingAeTitle: "XRAY", calledAeTitle: "CORVET", echoes: 1 }]);
  });

  test.each([
    ["-xi", "1.2.840.10008.1.2", ["dcmconv", "+ti"], 8],
    ["-xe", "1.2.840.10008.1.2.1", ["dcmconv", "+te"], 8],
    ["-xb", "1.2.840.10008.1.2.2", ["dcmconv", "+tb"], 12],
    ["-xd", "1.2.840.10008.1.2.1.99", ["dcmconv", "+td"], 8],
    ["-xr", "1.2.840.10008.1.2.5", ["dcmcrle"], 8],
    ["-xy", "1.2.840.10008.1.2.4.50", ["dcmcjpeg", "+eb"], 8],
    ["-xx", "1.2.840.10008.1.2.4.51", ["dcmcjpeg", "+ee"], 12],
    ["-xs", "1.2.840.10008.1.2.4.70", ["dcmcjpeg", "+e1"], 12],
    ["-xt", "1.2.840.10008.1.2.4.80", ["dcmcjpls", "+el"], 12],
    ["-xv", "1.2.840.10008.1.2.4.90", ["gdcmconv", "--j2k"], 12],
  ] as const)("stores a data set from storescu %s byte for byte in %s", async (option, syntax, encode, bits) => {
    const { port, folder: into, received, reports } = await open();
    const sample = { sopInstanceUid: "1.2.3.1.1.7", bits };
    const sent = writeSample(receivers.folder, "sent", sample, encode as unknown as [string, ...string[]]);
    expect(await run("storescu", toUs(port, option, "-aet", "XRAY").concat(sent))).toMatchObject({ status: 0 });
    await until(() => reports.length === 1, "a report");
    const [kept = ""] = filesIn(into);
    expect(reports).toEqual([{ ...nothing, callingAeTitle: "XRAY", calledAeTitle: "CORVET", storedObjects: 1 }]);
    expect(received).toEqual([path.basename(kept)]);
    expect(transferSyntaxOf(kept)).toBe(syntax);
    // DCMTK re-encodes the data set in these syntaxes: group lengths and the deflated stream differ.
    if (option !== "-xd" && option !== "-xv") return expect(dataSetHash(kept)).toBe(dataSetHash(sent));
    const valuesOf = (file: string) =>
      outputOf("dcmdump", ["-Un", "-M", "+L", file])
        .split("\n")
        .filter((line) => !/^(#|\(0002|$)/.test(line));
    expect(valuesOf(kept)).toEqual(valuesOf(sent));
    expect(outputOf("dcmdump", ["-Un", "+P", "0002,0016", kept])).toContain("[XRAY]");
  });

  test("accepts every storage class of the table and no other", async () => {
    const { port, reports, folder: into } = await open();
    const known = storageClasses.map(({ uid }, index) =>
      writeSample(receivers.folder, `known-${index}`, {
        ...{ sopInstanceUid: `1.2.3.1.1.${index + 1}`, sopClassUid: uid, sidePx: 4 },
      }),
    );
    expect(await run("storescu", toUs(port, "-R").concat(known))).toMatchObject({ status: 0 });
    const foreign = writeSample(receivers.folder, "foreign", {
      sopInstanceUid: "1.2.3.1.1.99",
      sopClassUid: "1.2.840.10008.5.1.4.1.1.2",
    });
    expect((await run("storescu", toUs(port, "-R").concat(foreign))).status).not.toBe(0);
    await until(() => reports.length === 2, "two reports");
    expect(reports.map(({ storedObjects, fault }) => ({ storedObjects, fault }))).toEqual([
      { storedObjects: storageClasses.length, fault: null },
      { storedObjects: 0, fault: "nothing-acceptable" },
    ]);
    expect(filesIn(into)).toHaveLength(storageClasses.length);
  });

  test("rejects other called and calling titles and other addresses, and reports the reason", async () => {
    const titled = await open({ allowedAeTitles: ["XRAY"] });
    expect(
      (await run("echoscu", ["-aec", "OTHER", "-aet", "XRAY", "127.0.0.1", String(titled.port)])).output,
    ).toContain("Called AE Title Not Recognized");
    expect((await run("echoscu", toUs(titled.port, "-aet", "STRANGER"))).output).toContain(
      "Calling AE Title Not Recognized",
    );
    await until(() => titled.reports.length === 2, "two reports");
    expect(titled.reports).toEqual([
      { ...nothing, callingAeTitle: "XRAY", calledAeTitle: "OTHER", fault: "called-ae-wrong" },
      { ...nothing, callingAeTitle: "STRANGER", calledAeTitle: "CORVET", fault: "calling-ae-not-allowed" },
    ]);
    const addressed = await open({ allowedAddresses: ["127.0.0.2", "127.1.0.0/16"] });
    expect((await run("echoscu", toUs(addressed.port))).status).not.toBe(0);
    for (const from of ["127.0.0.2", "127.1.2.3"]) {
      const raw = await connectRaw(addressed.port, from);
      raw.send(associateRequest());
      await raw.hear(pduTypes.accept);
      raw.socket.destroy();
    }
    await until(() => addressed.reports.length === 3, "three reports");
    expect(addressed.reports.map(({ address, fault }) => ({ address, fault }))).toEqual([
      { address: "127.0.0.1", fault: "address-not-allowed" },
      { address: "127.0.0.2", fault: "connection-lost" },
      { address: "127.1.2.3", fault: "connection-lost" },
    ]);
  });

  test("receives a study in one association, and several associations concurrently", async () => {
    const { port, reports, folder: into } = await open();
    const studies = [1, 2].map((study) =>
      [1, 2, 3].map((film) =>
        writeSample(receivers.folder, `${study}-${film}`, { sopInstanceUid: `1.2.3.${study}.${film}`, sidePx: 256 }),
      ),
    );
    const ends = await Promise.all(studies.map((files) => run("storescu", toUs(port).concat(files))));
    expect(ends.map(({ status }) => status)).toEqual([0, 0]);
    await until(() => reports.length === 2, "two reports");
    expect(reports.map(({ storedObjects }) => storedObjects)).toEqual([3, 3]);
    expect(filesIn(into).map(dataSetHash).sort()).toEqual(studies.flat().map(dataSetHash).sort());
  });

  test("reports a port that is in use", async () => {
    const first = await open();
    const second = await receivers.start({ port: first.port });
    expect(second.failures).toEqual(["port-in-use"]);
    await second.receiver.close();
  });
});

// Tests share a receiver, which reports a connection only after it has closed.
describe("with a misbehaving client", { shuffle: false }, () => {
  const dataElement = element(0x0018, Buffer.from("1.2.3.9\0"), 8);

  function oddNumbers(count: number): number[] {
    return Array.from({ length: count }, (_, index) => (2 * index + 1) % 256);
  }

  async function expectReport({ reports, folder }: ReceiverBench, fault: AssociationReport["fault"]): Promise<void> {
    await until(() => reports.length > 0, `a report of ${fault}`);
    expect([reports.map((report) => report.fault), readdirSync(folder)]).toEqual([[fault], []]);
  }

  async function expectFault(bench: ReceiverBench, fault: AssociationReport["fault"]): Promise<void> {
    await expectReport(bench, fault);
    const { reports } = bench;
    reports.length = 0;
    const alive = await associated(bench);
    alive.send(pdu(5, Buffer.alloc(4)));
    await alive.closed;
    await until(() => reports.length === 1, "an answer afterwards");
    expect(reports[0]).toEqual({ ...nothing, callingAeTitle: "RAW", calledAeTitle: "CORVET" });
  }

  test.each<[string, AssociationReport["fault"], Buffer]>([
    ["an HTTP request", "not-dicom", Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")],
    ["a TLS hello", "not-dicom", Buffer.from("1603010200010001fc0303", "hex")],
    ["data before an association", "not-dicom", fragment("command", true, storeCommand("1.2.3"))],
    ["an association request of four gigabytes", "too-large", pdu(1, Buffer.alloc(100), 0xffffffff)],
    ["more presentation contexts than identifiers", "not-dicom", associateRequest({ contextIds: oddNumbers(130) })],
    ["a repeated presentation context", "not-dicom", associateRequest({ contextIds: [1, 3, 3] })],
    ["a presentation context with the identifier 0", "not-dicom", associateRequest({ contextIds: [0] })],
    ["a truncated association request", "not-dicom", pdu(1, associateRequest().subarray(6, 140))],
  ])("rejects %s at the start of a connection", async (_what, fault, words) => {
    const bench = await open({ limits: narrow });
    const raw = await connectRaw(bench.port);
    raw.send(words);
    await raw.closed;
    await expectFault(bench, fault);
  });

  test.each<[string, AssociationReport["fault"], Buffer[]]>([
    ["a PDU of two gigabytes", "too-large", [pdu(4, Buffer.alloc(10), 0x7fffffff)]],
    ["a fragment longer than its PDU", "not-dicom", [fragment("command", true, storeCommand("1.2.3"), 100_000)]],
    ["a fragment without length", "not-dicom", [fragment("command", true, storeCommand("1.2.3"), 0)]],
    ["an invalid command", "not-dicom", [fragment("command", true, Buffer.from("nonsense nonsense nonsense"))]],
    [
      "an unexpected command",
      "not-dicom",
      [
        fragment(
          "command",
          true,
          Buffer.concat([element(0x0100, Buffer.from([0x20, 0])), element(0x0800, Buffer.from([1, 1]))]),
        ),
      ],
    ],
    [
      "an endless command",
      "too-large",
      Array.from({ length: 20 }, () => fragment("command", false, Buffer.alloc(1000))),
    ],
    [
      "a data set larger than allowed",
      "too-large",
      [
        fragment("command", true, storeCommand("1.2.3")),
        ...Array.from({ length: 12 }, () => fragment("data", false, Buffer.alloc(10_000))),
      ],
    ],
    ["data instead of a command", "not-dicom", [fragment("data", true, Buffer.alloc(10))]],
    ["a second association request", "not-dicom", [associateRequest()]],
    [
      "a fragment for an unknown presentation context",
      "not-dicom",
      [fragment("command", true, storeCommand("1.2.3")), pdu(4, Buffer.from([0, 0, 0, 4, 9, 2, 0, 0]))],
    ],
  ])("aborts an association after %s", async (_what, fault, words) => {
    const bench = await open({ limits: narrow });
    const raw = await associated(bench);
    raw.send(...words);
    await raw.closed;
    expect(typesIn(raw.heard()).at(-1)).toBe(pduTypes.abort);
    await expectReport(bench, fault);
  });

  test("deletes the partial object when a client disconnects in the middle of a fragment", async () => {
    const bench = await open({ limits: narrow });
    const raw = await associated(bench);
    raw.send(
      fragment("command", true, storeCommand("1.2.3")),
      fragment("data", false, Buffer.alloc(5000)),
      fragment("data", true, Buffer.alloc(9000)).subarray(0, 4000),
    );
    await until(() => readdirSync(bench.folder).length === 1, "the unfinished object");
    raw.socket.resetAndDestroy();
    await expectFault(bench, "connection-lost");
  });

  test("deletes the partial object after an abort in the middle of it", async () => {
    const bench = await open({ limits: narrow });
    const raw = await associated(bench);
    raw.send(
      fragment("command", true, storeCommand("1.2.3")),
      fragment("data", false, Buffer.alloc(5000)),
      pdu(7, Buffer.from([0, 0, 0, 0])),
    );
    await raw.closed;
    await expectFault(bench, "connection-lost");
  });

  test("refuses damaged and unannounced objects and continues the association", async () => {
    const bench = await open({ limits: narrow });
    const { reports, folder: into } = bench;
    const raw = await associated(bench);
    const statuses: number[] = [];
    for (const dataSet of [
      Buffer.from("no data set at all, no data set!"),
      Buffer.concat([dataElement, Buffer.from([8, 0, 0x60, 0, 255, 0, 0, 0])]),
      Buffer.concat([element(0x0016, Buffer.from("1.2.840.10008.5.1.4.1.1.1\0"), 8), dataElement]),
    ]) {
      const before = raw.heard().length;
      raw.send(fragment("command", true, storeCommand("1.2.3")), fragment("data", true, dataSet));
      await until(() => raw.heard().length > before, "a response");
      const answer = raw.heard().subarray(before);
      statuses.push(answer.readUInt16LE(answer.indexOf(Buffer.from([0, 0, 0, 9, 2, 0, 0, 0])) + 8));
    }
    expect(statuses).toEqual([0xc000, 0xc000, 0xa900]);
    raw.send(pdu(5, Buffer.alloc(4)));
    await raw.closed;
    await until(() => reports.length === 1, "a report");
    expect(reports).toEqual([{ ...nothing, callingAeTitle: "RAW", calledAeTitle: "CORVET", refusedObjects: 3 }]);
    expect(readdirSync(into)).toEqual([]);
  });

  test("drops connections above the limit and accepts new ones afterwards", async () => {
    const bench = await open({ limits: narrow });
    const { reports } = bench;
    const kept = await Promise.all(Array.from({ length: 4 }, () => associated(bench)));
    const dropped = await connectRaw(bench.port);
    await dropped.closed;
    for (const raw of kept) raw.socket.destroy();
    await until(() => reports.length === 5, "five reports");
    expect(reports.map(({ fault }) => fault)).toEqual([
      "too-many-connections",
      ...Array.from({ length: 4 }, () => "connection-lost"),
    ]);
    reports.length = 0;
    (await associated(bench)).socket.destroy();
  });

  test("serves a sender while silent connections occupy all slots", async () => {
    const bench = await open({ limits: narrow });
    const { port, reports } = bench;
    const busy = await associated(bench);
    const silent = await Promise.all(Array.from({ length: 40 }, () => connectRaw(port)));
    const other = await connectRaw(port, "127.0.0.2");
    await Promise.all(Array.from({ length: 8 }, () => connectRaw(port)));
    other.send(associateRequest());
    await other.hear(pduTypes.accept);
    for (const raw of [busy, other]) {
      raw.send(pdu(5, Buffer.alloc(4)));
      await raw.closed;
    }
    for (const raw of silent) raw.socket.destroy();
    const served = () => reports.filter(({ fault }) => fault === null).map(({ address }) => address);
    await until(() => served().length === 2, "reports of both senders");
    expect(served().sort()).toEqual(["127.0.0.1", "127.0.0.2"]);
    expect(reports.filter(({ fault }) => fault === "too-many-connections").length).toBeGreaterThan(30);
  });

  test.each([
    ["with all identifiers", oddNumbers(128)],
    ["in descending order", [5, 3, 1]],
  ])("accepts presentation contexts %s", async (_what, contextIds) => {
    const { port } = await open({ limits: narrow });
    const raw = await connectRaw(port);
    raw.send(associateRequest({ contextIds }));
    await raw.hear(pduTypes.accept);
    raw.socket.destroy();
  });

  test("rejects with the standard's reason code", async () => {
    const { port } = await open({ limits: narrow });
    const raw = await connectRaw(port);
    raw.send(associateRequest({ called: "SOMEBODY" }));
    await raw.closed;
    expect(typesIn(raw.heard())).toEqual([pduTypes.reject]);
    expect([...raw.heard().subarray(6)]).toEqual([0, 1, 1, 7]);
  });

  test("accepts a client with PDUs of any size, and declines asynchronous operations", async () => {
    const { port } = await open({ limits: narrow });
    const raw = await connectRaw(port);
    raw.send(associateRequest({ maxPduBytes: 0 }));
    await raw.hear(pduTypes.accept);
    const heard = raw.heard();
    expect(heard.readUInt32BE(heard.indexOf(Buffer.from([0x51, 0, 0, 4])) + 4)).toBe(networkLimits.pduBytes);
    expect(heard.indexOf(Buffer.from([0x53, 0, 0, 4]))).toBe(-1);
    raw.socket.destroy();
  });

  const send = fragment("command", true, storeCommand("1.2.3"));
  const sendSlowly = async (raw: RawAssociation, parts: readonly Buffer[]) => {
    for (const part of parts) {
      if (raw.socket.destroyed) return;
      raw.send(part);
      await delay(20);
    }
  };
  // Only one limit is short in each case, so that no other one can end the connection.
  test.concurrent.each<[string, Partial<NetworkLimits>, readonly Buffer[], readonly Buffer[]]>([
    ["sends nothing", { associationMs: 400 }, [], []],
    [
      "sends its request byte by byte",
      { associationMs: 400 },
      [],
      [...associateRequest()].map((byte) => Buffer.of(byte)),
    ],
    ["stops in the middle of a PDU", { pduMs: 400 }, [associateRequest()], [send.subarray(0, 30)]],
    // This time starts with the connection and must suffice for the association.
    ["associates and then stays idle", { idleMs: 1500 }, [associateRequest()], []],
    [
      "sends its object in tiny fragments",
      { messageMs: 400 },
      [associateRequest()],
      [send, ...Array<Buffer>(1000).fill(fragment("data", false, Buffer.from("ab")))],
    ],
  ])("disconnects a client that %s", async (_what, short, opening, slow) => {
    const bench = await receivers.start({ limits: { ...narrow, ...short } });
    const raw = await connectRaw(bench.port);
    raw.send(...opening);
    if (opening.length > 0) await raw.hear(pduTypes.accept);
    await sendSlowly(raw, slow);
    await raw.closed;
    await expectReport(bench, "too-slow");
    await bench.receiver.close();
  });
});
