import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { CertifiedKey } from "../../../main/certificates/certified-key.ts";
import { makeLeaf } from "../../../main/server/tls/certificates.ts";
import { ensureTlsCredentials } from "../../../main/server/tls/tls.ts";
import { chromiumOptions } from "../../fixtures/chromium.ts";
import { outputOf, runTool } from "../../fixtures/process/run-tool.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const dayMs = 24 * 60 * 60 * 1000;
const now = new Date();
const after = (days: number) => new Date(now.getTime() + days * dayMs);
const dataDir = folderForEach();

const file = (name: string) => path.join(dataDir(), "tls", name);
const authority = (name = "authority"): CertifiedKey => ({
  certificatePem: readFileSync(file(`${name}.pem`), "utf8"),
  privateKeyPem: readFileSync(file(`${name}.key`), "utf8"),
});
const pemsOf = (text: string) => text.match(/-----BEGIN[^]*?END CERTIFICATE-----/g) ?? [];

/** Verifies a chain (leaf first) with OpenSSL, trusting only one certificate. @returns "good" or OpenSSL's error */
function verified(chain: string, trusted: string, at = now): string {
  const [leaf = "", ...others] = pemsOf(chain);
  for (const [name, text] of [
    ["leaf", leaf],
    ["others", others.join("\n")],
    ["trusted", trusted],
  ] as const)
    writeFileSync(path.join(dataDir(), name), text);
  const where = (name: string) => path.join(dataDir(), name);
  const time = String(Math.floor(at.getTime() / 1000));
  const args = [
    "verify",
    "-attime",
    time,
    "-no-CApath",
    "-CAfile",
    where("trusted"),
    ...(others.length > 0 ? ["-untrusted", where("others")] : []),
    where("leaf"),
  ];
  const { status, stderr } = runTool("openssl", args);
  return status === 0 ? "good" : (/error \d+ at .*: (.*)/.exec(stderr)?.[1] ?? stderr);
}

describe("name constraints of the authority", () => {
  it("are critical and make OpenSSL reject certificates for other names", async () => {
    const { cert } = await ensureTlsCredentials(dataDir(), ["clinic.example", "10.0.0.5", "fd00::5"], now);
    expect(verified(cert, authority().certificatePem)).toBe("good");
    const text = outputOf("openssl", ["x509", "-in", file("authority.pem"), "-noout", "-text"]);
    expect(text).toMatch(
      /X509v3 Name Constraints: critical\s+Permitted:\s+DNS:localhost\s+DNS:clinic.example\s+IP:127/,
    );
    const verdicts = await Promise.all(
      [
        "bank.example",
        "clinic.example.evil.example",
        "10.0.0.6",
        "192.168.0.1",
        "::2",
        "127.0.0.9",
        "a.clinic.example",
      ].map(async (name) => [
        name,
        verified((await makeLeaf(authority(), [name], now, after(30))).certificatePem, authority().certificatePem),
      ]),
    );
    const refused = "permitted subtree violation";
    expect(Object.fromEntries(verdicts)).toEqual({
      "bank.example": refused,
      "clinic.example.evil.example": refused,
      "10.0.0.6": refused,
      "192.168.0.1": refused,
      "::2": refused,
      "127.0.0.9": "good",
      "a.clinic.example": "good",
    });
  });

  it("are enforced by Chromium", async ({ skip }) => {
    const { executablePath } = chromiumOptions;
    if (!existsSync(executablePath) || !existsSync("/usr/bin/certutil"))
      skip("needs Chromium and certutil (Debian: libnss3-tools)");
    const { cert, key } = await ensureTlsCredentials(dataDir(), [], now);
    const foreign = await makeLeaf(authority(), ["bank.example"], now, after(30));
    const database = path.join(dataDir(), ".pki", "nssdb");
    mkdirSync(database, { recursive: true });
    const certutil = (...args: string[]) => outputOf("certutil", ["-d", `sql:${database}`, ...args]);
    certutil("-N", "--empty-password");
    certutil("-A", "-n", "corvet", "-t", "C,,", "-i", file("authority.pem"));
    const server = createServer({ cert, key }, (_request, response) => response.end("here"));
    server.addContext("bank.example", { cert: foreign.certificatePem, key: foreign.privateKeyPem });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const browser = await chromium.launch({
      executablePath,
      env: { ...process.env, HOME: dataDir() },
      args: ["--no-sandbox", "--host-resolver-rules=MAP bank.example 127.0.0.1"],
    });
    try {
      const page = await browser.newPage();
      expect((await page.goto(`https://localhost:${port}/`))?.status()).toBe(200);
      await expect(page.goto(`https://bank.example:${port}/`)).rejects.toThrow(/ERR_CERT_/);
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("replacement of the authority", () => {
  const clients = (chain: string, before: string, successor: string, at: Date) => [
    verified(chain, before, at),
    verified(chain, successor, at),
  ];

  it("serves a chain that clients of either authority accept during the overlap", async () => {
    await ensureTlsCredentials(dataDir(), [], now);
    const before = authority().certificatePem;
    const during = await ensureTlsCredentials(dataDir(), [], after(3300));
    const [first, successor = "", ...more] = pemsOf(authority().certificatePem);
    expect([first, more]).toEqual([before.trim(), []]);
    expect(during.renewal?.successorPem.trim()).toBe(successor);
    expect(clients(during.cert, before, successor, after(3300))).toEqual(["good", "good"]);
    expect(await ensureTlsCredentials(dataDir(), [], after(3400))).toMatchObject({ key: during.key });
    const last = await ensureTlsCredentials(dataDir(), [], after(3625));
    expect(last.renewal).toBeNull();
    expect(authority().certificatePem.trim()).toBe(successor);
    expect(verified(last.cert, successor, after(3625))).toBe("good");
    expect(existsSync(file("authority-next.key"))).toBe(false);
  });

  it("replaces an authority of an earlier version without name constraints", async () => {
    await ensureTlsCredentials(dataDir(), [], now);
    outputOf("openssl", [
      "req",
      "-x509",
      "-new",
      "-key",
      file("authority.key"),
      "-subj",
      "/CN=old",
      "-days",
      "3650",
      "-addext",
      "basicConstraints=critical,CA:TRUE,pathlen:0",
      "-out",
      file("authority.pem"),
    ]);
    const before = authority().certificatePem;
    const { cert, renewal } = await ensureTlsCredentials(dataDir(), ["clinic.example"], after(1));
    expect(Math.round(((renewal?.at.getTime() ?? 0) - now.getTime()) / dayMs)).toBe(181);
    expect(clients(cert, before, renewal?.successorPem ?? "", after(1))).toEqual(["good", "good"]);
    expect(new X509Certificate(cert).checkHost("clinic.example")).toBe("clinic.example");
  });

  it("serves a new configured name with the successor and the old names with the present authority", async () => {
    const first = await ensureTlsCredentials(dataDir(), [], now);
    const before = authority().certificatePem;
    const { cert, successor, renewal } = await ensureTlsCredentials(dataDir(), ["clinic.example"], now);
    expect(successor?.names).toEqual(["clinic.example"]);
    expect(clients(cert, before, renewal?.successorPem ?? "", now)).toEqual(["good", "good"]);
    expect(verified(successor?.cert ?? "", renewal?.successorPem ?? "")).toBe("good");
    expect(new X509Certificate(cert).subjectAltName).toBe(new X509Certificate(first.cert).subjectAltName);
  });
});
