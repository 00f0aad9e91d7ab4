import { statSync } from "node:fs";
import { because } from "../../../../core/app-error.ts";
import { systemFaultOf } from "../../../../core/system-fault.ts";
import { makeBackup } from "../../../store/backups/backups.ts";
import { engineOf } from "../../../store/engines/engine.ts";
import { markLogAsForeign } from "../../../store/engines/sqlite/foreign-log.ts";
import {
  isLaterHead,
  moveAnchor,
  noteHead,
  readNotedHead,
  readHead,
  type RecordHead,
} from "../../../store/ledger/record-anchor.ts";
import { codeOfFault } from "../../../store/ledger/ledger-verification.ts";
import type { RecordFault } from "../../../store/ledger/record-fault.ts";
import { assertClockAgrees, clockFaults, isClockTrouble } from "../../../store/ledger/ledger.ts";
import { findLoss } from "../../../store/record/record-verification.ts";
import { getSetting, recordNotedSetting, saveSetting } from "../../../store/settings.ts";
import { lastSetAsideMs, listForeignLogs, storeFile } from "../../../store/files/store-files.ts";
import { createOverwriteCheck, separateOverwrittenFile } from "../../../store/record/overwritten-file.ts";
import { verifyStore } from "../../../store/record/verify-store.ts";
import { createPoller } from "../../desktop/poller.ts";
import { runDaily } from "../../desktop/run-daily.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import type { Troubles } from "../troubles.ts";

const checkEveryMs = 5000;

/** A third copy of the head, in the operating system's key store. */
export type HeadVault = {
  /** Returns null without a readable head. @throws SystemError if it cannot be read */
  read(): RecordHead | null;
  keep(head: RecordHead): void;
};

export type RecordWatch = {
  /** Call before the store closes. */
  stop(): Promise<void>;
};

type WatchContext = Pick<ServiceContext, "db" | "dataDir" | "now" | "log">;

/**
 * Compares the record with heads noted outside the store, verifies it in a thread after `verifyAfterMs` and then daily,
 * checkpoints an idle write-ahead log, and detects a clock that blocks the ledger.
 *
 * @param given  null without a key store; not used for a store in a database
 */
export async function startRecordWatch(
  context: WatchContext,
  troubles: Troubles,
  given: HeadVault | null,
  everyMs = checkEveryMs,
  verifyAfterMs = everyMs,
): Promise<RecordWatch> {
  const isOverwritten = createOverwriteCheck(context.db, context.dataDir);
  const checkFileNow = () => checkFile(context, troubles, isOverwritten);
  const vault = engineOf(context.db).file === null ? null : readableVault(given, context);
  await compareWithNotes(context, troubles, vault);
  await checkFileNow();
  let [verified, kept] = [Promise.resolve(), vault?.read() ?? null];
  const verifyNext = () => {
    verified = verified.then(() => verify(context, troubles, vault));
  };
  const checkOnce = async () => {
    if (!(await checkFileNow())) return;
    await checkClock(context, troubles);
    await checkpointWhenIdle(context, everyMs);
    kept = await saveToVault(context, vault, kept);
  };
  const poller = createPoller(checkOnce, everyMs, (error) =>
    context.log.error({ error }, "the check of the record failed"),
  );
  // Delayed, so that the first films have the processor to themselves.
  const daily = runDaily(context.now, verifyNext, verifyAfterMs);
  await checkClock(context, troubles);
  poller.start();
  return {
    async stop() {
      daily.stop();
      await verified;
      await poller.close();
      await checkFileNow();
      if (engineOf(context.db).isOverwritten()) return await separateOverwrittenFile(context.dataDir);
      await noteHead(context.db, { isSynced: true });
      await saveToVault(context, vault, kept);
    },
  };
}

/** An unreadable vault is left alone, so that its head is not replaced. */
function readableVault(vault: HeadVault | null, { log }: WatchContext): HeadVault | null {
  try {
    vault?.read();
    return vault;
  } catch (error) {
    log.error({ error }, "the head of the record in the key store could not be read");
    return null;
  }
}

async function compareWithNotes(
  { db, dataDir, now }: WatchContext,
  troubles: Troubles,
  vault: HeadVault | null,
): Promise<void> {
  const note = readNotedHead(db);
  const loss = await lossIn({ db, dataDir }, vault);
  if (loss) troubles.raise(codeOfFault(loss), loss.problem);
  const head = await readHead(db, now().getTime());
  if (note === null && head.ledgerSeq + head.sealSeq > 0 && (await getSetting(db, recordNotedSetting)))
    troubles.raise("LEDGER_BROKEN", because("ledgerNoteGone"));
  if ((await noteHead(db, { isSynced: true })) && !(await getSetting(db, recordNotedSetting)))
    await saveSetting(db, recordNotedSetting, true);
}

