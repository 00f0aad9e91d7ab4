import { Command, Option } from "commander";
import { readFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { lockDataDir } from "../../instance-lock.ts";
import { documentFile } from "../../program.ts";
import { writeArchive } from "../../store/backups/backup-archive.ts";
import { makeBackupKey } from "../../store/backups/backup-cipher.ts";
import { listBackups, makeBackup } from "../../store/backups/backups.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { machineOf } from "../../store/machines/machine.ts";
import { openStore, startEmptyStore } from "../../store/database.ts";
import { filmsDir } from "../../store/files/store-files.ts";
import { assertInFile, databaseLocationOf, openStoreOf } from "../../services/program/store-location.ts";
import { keyOfCopies } from "../../store/encryption/copy-keys.ts";
import { storeKeyOf } from "../../store/encryption/key-keeper.ts";
import { findDamageInFile } from "../../store/record/integrity.ts";
import { checkBackup } from "../../store/backups/check-backup.ts";
import { restoreBackup } from "../../store/backups/restore.ts";
import { asOperatingSystemUser } from "../running/acting-command.ts";
import { dataDirOption } from "../running/options.ts";
import { print, UsageError } from "../running/run-program.ts";

type Given = { readonly dataDir: string };
type GivenPassphrase = Given & { readonly passphraseFile?: string };
type GivenCopy = GivenPassphrase & { readonly to?: string; readonly films?: boolean };

export function backupCommand(): Command {
  const backup = new Command("backup").description("make, check and restore backups of the store");
  const command = (usage: string, description: string) =>
    backup.command(usage).description(description).addOption(dataDirOption());
  const passphraseOption = () =>
    new Option("--passphrase-file <file>", "file that contains the passphrase of an encrypted backup");
  command("make", "make a backup, also while Corvet runs; Ctrl+C stops it and leaves no file")
    .option("--to <folder>", "write one file to this folder as well")
    .option("--films", "with --to: include the films")
    .addOption(passphraseOption())
    .action(async (given: GivenCopy) => print(await make(given)));
  command("list", "backups, the newest first, each checked").action(({ dataDir }: Given) =>
    print([...besideDatabase(dataDir), list(dataDir)].join("\n")),
  );
  command("check <backup>", "check a backup (a name, or a file) as a restore does")
    .addOption(passphraseOption())
    .action(async (name: string, given: GivenPassphrase) =>
      print([...besideDatabase(given.dataDir), await checked(given.dataDir, name, passphraseOf(given))].join("\n")),
    );
  command("restore <backup>", "restore a backup; the present store stays next to it; Corvet must not be running")
    .addOption(passphraseOption())
    .action(async (name: string, given: GivenPassphrase) => {
      assertInFile(given.dataDir);
      const passphrase = passphraseOf(given);
      print(await whileLocked(given.dataDir, () => restored(given.dataDir, name, passphrase)));
    });
  command("start-empty", "start with an empty store if a damaged one was set aside and no backup helps").action(
    ({ dataDir }: Given) => {
      assertInFile(dataDir);
      return whileLocked(dataDir, () => startEmptyStore(dataDir));
    },
  );
  return backup;
}

function passphraseOf({ passphraseFile }: GivenPassphrase): string | null {
  return passphraseFile === undefined ? null : readFileSync(passphraseFile, "utf8").replace(/\r?\n$/, "");
}

/** Notice that backups in the data directory are of the former store, if the store is now in a database. */
function besideDatabase(dataDir: string): string[] {
  const place = databaseLocationOf(dataDir);
  if (place === null) return [];
  return [
    `The store is in ${place} and is backed up there (${documentFile("practice.md")}). The file that this computer used before:`,
  ];
}

/** Makes a backup. The first signal stops the copy, a second one the command. */
async function make({ dataDir, to, films = false, ...given }: GivenCopy): Promise<string> {
  const passphrase = passphraseOf({ dataDir, ...given });
  if (to === undefined && (films || passphrase !== null))
    throw new UsageError("--films and --passphrase-file need --to");
  const db = await openStoreOf(dataDir, { create: false, setAside: false });
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  try {
    const backup = await makeBackup(db, dataDir, new Date(), stopping.signal);
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
    await db.destroy();
  }
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
  const file = fileOf(dataDir, name);
  const { ledgerRows, values, films } = await namingBackup(name, () => checkBackup(dataDir, file, passphrase));
  return `${name} is sound: ${ledgerRows} rows of the ledger and ${values} values verified, ${films} films intact.`;
}

function fileOf(dataDir: string, name: string): string {
  return listBackups(dataDir).find((backup) => backup.name === name)?.path ?? path.resolve(name);
}

async function restored(dataDir: string, name: string, passphrase: string | null): Promise<string> {
  const file = fileOf(dataDir, name);
  const aside = await namingBackup(name, () => restoreBackup(dataDir, file, new Date(), passphrase));
  await using db = await openStore(dataDir, { create: false, setAside: false });
  await asOperatingSystemUser(() => recordAudit(db, { action: "restore.done", subject: path.basename(name) }));
  return `${name} is the store now.${aside === null ? "" : ` The previous one is kept as ${aside}.`}`;
}

async function namingBackup<Done>(name: string, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === "BACKUP_DAMAGED" && cause.reason)) throw cause;
    throw new AppError("BACKUP_DAMAGED", `The backup ${path.basename(name)} is damaged: ${cause.message}.`, { cause });
  }
}

/** Keeps programs from starting while the store is replaced. @throws AppError STORE_BUSY */
async function whileLocked<Done>(dataDir: string, work: () => Promise<Done>): Promise<Done> {
  const lock = lockDataDir(dataDir);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
