import "reflect-metadata";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import * as x509 from "@peculiar/x509";
import { keyUses, makeSelfSigned, type CertifiedKey } from "../../../certificates/certified-key.ts";

/** @see RFC 5280 appendix A (ub-common-name-length) */
const maxCommonNameLength = 64;

/** Creates a self-signed ECDSA P-256 certificate for use as server and as client. */
export async function makeOwnCertificate(name: string, from: Date, until: Date): Promise<CertifiedKey> {
  const { digitalSignature, keyCertSign } = x509.KeyUsageFlags;
  return await makeSelfSigned(name.slice(0, maxCommonNameLength), from, until, [
    // Mark it as a certificate authority, since other programs import it as one.
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(digitalSignature | keyCertSign, true),
    new x509.ExtendedKeyUsageExtension([keyUses.server, keyUses.client]),
    new x509.SubjectAlternativeNameExtension([
      ...hostOf(name),
      { type: "dns", value: "localhost" },
      { type: "ip", value: "127.0.0.1" },
      { type: "ip", value: "::1" },
    ]),
  ]);
}

/** Alternative name in the form that TLS compares, Punycode for non-ASCII letters; empty for an invalid host name. */
function hostOf(name: string): x509.JsonGeneralName[] {
  if (isIP(name) !== 0) return [{ type: "ip", value: name }];
  const value = domainToASCII(name);
  return value === "" ? [] : [{ type: "dns", value }];
}
