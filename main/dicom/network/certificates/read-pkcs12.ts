import forge from "node-forge";
import { AppError, because } from "../../../../core/app-error.ts";
import type { CertifiedKey } from "../../../certificates/certified-key.ts";

/** Maximum size of a file, far above a certificate, its chain and a key [bytes]. */
const maxBytes = 256 * 1024;
/** Maximum sum of a file's iteration counts. OpenSSL uses 2048 for each key, the strictest writers some 100,000. */
const maxIterations = 1_000_000;
/** OIDs of PBKDF2 and of the PKCS#5 and PKCS#12 encryptions, whose parameters are a salt and an iteration count. */
const iteratedEncryptions = /^1\.2\.840\.113549\.1\.(5\.(1|3|4|6|10|11|12)|12\.1\.\d+)$/;

type Bag = forge.pkcs12.Bag & { readonly asn1?: forge.asn1.Asn1 };

/** Whether bytes start like PKCS#12 (and unlike PEM): a DER sequence that contains version 3. */
export function isPkcs12(bytes: Uint8Array): boolean {
  return bytes[0] === 0x30 && Buffer.from(bytes.subarray(0, 12)).includes(Buffer.from([2, 1, 3]));
}

/**
 * Reads a PKCS#12 file, also with the legacy encryption of Windows and macOS. The certificate of the key is first.
 *
 * @throws AppError INVALID_FIELD with the reason
 * @see RFC 7292
 */
export function readPkcs12(bytes: Uint8Array, passphrase: string): CertifiedKey {
  const { keys, certificates } = bagsOf(bytes, passphrase);
  const [key, ...otherKeys] = keys;
  if (!key || otherKeys.length > 0) throw fault(key ? "pkcs12SeveralKeys" : "pkcs12WithoutKey");
  if (certificates.length === 0) throw fault("pkcs12WithoutCertificate");
  const ownId = idOf(key);
  const own = certificates.find((bag) => ownId !== null && idOf(bag) === ownId) ?? certificates[0];
  const others = certificates.filter((bag) => bag !== own);
  return {
    certificatePem: [own, ...others].map((bag) => pemOf(bag, "CERTIFICATE")).join(""),
    privateKeyPem: pemOf(key, "PRIVATE KEY"),
  };
}

function bagsOf(bytes: Uint8Array, passphrase: string): { keys: readonly Bag[]; certificates: readonly Bag[] } {
  const { shrouded, plain, certificate } = {
    shrouded: forge.pki.oids["pkcs8ShroudedKeyBag"] as string,
    plain: forge.pki.oids["keyBag"] as string,
    certificate: forge.pki.oids["certBag"] as string,
  };
  const file = opened(structureOf(bytes), passphrase);
  const bags = (bagType: string): Bag[] => file.getBags({ bagType })[bagType] ?? [];
  return { keys: [...bags(shrouded), ...bags(plain)], certificates: bags(certificate) };
}

function structureOf(bytes: Uint8Array): forge.asn1.Asn1 {
  if (bytes.length > maxBytes) throw fault("pkcs12Damaged");
  try {
    const structure = parsed(Buffer.from(bytes).toString("latin1"));
    if (numberIn(childOf(childOf(structure, 2), 2)) + iterationsIn(structure) <= maxIterations) return structure;
  } catch (cause) {
    throw fault("pkcs12Damaged", cause);
  }
  throw fault("pkcs12Damaged");
}

/** Sums the iteration counts of all key derivations outside encrypted parts. */
function iterationsIn(node: forge.asn1.Asn1): number {
  const { value, type, tagClass } = node;
  if (type === forge.asn1.Type.OCTETSTRING && tagClass === forge.asn1.Class.UNIVERSAL) {
    const text = (chunk: forge.asn1.Asn1) => (typeof chunk.value === "string" ? chunk.value : "");
    const content = parsedOrNull(typeof value === "string" ? value : value.map(text).join(""));
    return content === null ? 0 : iterationsIn(content);
  }
  if (!Array.isArray(value)) return 0;
  const [name, parameters] = value;
  const isIterated =
    name?.type === forge.asn1.Type.OID &&
    typeof name.value === "string" &&
    iteratedEncryptions.test(forge.asn1.derToOid(name.value));
  const own = isIterated ? numberIn(childOf(parameters, 1)) : 0;
  return value.reduce((sum, child) => sum + iterationsIn(child), own);
}

