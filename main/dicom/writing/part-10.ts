import { programVersion } from "../../program.ts";
import { asciiBytes, dataSetBytes, encodedElement, littleEndian } from "./element-bytes.ts";
import { uidOf } from "../results/uids.ts";

export type Part10Header = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly sourceAeTitle: string;
};

export const implementation = { classUid: uidOf("implementation"), version: `CORVET_${programVersion}`.slice(0, 16) };

/** Encodes preamble, prefix `DICM` and group 0002. @see DICOM PS3.10 7.1 */
export function part10Header({ sopClassUid, sopInstanceUid, transferSyntaxUid, sourceAeTitle }: Part10Header): Buffer {
  const uid = (value: string) => ({ vr: "UI", Value: [value] });
  const meta = dataSetBytes(
    {
      "00020001": { vr: "OB", Value: [new Uint8Array([0, 1]).buffer] },
      "00020002": uid(sopClassUid),
      "00020003": uid(sopInstanceUid),
      "00020010": uid(transferSyntaxUid),
      "00020012": uid(implementation.classUid),
      "00020013": { vr: "SH", Value: [implementation.version] },
      ...(sourceAeTitle !== "" && { "00020016": { vr: "AE", Value: [sourceAeTitle] } }),
    },
    littleEndian,
  );
  const length = encodedElement("00020000", { vr: "UL", Value: [meta.length] }, littleEndian);
  return Buffer.concat([Buffer.alloc(128), asciiBytes("DICM"), length, meta]);
}
