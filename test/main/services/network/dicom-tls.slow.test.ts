// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeOwnCertificate } from "../../../../main/dicom/network/certificates/make-certificate.ts";
import { openSecrets } from "../../../../main/services/desktop/secrets.ts";
import { smallPicture, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { folderForEach } from "../../../fixtures/folders.ts";
import { freePort, hasDcmtk, run, writeSample } from "../../dicom/network/dcmtk.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";

const around = openSurroundingsOfFile();
let bench: DesktopBench;
let port: number;

const hasOpenSsl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenSsl) console.log("skipped: openssl is not installed");

beforeAll(async () => {
  bench = await around.open();
  bench.engine.answers(measuredAt(9.6));
});
beforeEach(async () => void (port = await freePort()));

const filmNamed = async (name: string) => (await bench.call("films.list", { search: name })).films[0];
const write = (name: string, text: string) => {
  const file = path.join(around.folder, name);
  writeFileSync(file, text);
  return file;
};

async function otherSide(name: string) {
  const now = new Date();
  const pair = await makeOwnCertificate(name, now, new Date(now.getTime() + 86_400_000));
  const options = ["+tls", write(`${name}.key`, pair.privateKeyPem), write(`${name}.pem`, pair.certificatePem)];
  return { ...pair, options };
}

describe.skipIf(!hasDcmtk)("encrypted receiving", () => {
  test("accepts films only from a sender with a trusted certificate", async () => {
    const xray = await otherSide("xray");
    const stranger = await otherSide("stranger");
    const { certificate } = await bench.call("dicom.saveCertificate", { pem: null });
    const ours = write("ours.pem", certificate!.pem);
    const configured = { isOn: true, port, security: "tls", trustedClients: xray.certificatePem } as const;
    expect((await bench.call("dicom.configure", configured)).state).toBe("listening");
    const film = writeSample(around.folder, "film", { sopInstanceUid: "1.2.3.4.1", sidePx: 128, bits: 12 });
    const send = (options: readonly string[], host = "127.0.0.1") =>
      run("storescu", [...options, "+cf", ours, "-aec", "CORVET", "-aet", "XRAY", host, String(port), film]);
    expect((await send(stranger.options)).status).not.toBe(0);
    expect((await run("storescu", ["-aec", "CORVET", "127.0.0.1", String(port), film])).status).not.toBe(0);
    const sent = await send(xray.options);
    expect(sent.status, sent.output).toBe(0);
    await waitUntil(() => filmNamed("1.2.3.4.1"));
    const { entries } = await bench.call("dicom.log", {});
    expect(entries.map(({ fault, address }) => [fault, address])).toContainEqual(["not-secure", "127.0.0.1"]);
  });

  test("requires TLS 1.2 or newer", async () => {
    const { certificate } = await bench.call("dicom.saveCertificate", { pem: null });
    await bench.call("dicom.configure", { isOn: true, port, security: "tls", trustedClients: "" });
    const versionWith = (maxVersion: "TLSv1.1" | "TLSv1.2" | "TLSv1.3") =>
      new Promise<string | null>((resolve) => {
        const options = { port, host: "127.0.0.1", ca: certificate!.pem, minVersion: "TLSv1", maxVersion } as const;
        const socket = connectTls(options, () => resolve(socket.getProtocol()));
        socket.on("error", () => resolve(null)).on("close", () => resolve(null));
        socket.once("secureConnect", () => socket.destroy());
      });
    expect([await versionWith("TLSv1.1"), await versionWith("TLSv1.2"), await versionWith("TLSv1.3")]).toEqual([
      null,
      "TLSv1.2",
      "TLSv1.3",
    ]);
  });
});

test.skipIf(!hasDcmtk)("neither receives unencrypted nor sends without our certificate", async () => {
  const without = await around.open("without");
  const tls = { trusted: "", withOwnCertificate: true };
  const node = { nodeId: null, name: "PACS", host: "127.0.0.1", port, aeTitle: "PACS", tls };
  const nodeId = (await without.call("dicom.saveNode", node)).nodes[0]!.id;
  expect((await without.call("dicom.testNode", { nodeId })).failure?.reason).toBe("own-certificate-missing");
  expect(await without.call("dicom.configure", { isOn: true, port, security: "tls" })).toMatchObject({
    state: "failed",
    fault: "no-certificate",
  });
  expect((await run("echoscu", ["-aec", "CORVET", "127.0.0.1", String(port)])).status).not.toBe(0);
  await without.call("dicom.saveCertificate", { pem: null });
  expect((await without.call("dicom.get", {})).state).toBe("listening");
});

