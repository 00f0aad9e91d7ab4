import { programVersion } from "../../program.ts";
import { uidOf } from "../results/uids.ts";

export type Part10Header = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly sourceAeTitle: string;
};

export const implementation = { classUid: uidOf("implementation"), version: `CORVET_${programVersion}`.slice(0, 16) };

const preambleBytes = 128;

/**
 * Everything in front of the data set of a DICOM file: preamble, mark and group 0002.
 *
 * @see DICOM PS3.10 7.1
 */
export function part10Header({ sopClassUid, sopInstanceUid, transferSyntaxUid, sourceAeTitle }: Part10Header): Buffer {
  const version = Buffer.concat([
    Buffer.from([0x02, 0, 0x01, 0]),
    Buffer.from("OB\0\0"),
    uint32(2),
    Buffer.from([0, 1]),
  ]);
  const group = Buffer.concat([
    version,
    element(0x02, "UI", sopClassUid),
    element(0x03, "UI", sopInstanceUid),
    element(0x10, "UI", transferSyntaxUid),
    element(0x12, "UI", implementation.classUid),
    element(0x13, "SH", implementation.version),
    ...(sourceAeTitle === "" ? [] : [element(0x16, "AE", sourceAeTitle)]),
  ]);
  const groupLength = Buffer.concat([
    Buffer.from([0x02, 0, 0, 0]),
    Buffer.from("UL"),
    Buffer.from([4, 0]),
    uint32(group.length),
  ]);
  return Buffer.concat([Buffer.alloc(preambleBytes), Buffer.from("DICM"), groupLength, group]);
}

function element(number: number, representation: "UI" | "SH" | "AE", text: string): Buffer {
  const padded = text.length % 2 === 0 ? text : text + (representation === "UI" ? "\0" : " ");
  const length = Buffer.alloc(2);
  length.writeUInt16LE(padded.length);
  return Buffer.concat([
    Buffer.from([0x02, 0, number, 0]),
    Buffer.from(representation),
    length,
    Buffer.from(padded, "latin1"),
  ]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
