/**
 * Lints and formats the training code with ruff. Uses its WebAssembly build from npm, so Python is not needed, and the
 * settings of models/pyproject.toml, like an installed ruff.
 *
 *   node tools/lint-python.ts [--write] [FILE…]      all files of models/ by default
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { PositionEncoding, Workspace, type Diagnostic } from "@astral-sh/ruff-wasm-nodejs";
import { parse } from "smol-toml";
import { z } from "zod";

const models = path.resolve(import.meta.dirname, "..", "models");
const ruffSchema = z.looseObject({ "extend-exclude": z.array(z.string()).default([]) });
const projectSchema = z.object({ tool: z.object({ ruff: ruffSchema }) });
/** Limit of rounds, since fixes can enable further fixes and might undo each other. */
const maxRounds = 10;

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const project = projectSchema.parse(parse(readFileSync(path.join(models, "pyproject.toml"), "utf8")));
const workspace = new Workspace(project.tool.ruff, PositionEncoding.Utf16);

/** The WebAssembly build receives sources, not paths, so exclusions are applied here. */
const isLeftOut = (file: string) =>
  project.tool.ruff["extend-exclude"].some((left) => file === left || file.startsWith(`${left}/`));
const everyFile = () =>
  readdirSync(models, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".py") && !isLeftOut(file))
    .sort()
    .map((file) => path.join(models, file));
const files = positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : everyFile();
const faults = files.flatMap(faultsOf);
for (const fault of faults) console.log(fault);
if (faults.length > 0)
  console.log(`${faults.length} faults; npm run format corrects the formatting and applies safe fixes.`);
process.exitCode = faults.length > 0 ? 1 : 0;

function faultsOf(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const fixedSource = values.write ? workspace.format(fixed(source)) : source;
  if (fixedSource !== source) writeFileSync(file, fixedSource);
  const name = path.relative(path.dirname(models), file);
  const found = diagnosticsOf(fixedSource).map(
    ({ start_location: { row, column }, code, message }) => `${name}:${row}:${column} ${code ?? "syntax"} ${message}`,
  );
  return workspace.format(fixedSource) === fixedSource ? found : [...found, `${name} is not formatted`];
}

function diagnosticsOf(source: string): readonly Diagnostic[] {
  return workspace.check(source) as Diagnostic[];
}

/** Applies ruff's safe fixes in rounds, because fixes of one round may overlap. */
function fixed(source: string): string {
  let text = source;
  for (let round = 0; round < maxRounds; round += 1) {
    const fixes = diagnosticsOf(text).flatMap(({ fix }) => (fix ? [fix.edits] : []));
    const next = applied(text, fixes);
    if (next === text) return text;
    text = next;
  }
  return text;
}

type Edits = NonNullable<Diagnostic["fix"]>["edits"];

/** Applies fixes from the end of the text; a fix that overlaps an applied one is left for the next round. */
function applied(text: string, fixes: readonly Edits[]): string {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offsetOf = (place: { row: number; column: number }) => (lineStarts[place.row - 1] ?? 0) + place.column - 1;
  const inOrder = fixes
    .map((edits) =>
      edits
        .map((edit) => ({ start: offsetOf(edit.location), end: offsetOf(edit.end_location), text: edit.content ?? "" }))
        .sort((a, b) => b.start - a.start),
    )
    .sort((a, b) => (b[0]?.end ?? 0) - (a[0]?.end ?? 0));
  let untouchedBefore = Infinity;
  let result = text;
  for (const edits of inOrder) {
    if ((edits[0]?.end ?? 0) > untouchedBefore) continue;
    for (const edit of edits) result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
    untouchedBefore = edits.at(-1)?.start ?? untouchedBefore;
  }
  return result;
}
