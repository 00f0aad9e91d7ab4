import { accessSync, constants, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { discoverPacks } from "../inference/packs/discover-packs.ts";
import { defaultDataDir, programPacksDir, programVersion } from "../program.ts";
import { makeSupportBundle } from "../services/program/support-bundle.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { getSetting, publishersSetting } from "../store/settings.ts";
import { runCommand } from "./running/run-command.ts";

const usage = `support [--data-dir DIR] [--output FILE]
  a ZIP for whoever helps you: versions, settings without names, packs, the last logs, counts; nothing personal
  --output FILE  where it goes; otherwise into the present folder, or into the data directory if that cannot be written to`;

runCommand("support", usage, async (args, print) => {
  const { values } = parseArgs({ args, options: { "data-dir": { type: "string" }, output: { type: "string" } } });
  const dataDir = path.resolve(values["data-dir"] ?? defaultDataDir());
  const db = await openStoreOf(dataDir, { create: false, setAside: false });
  try {
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
      dataDir,
      programVersion,
      now: () => new Date(),
      packs: [
        ...found,
        ...refused.map(({ name, kind, reason }) => ({ name, kind, version: null, state: "refused", reason })),
      ],
      health: null,
    });
    const output = path.resolve(values.output ?? path.join(canWriteTo(".") ? "." : dataDir, fileName));
    writeFileSync(output, bytes, { mode: 0o600 });
    print(output);
  } finally {
    await db.destroy();
  }
});

/** The service's commands run in a folder that is not theirs. */
function canWriteTo(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
