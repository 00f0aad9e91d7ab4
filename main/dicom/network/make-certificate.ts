import "reflect-metadata";
import { randomBytes, type webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import * as x509 from "@peculiar/x509";
import type { CertifiedKey } from "./secure-socket.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
/** Certificates are valid from a little before they were made: clocks differ. */
const clockSkewMs = 5 * 60_000;
/** @see RFC 5280 appendix A (ub-common-name-length) */
const longestCommonName = 64;
const [serverUse, clientUse] = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"] as const;

/** Makes a certificate that nobody else has signed, ECDSA P-256, for both ends of a connection. */
export async function makeOwnCertificate(name: string, from: Date, until: Date): Promise<CertifiedKey> {
  const keys: webcrypto.CryptoKeyPair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { digitalSignature, keyCertSign } = x509.KeyUsageFlags;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: `40${randomBytes(15).toString("hex")}`,
      name: [{ CN: [name.slice(0, longestCommonName)] }, { O: ["Corvet"] }],
      notBefore: new Date(from.getTime() - clockSkewMs),
      notAfter: until,
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        // Other programs take it as its own authority: that is how it is entered there.
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(digitalSignature | keyCertSign, true),
        new x509.ExtendedKeyUsageExtension([serverUse, clientUse]),
        new x509.SubjectAlternativeNameExtension([
          ...hostOf(name),
          { type: "dns", value: "localhost" },
          { type: "ip", value: "127.0.0.1" },
          { type: "ip", value: "::1" },
        ]),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { certificatePem: certificate.toString("pem"), privateKeyPem: key };
}

/** The name as TLS compares it, Punycode where it has letters beyond ASCII; none where it can be no host. */
function hostOf(name: string): x509.JsonGeneralName[] {
  if (isIP(name) !== 0) return [{ type: "ip", value: name }];
  const value = domainToASCII(name);
  return value === "" ? [] : [{ type: "dns", value }];
}
