import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";

/** `seenAtMs`: time of the last heartbeat by the store's clock [UTC ms]. */
export type Machine = Readonly<Selectable<Tables["machines"]>> & { readonly isAtWork: boolean };

/** Longer than a restart or failover of the database and than any response takes [ms]. */
export const stoppedAfterMs = 60_000;

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

/** Lets others adopt the pending work of this workstation. */
export async function recordMachineStopped(db: WritableDb): Promise<void> {
  const { machineId } = engineOf(db);
  if (machineId !== null) await db.updateTable("machines").set({ seenAtMs: 0 }).where("id", "=", machineId).execute();
}

/** By name, including former ones. */
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

export async function hasOtherActivePrograms(db: ReadableDb): Promise<boolean> {
  const { machineId } = engineOf(db);
  return (await listMachines(db)).some(({ id, isAtWork }) => isAtWork && id !== machineId);
}

/** After a lost connection no other workstation counts as stopped, since it could write no heartbeat [ms]. */
const graceMs = 30_000;
/** By a monotonic clock [ms]. */
const missedAtMs = new WeakMap<ReadableDb, number>();

export function noteStoreMissed(db: ReadableDb): void {
  missedAtMs.set(db, performance.now());
}

/** Pending work is lost if it is that of a stopped workstation, or at the start of this program its own. */
export async function findLostWork(
  db: ReadableDb,
  { isStart }: { readonly isStart: boolean },
): Promise<(machineId: string | null) => boolean> {
  const own = engineOf(db).machineId;
  const isGrace = performance.now() < (missedAtMs.get(db) ?? Number.NEGATIVE_INFINITY) + graceMs;
  const atWork = new Set((await listMachines(db)).filter(({ isAtWork }) => isAtWork || isGrace).map(({ id }) => id));
  return (machineId) => (machineId === own ? isStart : machineId === null || !atWork.has(machineId));
}
