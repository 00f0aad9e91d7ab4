import { asciiBytes } from "../writing/element-bytes.ts";

const removed = "REMOVED";
const texts: Readonly<Record<string, string>> = {
  AS: "001D",
  DA: "19000101",
  DT: "19000101000000",
  TM: "000000",
  PN: `${removed}^`,
  DS: "0",
  IS: "0",
  UR: "urn:removed",
};
const inWords = new Set(["AE", "CS", "SH", "LO", "ST", "LT", "UT", "UC"]);
const bytesOfNumber: Readonly<Record<string, number>> = {
  US: 2,
  SS: 2,
  UL: 4,
  SL: 4,
  FL: 4,
  FD: 8,
  AT: 4,
  OB: 2,
  OW: 2,
};

/** Neutral value for an attribute that must not be empty; null if the value representation has none. */
export function dummyValue(vr: string): Uint8Array | null {
  if (inWords.has(vr)) return asciiBytes(removed);
  const text = texts[vr];
  if (text !== undefined) return asciiBytes(text);
  const length = bytesOfNumber[vr];
  return length === undefined ? null : Buffer.alloc(length);
}

export const dummyCode = [
  ["00080100", "SH", removed],
  ["00080102", "SH", "99CORVET"],
  ["00080104", "LO", "Removed"],
] as const;