/** Compares with both copies of the head. */
async function lossIn(
  { db, dataDir }: Pick<WatchContext, "db" | "dataDir">,
  vault: HeadVault | null,
): Promise<RecordFault | null> {
  const kept = vault?.read() ?? null;
  // A head from before a restore belongs to the store that was set aside.
  const heads = [readNotedHead(db), kept !== null && kept.atMs > lastSetAsideMs(dataDir) ? kept : null];
  for (const head of heads) {
    const loss = head && (await findLoss(db, head));
    if (loss) return loss;
  }
  return null;
}

async function verify(context: WatchContext, troubles: Troubles, vault: HeadVault | null): Promise<void> {
  const { db, dataDir, log } = context;
  try {
    const found = await verifyStore(db, dataDir);
    // The thread may have opened a file that replaced the store.
    if (!engineOf(db).isInPlace()) return;
    if (found.fault !== null) return troubles.raise(codeOfFault(found.fault), found.fault.problem);
    log.info({ rows: found.rows, seals: found.seals }, "record verified");
    if ((await lossIn(context, vault)) !== null) return;
    // An administrator may have explained a remaining fault in the meantime.
    troubles.clear("LEDGER_BROKEN");
    troubles.clear("RECORD_BROKEN");
    await moveAnchor(db);
  } catch (error) {
    const fault = systemFaultOf(error);
    if (fault !== null) return troubles.raise(fault.code, `The record was not verified. ${fault.message}`);
    log.error({ error }, "the record could not be verified");
    troubles.raise("RECORD_BROKEN", because("recordNotVerified"));
  }
}

/**
 * Backs up the content of a store whose file was deleted, moved or replaced. The write-ahead log is moved into the file
 * it belongs to, since SQLite would apply it to the file in its place; if that failed, the start sets it aside, which
 * is reported until an administrator removes it.
 *
 * @returns whether the store's file is in its place
 */
async function checkFile(
  { db, dataDir, now, log }: WatchContext,
  troubles: Troubles,
  isOverwritten: () => Promise<boolean>,
): Promise<boolean> {
  const code = "STORE_REPLACED";
  if (engineOf(db).isOverwritten()) return false;
  if (engineOf(db).isInPlace()) {
    if (await isOverwritten()) {
      engineOf(db).giveUp();
      troubles.raise(code, because("storeOverwritten"));
      markLogAsForeign(dataDir);
      return false;
    }
    const log = listForeignLogs(dataDir).at(-1);
    if (log === undefined) troubles.clear(code);
    else troubles.raise(code, because("logSetAside", { log }));
    return true;
  }
  try {
    await engineOf(db).forgetDeleted();
  } catch (error) {
    log.error({ error }, "the write-ahead log of a replaced store could not be emptied");
  }
  if (troubles.list().some(({ reason }) => reason?.name === "storeReplaced")) return false;
  try {
    troubles.raise(code, because("storeReplaced", { backup: (await makeBackup(db, dataDir, now())).name }));
  } catch (error) {
    log.error({ error }, "the content of a replaced store could not be saved");
    troubles.raise(code);
  }
  return false;
}

async function checkClock({ db, now, log }: WatchContext, troubles: Troubles): Promise<void> {
  try {
    await assertClockAgrees(db, now());
    for (const code of clockFaults) troubles.clear(code);
  } catch (error) {
    if (isClockTrouble(error)) {
      for (const code of clockFaults) if (code !== error.code) troubles.clear(code);
      return troubles.raise(error.code, error.reason ?? error.message);
    }
    log.warn({ error }, "the clock could not be compared with the record");
  }
}

async function checkpointWhenIdle({ db, dataDir, now, log }: WatchContext, idleMs: number): Promise<void> {
  try {
    const wal = statSync(`${storeFile(dataDir)}-wal`, { throwIfNoEntry: false });
    if (!wal || wal.size === 0 || now().getTime() - wal.mtimeMs < idleMs) return;
    await engineOf(db).forgetDeleted();
    await noteHead(db, { isSynced: true });
  } catch (error) {
    log.warn({ error }, "the write-ahead log could not be checkpointed");
  }
}

async function saveToVault(
  { db, now, log }: WatchContext,
  vault: HeadVault | null,
  kept: RecordHead | null,
): Promise<RecordHead | null> {
  if (vault === null) return null;
  try {
    const head = await readHead(db, now().getTime());
    if (!isLaterHead(head, kept)) return kept;
    vault.keep(head);
    return head;
  } catch (error) {
    log.warn({ error }, "the head of the record could not be written to the key store");
    return kept;
  }
}
