import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { reasonToLeaveAlone, type ReasonToLeaveAlone } from "../../core/cardiac/left-alone.ts";
import type { Reading } from "../../core/contract/desktop/films.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import { speciesNames } from "../../core/contract/desktop/patients.ts";
import { isDicom } from "../dicom/dicom-file.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import { uidOf, uuidOfUid } from "../dicom/results/uids.ts";
import type { Engine } from "../inference/engine-types.ts";
import { programVersion } from "../program.ts";
import { languageCodes } from "../../core/language/languages.ts";
import type { HandOut } from "../report/hand-out.ts";
import { animalOf, type FilmOfResults } from "../services/results/film-of-results.ts";
import { describePicture } from "../services/worklist/import-dicom.ts";
import { createHandOutPrinter } from "../report/print-hand-out.ts";
import { openRadiograph } from "../services/measuring/open-radiograph.ts";
import { detailOfMeasurement } from "../services/worklist/readings/reading-detail.ts";
import { rectifiedJpeg } from "../services/measuring/rectified-film.ts";
import { handOutOf } from "../services/results/report-hand-out.ts";
import { resultObjectsOf } from "../services/results/result-objects.ts";
import { freeName } from "./output/free-name.ts";
import { openEngine } from "./running/open-engine.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `report FILM… --out DIR [--language en|de|fr] [--dicom] [--packs DIR]
  [--patient NAME] [--species dog|cat] [--breed BREED] [--owner NAME] [--number ID] [--remark TEXT]
  [--clinic NAME] [--address TEXT]
  measures JPEG, PNG or DICOM films and writes a handout (PDF) for each;
  --dicom: structured report, annotated picture and graphics as well; a DICOM film names its patient itself, and is left alone if it names
  a view other than a lateral chest or another species, as measure does; not clinically validated`;

const text = { type: "string" } as const;
const options = {
  out: text,
  language: text,
  packs: text,
  patient: text,
  species: text,
  breed: text,
  owner: text,
  number: text,
  remark: text,
  clinic: text,
  address: text,
  dicom: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parse>["values"];
type Patient = NonNullable<FilmOfResults["subject"]["patient"]>;

const desk = { dicom: createDicomReader(), handOuts: createHandOutPrinter() };

runCommand("report", usage, async (args, print) => {
  const { values, positionals } = parse(args);
  const { out } = values;
  if (positionals.length === 0) throw new UsageError("no FILM");
  if (out === undefined) throw new UsageError("--out DIR is missing");
  const language = oneOf("language", languageCodes, values.language, "en");
  if (values.species !== undefined) oneOf("species", speciesNames, values.species, "dog");
  await mkdir(out, { recursive: true });
  const engine = await openEngine("report", values.packs);
  const taken = new Set<string>();
  try {
    for (const file of positionals) {
      try {
        for (const { fileName, bytes } of await resultsOf(engine, file, values, language)) {
          const target = path.join(out, freeName(fileName, taken));
          await writeFile(target, bytes);
          print(target);
        }
      } catch (error) {
        process.exitCode = 1;
        process.stderr.write(`report: ${file}: ${messageOf(error)}\n`);
      }
    }
  } finally {
    await Promise.all([engine.close(), desk.dicom.close(), desk.handOuts.close()]);
  }
});

function parse(args: string[]) {
  return parseArgs({ args, options, allowPositionals: true });
}

async function resultsOf(
  engine: Engine,
  file: string,
  values: Values,
  language: HandOut["language"],
): Promise<{ readonly fileName: string; readonly bytes: Uint8Array }[]> {
  const of = await measureFilm(engine, file, values);
  const { name } = path.parse(of.film.fileName);
  const clinic = { name: values.clinic ?? "", address: values.address ?? "", logo: null };
  // Films of one folder may be of one animal and day: each result keeps its film's name.
  const { bytes } = await handOutOf(desk, of, { language, clinic, trend: [], printedAt: new Date() });
  const objects = values.dicom ? await resultObjectsOf(desk.dicom, of) : [];
  return [
    { fileName: `${name}.pdf`, bytes },
    ...objects.map((object) => ({ fileName: `${name}-${object.fileName}`, bytes: object.bytes })),
  ];
}

const named: Readonly<Record<ReasonToLeaveAlone, string>> = {
  not_a_radiograph: "no radiograph",
  species: "another species",
  view: "another view",
  body_part: "another part of the body",
};

/** A film with the networks' reading of it, as the worklist would have it. */
async function measureFilm(engine: Engine, file: string, values: Values): Promise<FilmOfResults> {
  const original = await readFile(file);
  const instance = isDicom(original) ? await describePicture(desk.dicom, original) : null;
  const species = values.species === undefined ? (instance?.patient.species ?? null) : null;
  const reason = instance && reasonToLeaveAlone({ ...instance, species });
  if (reason) throw new AppError("INVALID_DICOM", `left alone, since its file names ${named[reason]}`);
  const measurement = await engine.measure(await openRadiograph(desk.dicom, original));
  const { imageSha256, packName, packVersion } = measurement.provenance;
  const reading: Reading = {
    id: uuidOfUid(uidOf("reading", imageSha256, packName, packVersion, programVersion)) ?? "",
    filmId: imageSha256,
    version: 1,
    source: "model",
    verdict: null,
    at: new Date().toISOString(),
    who: null,
    remark: values.remark ?? "",
    resultCode: measurement.resultCode,
    tier: measurement.kind === "measured" ? measurement.tier : null,
    ...detailOfMeasurement(measurement),
  };
  const source = instance && (await desk.dicom.source(original));
  const rectified =
    measurement.kind === "measured" && measurement.corners
      ? await rectifiedJpeg(desk.dicom, original, 0, measurement.corners)
      : null;
  return {
    film: { fileName: path.basename(file), frameIndex: 0 },
    subject: {
      source,
      imageSha256,
      programVersion,
      patient: patientOf(values, instance?.patient ?? null),
      animalInFile: instance && animalOf(instance),
      takenAt: instance?.takenAt ? new Date(instance.takenAt) : null,
      readings: [reading],
      clinicName: values.clinic ?? "",
    },
    original,
    rectified,
  };
}

/** The animal named on the command line, else in the file; null when neither names one. */
function patientOf(values: Values, said: DicomInstance["patient"] | null): Patient | null {
  const name = values.patient ?? said?.name ?? "";
  const uuid = values.number ?? said?.id ?? null;
  if (
    name === "" &&
    uuid === null &&
    values.owner === undefined &&
    values.breed === undefined &&
    values.species === undefined
  )
    return null;
  const species = speciesNames.find((known) => known === (values.species ?? said?.species)) ?? null;
  return {
    id: uidOf("patient", name, uuid ?? ""),
    name,
    uuid,
    species,
    breed: values.breed ?? said?.breed ?? "",
    owner: values.owner ?? said?.responsiblePerson ?? "",
  };
}

function oneOf<T extends string>(option: string, known: readonly T[], given: string | undefined, otherwise: T): T {
  const found = known.find((value) => value === (given ?? otherwise));
  if (!found) throw new UsageError(`--${option} must be one of: ${known.join(", ")}`);
  return found;
}

function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof Error && "code" in error) return error.code === "ENOENT" ? "no such file" : error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
