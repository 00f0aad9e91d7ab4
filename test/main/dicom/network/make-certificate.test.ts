import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { makeOwnCertificate } from "../../../../main/dicom/network/certificates/make-certificate.ts";

const always = "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1";
const long = `${"x".repeat(60)}.praxis.local`;

test.each([
  ["praxis.local", "praxis.local", `DNS:praxis.local, ${always}`],
  ["192.168.1.7", "192.168.1.7", `IP Address:192.168.1.7, ${always}`],
  ["Müller-PC", "Müller-PC", `DNS:xn--mller-pc-65a, ${always}`],
  ["診療所", "診療所", `DNS:xn--8ou585bfso, ${always}`],
  ["X-RAY ROOM", "X-RAY ROOM", always],
  [long, long.slice(0, 64), `DNS:${long}, ${always}`],
])(
  "creates a certificate for %s with its name, and with a host name that TLS can compare",
  async (name, shown, hosts) => {
    const from = new Date("2026-11-25T09:00:00Z");
    const { certificatePem } = await makeOwnCertificate(name, from, new Date("2036-11-25T09:00:00Z"));
    const { subject, subjectAltName, validFromDate } = new X509Certificate(certificatePem);
    expect([subject, subjectAltName]).toEqual([`CN=${shown}\nO=Corvet`, hosts]);
    expect(validFromDate < from).toBe(true);
  },
);
