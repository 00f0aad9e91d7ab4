// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, createServer as createRawServer, type Socket } from "node:net";
import path from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { DesktopRequest } from "../../../../core/contract/desktop.ts";
import type { DicomNode } from "../../../../core/contract/desktop/network/dicom.ts";
import { makeOwnCertificate } from "../../../../main/dicom/network/certificates/make-certificate.ts";
import { networkLimits, type NetworkLimits } from "../../../../main/dicom/network/network-limits.ts";
import type { NodeCalls, ReachedWeb } from "../../../../main/dicom/network/node-calls.ts";
import { fetchFrom, maxMatches, sendTo } from "../../../../main/dicom/network/nodes.ts";
import { studyRoot } from "../../../../main/dicom/network/query/query-calls.ts";
import { shareThread } from "../../../fixtures/shared-thread.ts";
import { watchMemory } from "../../../fixtures/memory.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

const around = openSurroundingsOfFile();
const callThread = shareThread<NodeCalls<ReachedWeb>>(
  new URL("../../../../main/dicom/network/web/web-thread.ts", import.meta.url),
);
const aeTitle = "CORVET";
let bench: DesktopBench;

beforeAll(async () => {
  bench = await around.open();
  bench.engine.answers(measuredAt(9.6));
});

const job = () => randomUUID();
const films = async () => (await bench.call("films.list", { limit: 500 })).films;
type WebFields = Partial<Extract<DesktopRequest<"dicom.saveNode">, { kind: "web" }>>;

async function addNode(fields: WebFields, nodeId: string | null = null): Promise<string> {
  const name = randomUUID();
  const given = { kind: "web", name, url: "", signIn: "none", user: "", trusted: "", ...fields } as const;
  const { nodes } = await bench.call("dicom.saveNode", { nodeId, ...given });
  return nodes.find((node) => node.name === name)!.id;
}

const failureOf = async (nodeId: string) => (await bench.call("dicom.testNode", { nodeId })).failure;

async function answering(nodeId: string): Promise<void> {
  await waitUntil(async () => (await failureOf(nodeId)) === null);
}

const luna = { patientId: "P-5", patientName: "Sommer^Luna", responsiblePerson: "Sommer^Änne" };

describe.skipIf(!hasOrthanc)("with Orthanc's DICOMweb", () => {
  const password = "s3cret";
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const settings = { AuthenticationEnabled: true, RegisteredUsers: { corvet: password } };
    const orthanc = spawnOrthanc(around.folder, {
      dicomPort: await freePort(),
      ownPort: 1,
      web: { port, settings },
    });
    await around.answering(orthanc, port);
  });

  test("stores results, finds them by animal and owner, and retrieves them unchanged", async () => {
    const url = `http://127.0.0.1:${port}/dicom-web`;
    const nodeId = await addNode({ url, signIn: "basic", user: "corvet", secret: password });
    await answering(nodeId);
    const file = phantomFile({ study: "1.2.3.51", instance: "1.2.3.51.1", ...luna });
    const { id: filmId } = await bench.openFilm("film.dcm", file);
    const sent = await bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId });
    expect(sent).toEqual({ sentObjects: 3, failure: null });
    const original = phantomFile({ study: "1.2.3.52", instance: "1.2.3.52.1", grey: 60, ...luna });
    const signIn = { kind: "basic", user: "corvet", password } as const;
    const web = { url, signIn, trusted: "", own: null };
    expect((await sendTo({ kind: "web", ...web }, [original], { aeTitle })).failure).toBeNull();
    const find = (query: object) => bench.call("pacs.find", { jobId: job(), nodeId, query });
    for (const query of [{ name: "luna" }, { patientId: "P-5" }, { from: "2025-02-03", to: "2025-02-03" }]) {
      const { studies } = await find(query);
      expect(studies.map((study) => study.studyInstanceUid).sort()).toEqual(["1.2.3.51", "1.2.3.52"]);
      expect(studies[0]).toMatchObject({ patientName: "Sommer Luna", patientId: "P-5", day: "2025-02-03" });
    }
    expect((await find({ patientId: "P-6" })).studies).toEqual([]);
    const into = path.join(around.folder, "fetched");
    const identifier = { StudyInstanceUID: "1.2.3.52" };
    const asked = { node: web, aeTitle, limits: networkLimits, identifier, folder: into, destinationAeTitle: null };
    const answer = await callThread("fetch", asked);
    expect(answer).toEqual({ fetchedObjects: 1, failedObjects: 0, objects: null, failure: null });
    const [name] = readdirSync(into);
    const pixels = (bytes: Buffer) => bytes.subarray(bytes.lastIndexOf(Buffer.from([0xe0, 0x7f, 0x10, 0])));
    expect(pixels(readFileSync(path.join(into, name!))).equals(pixels(original))).toBe(true);
    await bench.call("pacs.fetch", { jobId: job(), nodeId, studyInstanceUid: "1.2.3.52" });
    await waitUntil(async () => (await films()).length === 2);
    expect(bench.logged.join("\n")).not.toMatch(/Luna|Sommer|P-5/);
  });

  test("signs in over TLS, and distinguishes an untrusted certificate from a rejected password", async () => {
    // Debian's Orthanc 1.10.1 does not support TLS with OpenSSL 3, so a TLS proxy is used, as recommended.
    const server = await certified("127.0.0.1");
    const front = createTlsServer({ cert: server.certificatePem, key: server.privateKeyPem }, (socket) => {
      const behind = connect(port, "127.0.0.1");
      for (const end of [socket, behind]) end.on("error", () => [socket, behind].forEach((one) => one.destroy()));
      socket.pipe(behind).pipe(socket);
    });
    const url = `https://127.0.0.1:${await around.listening(front)}/dicom-web/`;
    const fields = { url, signIn: "basic", user: "corvet" } as const;
    const trusted = server.certificatePem;
    const nodeId = await addNode({ ...fields, secret: password, trusted });
    await answering(nodeId);
    await addNode({ ...fields, secret: "wrong", trusted }, nodeId);
    expect(await failureOf(nodeId)).toEqual({ reason: "sign-in-refused", detail: "401" });
    await addNode({ ...fields, secret: password }, nodeId);
    expect((await failureOf(nodeId))?.reason).toBe("certificate-doubted");
  });
});

