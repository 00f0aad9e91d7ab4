import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { lockDataDir } from "../instance-lock.ts";
import { defaultDataDir } from "../program.ts";
import { convertFiles } from "../services/program/encryption/convert-files.ts";
import { getEncryption, planEncryption, unlockStore } from "../services/program/encryption/encryption.ts";
import { databasePlaceOf, openStoreOf } from "../services/program/store-place.ts";
import { switchStore } from "../store/encryption/switch-store.ts";
import { asOperatingSystemUser } from "./running/acting-command.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `encryption status [--data-dir DIR]
encryption on     [--data-dir DIR]     encrypts store, films and backups, and prints the recovery key once
encryption off    [--data-dir DIR]     decrypts all of it again
encryption unlock [--data-dir DIR]     puts the key of an encrypted store back on this computer; asks for the recovery
                                       key, or takes the first line of stdin
Corvet must not be running for on and off. A kill in the middle loses nothing: the next start, or the same command,
carries on. The key is kept outside the data directory, in the file that "status" names; CORVET_STORE_KEY_FILE names
another.`;

runCommand("encryption", usage, async (args, print) => {
  const { values, positionals } = parseArgs({
    args,
    options: { "data-dir": { type: "string" } },
    allowPositionals: true,
  });
  const [verb = "", ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("too many arguments");
  const dataDir = values["data-dir"] ?? defaultDataDir();
  switch (verb) {
    case "status":
      return print(status(dataDir));
    case "on":
    case "off":
      return change(dataDir, verb === "on", print);
    case "unlock":
      unlockStore(dataDir, await askForRecoveryKey());
      return print(status(dataDir));
    default:
      throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  }
});

async function change(dataDir: string, isWanted: boolean, print: (line: string) => void): Promise<void> {
  const lock = lockDataDir(dataDir);
  try {
    // As a start: a restore that is scheduled comes first, while its copy still has the store's form.
    const db = await openStoreOf(dataDir, { create: false });
    let made: Awaited<ReturnType<typeof planEncryption>>;
    try {
      made = await asOperatingSystemUser(() => planEncryption(db, dataDir, isWanted));
    } finally {
      await db.destroy();
    }
    // Before the work: whoever stops it here still has the key.
    if (made !== null)
      print(`Recovery key, shown only now. Print it and keep it away from this computer:\n\n  ${made.recoveryKey}\n`);
    switchStore(dataDir);
    for (const file of await convertFiles(dataDir)) print(`left as it is, because it is damaged: ${file}`);
    print(status(dataDir));
  } finally {
    lock.release();
  }
}

function status(dataDir: string): string {
  const { isEncrypted, isWanted, isDone, place, plainCopies } = getEncryption(dataDir);
  const database = databasePlaceOf(dataDir);
  const lines = [
    ...(database === null
      ? []
      : [
          `The store is in ${database}: its disk and its backups are encrypted there. The file that this computer used before:`,
        ]),
    `The store is ${isEncrypted ? "encrypted" : "plain"}${isEncrypted === isWanted ? "" : "; the next start changes that"}.`,
    ...(isDone ? [] : ["Films and backups are still being converted."]),
    ...(isEncrypted || isWanted ? [`Its key is kept in ${place}.`] : []),
    ...plainCopies.map((name) => `Plain, because it is damaged: ${name}`),
  ];
  return lines.join("\n");
}

async function askForRecoveryKey(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write("Recovery key: ");
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw new UsageError("no recovery key was given");
}
