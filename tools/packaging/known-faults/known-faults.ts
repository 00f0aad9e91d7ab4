import path from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../../../main/commands/running/run-command.ts";
import { UsageError } from "../../../main/commands/running/run-program.ts";
import { programDir } from "../../../main/program.ts";
import { findKnownFaults } from "./find-known-faults.ts";

const usage = `node scripts/run.mjs known-faults EXPORT.zip
  EXPORT.zip  the OSV database's export for npm (all.zip), brought along

What is known to be wrong with the libraries of the lock file, without asking anybody. Ends with 1 when the program itself, not only
its tools, has a library with a known fault.`;

runCommand("known-faults", usage, async (args, print) => {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError("Name the file of the export");
  const faults = await findKnownFaults(path.resolve(file), path.join(programDir, "package-lock.json"));
  for (const { name, version, id, summary, isTool } of faults)
    print(`${isTool ? "tool   " : "program"} ${name} ${version}  ${id}  ${summary}`);
  const inProgram = faults.filter(({ isTool }) => !isTool).length;
  print(`${inProgram} in the program, ${faults.length - inProgram} in tools`);
  if (inProgram > 0) process.exitCode = 1;
});
