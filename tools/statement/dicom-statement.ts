import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { programDir } from "../../main/program.ts";
import { dicomStatement } from "./dicom-statement-text.ts";
import { runCommand } from "../../main/commands/running/run-command.ts";

const statementFile = path.join(programDir, "docs", "dicom-conformance.md");

const usage = `dicom-statement [--print]
  writes docs/dicom-conformance.md out of the tables that the program uses
  --print  prints it instead`;

runCommand("dicom-statement", usage, (args, print) => {
  const { values } = parseArgs({ args, options: { print: { type: "boolean", default: false } } });
  if (values.print) return print(dicomStatement());
  mkdirSync(path.dirname(statementFile), { recursive: true });
  writeFileSync(statementFile, dicomStatement());
  print(`Wrote ${path.relative(programDir, statementFile)}`);
});