async function certified(name: string) {
  const now = new Date();
  return makeOwnCertificate(name, now, new Date(now.getTime() + 86_400_000));
}

test("presents our certificate to a web server, and accepts another host name in a trusted certificate", async () => {
  const theirs = await certified("somewhere.else");
  const { certificate } = await bench.call("dicom.saveCertificate", { pem: null });
  const shown: string[] = [];
  const server = createSecureServer(
    {
      ...{ cert: theirs.certificatePem, key: theirs.privateKeyPem },
      ...{ ca: certificate!.pem, requestCert: true, rejectUnauthorized: true },
    },
    (request, response) => {
      shown.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256.replaceAll(":", "").toLowerCase());
      response.writeHead(200, json).end("[]");
    },
  );
  const url = `https://127.0.0.1:${await around.listening(server)}/dicom-web`;
  const nodeId = await addNode({ url, signIn: "certificate", trusted: theirs.certificatePem });
  expect(await failureOf(nodeId)).toBeNull();
  expect(shown).toEqual([certificate!.fingerprint]);
  await addNode({ url, signIn: "none", trusted: theirs.certificatePem }, nodeId);
  expect(["tls-refused", "connection-lost"]).toContain((await failureOf(nodeId))?.reason);
});

async function badServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ readonly url: string; readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.on("error", () => undefined);
    void answer(request, response);
  });
  server.on("connection", (socket) => socket.on("error", () => undefined));
  return { asked, url: `http://127.0.0.1:${await around.listening(server)}/dicom-web` };
}

async function rawServer(behave: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => behave(socket));
  });
  return `http://127.0.0.1:${await around.listening(server)}/`;
}

const plain = (url: string) => ({ url, signIn: { kind: "none" }, trusted: "", own: null }) as const;
/** Short limits for one message; the idle time is not shortened, so that a busy computer does not exceed it. */
const brief = { limits: { ...networkLimits, messageMs: 1500, objectBytes: 1_000_000 } };
const impatient = { limits: { ...brief.limits, idleMs: 400 } };
const identifier = { PatientID: "P-5", StudyInstanceUID: "" };
const find = (url: string, { limits }: { readonly limits: NetworkLimits } = { limits: networkLimits }) =>
  findAt(plain(url), limits);
