// Needs its own process: Node reads the trusted certificates once.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createServer } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { openSocket } from "../../../main/dicom/network/secure-socket.ts";
import { makeAuthority, makeLeaf } from "../../../main/server/tls/certificates.ts";
import { folderForTest } from "../../fixtures/folders.ts";

const day = 86_400_000;
const from = new Date(Date.now() - day);
const until = new Date(Date.now() + 30 * day);

// Node reads SSL_CERT_FILE, a setting of the operating system's trust on Linux, at the first use in a process.
it.runIf(process.platform === "linux")("trusts an authority of the operating system, and no other", async () => {
  const folder = folderForTest();
  const [known, unknown] = await Promise.all(
    ["Known", "Unknown"].map((name) => makeAuthority(name, ["localhost"], from, until)),
  );
  const file = path.join(folder, "known.pem");
  writeFileSync(file, known!.certificatePem);
  process.env["SSL_CERT_FILE"] = file;
  const outcomes = [];
  for (const authority of [known!, unknown!]) {
    const leaf = await makeLeaf(authority, ["localhost"], from, until);
    const server = createServer({ key: leaf.privateKeyPem, cert: leaf.certificatePem }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const encryption = { trusted: "", own: null };
    const outcome = await openSocket({ host: "localhost", port, encryption }, 10_000);
    outcomes.push("reason" in outcome ? outcome.reason : "connected");
    if (!("reason" in outcome)) outcome.destroy();
  }
  expect(outcomes).toEqual(["connected", "certificate-doubted"]);
});
