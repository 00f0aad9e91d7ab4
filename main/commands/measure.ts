import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import type { MeasuredRadiograph } from "../../core/cardiac/radiograph-measurement.ts";
import { decodeImage, type DecodedImage } from "../imaging/decode-image.ts";
import type { Engine } from "../inference/engine-types.ts";
import { renderMeasurement } from "../services/render.ts";
import { csvHeader, csvRowOf, failedRow, rowOf, type MeasuredRow } from "./measured-row.ts";
import { openEngine } from "./open-engine.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `measure [--json|--csv] [--render DIR] [--packs DIR] FILE|FOLDER…
  one JSON line (or CSV row) per image; a folder stands for its JPEG and PNG files; not clinically validated`;

const options = {
  json: { type: "boolean" },
  csv: { type: "boolean" },
  render: { type: "string" },
  packs: { type: "string" },
} as const;

runCommand("measure", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.json && values.csv) throw new UsageError("--json and --csv exclude each other");
  if (positionals.length === 0) throw new UsageError("no FILE or FOLDER");
  const files = (await Promise.all(positionals.map(filesOf))).flat();
  if (values.render !== undefined) await mkdir(values.render, { recursive: true });
  const engine = await openEngine("measure", values.packs);
  try {
    if (values.csv) print(csvHeader);
    let failures = 0;
    for await (const [index, row] of measureAll(engine, files, values.render)) {
      print(values.csv ? csvRowOf(row) : JSON.stringify(row));
      if ("error" in row) failures += 1;
      showProgress(index + 1, files.length);
    }
    if (failures > 0) process.exitCode = 1;
  } finally {
    await engine.close();
  }
});

/** A file by itself, or the images directly in a folder, by name. */
async function filesOf(given: string): Promise<string[]> {
  const isFolder = (await stat(given).catch(() => null))?.isDirectory() ?? false;
  if (!isFolder) return [given];
  const names = (await readdir(given)).filter((name) => /\.(jpe?g|png)$/i.test(name)).sort();
  if (names.length === 0) throw new UsageError(`${given} holds no JPEG or PNG`);
  return names.map((name) => path.join(given, name));
}

/** In order; while one image is in the networks, the next is decoded and the last is drawn. */
async function* measureAll(engine: Engine, files: readonly string[], renderDir: string | undefined): AsyncGenerator<[number, MeasuredRow]> {
  const ahead = 2;
  const running: Promise<MeasuredRow>[] = [];
  for (const [index] of files.entries()) {
    while (running.length < Math.min(files.length, index + ahead)) running.push(measureFile(engine, files[running.length] as string, renderDir));
    yield [index, await (running[index] as Promise<MeasuredRow>)];
  }
}

async function measureFile(engine: Engine, file: string, renderDir: string | undefined): Promise<MeasuredRow> {
  try {
    const image = await decodeImage(await readFile(file));
    const measurement = await engine.measure(image);
    if (renderDir !== undefined && measurement.kind === "measured") await writePicture(renderDir, file, image, measurement);
    return rowOf(file, image, measurement);
  } catch (error) {
    return failedRow(file, messageOf(error));
  }
}

async function writePicture(folder: string, file: string, image: DecodedImage, measurement: MeasuredRadiograph): Promise<void> {
  await writeFile(path.join(folder, `${path.parse(file).name}.png`), await renderMeasurement(image, measurement));
}

/** What the catalogue or the file system says; a bug shows itself as one. */
function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof Error && "code" in error) return error.code === "ENOENT" ? "no such file" : error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total}${done === total ? "\n" : ""}`);
}
