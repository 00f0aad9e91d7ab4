import { mkdir, readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { dicomPeer, type DicomPeer, type SendFailure } from "../../core/contract/desktop/dicom.ts";
import { studyQuery, type FoundStudy } from "../../core/contract/desktop/pacs.ts";
import { sayIn } from "../../core/language/say.ts";
import { networkLimits } from "../dicom/network/network-limits.ts";
import { fetchObjects } from "../dicom/network/query/query.ts";
import { startReceiver, type Receiver } from "../dicom/network/receiving/receiver.ts";
import { sendObjects } from "../dicom/network/sending/sender.ts";
import { searchStudies } from "../services/network/pacs.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `pacs find  --node HOST:PORT:TITLE [--name NAME] [--id ID] [--accession NO] [--from DAY] [--to DAY] [--modality CR]
pacs fetch --node HOST:PORT:TITLE --study UID --into FOLDER [--receive PORT]
pacs send  --node HOST:PORT:TITLE FILE…
  find: one line of JSON per study, the newest first; NAME is any part of the animal's or the owner's name, days are 2026-11-22;
  fetch: by C-GET; where the PACS offers only C-MOVE, it sends to PORT on this machine and must know us under our title;
  --title NAME: our own AE title, CORVET otherwise`;

const options = {
  node: { type: "string" },
  title: { type: "string", default: "CORVET" },
  name: { type: "string" },
  id: { type: "string" },
  accession: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  modality: { type: "string" },
  study: { type: "string" },
  into: { type: "string" },
  receive: { type: "string" },
} as const;

type Given = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>["values"];

runCommand("pacs", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [what, ...files] = positionals;
  const node = nodeOf(values.node);
  if (what === "find") return find(node, values, print);
  if (what === "fetch") return fetch(node, values, print);
  if (what === "send" && files.length > 0) return send(node, values, files, print);
  throw new UsageError("find, fetch or send?");
});

async function find(node: DicomPeer, given: Given, print: (line: string) => void): Promise<void> {
  const { name, id, accession, from, to, modality } = given;
  const query = studyQuery.safeParse({ name, patientId: id, accessionNumber: accession, from, to, modality });
  if (!query.success) throw new UsageError(`not a search: ${query.error.issues[0]?.path.join(".") ?? ""}`);
  const { studies, isCutOff, failure } = await searchStudies(node, query.data, { aeTitle: given.title });
  for (const study of studies) print(lineOf(study));
  if (isCutOff) process.stderr.write(`pacs: there are more than ${studies.length}; ask for less\n`);
  orThrow(failure);
}

function lineOf(study: FoundStudy): string {
  return JSON.stringify(study);
}

async function fetch(node: DicomPeer, given: Given, print: (line: string) => void): Promise<void> {
  const { study, into, title } = given;
  if (!study || !into) throw new UsageError("--study and --into are needed");
  await mkdir(into, { recursive: true });
  const receiver = given.receive === undefined ? null : await listen(Number(given.receive), title, into);
  try {
    const answer = await fetchObjects(
      node,
      { StudyInstanceUID: study },
      { aeTitle: title, folder: into, destinationAeTitle: receiver ? title : null, onMessage: () => undefined },
    );
    print(`${answer.fetchedObjects} fetched, ${answer.failedObjects} failed`);
    orThrow(answer.failure);
  } finally {
    await receiver?.close();
  }
}

function listen(port: number, aeTitle: string, folder: string): Promise<Receiver> {
  return new Promise((resolve, reject) => {
    const receiver = startReceiver(
      {
        address: "0.0.0.0",
        port,
        aeTitle,
        allowedAeTitles: null,
        allowedAddresses: null,
        folder,
        limits: networkLimits,
      },
      {
        received: () => undefined,
        association: () => undefined,
        listening: () => resolve(receiver),
        failed: (fault) => reject(new AppError("NOT_AVAILABLE", `nothing can be received on port ${port}: ${fault}`)),
      },
    );
  });
}

async function send(
  node: DicomPeer,
  given: Given,
  files: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const objects = await Promise.all(files.map((file) => readFile(file)));
  orThrow(await sendObjects(node, objects, { aeTitle: given.title }));
  print(`${objects.length} sent`);
}

function nodeOf(given: string | undefined): DicomPeer {
  const [, host, port, aeTitle] = /^(.+):(\d+):([^:]+)$/.exec(given ?? "") ?? [];
  const node = dicomPeer.safeParse({ host, port: Number(port), aeTitle });
  if (!node.success) throw new UsageError("--node HOST:PORT:TITLE is needed");
  return node.data;
}

function orThrow(failure: SendFailure | null): void {
  if (failure === null) return;
  const words = sayIn("en")(`dicom.failure_${failure.reason}`, { detail: failure.detail });
  throw new AppError("NOT_AVAILABLE", failure.detail === "" ? words : `${words} (${failure.detail})`);
}
