import { Command, Option } from "commander";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { AppError, reasonInEnglish } from "../../core/app-error.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import { reasonToLeaveAlone } from "../../core/cardiac/left-alone.ts";
import type { MeasuredRadiograph } from "../../core/cardiac/radiograph-measurement.ts";
import { isDicom } from "../dicom/dicom-file.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import { withNoticesOfPicture } from "../dicom/dicom-notices.ts";
import type { DecodedImage } from "../imaging/decode-image.ts";
import type { Engine } from "../inference/engine-types.ts";
import { pictureOf } from "../services/worklist/import-dicom.ts";
import { findFiles, type FoundFile } from "../services/import/import-folder.ts";
import { isCompanion, isNamedLikeFilm, kindOfFile, notAFilm } from "../services/import/import-kinds.ts";
import { openRadiograph } from "../services/measuring/open-radiograph.ts";
import { renderMeasurement } from "../services/measuring/render.ts";
import { uniqueFileName } from "./output/unique-file-name.ts";
import { csvHeader, csvRowOf, failedRow, unmeasuredRow, rowOf, type MeasuredRow } from "./output/measured-row.ts";
import { openEngine } from "./running/open-engine.ts";
import { wholeNumber } from "./running/options.ts";
import { messageOf, print, UsageError } from "./running/run-program.ts";
import { replacePrivateFile } from "../store/files/private-file.ts";

type Given = {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly frame?: number;
  readonly render?: string;
  readonly packs?: string;
};

/** @param open  opens the networks; tests pass recorded measurements */
export function measureCommand(open = openEngine): Command {
  return new Command("measure")
    .description(
      "measure JPEG, PNG and DICOM films, and films in folders, ZIP archives and DICOMDIRs; not clinically validated",
    )
    .argument("<file...>", "files, folders or archives; other views than a lateral chest are not measured")
    .addOption(new Option("--json", "one JSON line per film (default)").conflicts("csv"))
    .option("--csv", "one CSV row per film")
    .option("--frame <n>", "the nth frame of a DICOM file with several (default: the first)", wholeNumber(1))
    .option("--render <dir>", "draw the measurements into this folder")
    .option("--packs <dir>", "model packs to use instead of the program's own")
    .action((named: string[], given: Given) => measureNamed(named, given, open));
}

const dicom = createDicomReader();

async function measureNamed(
  named: readonly string[],
  { csv, frame, render, packs }: Given,
  open: typeof openEngine,
): Promise<void> {
  if (render !== undefined) await mkdir(render, { recursive: true });
  const wanted: Wanted = { frame: frame ?? null, renderDir: render, pictures: new Set() };
  const engine = await open("measure", packs);
  try {
    if (csv) print(csvHeader);
    let [films, failures] = [0, 0];
    for await (const row of measureAll(engine, named, wanted)) {
      print(csv ? csvRowOf(row) : JSON.stringify(row));
      films += 1;
      if ("error" in row) failures += 1;
      if (process.stderr.isTTY) process.stderr.write(`\r${films}`);
    }
    if (films === 0) throw new UsageError(`${named.join(", ")}: no film found`);
    if (failures > 0) process.exitCode = 1;
  } finally {
    await Promise.all([engine.close(), dicom.close()]);
  }
}

/** Options of a run. `frame`: from 1, null for the first; `pictures`: file names of drawings so far. */
type Wanted = {
  readonly frame: number | null;
  readonly renderDir: string | undefined;
  readonly pictures: Set<string>;
};

/** Measures files in order; while the networks process a film, the next is decoded and the previous one drawn. */
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

async function* filesOf(given: readonly string[]): AsyncGenerator<FoundFile> {
  for (const named of given) {
    const isFolder = (await stat(named).catch(() => null))?.isDirectory() ?? false;
    // Shell completion appends a separator to a folder.
    const folder = path.join(isFolder ? named : path.dirname(named), path.sep);
    // Do not normalise: a name with `..` in an archive is shown as it is.
    for await (const found of findFiles(dicom, named))
      yield { ...found, name: folder === `.${path.sep}` ? found.name : `${folder}${found.name}` };
  }
}

/** Measures a file; null for a file in a folder or archive that is neither a film nor named like one. */
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
    const instance = isDicom(bytes) ? pictureOf(await dicom.contents(bytes)) : null;
    const reason = instance && reasonToLeaveAlone({ ...instance, species: instance.patient.species });
    if (reason !== null) return unmeasuredRow(file, reason);
    const frames = instance?.frames ?? 1;
    const chosen = frame ?? 1;
    if (chosen > frames)
      throw new AppError(
        "INVALID_FIELD",
        `It has ${frames} ${frames === 1 ? "frame" : "frames"}; frame ${chosen} was requested`,
      );
    if (frames > 1 && frame === null)
      process.stderr.write(`measure: ${file}: frame 1 of ${frames}; --frame N measures another\n`);
    const image = await openRadiograph(dicom, bytes, { frameIndex: chosen - 1 });
    const measurement = await engine.measure(image);
    if (renderDir !== undefined && measurement.kind === "measured")
      await writePicture(path.join(renderDir, uniqueFileName(pictureName(file, frame), pictures)), image, measurement);
    return {
      ...rowOf(file, image, measurement),
      ...(frames > 1 && { frame: chosen, frames }),
      ...noticesIn(instance && withNoticesOfPicture(instance, image)),
    };
  } catch (error) {
    if (found.isAmongOthers && error instanceof AppError && isCompanion(error)) return null;
    return failedRow(file, messageOf(error));
  }
}

function noticesIn(instance: DicomInstance | null): Pick<Extract<MeasuredRow, { width: number }>, "notices"> {
  return instance && instance.notices.length > 0 ? { notices: instance.notices.map(reasonInEnglish) } : {};
}

function pictureName(file: string, frame: number | null): string {
  return `${path.parse(file).name}${frame === null ? "" : `-frame-${frame}`}.png`;
}

async function writePicture(target: string, image: DecodedImage, measurement: MeasuredRadiograph): Promise<void> {
  replacePrivateFile(target, await renderMeasurement(image, measurement));
}
