import { order, type Order, type OrderQuery } from "../../../core/contract/desktop/network/orders.ts";
import { faultOfIdentifier } from "../../../core/identifiers.ts";
import { speciesOf } from "../../../core/species.ts";
import { personName } from "../../dicom/elements/person-name.ts";
import type { Match, WorklistIdentifier } from "../../dicom/network/query/query-calls.ts";
import { dayRange, namePattern } from "./study-query.ts";

const wanted = {
  SpecificCharacterSet: "ISO_IR 192",
  StudyInstanceUID: "",
  AccessionNumber: "",
  ReferringPhysicianName: "",
  RequestedProcedureID: "",
  RequestedProcedureDescription: "",
  PatientName: "",
  PatientID: "",
  IssuerOfPatientID: "",
  PatientBirthDate: "",
  PatientSex: "",
  PatientSexNeutered: "",
  PatientSpeciesDescription: "",
  PatientBreedDescription: "",
  ResponsiblePerson: "",
} as const;

const wantedOfStep = {
  Modality: "",
  ScheduledStationAETitle: "",
  ScheduledProcedureStepStartDate: "",
  ScheduledProcedureStepStartTime: "",
  ScheduledProcedureStepDescription: "",
  ScheduledProcedureStepID: "",
} as const;

export function worklistIdentifier(query: OrderQuery): WorklistIdentifier {
  const step = {
    ...wantedOfStep,
    ScheduledStationAETitle: query.station ?? "",
    ScheduledProcedureStepStartDate: dayRange(query),
  };
  return {
    ...wanted,
    PatientName: query.name ? namePattern(query.name) : "",
    PatientID: query.patientId ?? "",
    AccessionNumber: query.accessionNumber ?? "",
    ScheduledProcedureStepSequence: [step],
  };
}

/** Returns null without a study or patient. */
export function orderOf(match: Match): Order | null {
  const text = (name: string) => [match[name] ?? []].flat()[0]?.trim().slice(0, 200) || null;
  const number = text("PatientID");
  if (number === null || faultOfIdentifier(number) !== null) return null;
  const found = order.safeParse({
    studyInstanceUid: text("StudyInstanceUID"),
    accessionNumber: text("AccessionNumber"),
    procedureId: text("RequestedProcedureID"),
    procedure: text("RequestedProcedureDescription"),
    stepId: text("ScheduledProcedureStepID"),
    step: text("ScheduledProcedureStepDescription"),
    station: text("ScheduledStationAETitle"),
    modality: text("Modality"),
    day: dayOf(text("ScheduledProcedureStepStartDate")),
    time:
      /^(\d\d)(\d\d)/
        .exec(text("ScheduledProcedureStepStartTime") ?? "")
        ?.slice(1, 3)
        .join(":") ?? null,
    referrer: text("ReferringPhysicianName"),
    patient: { number, issuer: text("IssuerOfPatientID"), ...animalOf(text) },
  });
  return found.success ? found.data : null;
}

function animalOf(text: (name: string) => string | null) {
  const fullName = text("PatientName") ?? "";
  const { family, given } = personName(fullName);
  const responsible = personName(text("ResponsiblePerson") ?? "").full;
  return {
    fullName,
    name: given || family,
    owner: responsible || (given === "" ? "" : family),
    species: speciesOf(text("PatientSpeciesDescription"), null),
    breed: text("PatientBreedDescription") ?? "",
    sex: ({ M: "male", F: "female" } as const)[text("PatientSex") ?? ""] ?? null,
    isNeutered: { ALTERED: true, UNALTERED: false }[text("PatientSexNeutered") ?? ""] ?? null,
    birthDate: dayOf(text("PatientBirthDate")),
  };
}

function dayOf(value: string | null): string | null {
  const day =
    /^(\d{4})(\d\d)(\d\d)$/
      .exec(value ?? "")
      ?.slice(1, 4)
      .join("-") ?? "";
  return order.shape.day.safeParse(day).data ?? null;
}

export function inOrderOfTime(orders: readonly (Order | null)[]): Order[] {
  const when = ({ day, time }: Order) => `${day ?? ""} ${time ?? ""}`;
  return orders.filter((one) => one !== null).sort((a, b) => when(a).localeCompare(when(b)));
}
