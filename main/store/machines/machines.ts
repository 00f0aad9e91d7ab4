import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";

/** A workstation that shares the store. `seenAtMs`: time of its last heartbeat by the store's clock [UTC ms]. */
export type Machine = Readonly<Selectable<Tables["machines"]>> & { readonly isAtWork: boolean };

/**
 * Time without a heartbeat after which a program counts as stopped: longer than a restart or failover of the database
 * and than any response takes [ms].
 */
export const stoppedAfterMs = 60_000;

/** Records that this workstation's program runs; does nothing for a store that is not shared. */
export async function recordMachineActive(
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

/** Records that this workstation's program ends, so that others may adopt its pending work. */
export async function recordMachineStopped(db: WritableDb): Promise<void> {
  const { machineId } = engineOf(db);
  if (machineId !== null) await db.updateTable("machines").set({ seenAtMs: 0 }).where("id", "=", machineId).execute();
}

/** Lists the workstations that share the store, by name, including former ones. */
export async function listMachines(db: ReadableDb): Promise<readonly Machine[]> {
  const { now } = engineOf(db);
  const rows = await db
    .selectFrom("machines")
    .selectAll()
    .select(now.as("nowMs"))
    .orderBy("name")
    .orderBy("id")
    .execute();
  return rows.map(({ nowMs, ...machine }) => ({ ...machine, isAtWork: machine.seenAtMs > nowMs - stoppedAfterMs }));
}

/** Whether programs of other workstations are using the store; always false for a store in a file. */
export async function hasOtherActivePrograms(db: ReadableDb): Promise<boolean> {
  const { machineId } = engineOf(db);
  return (await listMachines(db)).some(({ id, isAtWork }) => isAtWork && id !== machineId);
}

/**
 * Time after a lost connection to the store during which no other workstation counts as stopped, since their heartbeats
 * could not be written either [ms].
 */
const graceMs = 30_000;
/** Time of the last failed access to a store, by a monotonic clock [ms]. */
const missedAtMs = new WeakMap<ReadableDb, number>();

/** Records that this program could not reach the store. */
export function noteStoreMissed(db: ReadableDb): void {
  missedAtMs.set(db, performance.now());
}

/**
 * Returns a predicate whether the pending work of a workstation is lost: that of another one whose program has stopped,
 * and at the start of this program that of this workstation.
 */
export async function findLostWork(
  db: ReadableDb,
  { isStart }: { readonly isStart: boolean },
): Promise<(machineId: string | null) => boolean> {
  const own = engineOf(db).machineId;
  const isGrace = performance.now() < (missedAtMs.get(db) ?? Number.NEGATIVE_INFINITY) + graceMs;
  const atWork = new Set((await listMachines(db)).filter(({ isAtWork }) => isAtWork || isGrace).map(({ id }) => id));
  return (machineId) => (machineId === own ? isStart : machineId === null || !atWork.has(machineId));
}
