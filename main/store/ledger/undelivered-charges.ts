import { sql, type Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { compiledOnce, insertRow } from "../engines/compiled-queries.ts";
import { engineOf, transaction, unsyncedTransaction } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";
import { chargeKind } from "./ledger.ts";

/**
 * `seq`: its ledger row; `answerUntilMs`: time until which the response can be retrieved [UTC ms], null if it is lost
 * with its connection.
 */
export type UndeliveredCharge = Readonly<Selectable<Tables["undeliveredCharges"]>>;

/** Calls with a response, one row each. `place`: position among the calls of the service. */
function answers(db: ReadableDb) {
  const measured = db
    .selectFrom("measurements")
    .select(["callId", "accountId", "service", "uuidNfc", "id as place"])
    .where("isBest", "=", 1);
  const screened = db
    .selectFrom("usgPredictions")
    .select(["callId", "accountId", sql<"usg">`'usg'`.as("service"), "uuidNfc", "rowid as place"]);
  return measured.unionAll(screened).as("answer");
}

/** Call it in the transaction of the charge. */
export async function insertUndelivered(db: WritableDb, charge: Omit<UndeliveredCharge, "machineId">): Promise<void> {
  await insertRow(db, "undeliveredCharges", { ...charge, machineId: engineOf(db).machineId });
}

export async function findUndelivered(db: ReadableDb, callId: string): Promise<UndeliveredCharge | null> {
  const charge = db.selectFrom("undeliveredCharges").selectAll().where("callId", "=", callId);
  return (await charge.executeTakeFirst()) ?? null;
}

export async function listUndelivered(db: ReadableDb): Promise<readonly UndeliveredCharge[]> {
  return await db.selectFrom("undeliveredCharges").selectAll().orderBy("seq").execute();
}

export async function deleteUndelivered(db: WritableDb, callId: string): Promise<void> {
  await db.deleteFrom("undeliveredCharges").where("callId", "=", callId).execute();
}

/**
 * Links a charge to the response of the latest free recheck of its patient. Call it in a transaction.
 *
 * @param answerUntilMs  time after which that response counts as lost unless it was sent [UTC ms]
 * @returns              whether a recheck was found
 */
export async function linkToRecheck(
  db: WritableDb,
  { callId, seq }: UndeliveredCharge,
  answerUntilMs: number,
): Promise<boolean> {
  const recheck = await findLaterRecheck(db, callId);
  if (recheck === null) return false;
  await db.updateTable("undeliveredCharges").set({ callId: recheck, answerUntilMs }).where("seq", "=", seq).execute();
  return true;
}

/** Null without an uncharged later call or without a patient. */
async function findLaterRecheck(db: ReadableDb, callId: string): Promise<string | null> {
  const named = db.selectFrom(answers(db)).selectAll().where("callId", "=", callId).where("uuidNfc", "is not", null);
  const answered = await named.executeTakeFirst();
  if (!answered) return null;
  const later = await db
    .selectFrom(answers(db))
    .select("callId")
    .where("accountId", "=", answered.accountId)
    .where("service", "=", answered.service)
    .where("uuidNfc", "=", answered.uuidNfc)
    .where("place", ">", answered.place)
    .where((row) => {
      const charges = row.selectFrom("ledger").select("seq").where("kind", "=", chargeKind);
      return row.not(row.exists(charges.whereRef("ledger.callId", "=", "answer.callId")));
    })
    .orderBy("place", "desc")
    .limit(1)
    .executeTakeFirst();
  return later?.callId ?? null;
}

/**
 * Removes the charge that pays for a sent response: that of the call, or an earlier one of the same patient which made
 * the call free. On SQLite it does not wait for the disk: after a power cut the charge counts as undelivered, in the
 * customer's favour. PostgreSQL waits, because it may crash alone.
 */
export async function confirmDelivered(db: WritableDb, callId: string): Promise<void> {
  const write = engineOf(db).file === null ? transaction : unsyncedTransaction;
  await write(db, () => deletePaidBy(db, { callId }));
}

const deletePaidBy = compiledOnce<{ readonly callId: string }, unknown>((db, place) =>
  db.deleteFrom("undeliveredCharges").where((row) => {
    const charges = row
      .selectFrom(answers(db))
      .innerJoin("ledger as charge", (join) =>
        join
          .onRef("charge.accountId", "=", "answer.accountId")
          .onRef("charge.service", "=", "answer.service")
          .onRef("charge.uuidNfc", "=", "answer.uuidNfc"),
      )
      .select("charge.seq")
      .where("answer.callId", "=", place("callId"))
      .where("charge.kind", "=", chargeKind)
      .where(({ or, eb, ref, exists, selectFrom }) => {
        const screened = selectFrom("usgPredictions as own").select("own.rowid");
        const before = screened.whereRef("own.rowid", "<=", "answer.place");
        return or([
          eb("charge.measurementId", "<=", ref("answer.place")),
          exists(before.whereRef("own.callId", "=", "charge.callId")),
        ]);
      });
    return row.or([row("callId", "=", place("callId")), row("seq", "in", charges)]);
  }),
);
