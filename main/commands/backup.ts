import { parseArgs } from "node:util";
import { defaultDataDir } from "../program.ts";
import { listBackups, makeBackup, type BackupProgress } from "../store/backups/backups.ts";
import { openStore, startEmptyStore } from "../store/database.ts";
import { findDamageInFile } from "../store/integrity.ts";
import { restoreBackup } from "../store/backups/restore.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `backup make        [--data-dir DIR]          also while Corvet runs; Ctrl+C stops it and leaves no file
backup list        [--data-dir DIR]          newest first, each checked
backup restore     [--data-dir DIR] BACKUP   the present store is kept beside it; Corvet must not be running
backup start-empty [--data-dir DIR]          where a damaged store was set aside and no backup will do`;

const options = { "data-dir": { type: "string" } } as const;

runCommand("backup", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", name, ...rest] = positionals;
  if (rest.length > 0 || (name !== undefined) !== (verb === "restore"))
    throw new UsageError(verb === "restore" ? "restore needs one BACKUP" : "too many arguments");
  const dataDir = values["data-dir"] ?? defaultDataDir();
  switch (verb) {
    case "make":
      return print(await make(dataDir));
    case "list":
      return print(list(dataDir));
    case "restore":
      return print(await restored(dataDir, name ?? ""));
    case "start-empty":
      return startEmptyStore(dataDir);
    default:
      throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  }
});

/** The first signal stops the copy, a second one the command. */
async function make(dataDir: string): Promise<string> {
  const db = openStore(dataDir, { create: false, setAside: false });
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  try {
    return (await makeBackup(db, dataDir, new Date(), { signal: stopping.signal, onProgress: showProgress })).path;
  } finally {
    if (process.stderr.isTTY) process.stderr.write("\n");
    db.close();
  }
}

function showProgress({ copiedBytes, totalBytes }: BackupProgress): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor((100 * copiedBytes) / totalBytes)} %`);
}

function list(dataDir: string): string {
  const backups = listBackups(dataDir);
  if (backups.length === 0) return "no backups";
  return backups
    .map(
      (backup) =>
        `${backup.name}  ${new Date(backup.atMs).toISOString()}  ${backup.sizeBytes} bytes  ${findDamageInFile(backup.path) ?? "good"}`,
    )
    .join("\n");
}

async function restored(dataDir: string, name: string): Promise<string> {
  const aside = await restoreBackup(dataDir, name, new Date());
  return `${name} is the store now.${aside === null ? "" : ` The previous one lies beside it as ${aside}.`}`;
}
