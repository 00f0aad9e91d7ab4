import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { print, runProgram, UsageError } from "../../../main/commands/running/run-program.ts";
import { programDir } from "../../../main/program.ts";
import { releaseKeys } from "../../../main/services/updates/release-origin.ts";
import { makeRelease } from "./make-release.ts";

const keyVariable = "CORVET_RELEASE_SIGNING_KEY";
async function signRelease({ folder, share }: { readonly folder: string; readonly share: number }): Promise<void> {
  const privateKey = process.env[keyVariable];
  if (!privateKey) throw new UsageError(`A release must be signed: set ${keyVariable} (docs/installers.md)`);
  for (const name of await makeRelease(path.resolve(folder), { share, privateKey, keys: releaseKeys }))
    print(path.join(folder, name));
}

function partOfAll(text: string): number {
  const part = Number(text);
  if (!(part >= 0 && part <= 1)) throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return part;
}

await runProgram(
  new Command("release")
    .description(`sign a release with the key in ${keyVariable} (PEM) and write the files for updates without internet`)
    .option("--folder <dir>", "installers of all systems", path.join(programDir, "dist", "package"))
    .option("--share <n>", "fraction of the installations that update automatically, 0 to 1", partOfAll, 1)
    .action(signRelease),
  process.argv.slice(2),
);
