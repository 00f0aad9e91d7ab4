import { randomUUID } from "node:crypto";
import { AppError, because } from "../../../core/app-error.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { mergePatients, unmergePatients, type MergedPatients } from "../../store/films/merged-patients.ts";
import { getPatient } from "../../store/films/patients.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { toPatient } from "./film-view.ts";
import { publishFilmsOf } from "./patients.ts";

type Joined = { readonly keptId: string; readonly goneId: string };

/**
 * Makes two patients one, and tells the page.
 *
 * @throws AppError as `mergePatients`
 */
export function joinPatients(context: DesktopContext, { keptId, goneId }: Joined): MergedPatients {
  const done = mergePatients(context.db, keptId, goneId);
  tellOf(context, [keptId]);
  return done;
}

function tellOf(context: DesktopContext, patientIds: string[]): void {
  context.publish({ name: "patients.changed", payload: { patientIds } });
  patientIds.forEach((patientId) => publishFilmsOf(context, patientId));
}

/** Merging of patients, and taking a merger back while the program runs: what that needs is kept in memory alone. */
export function createPatientMerges(context: DesktopContext) {
  const merged = new Map<string, MergedPatients>();
  const patientOf = (patientId: string) => toPatient(context.db, getPatient(context.db, patientId));
  return {
    merge: ({ keptId, goneId }: DesktopParsedRequest<"patients.merge">): DesktopResponse<"patients.merge"> => {
      const done = joinPatients(context, { keptId, goneId });
      const undoId = randomUUID();
      merged.set(undoId, done);
      return { patient: patientOf(keptId), undoId, films: done.filmIds.length };
    },
    undo: (undoId: string): DesktopResponse<"patients.unmerge"> => {
      const done = merged.get(undoId);
      if (!done) throw new AppError("NOT_FOUND", because("patientNotFound"));
      unmergePatients(context.db, done);
      merged.delete(undoId);
      const patientIds = [done.kept.id, done.gone.id];
      tellOf(context, patientIds);
      return { patients: patientIds.map(patientOf) };
    },
  };
}
