import { createHash } from "node:crypto";
import { comparedIdentifier } from "../../core/identifiers.ts";

/** Corvet's own namespace for patients of DICOM files. */
const namespace = Buffer.from("6f2a1c0e5b7d4c529d3e8a1b4c7f0e62", "hex");

/** UUID of an animal, independent of computer and program run. @see RFC 9562 5.5 (version 5) */
export function patientUuid(issuer: string | null, patientId: string): string {
  const name = JSON.stringify([comparedIdentifier(issuer ?? ""), comparedIdentifier(patientId)]);
  const hash = createHash("sha1").update(namespace).update(name).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const text = hash.toString("hex");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}
