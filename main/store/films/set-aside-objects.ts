import type { Selectable } from "kysely";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Tables } from "../tables.ts";

/**
 * A received object that could not be shown. `sender`: its AE title; `facts`: JSON of the contract's `dicomInstance`,
 * null where its elements cannot be read; `failure`: JSON of the contract's `failure`.
 */
export type SetAsideObject = Readonly<Selectable<Tables["setAsideObjects"]>>;

/** Keeps why an object is not shown; said again of the same file, the newer reason counts. */
export async function keepSetAside(db: WritableDb, row: SetAsideObject): Promise<void> {
  const { facts, failure } = row;
  await db
    .insertInto("setAsideObjects")
    .values(row)
    .onConflict((known) => known.column("fileName").doUpdateSet({ facts, failure }))
    .execute();
}

/** Objects that are not shown, the newest first. */
export async function listSetAside(db: ReadableDb): Promise<readonly SetAsideObject[]> {
  const objects = db.selectFrom("setAsideObjects").selectAll();
  return await objects.orderBy("receivedAtMs", "desc").orderBy("fileName", "desc").execute();
}

/** One object that is not shown. @throws AppError NOT_FOUND */
export async function getSetAside(db: ReadableDb, id: string): Promise<SetAsideObject> {
  const object = await db.selectFrom("setAsideObjects").selectAll().where("id", "=", id).executeTakeFirst();
  if (!object) throw new AppError("NOT_FOUND");
  return object;
}

/** Forgets an object: it is on the worklist now, or a person has deleted it. */
export async function forgetSetAside(db: WritableDb, id: string): Promise<void> {
  await db.deleteFrom("setAsideObjects").where("id", "=", id).execute();
}
