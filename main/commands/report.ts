import { Command, Option } from "commander";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../core/app-error.ts";
import { reasonToLeaveAlone, type ReasonToLeaveAlone } from "../../core/cardiac/left-alone.ts";
import type { Reading } from "../../core/contract/desktop/readings.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import { speciesNames } from "../../core/contract/desktop/patients.ts";
import { isDicom } from "../dicom/dicom-file.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import { uidOf, uuidOfUid } from "../dicom/results/uids.ts";
import type { Engine } from "../inference/engine-types.ts";
import { programVersion } from "../program.ts";
import { languageCodes } from "../../core/language/languages.ts";
import type { Handout } from "../report/handout.ts";
import { animalOf, type FilmOfResults } from "../services/results/film-of-results.ts";
import { pictureOf } from "../services/worklist/import-dicom.ts";
import { createHandoutPrinter } from "../report/print-handout.ts";
import { openRadiograph } from "../services/measuring/open-radiograph.ts";
import { detailOfMeasurement } from "../services/worklist/readings/reading-detail.ts";
import { rectifiedJpeg } from "../services/measuring/rectified-film.ts";
import { handoutOf } from "../services/results/report-handout.ts";
import { resultObjectsOf } from "../services/results/result-objects.ts";
import { uniqueFileName } from "./output/unique-file-name.ts";
import { openEngine } from "./running/open-engine.ts";
import { messageOf, print } from "./running/run-program.ts";
import { replacePrivateFile } from "../store/files/private-file.ts";

type Given = {
  readonly out: string;
  readonly language: Handout["language"];
  readonly packs?: string;
  readonly patient?: string;
  readonly species?: (typeof speciesNames)[number];
  readonly breed?: string;
  readonly owner?: string;
  readonly number?: string;
  readonly remark?: string;
  readonly clinic?: string;
  readonly address?: string;
  readonly dicom?: boolean;
};
type Patient = NonNullable<FilmOfResults["subject"]["patient"]>;

/** @param open  opens the networks; tests pass recorded measurements */
export function reportCommand(open = openEngine): Command {
  return new Command("report")
    .description("measure films and write a PDF handout for each; not clinically validated")
    .argument("<film...>", "JPEG, PNG or DICOM files; a DICOM file names its patient")
    .requiredOption("--out <dir>", "folder for the results")
    .addOption(new Option("--language <code>", "language of the handouts").choices(languageCodes).default("en"))
    .option("--dicom", "also a structured report, an annotated picture and graphics")
    .option("--packs <dir>", "model packs to use instead of the program's own")
    .option("--patient <name>", "name of the animal")
    .addOption(new Option("--species <species>", "species of the animal").choices(speciesNames))
    .option("--breed <breed>", "breed of the animal")
    .option("--owner <name>", "name of the owner")
    .option("--number <id>", "the practice's number of the patient")
    .option("--remark <text>", "remark on the handout")
    .option("--clinic <name>", "name of the clinic")
    .option("--address <text>", "address of the clinic")
    .action((files: string[], given: Given) => report(files, given, open));
}

const context = { dicom: createDicomReader(), handouts: createHandoutPrinter() };

async function report(files: readonly string[], given: Given, open: typeof openEngine): Promise<void> {
  await mkdir(given.out, { recursive: true });
  const engine = await open("report", given.packs);
  const taken = new Set<string>();
  try {
    for (const file of files) {
      try {
        for (const { fileName, bytes } of await resultsOf(engine, file, given)) {
          const target = path.join(given.out, uniqueFileName(fileName, taken));
          replacePrivateFile(target, bytes);
          print(target);
        }
      } catch (error) {
        process.exitCode = 1;
        process.stderr.write(`report: ${file}: ${messageOf(error)}\n`);
      }
    }
  } finally {
    await Promise.all([engine.close(), context.dicom.close(), context.handouts.close()]);
  }
}

async function resultsOf(
  engine: Engine,
  file: string,
  given: Given,
): Promise<{ readonly fileName: string; readonly bytes: Uint8Array }[]> {
  const of = await measureFilm(engine, file, given);
  const { name } = path.parse(of.film.fileName);
  const clinic = { name: given.clinic ?? "", address: given.address ?? "", logo: null };
  // Name results after their film, since films of one folder may share patient and day.
  const { bytes } = await handoutOf(context, of, {
    language: given.language,
    audience: "veterinarian",
    clinic,
    trend: [],
    printedAt: new Date(),
  });
  const objects = given.dicom ? await resultObjectsOf(context.dicom, of) : [];
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

async function measureFilm(engine: Engine, file: string, given: Given): Promise<FilmOfResults> {
  const original = await readFile(file);
  const instance = isDicom(original) ? pictureOf(await context.dicom.contents(original)) : null;
  const species = given.species === undefined ? (instance?.patient.species ?? null) : null;
  const reason = instance && reasonToLeaveAlone({ ...instance, species });
  if (reason) throw new AppError("INVALID_DICOM", `not measured; according to its header it shows ${named[reason]}`);
  const measurement = await engine.measure(await openRadiograph(context.dicom, original));
  const { imageSha256, packName, packVersion } = measurement.provenance;
  const reading: Reading = {
    id: uuidOfUid(uidOf("reading", imageSha256, packName, packVersion, programVersion)) ?? "",
    filmId: imageSha256,
    version: 1,
    source: "model",
    verdict: null,
    at: new Date().toISOString(),
    who: null,
    remark: given.remark ?? "",
    resultCode: measurement.resultCode,
    tier: measurement.kind === "measured" ? measurement.tier : null,
    ...detailOfMeasurement(measurement),
  };
  const source = instance && (await context.dicom.source(original));
  const rectified =
    measurement.kind === "measured" && measurement.corners
      ? await rectifiedJpeg(context.dicom, original, 0, measurement.corners)
      : null;
  return {
    film: { fileName: path.basename(file), frameIndex: 0 },
    subject: {
      source,
      imageSha256,
      programVersion,
      patient: patientOf(given, instance?.patient ?? null),
      animalInFile: instance && animalOf(instance),
      takenAt: instance?.takenAt ? new Date(instance.takenAt) : null,
      readings: [reading],
      clinicName: given.clinic ?? "",
    },
    original,
    rectified,
  };
}

function patientOf(given: Given, said: DicomInstance["patient"] | null): Patient | null {
  const name = given.patient ?? said?.name ?? "";
  const uuid = given.number ?? said?.id ?? null;
  if (
    name === "" &&
    uuid === null &&
    given.owner === undefined &&
    given.breed === undefined &&
    given.species === undefined
  )
    return null;
  const species = speciesNames.find((known) => known === (given.species ?? said?.species)) ?? null;
  return {
    id: uidOf("patient", name, uuid ?? ""),
    name,
    uuid,
    species,
    breed: given.breed ?? said?.breed ?? "",
    owner: given.owner ?? said?.responsiblePerson ?? "",
  };
}
