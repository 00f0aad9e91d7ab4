import type { patientsContract } from "../../../core/contract/desktop/patients.ts";
import { reserveExport } from "../../services/desktop/exports.ts";
import { describeHoldings, erasePatientInWindow } from "../../services/privacy/erase-in-window.ts";
import { exportName, exportPatient } from "../../services/privacy/export-patient.ts";
import { toPatient } from "../../services/worklist/film-view.ts";
import { createPatientMerges } from "../../services/worklist/patients/patient-merges.ts";
import { createPatient, editPatient, searchPatients } from "../../services/worklist/patients/patients.ts";
import { getTrend } from "../../services/worklist/trends/trends.ts";
import { getPatient } from "../../store/films/patients.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function patientHandlers({ context, queue }: DesktopParts): Handlers<keyof typeof patientsContract> {
  const merges = createPatientMerges(context);
  return {
    "patients.list": (query) => searchPatients(context, query),
    "patients.get": async ({ patientId }) => toPatient(context.db, await getPatient(context.db, patientId)),
    "patients.create": (fields) => createPatient(context, fields),
    "patients.edit": ({ patientId, ...fields }) => editPatient(context, patientId, fields),
    "patients.merge": (request) => merges.merge(request),
    "patients.mergers": () => merges.list(),
    "patients.unmerge": ({ undoId }) => merges.undo(undoId),
    "patients.export": async ({ patientId, language }) => {
      const { file, url } = await reserveExport(context.dataDir, "zip");
      const held = await exportPatient(context, patientId, { file, language });
      return { download: { fileName: exportName(context.now()), url }, ...held };
    },
    "patients.holdings": ({ patientId }) => describeHoldings(context, patientId),
    "patients.erase": ({ patientId, why }) => erasePatientInWindow(context, queue, patientId, why),
    "trends.get": ({ patientId }) => getTrend(context, patientId),
  };
}
