import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import { faultOfIdentifier } from "../../core/identifiers.ts";
import { speciesOf } from "../../core/species.ts";
import type { DicomElements } from "./elements/dicom-elements.ts";
import type { DicomFile } from "./dicom-file.ts";
import { dicomDate, dicomMoment } from "./elements/dicom-time.ts";
import { noticesOf } from "./dicom-notices.ts";
import { squareSpacing } from "./pixel-grid.ts";
import { patientUuid } from "./patient-uuid.ts";
import { personName } from "./elements/person-name.ts";

export type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";

/** Films of other modalities are shown but not measured. Converters and secondary captures write OT. */
const radiographModalities: ReadonlySet<string> = new Set(["CR", "DX", "RG", "RF", "SC", "OT"]);

/** SOP classes of projection radiographs, for writers of nonstandard modalities (DR, XR, X-RAY). */
const radiographClasses: ReadonlySet<string> = new Set([
  "1.2.840.10008.5.1.4.1.1.1",
  "1.2.840.10008.5.1.4.1.1.1.1",
  "1.2.840.10008.5.1.4.1.1.1.1.1",
]);

/** Tags of date and time, the closest to the exposure first. */
const dateTags = [
  ["00080022", "00080032"],
  ["00080023", "00080033"],
  ["00080021", "00080031"],
  ["00080020", "00080030"],
] as const;

/** Extracts the data on patient, study and acquisition. @see DICOM PS3.3 C.7.1.1 (patient), C.8.11 (DX) */
export function describeInstance(file: DicomFile): DicomInstance {
  const modality = textOf(file, "00080060");
  const [widthPx, heightPx] = [positive(file.number("00280011")), positive(file.number("00280010"))];
  return {
    sopClassUid: uid(file, "00080016"),
    sopInstanceUid: uid(file, "00080018"),
    studyInstanceUid: uid(file, "0020000D"),
    seriesInstanceUid: uid(file, "0020000E"),
    seriesNumber: file.number("00200011"),
    instanceNumber: file.number("00200013"),
    patient: patientOf(file),
    studyDescription: textOf(file, "00081030"),
    seriesDescription: textOf(file, "0008103E"),
    accessionNumber: textOf(file, "00080050"),
    modality,
    bodyPart: textOf(file, "00180015") ?? codeMeaning(file, "00082218"),
    viewPosition: textOf(file, "00185101") ?? codeMeaning(file, "00540220"),
    laterality: textOf(file, "00200062") ?? textOf(file, "00200060"),
    takenAt: takenAt(file),
    device: words(textOf(file, "00080070"), textOf(file, "00081090")),
    institution: textOf(file, "00080080"),
    widthPx,
    heightPx,
    frames: positive(file.number("00280008")) ?? 1,
    spacing: squareSpacing(file, widthPx && heightPx ? { widthPx, heightPx } : null),
    notices: [...noticesOf(file)],
    isRadiograph:
      modality === null || radiographModalities.has(modality) || radiographClasses.has(uid(file, "00080016") ?? ""),
  };
}

function patientOf(file: DicomFile): DicomInstance["patient"] {
  const [id, issuer] = [textOf(file, "00100020"), textOf(file, "00100021")];
  const name = personName(file.text("00100010") ?? "");
  const responsible = personName(file.text("00102297") ?? "").full;
  const speciesText = textOf(file, "00102201") ?? codeMeaning(file, "00102202");
  return {
    id,
    issuer,
    uuid: id === null || faultOfIdentifier(id) !== null ? null : patientUuid(issuer, id),
    name: short(name.given || name.family),
    responsiblePerson: short(responsible || (name.given ? name.family : "")) ?? textOf(file, "00102299"),
    species: speciesOf(speciesText, file.items("00102202")[0]?.text("00080100") ?? null),
    speciesText,
    breed: textOf(file, "00102292") ?? codeMeaning(file, "00102293"),
    sex: ({ M: "male", F: "female", O: "other" } as const)[file.text("00100040") ?? ""] ?? null,
    isNeutered: { ALTERED: true, UNALTERED: false }[file.text("00102203") ?? ""] ?? null,
    age: textOf(file, "00101010"),
    birthDate: birthDateOf(file),
  };
}

function takenAt(file: DicomFile): string | null {
  const zone = file.text("00080201");
  const whole = file.text("0008002A");
  const moments = [
    whole === null ? null : dicomMoment(whole, whole.slice(8), /[+-]\d{4}$/.exec(whole)?.[0] ?? zone),
    ...dateTags.map(([date, time]) => dicomMoment(file.text(date), file.text(time), zone)),
  ];
  return moments.find((moment) => moment !== null && !isPlaceholder(moment))?.toISOString() ?? null;
}

/** Unset clocks and empty database fields result in dates up to 1980-01-01, or far in the future. */
function isPlaceholder(moment: Date): boolean {
  return moment < new Date(1980, 0, 2) || moment.getUTCFullYear() > 2100;
}

function birthDateOf(file: DicomFile): string | null {
  const date = dicomDate(file.text("00100030"));
  return date === null || isPlaceholder(new Date(`${date}T12:00:00`)) ? null : date;
}

function codeMeaning(elements: DicomElements, tag: string): string | null {
  return short(elements.items(tag)[0]?.text("00080104") ?? null);
}

function textOf(elements: DicomElements, tag: string): string | null {
  return short(elements.text(tag));
}

function short(value: string | null): string | null {
  return value?.trim().slice(0, 200) || null;
}

function uid(elements: DicomElements, tag: string): string | null {
  const value = elements.text(tag);
  return value !== null && value.length <= 64 ? value : null;
}

function words(...parts: readonly (string | null)[]): string | null {
  return short([...new Set(parts)].filter((part) => part !== null).join(" "));
}

function positive(value: number | null): number | null {
  return value !== null && Number.isInteger(value) && value > 0 ? value : null;
}
