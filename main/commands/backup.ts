import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { lockDataDir } from "../instance-lock.ts";
import { defaultDataDir, documentFile } from "../program.ts";
import { filmsDir } from "../services/desktop/film-files.ts";
import { scheduleArchive } from "../services/program/backups/backup-plan.ts";
import { writeArchive } from "../store/backups/backup-archive.ts";
import { makeBackupKey } from "../store/backups/backup-cipher.ts";
import { listBackups, makeBackup, type BackupProgress } from "../store/backups/backups.ts";
import { recordAudit } from "../store/audit/audit-events.ts";
import { machineOf } from "../store/machines/machine.ts";
import { openStore, startEmptyStore } from "../store/database.ts";
import { backupsDir } from "../store/store-files.ts";
import { assertInFile, databasePlaceOf, openStoreOf } from "../services/program/store-place.ts";
import { keyOfCopies } from "../store/encryption/copy-keys.ts";
import { storeKeyOf } from "../store/encryption/key-keeper.ts";
import { findDamageInFile } from "../store/record/integrity.ts";
import { checkBackup } from "../store/backups/check-backup.ts";
import { restoreBackup, restoreScheduled } from "../store/backups/restore.ts";
import { asOperatingSystemUser } from "./running/acting-command.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `backup make        [--data-dir DIR] [--to FOLDER [--films] [--passphrase-file FILE]]
                                             also while Corvet runs; Ctrl+C stops it and leaves no file
                                             --to: one file in a folder of your choice, with films and encrypted if you like
backup list        [--data-dir DIR]          newest first, each checked
backup check       [--data-dir DIR] BACKUP [--passphrase-file FILE]
                                             tries out a backup (a name, or a file anywhere) beside the store
backup restore     [--data-dir DIR] BACKUP [--passphrase-file FILE]
                                             the present store is kept beside it; Corvet must not be running
backup start-empty [--data-dir DIR]          after a damaged store was set aside and no backup will do`;

const options = {
  "data-dir": { type: "string" },
  to: { type: "string" },
  films: { type: "boolean" },
  "passphrase-file": { type: "string" },
} as const;

type Given = { readonly to?: string; readonly films?: boolean; readonly passphrase: string | null };

runCommand("backup", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", name, ...rest] = positionals;
  const needsName = verb === "restore" || verb === "check";
  if (rest.length > 0 || (name !== undefined) !== needsName)
    throw new UsageError(needsName ? `${verb} needs one BACKUP` : "too many arguments");
  const dataDir = values["data-dir"] ?? defaultDataDir();
  const file = values["passphrase-file"];
  const passphrase = file === undefined ? null : readFileSync(file, "utf8").replace(/\r?\n$/, "");
  switch (verb) {
    case "make":
      return print(await make(dataDir, { ...values, passphrase }));
    case "list":
      return print([...besideDatabase(dataDir), list(dataDir)].join("\n"));
    case "check":
      return print([...besideDatabase(dataDir), await checked(dataDir, name ?? "", passphrase)].join("\n"));
    case "restore":
      assertInFile(dataDir);
      return print(await whileLocked(dataDir, () => restored(dataDir, name ?? "", passphrase)));
    case "start-empty":
      assertInFile(dataDir);
      return whileLocked(dataDir, () => startEmptyStore(dataDir));
    default:
      throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  }
});

/** Backups in the data directory are of the file that was the store before. */
function besideDatabase(dataDir: string): string[] {
  const place = databasePlaceOf(dataDir);
  if (place === null) return [];
  return [
    `The store is in ${place}, whose backups are made there (${documentFile("practice.md")}). The file that this computer used before:`,
  ];
}

/** The first signal stops the copy, a second one the command. */
async function make(dataDir: string, { to, films = false, passphrase }: Given): Promise<string> {
  if (to === undefined && (films || passphrase !== null))
    throw new UsageError("--films and --passphrase-file go with --to");
  const db = await openStoreOf(dataDir, { create: false, setAside: false });
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  try {
    const backup = await makeBackup(db, dataDir, new Date(), { signal: stopping.signal, onProgress: showProgress });
    await asOperatingSystemUser(() => recordAudit(db, { action: "backup.made", subject: backup.name }));
    if (to === undefined) return backup.path;
    const key = passphrase === null ? null : makeBackupKey(passphrase);
    const order = {
      machine: machineOf(dataDir),
      backup,
      folder: path.resolve(to),
      filmsDir: films ? filmsDir(dataDir) : null,
      key,
      storeKey: storeKeyOf(dataDir),
      signal: stopping.signal,
    };
    return (await writeArchive(order)).path;
  } finally {
    if (process.stderr.isTTY) process.stderr.write("\n");
    await db.destroy();
  }
}

function showProgress({ copiedBytes, totalBytes }: BackupProgress): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor((100 * copiedBytes) / totalBytes)} %`);
}

function list(dataDir: string): string {
  const backups = listBackups(dataDir);
  if (backups.length === 0) return "no backups";
  const key = keyOfCopies(dataDir);
  return backups
    .map(
      (backup) =>
        `${backup.name}  ${new Date(backup.atMs).toISOString()}  ${backup.sizeBytes} bytes  ${findDamageInFile(backup.path, key) ?? "good"}`,
    )
    .join("\n");
}

async function checked(dataDir: string, name: string, passphrase: string | null): Promise<string> {
  const file = isInDataDir(dataDir, name) ? path.join(backupsDir(dataDir), name) : path.resolve(name);
  const { ledgerRows, values, films } = await checkBackup(dataDir, file, passphrase);
  return `${name} opens: ${ledgerRows} rows of the ledger and ${values} values verify, ${films} films are whole.`;
}

function isInDataDir(dataDir: string, name: string): boolean {
  return listBackups(dataDir).some((backup) => backup.name === name);
}

async function restored(dataDir: string, name: string, passphrase: string | null): Promise<string> {
  const aside = isInDataDir(dataDir, name)
    ? await restoreBackup(dataDir, name, new Date(), passphrase)
    : await restoreArchive(dataDir, path.resolve(name), passphrase);
  const db = await openStore(dataDir, { create: false, setAside: false });
  try {
    await asOperatingSystemUser(() => recordAudit(db, { action: "restore.done", subject: path.basename(name) }));
  } finally {
    await db.destroy();
  }
  return `${name} is the store now.${aside === null ? "" : ` The previous one lies beside it as ${aside}.`}`;
}

async function restoreArchive(dataDir: string, file: string, passphrase: string | null): Promise<string | null> {
  return restoreScheduled(dataDir, new Date(), () => scheduleArchive(dataDir, file, passphrase));
}

/** No program starts on a store while another one takes its place. @throws AppError STORE_BUSY */
async function whileLocked<Done>(dataDir: string, work: () => Promise<Done>): Promise<Done> {
  const lock = lockDataDir(dataDir);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
