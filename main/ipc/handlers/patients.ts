import type { patientsContract } from "../../../core/contract/desktop/patients.ts";
import { toPatient } from "../../services/worklist/film-view.ts";
import { createPatient, editPatient, searchPatients } from "../../services/worklist/patients.ts";
import { getTrend, trendCsv } from "../../services/worklist/trends.ts";
import { getPatient } from "../../store/films/patients.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Patients and their trends. */
export function patientHandlers({ context }: DesktopParts): Handlers<keyof typeof patientsContract> {
  return {
    "patients.list": (query) => searchPatients(context, query),
    "patients.get": ({ patientId }) => toPatient(getPatient(context.db, patientId)),
    "patients.create": (fields) => createPatient(context, fields),
    "patients.edit": ({ patientId, ...fields }) => editPatient(context, patientId, fields),
    "trends.get": ({ patientId }) => getTrend(context, patientId),
    "trends.csv": ({ patientId }) => ({
      fileName: "trend.csv",
      mediaType: "text/csv",
      text: trendCsv(context, patientId),
    }),
  };
}
