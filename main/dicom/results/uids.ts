import { createHash } from "node:crypto";

export const sopClasses = {
  secondaryCapture: "1.2.840.10008.5.1.4.1.1.7",
  comprehensiveReport: "1.2.840.10008.5.1.4.1.1.88.33",
  presentationState: "1.2.840.10008.5.1.4.1.1.11.1",
  keyObjects: "1.2.840.10008.5.1.4.1.1.88.59",
} as const;

/**
 * Derives a UID from its parts: `2.25.` and a UUID as a decimal number. Equal parts give equal UIDs, so a result
 * that is created twice is the same object. @see DICOM PS3.5 B.2
 */
export function uidOf(...parts: readonly string[]): string {
  const hash = createHash("sha256")
    .update(JSON.stringify(["corvet", ...parts]))
    .digest()
    .subarray(0, 16);
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  return uidOfUuid(hash.toString("hex"));
}

export function uidOfUuid(uuid: string): string {
  return `2.25.${BigInt(`0x${uuid.replaceAll("-", "")}`)}`;
}

export function uuidOfUid(uid: string): string | null {
  const digits = /^2\.25\.(?<digits>\d{1,39})$/.exec(uid)?.groups?.["digits"];
  const hex = digits === undefined ? "" : BigInt(digits).toString(16).padStart(32, "0");
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : null;
}
