import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf, unsyncedTransaction } from "../engines/engine.ts";
import { listMachines } from "../machines/machines.ts";
import type { Tables } from "../tables.ts";

/** `who`: null without a signed-in user; `sinceMs`: time of opening by that workstation's clock [UTC ms]. */
export type OpenFilm = Readonly<Omit<Selectable<Tables["openFilms"]>, "machineId">>;

export async function saveOpenFilms(db: WritableDb, films: readonly OpenFilm[]): Promise<void> {
  const { machineId } = engineOf(db);
  if (machineId === null) return;
  await unsyncedTransaction(db, async () => {
    await db.deleteFrom("openFilms").where("machineId", "=", machineId).execute();
    for (const { filmId, who, sinceMs } of films)
      await db
        .insertInto("openFilms")
        .values({ filmId, who, sinceMs, machineId })
        .onConflict((known) => known.columns(["filmId", "machineId"]).doNothing())
        .execute();
  });
}

/** In the order of opening, with the workstation's name. */
export async function listOpenElsewhere(db: ReadableDb): Promise<readonly (OpenFilm & { readonly machine: string })[]> {
  const { machineId: own } = engineOf(db);
  if (own === null) return [];
  const rows = await db.selectFrom("openFilms").selectAll().where("machineId", "!=", own).orderBy("sinceMs").execute();
  const machines = new Map((await listMachines(db)).map((machine) => [machine.id, machine]));
  return rows.flatMap(({ machineId, ...film }) => {
    const machine = machines.get(machineId);
    return machine?.isAtWork ? [{ ...film, machine: machine.name }] : [];
  });
}