const good = await makeOwnCertificate("pacs.local", new Date(), new Date(Date.now() + 1e9));
const damaged = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
const goodBesideDamaged = `${good.certificatePem}\n${damaged}`;
/** Two certificates without the last line or without the first line. */
const lastCut = `${good.certificatePem}\n${good.certificatePem.trim().split("\n").slice(0, -1).join("\n")}`;
const firstCut = `${good.certificatePem.split("\n").slice(1).join("\n")}\n${good.certificatePem}`;

test("rejects invalid trusted certificates for the receiver, a node, a web server and HL7", async () => {
  const refused = { message: expect.stringContaining("paste them again completely") };
  for (const trustedClients of ["trust everybody", damaged, goodBesideDamaged, lastCut, firstCut])
    await expect(bench.call("dicom.configure", { trustedClients })).rejects.toMatchObject(refused);
  const trusted = goodBesideDamaged;
  const node = { nodeId: null, name: "PACS" };
  const dimse = { ...node, host: "127.0.0.1", port, aeTitle: "PACS", tls: { trusted, withOwnCertificate: false } };
  const web = { kind: "web", url: "https://pacs.local/dicom-web", signIn: "none", user: "", trusted } as const;
  const { destination } = await bench.call("hl7.get", {});
  for (const saving of [
    () => bench.call("dicom.saveNode", dimse),
    () => bench.call("dicom.saveNode", { ...node, ...web }),
    () => bench.call("hl7.save", { ...destination, tls: { trusted } }),
  ])
    await expect(saving()).rejects.toMatchObject(refused);
});

