import type { Selectable } from "kysely";
import { AppError } from "../../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../../connection.ts";
import { engineOf } from "../../engines/engine.ts";
import type { Tables } from "../../tables.ts";

/**
 * A received object that cannot be shown. `sender`: AE title of the sender; `facts`: JSON of the contract's
 * `dicomInstance`, null if its elements cannot be read; `failure`: JSON of the contract's `failure`.
 */
export type SetAsideObject = Readonly<Selectable<Tables["setAsideObjects"]>>;

/** Replaces an earlier reason for the same file, which another workstation may have saved. */
export async function saveSetAside(db: WritableDb, row: Omit<SetAsideObject, "machineId">): Promise<void> {
  const { facts, failure } = row;
  await db
    .insertInto("setAsideObjects")
    .values({ ...row, machineId: own(db) })
    .onConflict((known) => known.column("fileName").doUpdateSet({ facts, failure, machineId: own(db) }))
    .execute();
}

/** Of this workstation, newest first. */
export async function listSetAside(db: ReadableDb): Promise<readonly SetAsideObject[]> {
  const objects = db.selectFrom("setAsideObjects").selectAll().where("machineId", "is not distinct from", own(db));
  return await objects.orderBy("receivedAtMs", "desc").orderBy("fileName", "desc").execute();
}

export async function listSetAsideOfAll(db: ReadableDb): Promise<readonly SetAsideObject[]> {
  return await db.selectFrom("setAsideObjects").selectAll().orderBy("fileName").execute();
}

/** @throws AppError NOT_FOUND */
export async function getSetAside(db: ReadableDb, id: string): Promise<SetAsideObject> {
  const object = await db.selectFrom("setAsideObjects").selectAll().where("id", "=", id).executeTakeFirst();
  if (!object) throw new AppError("NOT_FOUND");
  return object;
}

export async function forgetSetAside(db: WritableDb, id: string): Promise<void> {
  await db.deleteFrom("setAsideObjects").where("id", "=", id).execute();
}

function own(db: ReadableDb): string | null {
  return engineOf(db).machineId;
}
