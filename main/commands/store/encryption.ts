import { Command } from "commander";
import { existsSync } from "node:fs";
import { AppError } from "../../../core/app-error.ts";
import { lockDataDir } from "../../instance-lock.ts";
import { convertFiles } from "../../services/program/encryption/convert-files.ts";
import {
  getEncryption,
  offerRecoveryKey,
  planEncryption,
  unlockStore,
} from "../../services/program/encryption/encryption.ts";
import { databaseLocationOf, openStoreOf } from "../../services/program/store-location.ts";
import { storeKeyOf } from "../../store/encryption/key-keeper.ts";
import { discardConversion, convertStore } from "../../store/encryption/convert-store.ts";
import { asOperatingSystemUser } from "../running/acting-command.ts";
import { dataDirOption } from "../running/options.ts";
import { readLine } from "../running/read-line.ts";
import { print, UsageError } from "../running/run-program.ts";

type Given = { readonly dataDir: string };

export function encryptionCommand(): Command {
  const encryption = new Command("encryption")
    .description("encrypt store, films and backups, or decrypt them; Corvet must not be running for on and off")
    .addHelpText(
      "after",
      `
An interrupted change loses nothing: the next start, or the same command, completes it. The key is kept outside the
data directory, in the file that "status" names; CORVET_STORE_KEY_FILE names another, which is never deleted.`,
    );
  const command = (usage: string, description: string) =>
    encryption.command(usage).description(description).addOption(dataDirOption());
  command("status", "form of the store and place of its key").action(({ dataDir }: Given) => print(status(dataDir)));
  command("on", 'print the recovery key once, and encrypt everything after "yes" on stdin confirms it').action(
    ({ dataDir }: Given) => change(dataDir, true),
  );
  command("off", "decrypt everything").action(({ dataDir }: Given) => change(dataDir, false));
  command("unlock", "store the key on this computer again; asks for the recovery key, or reads it from stdin").action(
    async ({ dataDir }: Given) => {
      unlockStore(dataDir, await askForRecoveryKey());
      print(status(dataDir));
    },
  );
  return encryption;
}

async function change(dataDir: string, isWanted: boolean): Promise<void> {
  const lock = lockDataDir(dataDir);
  try {
    if (!(await plan(dataDir, isWanted))) return print("Nothing was changed.");
    try {
      convertStore(dataDir);
    } catch (error) {
      await withdrawPlan(dataDir, isWanted).catch(() => print("The next start will try again."));
      throw error;
    }
    for (const file of await convertFiles(dataDir)) print(`left as it is, because it is damaged: ${file}`);
    print(status(dataDir));
  } finally {
    lock.release();
  }
}

/** @returns false if the user did not confirm the recovery key */
async function plan(dataDir: string, isWanted: boolean): Promise<boolean> {
  // Completes a scheduled restore first, while its copy still has the store's form.
  await using db = await openStoreOf(dataDir, { create: false });
  const recoveryKey = isWanted ? (offerRecoveryKey(db, dataDir)?.recoveryKey ?? null) : null;
  if (recoveryKey !== null) {
    print(`Recovery key, shown only now. Print it and keep it away from this computer:\n\n  ${recoveryKey}\n`);
    if ((await readLine('Type "yes" once it is written down: '))?.trim().toLowerCase() !== "yes") return false;
  }
  await asOperatingSystemUser(() => planEncryption(db, dataDir, isWanted, recoveryKey));
  return true;
}

/** Withdraws a failed conversion: a retry at the next start would surprise the user, who saw the error. */
async function withdrawPlan(dataDir: string, isWanted: boolean): Promise<void> {
  discardConversion(dataDir);
  await using db = await openStoreOf(dataDir, { create: false, setAside: false });
  await asOperatingSystemUser(() => planEncryption(db, dataDir, !isWanted));
}

function status(dataDir: string): string {
  const { isEncrypted, isWanted, isDone, place, plainCopies } = getEncryption(dataDir);
  const database = databaseLocationOf(dataDir);
  const lines = [
    ...(database === null
      ? []
      : [
          `The store is in ${database}: its disk and its backups are encrypted there. The file that this computer used before:`,
        ]),
    `The store is ${isEncrypted ? "encrypted" : "plain"}${isEncrypted === isWanted ? "" : "; the next start changes that"}.`,
    ...(isDone ? [] : ["Films and backups are still being converted."]),
    ...(isEncrypted || isWanted ? [faultOfKey(dataDir) ?? `Its key is kept in ${place}.`] : []),
    ...(!isEncrypted && !isWanted && isDone && existsSync(place)
      ? [`A key stays in ${place}; delete the file if no other data directory and no copy needs it.`]
      : []),
    ...plainCopies.map((name) => `Plain, because it is damaged: ${name}`),
  ];
  return lines.join("\n");
}

/** Error of a missing or wrong key, which states how to proceed; null without one. */
function faultOfKey(dataDir: string): string | null {
  try {
    storeKeyOf(dataDir);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

async function askForRecoveryKey(): Promise<string> {
  const recoveryKey = await readLine("Recovery key: ");
  if (recoveryKey === null) throw new UsageError("no recovery key was given");
  return recoveryKey;
}