describe.skipIf(!hasDcmtk)("encrypted sending", () => {
  test("reaches a node that requires our certificate, and reports an untrusted node", async () => {
    const archive = await otherSide("localhost");
    const into = path.join(around.folder, "archive");
    mkdirSync(into);
    const { certificate } = await bench.call("dicom.saveCertificate", { pem: null });
    const trust = ["+cf", write("ours.pem", certificate!.pem)];
    const storescp = spawn("storescp", [...archive.options, ...trust, "-rc", "-od", into, String(port)]);
    await around.answering(storescp, port);
    const save = async (tls: { trusted: string; withOwnCertificate: boolean } | undefined, nodeId: string | null) => {
      const node = { nodeId, name: "Archive", host: "127.0.0.1", port, aeTitle: "PACS", ...(tls && { tls }) };
      return (await bench.call("dicom.saveNode", node)).nodes.find(({ name }) => name === "Archive")!.id;
    };
    const trusted = archive.certificatePem;
    const nodeId = await save({ trusted, withOwnCertificate: true }, null);
    const failure = async () => (await bench.call("dicom.testNode", { nodeId })).failure;
    expect(await failure()).toBeNull();
    const { id: filmId } = await bench.openFilm("film.png", await smallPicture(1));
    const sent = await bench.call("dicom.send", { sendId: crypto.randomUUID(), filmId, nodeId });
    expect(sent).toEqual({ sentObjects: 4, failure: null });
    expect(readdirSync(into)).toHaveLength(4);
    await save({ trusted: "", withOwnCertificate: true }, nodeId);
    expect((await failure())?.reason).toBe("certificate-doubted");
    await save({ trusted, withOwnCertificate: false }, nodeId);
    expect(["tls-refused", "connection-lost"]).toContain((await failure())?.reason);
    await save(undefined, nodeId);
    expect((await failure())?.reason).toBe("connection-lost");
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === "IPv6"));
if (!hasIpv6) console.log("skipped: this computer has no IPv6");

describe.skipIf(!hasIpv6)("IPv6", () => {
  test("is used for sending and receiving, and its addresses are checked", async () => {
    const own = await around.open("ipv6");
    await own.call("dicom.configure", { isOn: true, port, bind: "this-computer", security: "none" });
    const fields = { nodeId: null, name: "Us", host: "::1", port, aeTitle: "CORVET" };
    const { nodes } = await own.call("dicom.saveNode", fields);
    const nodeId = nodes.find(({ name }) => name === "Us")!.id;
    const failure = async () => (await own.call("dicom.testNode", { nodeId })).failure;
    expect(await failure()).toBeNull();
    const open = { bind: "practice-network" as const, allowedAeTitles: ["CORVET"] };
    await own.call("dicom.configure", { ...open, allowedAddresses: ["fd00::/8"] });
    expect((await failure())?.reason).toBe("connection-lost");
    await own.call("dicom.configure", { allowedAddresses: ["::1/128"] });
    expect(await failure()).toBeNull();
    const addresses = async () => (await own.call("dicom.log", {})).entries.map(({ address }) => address);
    await expect.poll(addresses).toContain("::1");
  });
});

describe("our certificate", () => {
  test("may be the practice's own with its key; incomplete or mismatching ones are rejected", async () => {
    const { certificatePem, privateKeyPem } = await otherSide("practice");
    const { privateKeyPem: other } = await otherSide("other");
    const { certificate } = await bench.call("dicom.saveCertificate", { pem: certificatePem + "\n" + privateKeyPem });
    expect(certificate).toMatchObject({ subject: expect.stringContaining("practice"), pem: certificatePem });
    const [, ...cutChain] = certificatePem.split("\n");
    const withCutChain = [certificatePem, ...cutChain, privateKeyPem].join("\n");
    for (const pem of [certificatePem, certificatePem + "\n" + other, withCutChain, "nothing"])
      await expect(bench.call("dicom.saveCertificate", { pem })).rejects.toMatchObject({ code: "INVALID_FIELD" });
    expect((await bench.call("dicom.certificate", {})).certificate).toEqual(certificate);
  });

  test.skipIf(!hasOpenSsl)("is read from what openssl converts from a PKCS#12 file", async () => {
    const { certificatePem, privateKeyPem } = await otherSide("practice");
    const pair = path.join(around.folder, "pair.pem");
    writeFileSync(pair, `${certificatePem}\n${privateKeyPem}`);
    const file = spawnSync("openssl", ["pkcs12", "-export", "-in", pair, "-passout", "pass:secret"]).stdout;
    const converted = spawnSync("openssl", ["pkcs12", "-nodes", "-passin", "pass:secret"], { input: file });
    const pem = converted.stdout.toString();
    const { certificate } = await bench.call("dicom.saveCertificate", { pem });
    expect(certificate).toMatchObject({ subject: expect.stringContaining("practice") });
  });
});

describe("secrets", () => {
  const folder = folderForEach();
  const sealer = {
    seal: (plain: string) => Buffer.from(plain).reverse(),
    open: (sealed: Buffer) => Buffer.from(sealed).reverse().toString(),
  };
  test("are encrypted with the system's key store and cannot be read without it", () => {
    const sealed = openSecrets(folder(), sealer);
    sealed.keep("a", "s3cret");
    expect([sealed.get("a"), openSecrets(folder(), null).get("a")]).toEqual(["s3cret", null]);
    sealed.forget("a");
    expect(sealed.get("a")).toBeNull();
  });
  test("are not used if other users can read the file", () => {
    const plain = openSecrets(folder(), null);
    plain.keep("a", "s3cret");
    expect(plain.get("a")).toBe("s3cret");
    chmodSync(path.join(folder(), "secrets.json"), 0o644);
    expect(plain.get("a")).toBeNull();
  });
  test.each([
    { what: "read", mode: 0o644, found: "s3cret" },
    { what: "write", mode: 0o666, found: null },
  ])("become $found in a file that others can $what once another secret is stored", ({ mode, found }) => {
    const plain = openSecrets(folder(), null);
    plain.keep("a", "s3cret");
    chmodSync(path.join(folder(), "secrets.json"), mode);
    plain.keep("b", "0ther");
    expect([plain.get("a"), plain.get("b")]).toEqual([found, "0ther"]);
  });
});
