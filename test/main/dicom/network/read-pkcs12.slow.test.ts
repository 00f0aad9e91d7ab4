import { spawnSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { folderForFile } from "../../../fixtures/folders.ts";
import { certificatesOf } from "../../../../main/dicom/network/secure-socket.ts";
import { isPkcs12, readPkcs12 } from "../../../../main/dicom/network/certificates/read-pkcs12.ts";

const hasOpenSsl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenSsl) console.warn("skipped: openssl is not installed");
const folder = folderForFile();
const at = (name: string) => path.join(folder, name);

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr}`);
}

function made(name: string, passphrase: string, ...args: string[]): Buffer {
  openssl("pkcs12", "-export", "-out", name, "-passout", `pass:${passphrase}`, ...args);
  return readFileSync(at(name));
}

beforeAll(() => {
  if (!hasOpenSsl) return;
  const days = ["-days", "30", "-nodes"];
  openssl(
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=Authority",
    ...days,
  );
  openssl("req", "-newkey", "rsa:2048", "-keyout", "rsa.key", "-out", "rsa.csr", "-subj", "/CN=Corvet RSA", "-nodes");
  openssl("x509", "-req", "-in", "rsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "rsa.pem");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  openssl("req", "-x509", ...curve, "-keyout", "ec.key", "-out", "ec.pem", "-subj", "/CN=Corvet EC", ...days);
});

const rsa = ["-inkey", "rsa.key", "-in", "rsa.pem"];
const chain = [...rsa, "-certfile", "ca.pem"];
const curve = ["-inkey", "ec.key", "-in", "ec.pem"];
const manyForKey = ["-iter", "1000001", "-nomaciter", "-nocerts", "-inkey", "rsa.key"];

describe.skipIf(!hasOpenSsl)("a PKCS#12 file", () => {
  test.each([
    ["in the current format, with its chain", "secret", chain, "Corvet RSA", 2],
    ["with an elliptic-curve key", "secret", curve, "Corvet EC", 1],
    ["in the legacy format of Windows and macOS", "secret", ["-legacy", ...chain], "Corvet RSA", 2],
    ["with triple DES", "secret", ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", ...chain], "Corvet RSA", 2],
    ["with umlauts in the passphrase", "größe ß", chain, "Corvet RSA", 2],
    ["in the legacy format, with umlauts", "größe", ["-legacy", ...chain], "Corvet RSA", 2],
    ["without a passphrase", "", rsa, "Corvet RSA", 1],
    ["without encryption", "x", ["-keypbe", "NONE", "-certpbe", "NONE", ...rsa], "Corvet RSA", 1],
    ["without an integrity check", "secret", ["-nomac", ...rsa], "Corvet RSA", 1],
  ])("%s is opened, with the certificate of the key first", (_name, passphrase, args, subject, count) => {
    const bytes = made("a.p12", passphrase, ...args);
    expect(isPkcs12(bytes)).toBe(true);
    const { certificatePem, privateKeyPem } = readPkcs12(bytes, passphrase);
    const [own = ""] = certificatesOf(certificatePem);
    const certificate = new X509Certificate(own);
    expect(certificate.subject).toBe(`CN=${subject}`);
    expect(certificate.checkPrivateKey(createPrivateKey(privateKeyPem))).toBe(true);
    expect(certificatesOf(certificatePem)).toHaveLength(count);
  });

  test.each([
    ["a wrong passphrase", () => made("b.p12", "secret", ...chain), "wrong", "pkcs12Passphrase"],
    ["a missing umlaut in the passphrase", () => made("b.p12", "größe", ...chain), "grosse", "pkcs12Passphrase"],
    ["no key", () => made("b.p12", "secret", "-nokeys", "-in", "rsa.pem"), "secret", "pkcs12WithoutKey"],
    [
      "no certificate",
      () => made("b.p12", "secret", "-nocerts", "-inkey", "rsa.key"),
      "secret",
      "pkcs12WithoutCertificate",
    ],
    ["half of its bytes", () => made("b.p12", "secret", ...chain).subarray(0, 500), "secret", "pkcs12Damaged"],
    ["too many iterations for its key", () => made("b.p12", "secret", ...manyForKey), "secret", "pkcs12Damaged"],
    [
      "too many iterations in the legacy format",
      () => made("b.p12", "secret", "-legacy", ...manyForKey),
      "secret",
      "pkcs12Damaged",
    ],
    [
      "too many iterations in total",
      () => made("b.p12", "secret", "-iter", "400000", ...chain),
      "secret",
      "pkcs12Damaged",
    ],
    ["PEM content", () => readFileSync(at("rsa.pem")), "secret", "pkcs12Damaged"],
    ["no bytes", () => Buffer.alloc(0), "secret", "pkcs12Damaged"],
    ["a megabyte of bytes", () => Buffer.alloc(1024 * 1024, 0x30), "secret", "pkcs12Damaged"],
  ])("with %s is rejected with the reason", (_name, make, passphrase, reason) => {
    const bytes = make();
    expect(() => readPkcs12(bytes, passphrase)).toThrow(
      expect.objectContaining({ code: "INVALID_FIELD", reason: { name: reason, values: {} } }),
    );
  });

  test("with any changed byte is opened or rejected with INVALID_FIELD", () => {
    const whole = made("c.p12", "secret", ...rsa);
    for (let place = 0; place < whole.length; place += 37) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 0x55;
      try {
        readPkcs12(changed, "secret");
      } catch (error) {
        expect(error).toMatchObject({ code: "INVALID_FIELD" });
      }
    }
  });
});
