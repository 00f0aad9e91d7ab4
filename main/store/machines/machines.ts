import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";

/** A machine whose program shares the store; `seenAtMs`: when it last said so, by the store's time [UTC ms]. */
export type Machine = Readonly<Selectable<Tables["machines"]>> & { readonly isAtWork: boolean };

/**
 * A program not seen for this long is no longer at work: longer than a database takes to be restarted or replaced by
 * its standby, and than any answer is on its way [ms].
 */
export const goneAfterMs = 60_000;

/** Says that this machine's program runs; does nothing for a store that is not shared. */
export async function noteMachine(
  db: WritableDb,
  { name, programVersion }: { readonly name: string; readonly programVersion: string },
): Promise<void> {
  const { machineId, now } = engineOf(db);
  if (machineId === null) return;
  const seen = { name, programVersion, seenAtMs: now };
  await db
    .insertInto("machines")
    .values({ id: machineId, ...seen })
    .onConflict((known) => known.column("id").doUpdateSet(seen))
    .execute();
}

/** Says that this machine's program ends: what it has under way is anybody's. */
export async function noteMachineLeft(db: WritableDb): Promise<void> {
  const { machineId } = engineOf(db);
  if (machineId !== null) await db.updateTable("machines").set({ seenAtMs: 0 }).where("id", "=", machineId).execute();
}

/** Machines that share the store, by name; those that have left for good too. */
export async function listMachines(db: ReadableDb): Promise<readonly Machine[]> {
  const { now } = engineOf(db);
  const rows = await db
    .selectFrom("machines")
    .selectAll()
    .select(now.as("nowMs"))
    .orderBy("name")
    .orderBy("id")
    .execute();
  return rows.map(({ nowMs, ...machine }) => ({ ...machine, isAtWork: machine.seenAtMs > nowMs - goneAfterMs }));
}

/** Whether programs of other machines work on the store at this moment; never where it is in a file. */
export async function areOthersAtWork(db: ReadableDb): Promise<boolean> {
  const { machineId } = engineOf(db);
  return (await listMachines(db)).some(({ id, isAtWork }) => isAtWork && id !== machineId);
}

/**
 * So long after this program could not reach the store no other machine counts as gone: it was away for all of them,
 * and they say first that they are there [ms].
 */
const graceMs = 30_000;
/** When this program last could not reach a store, by a clock that is never set [ms]. */
const missedAtMs = new WeakMap<ReadableDb, number>();

/** This program could not reach the store. */
export function noteStoreMissed(db: ReadableDb): void {
  missedAtMs.set(db, performance.now());
}

/**
 * Whether what a machine had under way is lost: that of another machine whose program is gone, and at the start of this
 * one its own.
 */
export async function lostWork(
  db: ReadableDb,
  { isStart }: { readonly isStart: boolean },
): Promise<(machineId: string | null) => boolean> {
  const own = engineOf(db).machineId;
  const isGrace = performance.now() < (missedAtMs.get(db) ?? Number.NEGATIVE_INFINITY) + graceMs;
  const atWork = new Set((await listMachines(db)).filter(({ isAtWork }) => isAtWork || isGrace).map(({ id }) => id));
  return (machineId) => (machineId === own ? isStart : machineId === null || !atWork.has(machineId));
}