const findAt = (node: ReachedWeb, limits = networkLimits) =>
  callThread("find", { node, aeTitle, limits, model: studyRoot.find, identifier, maxMatches });
const json = { "content-type": "application/dicom+json" };

describe("a web server", () => {
  test("receives password or token", async () => {
    const { url, asked } = await badServer((_request, response) => response.writeHead(200, json).end("[]"));
    const nodeId = await addNode({ url, signIn: "basic", user: "dr.änne", secret: "p:w" });
    expect(await failureOf(nodeId)).toBeNull();
    await addNode({ url, signIn: "bearer", secret: "t0ken" }, nodeId);
    expect(await failureOf(nodeId)).toBeNull();
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from("dr.änne:p:w").toString("base64")}`,
      "Bearer t0ken",
    ]);
  });

  test("cannot redirect to another origin, which receives no request", async () => {
    const other = await badServer((_request, response) => response.writeHead(200, json).end("[]"));
    const { url } = await badServer((request, response) => {
      request.resume().once("end", () => response.writeHead(302, { location: `${other.url}/studies` }).end());
    });
    const web = { ...plain(url), signIn: { kind: "bearer", token: "t0ken" } } as const;
    const files = [phantomFile({ instance: "1.2.3.51.1" })];
    for (const { failure } of [
      await findAt(web),
      await callThread("send", { node: web, aeTitle, limits: networkLimits, files }),
    ])
      expect(failure).toEqual({ reason: "redirected", detail: new URL(other.url).origin });
    expect(other.asked).toEqual([]);
  });

  test("can redirect within its origin, but only a limited number of times", async () => {
    let hops = 1;
    const { url, asked } = await badServer((request, response) => {
      if (request.url?.startsWith("/moved/")) return response.writeHead(200, json).end("[]");
      hops -= 1;
      return response.writeHead(307, { location: hops >= 0 ? "/moved/studies" : request.url }).end();
    });
    expect((await find(url)).failure).toBeNull();
    expect((await find(url)).failure?.reason).toBe("redirected");
    expect(asked.length).toBe(8);
  });

  test.each([
    ["an owner has more studies than the limit", "Sommer^Änne", 500, true],
    ["all studies match because it ignores the owner", null, 0, false],
    ["it refuses to search by owner", undefined, 0, false],
  ])("has its results limited and filtered if %s", async (_case, owner, found, isCutOff) => {
    const { url } = await badServer((request, response) => {
      if (!request.url!.includes("00102297=")) return response.writeHead(204).end();
      if (owner === undefined) return response.writeHead(400).end();
      const named = owner === null ? {} : { "00102297": { vr: "PN", Value: [{ Alphabetic: owner }] } };
      const uidOf = (index: number) => ({ "0020000D": { vr: "UI", Value: [`1.2.3.${index}`] } });
      const matches = Array.from({ length: 501 }, (_, index) => ({ ...named, ...uidOf(index) }));
      return response.writeHead(200, json).end(JSON.stringify(matches));
    });
    const nodeId = await addNode({ url });
    const answer = await bench.call("pacs.find", { jobId: job(), nodeId, query: { name: "sommer" } });
    expect([answer.studies.length, answer.isCutOff, answer.failure]).toEqual([found, isCutOff, null]);
  });

  test("is read up to 500 matches if it ignores the limit, and stopped if it sends matches without end", async () => {
    let written = 0;
    const serve = (count: number, name: string) =>
      badServer(async (_request, response) => {
        const match = JSON.stringify({ "00100010": { vr: "PN", Value: [{ Alphabetic: name }] } });
        response.writeHead(200, json).write(`[${match}`);
        for (written = 1; written < count && !response.destroyed; written += 1)
          if (!response.write(`,${match}`)) await delay(1);
        response.end("]");
      });
    const memory = watchMemory();
    const long = await find((await serve(10_000, "Luna ".repeat(200))).url);
    expect([long.matches.length, long.isCutOff, long.failure]).toEqual([500, true, null]);
    expect(long.matches.every(({ PatientName }) => PatientName!.length <= 256)).toBe(true);
    const endless = await find((await serve(100_000, "Luna ".repeat(4000))).url);
    expect([endless.matches.length, endless.isCutOff, endless.failure]).toEqual([500, true, null]);
    expect(written).toBeLessThan(100_000);
    const large = await find((await serve(1000, "Luna ".repeat(20_000))).url);
    expect([large.matches.length, large.failure?.reason]).toEqual([0, "too-large"]);
    expect(memory.grownMb()).toBeLessThan(400);
  });

  const more = { warning: '299 pacs "There are additional results that can be requested"' };
  const fuzzy = { warning: '299 pacs "The fuzzymatching parameter is not supported, only literal matching"' };
  const uidFrom = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ "0020000D": { vr: "UI", Value: [`1.2.3.${from + index}`] } }));
  const whole = { total: 450, most: 200, knowsOffset: true, refusesOffset: false, warned: more };

  test.each<[string, Partial<typeof whole>, number, boolean, string[]]>([
    ["page by page", {}, 450, false, ["501,", "301,200", "101,400"]],
    ["up to 500", { total: 5000 }, 500, true, ["501,", "301,200", "101,400"]],
    ["and not endlessly if it ignores the offset", { knowsOffset: false }, 200, true, ["501,", "301,200"]],
    ["until it refuses an offset", { refusesOffset: true }, 200, true, ["501,", "301,200"]],
    ["once if its warning has another meaning", { total: 200, most: 199, warned: fuzzy }, 199, false, ["501,"]],
    ["once if it sends no warning", { total: 150 }, 150, false, ["501,"]],
  ])("with a smaller page size than requested is read %s", async (_how, given, found, isCutOff, pages) => {
    const { total, most, knowsOffset, refusesOffset, warned } = { ...whole, ...given };
    const { url, asked } = await badServer((request, response) => {
      const parameters = new URL(request.url!, "http://x").searchParams;
      if (refusesOffset && parameters.has("offset")) return response.writeHead(400).end();
      const from = knowsOffset ? Number(parameters.get("offset")) : 0;
      const count = Math.min(most, total - from, Number(parameters.get("limit")));
      const head = from + count < total ? { ...json, ...warned } : json;
      return response.writeHead(200, head).end(JSON.stringify(uidFrom(from, count)));
    });
    const { matches, ...rest } = await find(url);
    expect([new Set(matches.map((match) => match.StudyInstanceUID)).size, matches.length, rest]).toEqual([
      ...[found, found],
      { isCutOff, failure: null },
    ]);
    const parameters = asked.map(({ url: path }) => new URL(path!, "http://x").searchParams);
    expect(parameters.map((one) => `${one.get("limit")},${one.get("offset") ?? ""}`)).toEqual(pages);
  });

  test("fails at a later page with the earlier results", async () => {
    const { url } = await badServer((request, response) =>
      request.url!.includes("offset=")
        ? request.socket.destroy()
        : response.writeHead(200, { ...json, ...more }).end(JSON.stringify(uidFrom(0, 3))),
    );
    const { matches, failure } = await find(url);
    expect([matches.length, failure?.reason]).toEqual([3, "connection-lost"]);
  });

  test.each<[string, string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ["refuses the sign-in", "sign-in-refused", (_request, response) => response.writeHead(401).end()],
    ["fails", "web-refused", (_request, response) => response.writeHead(500).end("Error")],
    ["hangs", "no-answer", () => undefined],
    ["stalls in the middle", "no-answer", (_request, response) => response.writeHead(200, json).write("[")],
    ["is a login page", "not-dicomweb", (_request, response) => response.end("<html>Welcome</html>")],
    ["sends no list", "not-dicomweb", (_request, response) => response.writeHead(200, json).end('{"a":1}')],
    ["sends broken JSON", "not-dicomweb", (_request, response) => response.writeHead(200, json).end("[{,}]")],
    ["ends in the middle", "not-dicomweb", (_request, response) => response.writeHead(200, json).end('[{"a":1')],
    [
      "compresses its response",
      "not-dicomweb",
      (_request, response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end("x"),
    ],
  ])("that %s is reported: %s", async (_what, reason, answer) => {
    const { url } = await badServer(answer);
    const patience = reason === "no-answer" ? impatient : brief;
    expect((await find(url, patience)).failure?.reason).toBe(reason);
  });

  test("that uses another protocol than HTTP is reported", async () => {
    const url = await rawServer((socket) => socket.end("220 mail ready\r\n"));
    expect((await find(url, brief)).failure?.reason).toBe("not-dicomweb");
    const gone = await rawServer((socket) => socket.destroy());
    expect((await find(gone, brief)).failure?.reason).toBe("connection-lost");
  });
});

const multipart = { "content-type": 'multipart/related; type="application/dicom"; boundary="b1"' };
const part = (bytes: Buffer | string) =>
  Buffer.concat([
    Buffer.from("--b1\r\nContent-Type: application/dicom\r\n\r\n"),
    Buffer.from(bytes),
    Buffer.from("\r\n"),
  ]);

describe("films from a web server", () => {
  const film = phantomFile({ study: "1.2.3.51", instance: "1.2.3.51.1" });
  const fetch = async (url: string, limits: NetworkLimits = brief.limits) => {
    const folder = path.join(around.folder, randomUUID());
    const identifier = { StudyInstanceUID: "1.2.3.51" };
    const asked = { node: plain(url), aeTitle, identifier, folder, limits, destinationAeTitle: null };
    const answer = await callThread("fetch", asked);
    return { ...answer, reason: answer.failure?.reason ?? null, files: readdirSync(folder).length };
  };
  test.each<[string, readonly (Buffer | string)[], number, number, string | null]>([
    ["are stored one by one", [part(film), part(film), "--b1--"], 2, 0, null],
    ["are kept if received before a disconnect", [part(film), part(film).subarray(0, 4000)], 1, 0, "connection-lost"],
    ["are discarded if incomplete", [part(film).subarray(0, -2)], 0, 0, "connection-lost"],
    ["are counted if damaged", [part("GIF89a"), part(film), "--b1--"], 1, 1, null],
    ["are aborted if too long", [part(Buffer.alloc(1_100_000))], 0, 0, "too-large"],
    ["are aborted if their headers are too long", [`--b1\r\nx: ${"y".repeat(40_000)}`], 0, 0, "not-dicomweb"],
    ["are aborted if the preamble is too long", ["x".repeat(40_000)], 0, 0, "not-dicomweb"],
  ])("%s", async (_what, pieces, fetchedObjects, failedObjects, reason) => {
    const { url } = await badServer((_request, response) =>
      response.writeHead(200, multipart).end(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))),
    );
    expect(await fetch(url)).toMatchObject({ fetchedObjects, failedObjects, reason, files: fetchedObjects });
  });
  test.each(["application/dicom", 'Application/DICOM; transfer-syntax="1.2.840.10008.1.2.1"'])(
    "are accepted without multipart, as %s",
    async (type) => {
      const { url } = await badServer((_request, response) =>
        response.writeHead(200, { "content-type": type }).end(film),
      );
      expect(await fetch(url)).toMatchObject({ fetchedObjects: 1, failedObjects: 0, reason: null, files: 1 });
    },
  );
  test("leave no partial files if retrieval is cancelled", async () => {
    const { url } = await badServer((_request, response) => {
      response.writeHead(200, multipart).write(part(film).subarray(0, 4000));
    });
    const [into, cancel] = [path.join(around.folder, "cancelled"), new AbortController()];
    const identifier = { StudyInstanceUID: "1.2.3.51" };
    const patient = { ...impatient.limits, idleMs: 60_000, messageMs: 60_000 };
    const options = { aeTitle, destinationAeTitle: null, limits: patient, folder: into, onMessage: () => undefined };
    const node = { kind: "web", ...plain(url) } as const;
    const fetching = fetchFrom(node, identifier, { ...options, signal: cancel.signal });
    await expect.poll(() => existsSync(into) && readdirSync(into).length).toBe(1);
    cancel.abort();
    expect((await fetching).failure?.reason).toBe("cancelled");
    expect(readdirSync(into)).toEqual([]);
  });
  test("are aborted at the time limit of one film if empty parts never end", async () => {
    const { url } = await badServer(async (_request, response) => {
      response.writeHead(200, multipart);
      while (!response.destroyed) {
        response.write("--b1\r\n\r\n\r\n");
        await delay(20);
      }
    });
    expect((await fetch(url, { ...brief.limits, messageMs: 300 })).reason).toBe("no-answer");
  });
  test("have the time limit each, however long the study takes", async () => {
    const { url } = await badServer(async (_request, response) => {
      response.writeHead(200, multipart);
      for (let film = 1; film <= 6; film += 1) {
        response.write(part(phantomFile({ study: "1.2.3.51", instance: `1.2.3.51.${film}` })));
        await delay(300);
      }
      response.end("--b1--");
    });
    expect(await fetch(url)).toMatchObject({ fetchedObjects: 6, failedObjects: 0, reason: null });
  });
  test("are requested again without a wildcard if the server does not support it", async () => {
    const { url, asked } = await badServer((request, response) =>
      request.headers.accept?.includes("*")
        ? response.writeHead(406).end()
        : response.writeHead(200, multipart).end(Buffer.concat([part(film), Buffer.from("--b1--")])),
    );
    expect((await fetch(url)).fetchedObjects).toBe(1);
    expect(asked.length).toBe(2);
  });
});

describe("films to a web server", () => {
  const film = phantomFile({ study: "1.2.3.51", instance: "1.2.3.51.1" });
  const store = async (status: number, said: unknown) => {
    const { url } = await badServer((request, response) => {
      request.resume().once("end", () => response.writeHead(status, json).end(JSON.stringify(said)));
    });
    return (await callThread("send", { node: plain(url), aeTitle, limits: brief.limits, files: [film] })).failure;
  };
  const reference = (uid: string, more: object = {}) => ({
    Value: [{ "00081155": { vr: "UI", Value: [uid] }, ...more }],
  });
  test("count as stored only if the response lists them", async () => {
    expect(await store(200, { "00081199": reference("1.2.3.51.1") })).toBeNull();
    expect((await store(200, { "00081199": reference("1.2.3.99") }))?.reason).toBe("object-refused");
    expect((await store(200, {}))?.reason).toBe("object-refused");
    expect((await store(200, "welcome"))?.reason).toBe("not-dicomweb");
    const failed = { "00081198": reference("1.2.3.51.1", { "00081197": { vr: "US", Value: [0xa700] } }) };
    expect(await store(409, failed)).toEqual({ reason: "object-refused", detail: "A700" });
    expect((await store(507, {}))?.reason).toBe("web-refused");
  });
});

describe("passwords and tokens", () => {
  const file = () => path.join(bench.dataDir, "secrets.json");
  const hasSecret = (nodes: readonly DicomNode[], nodeId: string) => {
    const node = nodes.find(({ id }) => id === nodeId);
    return node?.kind === "web" && node.hasSecret;
  };
  test("are neither returned nor in the database, but in a file that only the user can read", async () => {
    const secret = "kept-s3cret";
    const nodeId = await addNode({ url: "https://pacs.example/dicom-web", signIn: "basic", user: "a", secret });
    const { nodes } = await bench.call("dicom.nodes", {});
    expect(hasSecret(nodes, nodeId)).toBe(true);
    expect(JSON.stringify(nodes)).not.toContain(secret);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(await rawly(bench.context.db, "SELECT value FROM settings"))).not.toContain(secret);
    await bench.call("dicom.deleteNode", { nodeId });
    expect(readFileSync(file(), "utf8")).not.toContain(secret);
  });
  test("are refused for an unencrypted connection, and deleted when the server changes", async () => {
    const fields = { url: "http://pacs.example/dicom-web", signIn: "basic", user: "a", secret: "s3cret" } as const;
    await expect(addNode(fields)).rejects.toMatchObject({ code: "INVALID_FIELD" });
    const nodeId = await addNode({ ...fields, url: "https://pacs.example/dicom-web" });
    await addNode({ url: "https://pacs.example/other", signIn: "basic", user: "a" }, nodeId);
    expect(hasSecret((await bench.call("dicom.nodes", {})).nodes, nodeId)).toBe(true);
    await addNode({ url: "https://elsewhere.example/dicom-web", signIn: "basic", user: "a" }, nodeId);
    expect(hasSecret((await bench.call("dicom.nodes", {})).nodes, nodeId)).toBe(false);
    expect((await failureOf(nodeId))?.reason).toBe("secret-missing");
  });
  test("are deleted when the node changes to DIMSE", async () => {
    const secret = "s3cret-of-the-web";
    const nodeId = await addNode({ url: "https://pacs.example/dicom-web", signIn: "basic", user: "a", secret });
    await bench.call("dicom.saveNode", { nodeId, name: "PACS", host: "pacs.example", port: 104, aeTitle: "PACS" });
    expect(readFileSync(file(), "utf8")).not.toContain(secret);
  });
});
