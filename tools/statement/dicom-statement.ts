import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { programDir } from "../../main/program.ts";
import { withTables } from "./dicom-statement-tables.ts";
import { print, runProgram } from "../../main/commands/running/run-program.ts";

const statementFile = path.join(programDir, "docs", "dicom-conformance.md");

function writeStatement(): void {
  writeFileSync(statementFile, withTables(readFileSync(statementFile, "utf8")));
  print(`Wrote ${path.relative(programDir, statementFile)}`);
}

await runProgram(
  new Command("dicom-statement")
    .description("renew the tables of docs/dicom-conformance.md from those that the program uses")
    .action(writeStatement),
  process.argv.slice(2),
);
