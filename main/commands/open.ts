import path from "node:path";
import { parseArgs } from "node:util";
import { checkedTarget, isOpeningLink } from "../../core/opening/opening-target.ts";
import { handOver, readFilmFile, type HandedOver } from "../hand-over.ts";
import { readSignInPath } from "../ipc/page/page-sessions.ts";
import { readServerFile } from "../instance-lock.ts";
import { commandLine, defaultDataDir } from "../program.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `${commandLine("open")} NAMED [--data-dir DIR]   shows a patient or a film in the running Corvet
NAMED is one of
  --number N                 the practice's number for the patient
  --uuid U                   identifier as sent to the API, or Corvet's own
  --dicom ID [--issuer I]    Patient ID of its DICOM files
  --microchip N
  --instance UID             SOP Instance UID of a film
  FILE                       a film, put on the worklist if it is not there
  'corvet://open?…'          a link; Corvet asks before it opens a file in a watched folder`;

const named = ["number", "uuid", "dicom", "microchip", "instance"] as const;

const text = { type: "string" } as const;
const options = {
  number: text,
  uuid: text,
  dicom: text,
  issuer: text,
  microchip: text,
  instance: text,
  "data-dir": text,
} as const;

runCommand("open", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const kinds = named.filter((kind) => values[kind] !== undefined);
  if (kinds.length + positionals.length !== 1) throw new UsageError("name one patient or one film");
  const dataDir = path.resolve(values["data-dir"] ?? defaultDataDir());
  const [kind] = kinds;
  const target = kind && checkedTarget({ kind, value: values[kind] ?? "", issuer: values.issuer ?? null });
  const { isPageOpen } = await handOver(dataDir, target ? { target } : await handedBy(positionals[0] ?? ""));
  if (isPageOpen) return print("Corvet shows it.");
  print(`It waits for Corvet's page: ${readServerFile(dataDir)?.url ?? ""}${readSignInPath(dataDir)}`);
});

async function handedBy(word: string): Promise<HandedOver> {
  return isOpeningLink(word) ? { link: word } : await readFilmFile(word);
}
