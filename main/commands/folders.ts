import path from "node:path";
import { parseArgs } from "node:util";
import { sidecarFormats, type FolderSettings } from "../../core/contract/desktop/folders.ts";
import { defaultDataDir } from "../program.ts";
import { assertFolders, watchedFoldersSetting } from "../services/practice/folder-settings.ts";
import { openStore } from "../store/database.ts";
import { getSetting, saveSetting } from "../store/settings.ts";
import { asOperatingSystemUser } from "./acting-command.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `folders list                [--data-dir DIR]
folders watch FOLDER [--move] [--data-dir DIR]   opens what is put there; --move: into done or failed below it
folders leave FOLDER        [--data-dir DIR]   watches it no longer
folders outbox FOLDER|off [--formats ${sidecarFormats.join(",")}] [--data-dir DIR]
A program that runs goes by it at its next look, within seconds.`;

const options = { "data-dir": { type: "string" }, move: { type: "boolean" }, formats: { type: "string" } } as const;

runCommand("folders", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [what, named] = positionals;
  const dataDir = path.resolve(values["data-dir"] ?? defaultDataDir());
  const db = openStore(dataDir, { create: false, setAside: false });
  try {
    const before = getSetting(db, watchedFoldersSetting);
    if (what === "list") return print(JSON.stringify(before, null, 2));
    const after = changed(before, what, named, values);
    assertFolders(after, dataDir);
    asOperatingSystemUser(() => saveSetting(db, watchedFoldersSetting, after));
  } finally {
    db.close();
  }
});

function changed(
  before: FolderSettings,
  what: string | undefined,
  named: string | undefined,
  { move, formats }: { readonly move?: boolean | undefined; readonly formats?: string | undefined },
): FolderSettings {
  if (named === undefined) throw new UsageError("no FOLDER");
  const folder = path.resolve(named);
  const others = before.folders.filter((one) => one.path !== folder);
  switch (what) {
    case "watch":
      return { ...before, folders: [...others, { path: folder, afterwards: move ? "move" : "leave" }] };
    case "leave":
      return { ...before, folders: others };
    case "outbox":
      return {
        ...before,
        outbox: named === "off" ? null : folder,
        formats: formats === undefined ? before.formats : formatsOf(formats),
      };
    case undefined:
    default:
      throw new UsageError("list, watch, leave or outbox?");
  }
}

function formatsOf(said: string): FolderSettings["formats"] {
  return said.split(",").map((word) => {
    const format = sidecarFormats.find((known) => known === word.trim());
    if (!format) throw new UsageError(`--formats are ${sidecarFormats.join(", ")}`);
    return format;
  });
}
