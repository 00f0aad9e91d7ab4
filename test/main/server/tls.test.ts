import { X509Certificate } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ensureTlsCredentials, hasFutureCertificate } from "../../../main/server/tls/tls.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const dayMs = 24 * 60 * 60 * 1000;
const now = new Date();
const dataDir = folderForEach();

const file = (name: string) => path.join(dataDir(), "tls", name);
const leafOf = (cert: string) => new X509Certificate(cert);
const after = (days: number) => new Date(now.getTime() + days * dayMs);

describe("certificates of a data directory", () => {
  it("are an authority for ten years and a leaf for one year (ECDSA P-256), with all configured names", async () => {
    const { cert, authorityPath } = await ensureTlsCredentials(dataDir(), ["clinic.example", "10.0.0.5"], now);
    const [leaf, authority] = [leafOf(cert), new X509Certificate(readFileSync(authorityPath))];
    expect(
      [leaf, authority].map(({ validToDate }) => Math.round((validToDate.getTime() - now.getTime()) / dayMs)),
    ).toEqual([365, 3650]);
    expect(leaf.subjectAltName).toBe(
      "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:clinic.example, IP Address:10.0.0.5",
    );
    expect([leaf.ca, authority.ca, leaf.verify(authority.publicKey)]).toEqual([false, true, true]);
    expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  });
  it("have private keys that only the user can read", async () => {
    await ensureTlsCredentials(dataDir(), [], now);
    const modes = ["authority.key", "server.key"].map((name) => (statSync(file(name)).mode & 0o777).toString(8));
    expect(modes).toEqual(process.platform === "win32" ? ["666", "666"] : ["600", "600"]);
  });
  it("are kept while they are valid", async () => {
    const first = await ensureTlsCredentials(dataDir(), [], now);
    expect(await ensureTlsCredentials(dataDir(), [], after(300))).toEqual(first);
  });
  it("renew the leaf before it expires and keep the authority", async () => {
    const first = await ensureTlsCredentials(dataDir(), [], now);
    const authority = readFileSync(first.authorityPath, "utf8");
    const renewed = await ensureTlsCredentials(dataDir(), [], after(340));
    expect([renewed.cert === first.cert, readFileSync(first.authorityPath, "utf8") === authority]).toEqual([
      false,
      true,
    ]);
  });
  it("renew the leaf for a new name that the authority may certify", async () => {
    await ensureTlsCredentials(dataDir(), ["clinic.example"], now);
    const { cert: without } = await ensureTlsCredentials(dataDir(), [], now);
    expect(leafOf(without).checkHost("clinic.example")).toBeUndefined();
    const { cert } = await ensureTlsCredentials(dataDir(), ["clinic.example"], now);
    expect(leafOf(cert).checkHost("clinic.example")).toBe("clinic.example");
  });
  it("renew the authority before a leaf would outlive it", async () => {
    const { authorityPath } = await ensureTlsCredentials(dataDir(), [], now);
    const first = readFileSync(authorityPath, "utf8");
    const renewed = await ensureTlsCredentials(dataDir(), [], after(3300));
    const second = readFileSync(authorityPath, "utf8");
    expect(second).not.toBe(first);
    expect(leafOf(renewed.cert).verify(new X509Certificate(second).publicKey)).toBe(true);
  });
  it("are replaced if damaged", async () => {
    const first = await ensureTlsCredentials(dataDir(), [], now);
    const authority = readFileSync(first.authorityPath, "utf8");
    writeFileSync(file("server.key"), readFileSync(file("authority.key")));
    writeFileSync(file("server.pem"), "nonsense");
    const mended = await ensureTlsCredentials(dataDir(), [], now);
    expect([readFileSync(first.authorityPath, "utf8") === authority, mended.key === first.key]).toEqual([true, false]);
  });
  it("replace an authority dated in the future and report it", async () => {
    const ahead = await ensureTlsCredentials(dataDir(), [], after(800));
    expect([ahead.isAuthorityReplaced, hasFutureCertificate(dataDir(), now)]).toEqual([false, true]);
    const { cert, isAuthorityReplaced } = await ensureTlsCredentials(dataDir(), [], now);
    expect([isAuthorityReplaced, hasFutureCertificate(dataDir(), now)]).toEqual([true, false]);
    expect(leafOf(cert).validFromDate.getTime()).toBeLessThanOrEqual(now.getTime());
    expect((await ensureTlsCredentials(dataDir(), [], now)).isAuthorityReplaced).toBe(false);
  });
  it("replace a successor dated in the future before clients have to trust it", async () => {
    await ensureTlsCredentials(dataDir(), [], now);
    await ensureTlsCredentials(dataDir(), ["clinic.example"], after(100));
    expect(hasFutureCertificate(dataDir(), now)).toBe(true);
    const { renewal } = await ensureTlsCredentials(dataDir(), ["clinic.example"], now);
    expect(new X509Certificate(renewal!.successorPem).validFromDate.getTime()).toBeLessThanOrEqual(now.getTime());
    expect(hasFutureCertificate(dataDir(), now)).toBe(false);
  });
});
