import path from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../../../main/commands/running/run-command.ts";
import { UsageError } from "../../../main/commands/running/run-program.ts";
import { programDir } from "../../../main/program.ts";
import { releaseKeys } from "../../../main/services/updates/release-origin.ts";
import { makeRelease } from "./make-release.ts";

const keyVariable = "CORVET_RELEASE_SIGNING_KEY";
const usage = `node scripts/run.mjs release [--folder DIR] [--share 0.1]
  --folder DIR  installers of all systems (default dist/package)
  --share N     part of the installations that take it by themselves, 0 to 1 (default 1)

Signs the statement of a release with the key in ${keyVariable} (PEM) and makes the files that clinics without the web update from.`;

runCommand("release", usage, async (args, print) => {
  const { values } = parseArgs({ args, options: { folder: { type: "string" }, share: { type: "string" } } });
  const share = Number(values.share ?? "1");
  if (!(share >= 0 && share <= 1)) throw new UsageError("--share is a part of all, 0 to 1");
  const privateKey = process.env[keyVariable];
  if (!privateKey) throw new UsageError(`A release must be signed: set ${keyVariable} (docs/installers.md)`);
  const folder = path.resolve(values.folder ?? path.join(programDir, "dist", "package"));
  for (const name of await makeRelease(folder, { share, privateKey, keys: releaseKeys }))
    print(path.join(folder, name));
});
