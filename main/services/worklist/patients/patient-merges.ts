import { randomUUID } from "node:crypto";
import { AppError, because } from "../../../../core/app-error.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../../core/contract/desktop.ts";
import { mergePatients, unmergePatients, type MergedPatients } from "../../../store/films/merged-patients.ts";
import { getPatient } from "../../../store/films/patients.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { toPatient } from "../film-view.ts";
import { publishFilmsOf } from "./patients.ts";

type Joined = { readonly keptId: string; readonly goneId: string };

/**
 * Merges two patients and publishes the change.
 *
 * @throws AppError as `mergePatients`
 */
export async function joinPatients(context: DesktopContext, { keptId, goneId }: Joined): Promise<MergedPatients> {
  const done = await mergePatients(context.db, keptId, goneId);
  await tellOf(context, [keptId]);
  return done;
}

async function tellOf(context: DesktopContext, patientIds: string[]): Promise<void> {
  context.publish({ name: "patients.changed", payload: { patientIds } });
  for (const patientId of patientIds) await publishFilmsOf(context, patientId);
}

/** Merges patients and undoes merges while the program runs; undo data is in memory only. */
export function createPatientMerges(context: DesktopContext) {
  const merged = new Map<string, MergedPatients>();
  const patientOf = async (patientId: string) => toPatient(context.db, await getPatient(context.db, patientId));
  return {
    merge: async ({
      keptId,
      goneId,
    }: DesktopParsedRequest<"patients.merge">): Promise<DesktopResponse<"patients.merge">> => {
      const done = await joinPatients(context, { keptId, goneId });
      const undoId = randomUUID();
      merged.set(undoId, done);
      return { patient: await patientOf(keptId), undoId, films: done.filmIds.length };
    },
    list: (): DesktopResponse<"patients.mergers"> => ({
      mergers: [...merged].map(([undoId, { kept, gone }]) => ({ undoId, keptId: kept.id, goneName: gone.name })),
    }),
    undo: async (undoId: string): Promise<DesktopResponse<"patients.unmerge">> => {
      const done = merged.get(undoId);
      if (!done) throw new AppError("NOT_FOUND", because("patientNotFound"));
      // Removed first, so that a second click has no effect.
      merged.delete(undoId);
      try {
        await unmergePatients(context.db, done);
      } catch (error) {
        merged.set(undoId, done);
        throw error;
      }
      const patientIds = [done.kept.id, done.gone.id];
      await tellOf(context, patientIds);
      return { patients: await Promise.all(patientIds.map(patientOf)) };
    },
  };
}
