import path from "node:path";
import { Command } from "commander";
import { print, runProgram } from "../../../main/commands/running/run-program.ts";
import { programDir } from "../../../main/program.ts";
import { findKnownFaults } from "./find-known-faults.ts";

async function printKnownFaults(file: string): Promise<void> {
  const faults = await findKnownFaults(path.resolve(file), path.join(programDir, "package-lock.json"));
  for (const { name, version, id, summary, isTool } of faults)
    print(`${isTool ? "tool   " : "program"} ${name} ${version}  ${id}  ${summary}`);
  const inProgram = faults.filter(({ isTool }) => !isTool).length;
  print(`${inProgram} in the program, ${faults.length - inProgram} in tools`);
  if (inProgram > 0) process.exitCode = 1;
}

await runProgram(
  new Command("known-faults")
    .description(
      "list known vulnerabilities of the lock file's libraries, offline; exits with 1 if the program has one",
    )
    .argument("<export.zip>", "the OSV database's export for npm (all.zip)")
    .action(printKnownFaults),
  process.argv.slice(2),
);
