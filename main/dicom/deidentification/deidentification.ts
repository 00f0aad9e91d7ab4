import type { DeidentificationChoices } from "../../../core/deidentification/attribute-action.ts";
import { profileEdition } from "../../../core/deidentification/profile-table.ts";
import type { PictureArea } from "../../../core/deidentification/suspected-text.ts";
import { sequence, text, words, type DataSet } from "../results/data-set.ts";
import { uidOf } from "../results/uids.ts";

export type Deidentification = {
  readonly choices: DeidentificationChoices;
  readonly pseudonym: string;
  readonly shiftDays: number;
  /** Random seed of the new UIDs: the same within an export, never stored. */
  readonly secret: string;
  /** The frame reviewed by the user, 0 for the first; the only one exported. */
  readonly frameIndex: number;
  readonly areas: readonly PictureArea[];
  readonly programVersion: string;
};

/**
 * Replaces a UID. UIDs of the standard are kept, since they identify no patient.
 *
 * @param frameIndex  frame that the UID identifies, since frames are exported as separate objects
 */
export function anonymousUid(uid: string, secret: string, frameIndex = 0): string {
  if (uid.startsWith("1.2.840.10008.")) return uid;
  return uidOf("de-identified", secret, uid, ...(frameIndex > 0 ? [String(frameIndex)] : []));
}

/** Marks an object as de-identified. @see DICOM PS3.3 C.12.1.1.7, PS3.16 CID 7050 */
export function deidentificationModule({ choices, programVersion }: Deidentification): DataSet {
  const { dates, descriptors, keepsPatient } = choices;
  const methods: readonly (readonly [code: string, meaning: string] | false)[] = [
    ["113100", "Basic Application Confidentiality Profile"],
    ["113101", "Clean Pixel Data Option"],
    descriptors === "cleaned" && ["113105", "Clean Descriptors Option"],
    dates === "kept" && ["113106", "Retain Longitudinal Temporal Information Full Dates Option"],
    dates === "shifted" && ["113107", "Retain Longitudinal Temporal Information Modified Dates Option"],
    keepsPatient && ["113108", "Retain Patient Characteristics Option"],
  ];
  const items = methods.flatMap((method) =>
    method
      ? [{ "00080100": text("SH", method[0]), "00080102": text("SH", "DCM"), "00080104": text("LO", method[1]) }]
      : [],
  );
  return {
    "00120062": words("YES"),
    "00120063": text("LO", `PS3.15 ${profileEdition} basic profile, Corvet ${programVersion}`),
    "00120064": sequence(...items),
    "00280301": words("NO"),
    "00280303": words({ removed: "REMOVED", shifted: "MODIFIED", kept: "UNMODIFIED" }[dates]),
  };
}
