import { accessSync, constants, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { discoverPacks } from "../inference/packs/discover-packs.ts";
import { programPacksDir, programVersion } from "../program.ts";
import { makeSupportBundle } from "../services/program/support-bundle.ts";
import type { WritableDb } from "../store/database.ts";
import { getSetting, publishersSetting } from "../store/settings.ts";
import { dataDirOption } from "./running/options.ts";
import { print } from "./running/run-program.ts";
import { withStore } from "./running/with-store.ts";

type Given = { readonly dataDir: string; readonly output?: string };

export function supportCommand(): Command {
  return new Command("support")
    .description("a ZIP for support: versions, settings without names, packs, the last logs, counts")
    .addOption(dataDirOption())
    .option("--output <file>", "default: a file in the current folder, or in the data directory if that is read-only")
    .action(async (given: Given) => print(await withStore(given.dataDir, (db) => writeBundle(db, given))));
}

async function writeBundle(db: WritableDb, { dataDir, output }: Given): Promise<string> {
  const folders = [programPacksDir, path.join(dataDir, "packs")];
  const { packs, refused } = discoverPacks(folders, await getSetting(db, publishersSetting));
  const found = packs.map(({ manifest: { name, kind, version } }) => ({
    name,
    kind,
    version,
    state: "found",
    reason: null,
  }));
  const { fileName, bytes } = await makeSupportBundle({
    db,
    dataDir: path.resolve(dataDir),
    programVersion,
    now: () => new Date(),
    packs: [
      ...found,
      ...refused.map(({ name, kind, reason }) => ({ name, kind, version: null, state: "refused", reason })),
    ],
    health: null,
  });
  const target = path.resolve(output ?? path.join(isWritable(".") ? "." : dataDir, fileName));
  writeFileSync(target, bytes, { mode: 0o600 });
  return target;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
