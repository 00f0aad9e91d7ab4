import { Command } from "commander";
import { accessSync, constants, readFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../core/app-error.ts";
import { sidecarFormats, type FolderSettings } from "../../core/contract/desktop/practice/folders.ts";
import { hl7Destination, type Hl7Destination } from "../../core/contract/desktop/practice/hl7.ts";
import { assertFolders } from "../services/practice/folder-settings.ts";
import { hl7DestinationSetting, saveDestination } from "../services/practice/mllp/mllp-outbox.ts";
import type { WritableDb } from "../store/database.ts";
import { transaction } from "../store/engines/engine.ts";
import { changeSetting, getSetting, watchedFoldersSetting } from "../store/settings.ts";
import { dataDirOption } from "./running/options.ts";
import { messageOf, print, UsageError } from "./running/run-program.ts";
import { withStore } from "./running/with-store.ts";

type Given = { readonly dataDir: string };
type GivenOutbox = Given & { readonly formats?: FolderSettings["formats"]; readonly allFilms?: boolean };

export function foldersCommand(): Command {
  const folders = new Command("folders")
    .description("watched folders, the outbox and HL7 results")
    .addHelpText("after", "\nA running Corvet applies a change within seconds.");
  const command = (usage: string, description: string) =>
    folders.command(usage).description(description).addOption(dataDirOption());
  command("list", "the settings as JSON").action(async ({ dataDir }: Given) => print(await withStore(dataDir, listed)));
  command("watch <folder>", "import the files of a folder")
    .option("--move", "move them into its subfolders done and failed")
    .action((folder: string, { dataDir, move }: Given & { readonly move?: boolean }) =>
      change(dataDir, (before) => ({
        ...before,
        folders: [
          ...withoutFolder(before, folder),
          { path: path.resolve(folder), afterwards: move ? "move" : "leave" },
        ],
      })),
    );
  command("leave <folder>", "stop watching a folder").action((folder: string, { dataDir }: Given) =>
    change(dataDir, (before) => {
      const others = withoutFolder(before, folder);
      if (others.length === before.folders.length)
        throw new AppError("NOT_FOUND", `${path.resolve(folder)} is not watched.`);
      return { ...before, folders: others };
    }),
  );
  command("outbox <folder>", "write results to a folder, or off")
    .option("--formats <list>", `formats: ${sidecarFormats.join(",")}`, formatsOf)
    .option("--all-films", "also results of films that are opened in other ways from now on")
    .action((folder: string, { dataDir, formats, allFilms }: GivenOutbox) =>
      change(dataDir, (before) => ({
        ...before,
        outbox: folder === "off" ? null : path.resolve(folder),
        formats: formats ?? before.formats,
        allFilmsSince: allFilms ? (before.allFilmsSince ?? new Date().toISOString()) : null,
      })),
    );
  command("mllp <host:port>", "send results as HL7 by MLLP, or off")
    .option("--all", "also proposals of the networks")
    .option("--tls", "encrypt the connection")
    .option("--ca <file>", "certificates to trust (PEM)")
    .action(async (named: string, { dataDir, ca, ...given }: GivenReceiver) => {
      const trusted = ca === undefined ? "" : readFileSync(ca, "utf8");
      const change = (db: WritableDb) =>
        transaction(db, async () => {
          const destination = destinationOf(await getSetting(db, hl7DestinationSetting), named, { ...given, trusted });
          await saveDestination(db, destination, Date.now());
          return JSON.stringify(destination, null, 2);
        });
      print(await withStore(dataDir, change));
    });
  return folders;
}

async function listed(db: WritableDb): Promise<string> {
  const { isOn, host, port } = await getSetting(db, hl7DestinationSetting);
  const settings = await getSetting(db, watchedFoldersSetting);
  return JSON.stringify({ ...settings, ...(isOn && { mllp: `${host}:${port}` }) }, null, 2);
}

async function change(dataDir: string, edit: (before: FolderSettings) => FolderSettings): Promise<void> {
  await withStore(dataDir, async (db) => {
    const after = await changeSetting(db, watchedFoldersSetting, (before) => {
      const edited = edit(before);
      assertFolders(edited, path.resolve(dataDir));
      return edited;
    });
    print(JSON.stringify(after, null, 2));
    warnAboutUnusable(after);
  });
}

function withoutFolder({ folders }: FolderSettings, folder: string): FolderSettings["folders"] {
  return folders.filter((one) => one.path !== path.resolve(folder));
}

type GivenReceiver = Given & {
  readonly all?: boolean;
  readonly tls?: boolean;
  readonly ca?: string;
};

function destinationOf(
  before: Hl7Destination,
  named: string,
  { all, tls, trusted }: Pick<GivenReceiver, "all" | "tls"> & { readonly trusted: string },
): Hl7Destination {
  if (named === "off") return { ...before, isOn: false };
  const [, host, port] = /^(.+):(\d+)$/.exec(named) ?? [];
  const destination = hl7Destination.safeParse({
    ...before,
    ...{ isOn: true, host: host?.replace(/^\[(.*)\]$/, "$1"), port: Number(port) },
    ...{ results: all ? "all" : "decided", tls: tls ? { trusted } : null },
  });
  if (!destination.success) throw new UsageError("mllp HOST:PORT or off");
  return destination.data;
}

/** Not an error, because a network drive may be temporarily unavailable. */
function warnAboutUnusable({ folders, outbox }: FolderSettings): void {
  const { R_OK, W_OK } = constants;
  const used = folders.map((one) => [one.path, one.afterwards === "move" ? R_OK | W_OK : R_OK] as const);
  for (const [folder, mode] of [...used, ...(outbox === null ? [] : [[outbox, W_OK] as const])])
    try {
      accessSync(folder, mode);
    } catch (error) {
      process.stderr.write(`folders: ${messageOf(error)}; its files stay pending until it can be used\n`);
    }
}

function formatsOf(list: string): FolderSettings["formats"] {
  return list.split(",").map((word) => {
    const format = sidecarFormats.find((known) => known === word.trim());
    if (!format) throw new UsageError(`--formats are ${sidecarFormats.join(", ")}`);
    return format;
  });
}