function numberIn(node: forge.asn1.Asn1 | undefined): number {
  if (typeof node?.value !== "string") return 0;
  return Number.parseInt(Buffer.from(node.value, "latin1").toString("hex"), 16);
}

function parsed(der: string): forge.asn1.Asn1 {
  return forge.asn1.fromDer(forge.util.createBuffer(der));
}

function parsedOrNull(der: string): forge.asn1.Asn1 | null {
  try {
    return parsed(der);
  } catch {
    return null;
  }
}

function childOf(parent: forge.asn1.Asn1 | undefined, index: number): forge.asn1.Asn1 | undefined {
  return Array.isArray(parent?.value) ? parent.value[index] : undefined;
}

function opened(structure: forge.asn1.Asn1, passphrase: string): forge.pkcs12.Pkcs12Pfx {
  try {
    return forge.pkcs12.pkcs12FromAsn1(structure, passphrase);
  } catch (cause) {
    const inUtf8 = openedInUtf8(structure, passphrase);
    if (inUtf8 !== null) return inUtf8;
    const message = cause instanceof Error ? cause.message : "";
    if (/password|MAC could not be verified|decrypt/i.test(message)) throw fault("pkcs12Passphrase", cause);
    throw fault(/unsupported|Unknown|OID/i.test(message) ? "pkcs12Unsupported" : "pkcs12Damaged", cause);
  }
}

/**
 * Opens a file that encrypts its content with the passphrase in UTF-8 but protects its integrity with UTF-16; they
 * differ for an umlaut. Wrongly decrypted content does not parse, so skipping the integrity check is safe.
 */
function openedInUtf8(structure: forge.asn1.Asn1, passphrase: string): forge.pkcs12.Pkcs12Pfx | null {
  const bytes = forge.util.encodeUtf8(passphrase);
  if (bytes === passphrase || !Array.isArray(structure.value)) return null;
  try {
    return forge.pkcs12.pkcs12FromAsn1({ ...structure, value: structure.value.slice(0, 2) }, bytes);
  } catch {
    return null;
  }
}

function idOf({ attributes }: Bag): string | null {
  const [id] = ((attributes as Record<string, unknown[]> | undefined)?.["localKeyId"] ?? []) as unknown[];
  return typeof id === "string" ? id : null;
}

/** Encodes a bag as PEM. Elliptic-curve keys and certificates, which forge cannot parse, keep their stored form. */
function pemOf(bag: Bag | undefined, type: "CERTIFICATE" | "PRIVATE KEY"): string {
  const content = bag?.asn1 ?? (bag?.cert ? forge.pki.certificateToAsn1(bag.cert) : null) ?? keyOf(bag);
  const base64 = Buffer.from(forge.asn1.toDer(content).getBytes(), "latin1").toString("base64");
  return `-----BEGIN ${type}-----\n${base64.replaceAll(/.{1,64}/g, "$&\n")}-----END ${type}-----\n`;
}

function keyOf(bag: Bag | undefined): forge.asn1.Asn1 {
  if (!bag?.key) throw fault("pkcs12Damaged");
  return forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key));
}

function fault(
  name:
    | "pkcs12Damaged"
    | "pkcs12Passphrase"
    | "pkcs12SeveralKeys"
    | "pkcs12Unsupported"
    | "pkcs12WithoutCertificate"
    | "pkcs12WithoutKey",
  cause?: unknown,
): AppError {
  return new AppError("INVALID_FIELD", because(name), { cause });
}
