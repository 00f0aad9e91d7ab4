import { randomUUID } from "node:crypto";
import { z } from "zod";
import { AppError, because } from "../../../../core/app-error.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../../core/contract/desktop.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { transaction } from "../../../store/engines/engine.ts";
import {
  mergedPatients,
  mergePatients,
  unmergePatients,
  type MergedPatients,
} from "../../../store/films/merged-patients.ts";
import { getPatient } from "../../../store/films/patients.ts";
import { changeSetting, getSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { toPatient } from "../film-view.ts";
import { returnOrders } from "../orders/taken-orders.ts";
import { publishFilmsOf } from "./patients.ts";

const merger = mergedPatients.extend({ undoId: z.string() });
type Merger = z.infer<typeof merger>;

/** Merges that can be undone, oldest first. */
const mergersSetting: Setting<readonly Merger[]> = {
  key: "patientMergers",
  schema: z.array(merger),
  fallback: [],
};
const maxMergers = 100;

type Identity = { readonly patientId: string | null; readonly uuids: readonly string[] };

export async function listMergersOf(db: ReadableDb, identity: Identity): Promise<readonly Merger[]> {
  return (await getSetting(db, mergersSetting)).filter((one) => isOf(one, identity));
}

export async function forgetMergers(db: WritableDb, identity: Identity): Promise<void> {
  await changeSetting(db, mergersSetting, (all) => all.filter((one) => !isOf(one, identity)));
}

function isOf({ kept, gone }: Merger, { patientId, uuids }: Identity): boolean {
  return [kept.id, gone.id].some((id) => id === patientId || uuids.includes(id));
}

type Joined = { readonly keptId: string; readonly goneId: string };

/** @throws AppError as `mergePatients` */
export async function joinPatients(context: DesktopContext, { keptId, goneId }: Joined): Promise<MergedPatients> {
  const done = await mergePatients(context.db, keptId, goneId);
  await publishChange(context, [keptId]);
  return done;
}

async function publishChange(context: DesktopContext, patientIds: string[]): Promise<void> {
  context.raise({ name: "patients.changed", payload: {} });
  for (const patientId of patientIds) await publishFilmsOf(context, patientId);
}

export function createPatientMerges(context: DesktopContext) {
  const { db } = context;
  return {
    merge: async ({
      keptId,
      goneId,
    }: DesktopParsedRequest<"patients.merge">): Promise<DesktopResponse<"patients.merge">> => {
      const undoId = randomUUID();
      const { filmIds } = await transaction(db, async () => {
        const done = await mergePatients(db, keptId, goneId);
        await changeSetting(db, mergersSetting, (all) => [...all, { undoId, ...done }].slice(-maxMergers));
        return done;
      });
      await publishChange(context, [keptId]);
      return { patient: await toPatient(db, await getPatient(db, keptId)), undoId, films: filmIds.length };
    },
    list: async (): Promise<DesktopResponse<"patients.mergers">> => ({
      mergers: (await getSetting(db, mergersSetting)).map(({ undoId, kept, gone }) => ({
        undoId,
        keptId: kept.id,
        goneName: gone.name,
      })),
    }),
    undo: async (undoId: string): Promise<void> => {
      const done = await transaction(db, async () => {
        const found = (await getSetting(db, mergersSetting)).find((one) => one.undoId === undoId);
        if (!found) throw new AppError("NOT_FOUND", because("patientNotFound"));
        const ordered = await returnOrders(db, found);
        await unmergePatients(db, { ...found, filmIds: [...found.filmIds, ...ordered] });
        await changeSetting(db, mergersSetting, (all) => all.filter((one) => one.undoId !== undoId));
        return found;
      });
      await publishChange(context, [done.kept.id, done.gone.id]);
    },
  };
}
