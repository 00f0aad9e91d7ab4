import { programVersion } from "../../program.ts";
import { asciiBytes, elementBytes } from "../deidentification/element-bytes.ts";
import { uidOf } from "../results/uids.ts";

export type Part10Header = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly sourceAeTitle: string;
};

export const implementation = { classUid: uidOf("implementation"), version: `CORVET_${programVersion}`.slice(0, 16) };

const encoding = { isExplicit: true, isBigEndian: false };

/** Encodes preamble, prefix `DICM` and group 0002. @see DICOM PS3.10 7.1 */
export function part10Header({ sopClassUid, sopInstanceUid, transferSyntaxUid, sourceAeTitle }: Part10Header): Buffer {
  const text = (tag: string, vr: "UI" | "SH" | "AE", value: string) =>
    elementBytes(tag, vr, asciiBytes(value), encoding);
  const meta = Buffer.concat([
    elementBytes("00020001", "OB", Buffer.from([0, 1]), encoding),
    text("00020002", "UI", sopClassUid),
    text("00020003", "UI", sopInstanceUid),
    text("00020010", "UI", transferSyntaxUid),
    text("00020012", "UI", implementation.classUid),
    text("00020013", "SH", implementation.version),
    ...(sourceAeTitle === "" ? [] : [text("00020016", "AE", sourceAeTitle)]),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  return Buffer.concat([Buffer.alloc(128), asciiBytes("DICM"), elementBytes("00020000", "UL", length, encoding), meta]);
}
