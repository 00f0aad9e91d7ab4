import type { FoundStudy, StudyQuery } from "../../../core/contract/desktop/network/pacs.ts";
import { writtenGroup } from "../../dicom/elements/person-name.ts";
import type { Identifier, Match } from "../../dicom/network/query/query-calls.ts";

const wanted = {
  SpecificCharacterSet: "ISO_IR 192",
  QueryRetrieveLevel: "STUDY",
  StudyInstanceUID: "",
  StudyDate: "",
  PatientName: "",
  PatientID: "",
  ResponsiblePerson: "",
  AccessionNumber: "",
  ModalitiesInStudy: "",
  StudyDescription: "",
  NumberOfStudyRelatedInstances: "",
} as const;

export function identifierOf(query: StudyQuery, nameOf: "patient" | "owner"): Identifier {
  const name = query.name ? namePattern(query.name) : "";
  return {
    ...wanted,
    [nameOf === "patient" ? "PatientName" : "ResponsiblePerson"]: name,
    PatientID: query.patientId ?? "",
    AccessionNumber: query.accessionNumber ?? "",
    ModalitiesInStudy: query.modality ?? "",
    StudyDate: dayRange(query),
  };
}

type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Returns "" for all days. */
export function dayRange({ from, to }: Days): string {
  const day = (value: string | undefined) => value?.replaceAll("-", "") ?? "";
  return from || to ? `${day(from)}-${day(to)}` : "";
}

/** Matches any part of a name, unless the user entered wildcards. */
export function namePattern(name: string): string {
  const clean = name.replaceAll(/[\\^=]/g, " ");
  return /[*?]/.test(clean) ? clean : `*${clean}*`;
}

/** Returns null without a Study Instance UID. */
export function studyOf(match: Match): FoundStudy | null {
  const texts = (name: string) => [match[name] ?? []].flat().filter((text) => text !== "");
  const shown = (value = "") => value.replaceAll(/\^+/g, " ").trim().slice(0, 200) || null;
  const text = (name: string) => shown(texts(name)[0]);
  const nameIn = (name: string) => shown(texts(name).map(writtenGroup)[0]);
  const uid = texts("StudyInstanceUID")[0];
  if (uid === undefined || !/^[0-9.]{1,64}$/.test(uid)) return null;
  const objects = Number(texts("NumberOfStudyRelatedInstances")[0] ?? "");
  return {
    studyInstanceUid: uid,
    patientName: nameIn("PatientName"),
    responsiblePerson: nameIn("ResponsiblePerson"),
    patientId: text("PatientID"),
    day: texts("StudyDate")[0]?.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3") ?? null,
    modalities: texts("ModalitiesInStudy").map((modality) => modality.slice(0, 16)),
    description: text("StudyDescription"),
    accessionNumber: text("AccessionNumber"),
    objects: Number.isInteger(objects) && objects > 0 ? objects : null,
  };
}

/** Newest first. */
export function mergedStudies(studies: readonly (FoundStudy | null)[]): FoundStudy[] {
  const byUid = new Map(studies.flatMap((study) => (study ? [[study.studyInstanceUid, study] as const] : [])));
  return [...byUid.values()].sort((a, b) => (b.day ?? "").localeCompare(a.day ?? ""));
}
