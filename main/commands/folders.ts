import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { sidecarFormats, type FolderSettings } from "../../core/contract/desktop/practice/folders.ts";
import { hl7Destination, type Hl7Destination } from "../../core/contract/desktop/practice/hl7.ts";
import { defaultDataDir } from "../program.ts";
import { assertFolders } from "../services/practice/folder-settings.ts";
import { hl7DestinationSetting, saveDestination } from "../services/practice/mllp/mllp-outbox.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { getSetting, saveSetting, watchedFoldersSetting } from "../store/settings.ts";
import { asOperatingSystemUser } from "./running/acting-command.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `folders list                [--data-dir DIR]
folders watch FOLDER [--move] [--data-dir DIR]   opens what is put there; --move: into done or failed below it
folders leave FOLDER        [--data-dir DIR]   stops watching it
folders mllp HOST:PORT|off [--all] [--tls [--ca FILE]] [--data-dir DIR]
                            results as HL7 by MLLP; --all: the networks' proposals, too
folders outbox FOLDER|off [--formats ${sidecarFormats.join(",")}] [--all-films] [--data-dir DIR]
                            --all-films: also for films opened in any other way from now on
A running program follows at its next look, within seconds.`;

const options = {
  "data-dir": { type: "string" },
  move: { type: "boolean" },
  formats: { type: "string" },
  "all-films": { type: "boolean" },
  all: { type: "boolean" },
  tls: { type: "boolean" },
  ca: { type: "string" },
} as const;

runCommand("folders", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [what = "", named, ...rest] = positionals;
  if (rest.length > 0 || (what === "list") !== (named === undefined))
    throw new UsageError("list alone, or watch, leave or outbox with one FOLDER, or mllp");
  const dataDir = path.resolve(values["data-dir"] ?? defaultDataDir());
  const db = await openStoreOf(dataDir, { create: false, setAside: false });
  try {
    const before = await getSetting(db, watchedFoldersSetting);
    if (named === undefined) {
      const { isOn, host, port } = await getSetting(db, hl7DestinationSetting);
      return print(JSON.stringify({ ...before, ...(isOn && { mllp: `${host}:${port}` }) }, null, 2));
    }
    if (what === "mllp") {
      const destination = destinationOf(await getSetting(db, hl7DestinationSetting), named, values);
      await asOperatingSystemUser(() => saveDestination(db, destination, Date.now()));
      return print(JSON.stringify(destination, null, 2));
    }
    const after = changed(before, what, named, values);
    assertFolders(after, dataDir);
    await asOperatingSystemUser(() => saveSetting(db, watchedFoldersSetting, after));
    print(JSON.stringify(after, null, 2));
    tellUnreachable(after);
  } finally {
    await db.destroy();
  }
});

type Given = {
  readonly move?: boolean | undefined;
  readonly formats?: string | undefined;
  readonly "all-films"?: boolean | undefined;
};

function changed(
  before: FolderSettings,
  what: string,
  named: string,
  { move, formats, "all-films": isForAll }: Given,
): FolderSettings {
  const folder = path.resolve(named);
  const others = before.folders.filter((one) => one.path !== folder);
  switch (what) {
    case "watch":
      return { ...before, folders: [...others, { path: folder, afterwards: move ? "move" : "leave" }] };
    case "leave":
      if (others.length === before.folders.length) throw new AppError("NOT_FOUND", `${folder} is not watched.`);
      return { ...before, folders: others };
    case "outbox":
      return {
        ...before,
        outbox: named === "off" ? null : folder,
        formats: formats === undefined ? before.formats : formatsOf(formats),
        allFilmsSince: isForAll ? (before.allFilmsSince ?? new Date().toISOString()) : null,
      };
    default:
      throw new UsageError("list, watch, leave, outbox or mllp?");
  }
}

type GivenReceiver = {
  readonly all?: boolean | undefined;
  readonly tls?: boolean | undefined;
  readonly ca?: string | undefined;
};

function destinationOf(before: Hl7Destination, named: string, { all, tls, ca }: GivenReceiver): Hl7Destination {
  if (named === "off") return { ...before, isOn: false };
  const [, host, port] = /^(.+):(\d+)$/.exec(named) ?? [];
  const trusted = ca === undefined ? "" : readFileSync(ca, "utf8");
  const destination = hl7Destination.safeParse({
    ...before,
    ...{ isOn: true, host: host?.replace(/^\[(.*)\]$/, "$1"), port: Number(port) },
    ...{ results: all ? "all" : "decided", tls: tls ? { trusted } : null },
  });
  if (!destination.success) throw new UsageError("mllp HOST:PORT or off");
  return destination.data;
}

/** A network drive may be away for now, so it is no error. */
function tellUnreachable({ folders, outbox }: FolderSettings): void {
  for (const folder of [...folders.map((one) => one.path), ...(outbox === null ? [] : [outbox])])
    if (!existsSync(folder)) process.stderr.write(`folders: ${folder} cannot be reached at the moment\n`);
}

function formatsOf(said: string): FolderSettings["formats"] {
  return said.split(",").map((word) => {
    const format = sidecarFormats.find((known) => known === word.trim());
    if (!format) throw new UsageError(`--formats are ${sidecarFormats.join(", ")}`);
    return format;
  });
}
