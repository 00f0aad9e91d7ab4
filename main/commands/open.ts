import { Command } from "commander";
import path from "node:path";
import { isOpeningLink } from "../../core/opening/opening-target.ts";
import { sendToRunningProgram, readFilmFile, type RunningProgramRequest } from "../send-to-running-program.ts";
import { readSignInPath } from "../ipc/page/page-sessions.ts";
import { readServerFile } from "../instance-lock.ts";
import { dataDirOption } from "./running/options.ts";
import { print, UsageError } from "./running/run-program.ts";

const kinds = ["number", "uuid", "dicom", "microchip", "instance"] as const;

type Given = { readonly dataDir: string; readonly issuer?: string } & {
  readonly [Kind in (typeof kinds)[number]]?: string;
};

export function openCommand(): Command {
  return new Command("open")
    .description("show a patient or a film in the running Corvet")
    .argument("[film]", "a film, added to the worklist if it is missing, or a link 'corvet://open?…'")
    .addOption(dataDirOption())
    .option("--number <number>", "the practice's number of the patient")
    .option("--uuid <uuid>", "identifier as sent to the API, or Corvet's own")
    .option("--dicom <id>", "Patient ID of its DICOM files")
    .option("--issuer <name>", "with --dicom: issuer of the Patient ID")
    .option("--microchip <number>", "the patient's microchip")
    .option("--instance <uid>", "SOP Instance UID of a film")
    .action(show);
}

async function show(film: string | undefined, given: Given): Promise<void> {
  const named = kinds.flatMap((kind) => (given[kind] === undefined ? [] : [{ kind, value: given[kind] }]));
  if (named.length + (film === undefined ? 0 : 1) !== 1) throw new UsageError("name one patient or one film");
  const dataDir = path.resolve(given.dataDir);
  const [patient] = named;
  const word = patient ? linkTo({ [patient.kind]: patient.value, issuer: given.issuer }) : (film ?? "");
  const { isPageOpen } = await sendToRunningProgram(dataDir, await requestFor(word));
  if (isPageOpen) return print("Corvet shows it.");
  print(`Open Corvet's page to see it: ${readServerFile(dataDir)?.url ?? ""}${readSignInPath(dataDir)}`);
}

function linkTo(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `corvet://open?${given.map(([name, value = ""]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

async function requestFor(word: string): Promise<RunningProgramRequest> {
  return isOpeningLink(word) ? { link: word } : await readFilmFile(word);
}
