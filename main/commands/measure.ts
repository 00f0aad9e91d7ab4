import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { reasonToLeaveAlone } from "../../core/cardiac/left-alone.ts";
import type { MeasuredRadiograph } from "../../core/cardiac/radiograph-measurement.ts";
import { isDicom } from "../dicom/dicom-file.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import type { DecodedImage } from "../imaging/decode-image.ts";
import type { Engine } from "../inference/engine-types.ts";
import { describePicture } from "../services/worklist/import-dicom.ts";
import { findFiles, type FoundFile } from "../services/import/import-folder.ts";
import { isCompanion, isNamedLikeFilm, kindOfFile, notAFilm } from "../services/import/import-kinds.ts";
import { openRadiograph } from "../services/measuring/open-radiograph.ts";
import { renderMeasurement } from "../services/measuring/render.ts";
import { freeName } from "./output/free-name.ts";
import { csvHeader, csvRowOf, failedRow, leftAloneRow, rowOf, type MeasuredRow } from "./output/measured-row.ts";
import { openEngine } from "./running/open-engine.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `measure [--json|--csv] [--frame N] [--render DIR] [--packs DIR] FILE|FOLDER|ZIP…
  one JSON line (or CSV row) per JPEG, PNG or DICOM film; a folder, ZIP or DICOMDIR stands for its films; films whose DICOM file names
  a view other than a lateral chest are left alone; --frame N: the Nth frame of a DICOM file with several, otherwise the first;
  not clinically validated`;

const options = {
  json: { type: "boolean" },
  csv: { type: "boolean" },
  frame: { type: "string" },
  render: { type: "string" },
  packs: { type: "string" },
} as const;

const dicom = createDicomReader();

runCommand("measure", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.json && values.csv) throw new UsageError("--json and --csv exclude each other");
  if (positionals.length === 0) throw new UsageError("no FILE, FOLDER or ZIP");
  const frame = values.frame === undefined ? null : Number(values.frame);
  if (frame !== null && !(Number.isInteger(frame) && frame >= 1)) throw new UsageError("--frame is a number from 1");
  if (values.render !== undefined) await mkdir(values.render, { recursive: true });
  const wanted: Wanted = { frame, renderDir: values.render, pictures: new Set() };
  const engine = await openEngine("measure", values.packs);
  try {
    if (values.csv) print(csvHeader);
    let [films, failures] = [0, 0];
    for await (const row of measureAll(engine, positionals, wanted)) {
      print(values.csv ? csvRowOf(row) : JSON.stringify(row));
      films += 1;
      if ("error" in row) failures += 1;
      if (process.stderr.isTTY) process.stderr.write(`\r${films}`);
    }
    if (films === 0) throw new UsageError(`${positionals.join(", ")}: no film in it`);
    if (failures > 0) process.exitCode = 1;
  } finally {
    await Promise.all([engine.close(), dicom.close()]);
  }
});

/** Options for all films of a run: the requested frame, from 1, where to draw them, and names of pictures so far. */
type Wanted = {
  readonly frame: number | null;
  readonly renderDir: string | undefined;
  readonly pictures: Set<string>;
};

/** In order; while one film is in the networks, the next is decoded and the last is drawn. */
async function* measureAll(engine: Engine, given: readonly string[], wanted: Wanted): AsyncGenerator<MeasuredRow> {
  const ahead = 2;
  const running: Promise<MeasuredRow | null>[] = [];
  for await (const found of filesOf(given)) {
    running.push(measureFile(engine, found, wanted));
    if (running.length < ahead) continue;
    const row = await running.shift();
    if (row) yield row;
  }
  for (const last of running) {
    const row = await last;
    if (row) yield row;
  }
}

/** The files that the paths stand for, named from where the user stands. */
async function* filesOf(given: readonly string[]): AsyncGenerator<FoundFile> {
  for (const named of given) {
    const isFolder = (await stat(named).catch(() => null))?.isDirectory() ?? false;
    // A shell completes a folder with a separator at its end.
    const folder = path.join(isFolder ? named : path.dirname(named), path.sep);
    // Joined unchanged: a name that leads out of an archive is shown as the archive has it.
    for await (const found of findFiles(dicom, named))
      yield { ...found, name: folder === `.${path.sep}` ? found.name : `${folder}${found.name}` };
  }
}

/** null for a file in a folder or archive that is not a film and is not named like one. */
async function measureFile(
  engine: Engine,
  found: FoundFile,
  { frame, renderDir, pictures }: Wanted,
): Promise<MeasuredRow | null> {
  const file = found.name;
  try {
    const bytes = await found.read();
    if (kindOfFile(bytes) !== "film") {
      if (found.isSearched && !isNamedLikeFilm(file)) return null;
      throw notAFilm(bytes);
    }
    const instance = isDicom(bytes) ? await describePicture(dicom, bytes) : null;
    const reason = instance && reasonToLeaveAlone({ ...instance, species: instance.patient.species });
    if (reason !== null) return leftAloneRow(file, reason);
    const frames = instance?.frames ?? 1;
    const chosen = frame ?? 1;
    if (chosen > frames)
      throw new AppError(
        "INVALID_FIELD",
        `It has ${frames} ${frames === 1 ? "frame" : "frames"}; frame ${chosen} was asked for`,
      );
    if (frames > 1 && frame === null)
      process.stderr.write(`measure: ${file}: frame 1 of ${frames}; --frame N measures another\n`);
    const image = await openRadiograph(dicom, bytes, { frameIndex: chosen - 1 });
    const measurement = await engine.measure(image);
    if (renderDir !== undefined && measurement.kind === "measured")
      await writePicture(path.join(renderDir, freeName(pictureName(file, frame), pictures)), image, measurement);
    return { ...rowOf(file, image, measurement), ...(frames > 1 && { frame: chosen, frames }) };
  } catch (error) {
    if (found.isAmongOthers && error instanceof AppError && isCompanion(error)) return null;
    return failedRow(file, messageOf(error));
  }
}

function pictureName(file: string, frame: number | null): string {
  return `${path.parse(file).name}${frame === null ? "" : `-frame-${frame}`}.png`;
}

async function writePicture(target: string, image: DecodedImage, measurement: MeasuredRadiograph): Promise<void> {
  await writeFile(target, await renderMeasurement(image, measurement));
}

/** What the catalogue says; a bug shows itself as one. */
function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
