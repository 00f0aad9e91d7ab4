import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { programDir } from "../../main/program.ts";
import { dicomStatement } from "./dicom-statement-text.ts";
import { print, runProgram } from "../../main/commands/running/run-program.ts";

const statementFile = path.join(programDir, "docs", "dicom-conformance.md");

function writeStatement(options: { readonly print?: boolean }): void {
  if (options.print) return print(dicomStatement());
  mkdirSync(path.dirname(statementFile), { recursive: true });
  writeFileSync(statementFile, dicomStatement());
  print(`Wrote ${path.relative(programDir, statementFile)}`);
}

await runProgram(
  new Command("dicom-statement")
    .description("write docs/dicom-conformance.md from the tables that the program uses")
    .option("--print", "print it instead")
    .action(writeStatement),
  process.argv.slice(2),
);
