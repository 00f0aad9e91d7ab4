import { Command } from "commander";
import { readFileSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { mkdir, readFile } from "node:fs/promises";
import { AppError } from "../../core/app-error.ts";
import { dicomPeer, webPeer, type SendFailure } from "../../core/contract/desktop/network/dicom.ts";
import { isPrivateConnection } from "../../core/contract/desktop/network/private-connection.ts";
import { studyQuery } from "../../core/contract/desktop/network/pacs.ts";
import { sayIn } from "../../core/language/say.ts";
import { readDicomFile } from "../dicom/dicom-file.ts";
import type { Identifier } from "../dicom/network/query/query-calls.ts";
import { readKeyObjects } from "../dicom/presentation/read-key-objects.ts";
import { networkLimits } from "../dicom/network/network-limits.ts";
import { fetchFrom, sendTo, type ReachedNode } from "../dicom/network/nodes.ts";
import { certificatesOf, requireCertificates } from "../dicom/network/secure-socket.ts";
import { startReceiver, type Receiver } from "../dicom/network/receiving/receiver.ts";
import type { WebSignIn } from "../dicom/network/node-calls.ts";
import { parseCertifiedKey } from "../services/network/own-certificate.ts";
import { searchStudies } from "../services/network/pacs.ts";
import { wholeNumber } from "./running/options.ts";
import { print, UsageError } from "./running/run-program.ts";

type GivenNode = {
  readonly node: string;
  readonly title: string;
  readonly tls?: boolean;
  readonly ca?: string;
  readonly certificate?: string;
  readonly user?: string;
};
type GivenSearch = GivenNode & {
  readonly name?: string;
  readonly id?: string;
  readonly accession?: string;
  readonly from?: string;
  readonly to?: string;
  readonly modality?: string;
};
type GivenFetch = GivenNode & {
  readonly study?: string;
  readonly keyFilms?: string;
  readonly into: string;
  readonly receive?: number;
};
type DicomNode = Extract<ReachedNode, { kind: "dimse" }>;

export function pacsCommand(): Command {
  const pacs = new Command("pacs").description("search a PACS, fetch, send");
  withNode(pacs.command("find").description("studies, one JSON line each, the newest first"))
    .option("--name <name>", "part of the animal's or the owner's name")
    .option("--id <id>", "Patient ID")
    .option("--accession <number>", "accession number")
    .option("--from <YYYY-MM-DD>", "from this day")
    .option("--to <YYYY-MM-DD>", "to this day")
    .option("--modality <code>", "modality, such as DX")
    .action((given: GivenSearch) => find(nodeOf(given), given));
  withNode(pacs.command("fetch").description("fetch a study by C-GET, or by C-MOVE to a port of this computer"))
    .option("--study <uid>", "Study Instance UID")
    .option("--key-films <file>", "the films that a key object selection names")
    .requiredOption("--into <folder>", "folder for the objects")
    .option("--receive <port>", "port for C-MOVE; accepts objects only from the node", wholeNumber(1, 65_535))
    .action((given: GivenFetch) => fetch(nodeOf(given), given));
  withNode(pacs.command("send").description("send files"))
    .argument("<file...>")
    .action((files: readonly string[], given: GivenNode) => send(nodeOf(given), given, files));
  return pacs;
}

function withNode(command: Command): Command {
  return command
    .requiredOption("--node <node>", "HOST:PORT:TITLE, or the address of a DICOMweb server")
    .option("--title <title>", "Corvet's own AE title", "CORVET")
    .option("--tls", "encrypt the connection")
    .option("--ca <file>", "trust these certificates (PEM) and no others")
    .option("--certificate <file>", "own certificate with its key, PEM")
    .option(
      "--user <name>",
      "user of a DICOMweb server; password from CORVET_PACS_PASSWORD, token from CORVET_PACS_TOKEN",
    );
}

async function find(node: ReachedNode, given: GivenSearch): Promise<void> {
  const { name, id, accession, from, to, modality } = given;
  const query = studyQuery.safeParse({ name, patientId: id, accessionNumber: accession, from, to, modality });
  if (!query.success) throw new UsageError(`not a search: ${query.error.issues[0]?.path.join(".") ?? ""}`);
  const { studies, isCutOff, failure } = await searchStudies(node, query.data, { aeTitle: given.title });
  for (const study of studies) print(JSON.stringify(study));
  if (isCutOff) process.stderr.write(`pacs: there are more than ${studies.length}; narrow the search\n`);
  orThrow(failure);
}

async function fetch(node: ReachedNode, given: GivenFetch): Promise<void> {
  const { into, title } = given;
  const wanted = wantedOf(given);
  if (wanted.length === 0) throw new UsageError("--study or --key-films is missing");
  const port = given.receive ?? null;
  await mkdir(into, { recursive: true });
  const receiver = port === null ? null : await listen(dicomOf(node), port, title, into);
  try {
    let [fetched, failed] = [0, 0];
    let failure: SendFailure | null = null;
    for (const identifier of wanted) {
      const destinationAeTitle = receiver ? title : null;
      const options = { aeTitle: title, folder: into, destinationAeTitle, onMessage: () => undefined };
      const answer = await fetchFrom(node, identifier, options);
      [fetched, failed] = [fetched + answer.fetchedObjects, failed + answer.failedObjects];
      ({ failure } = answer);
      if (failure) break;
    }
    print(`${fetched} fetched, ${failed} failed`);
    orThrow(failure);
    if (failed > 0) throw new AppError("NOT_AVAILABLE", "the PACS did not send all objects");
  } finally {
    await receiver?.close();
  }
}

function wantedOf({ study, keyFilms: list }: GivenFetch): readonly Identifier[] {
  if (list === undefined) return study ? [{ StudyInstanceUID: study }] : [];
  const keyFilms = readKeyObjects(readDicomFile(readFileSync(list)));
  if (keyFilms === null) throw new AppError("INVALID_DICOM", `${list} is not a list of key films`);
  return keyFilms.films.map(({ studyInstanceUid, seriesInstanceUid, sopInstanceUid }) => ({
    ...{ StudyInstanceUID: studyInstanceUid, SeriesInstanceUID: seriesInstanceUid, SOPInstanceUID: sopInstanceUid },
  }));
}

/** Receives from the queried node only. */
async function listen(node: DicomNode, port: number, aeTitle: string, folder: string): Promise<Receiver> {
  const known = await lookup(node.host, { all: true }).catch(() => []);
  const own = node.encryption?.own;
  return new Promise((resolve, reject) => {
    const receiver = startReceiver(
      {
        addresses: ["0.0.0.0", "::"],
        encryption: own ? { trusted: node.encryption?.trusted ?? "", own } : null,
        port,
        aeTitle,
        allowedAeTitles: [node.aeTitle],
        allowedAddresses: known.map(({ address }) => address),
        folder,
        limits: networkLimits,
      },
      {
        received: () => undefined,
        association: () => undefined,
        listening: () => resolve(receiver),
        failed: (fault) => reject(new AppError("NOT_AVAILABLE", `cannot receive on port ${port}: ${fault}`)),
      },
    );
  });
}

async function send(node: ReachedNode, { title }: GivenNode, files: readonly string[]): Promise<void> {
  const objects = await Promise.all(files.map((file) => readFile(file)));
  const { failure, leftOut } = await sendTo(node, objects, { aeTitle: title });
  orThrow(failure);
  print(`${objects.length - leftOut.length} sent`);
  if (leftOut.length > 0) process.stderr.write(`pacs: the PACS does not accept: ${leftOut.join(", ")}\n`);
}

function dicomOf(node: ReachedNode): DicomNode {
  if (node.kind === "web") throw new UsageError("--receive needs HOST:PORT:TITLE");
  return node;
}

/** @throws UsageError for invalid options, such as `--receive` with `--tls` but no certificate to encrypt the port */
function nodeOf(given: GivenNode & { readonly receive?: number }): ReachedNode {
  const trusted = given.ca === undefined ? "" : readFileSync(given.ca, "utf8");
  if (given.ca !== undefined && certificatesOf(trusted).length === 0)
    throw new UsageError(`--ca: there is no certificate (PEM) in ${given.ca}`);
  requireCertificates(trusted);
  const own = given.certificate === undefined ? null : parseCertifiedKey(readFileSync(given.certificate, "utf8"));
  const text = given.node;
  if (/^https?:/.test(text)) {
    const web = webPeer.safeParse({ url: text, signIn: "none", user: given.user ?? "", trusted });
    if (!web.success) throw new UsageError("--node is not the address of a DICOMweb server");
    const signIn = signInOf(given.user);
    if (signIn.kind !== "none" && !isPrivateConnection(new URL(text)))
      throw new UsageError("a password or token needs https");
    return { kind: "web", url: text, trusted, own, signIn };
  }
  const [, host, port, aeTitle] = /^(.+):(\d+):([^:]+)$/.exec(text) ?? [];
  const node = dicomPeer.safeParse({ host: host?.replace(/^\[(.*)\]$/, "$1"), port: Number(port), aeTitle });
  if (!node.success) throw new UsageError("--node HOST:PORT:TITLE or the address of a DICOMweb server is needed");
  if (given.receive !== undefined && given.tls && own === null)
    throw new UsageError("--receive with --tls needs --certificate, or the port would not be encrypted");
  return { kind: "dimse", ...node.data, encryption: given.tls ? { trusted, own } : null };
}

function signInOf(user: string | undefined): WebSignIn {
  const { CORVET_PACS_PASSWORD: password, CORVET_PACS_TOKEN: token } = process.env;
  if (user !== undefined && password) return { kind: "basic", user, password };
  return token ? { kind: "bearer", token } : { kind: "none" };
}

function orThrow(failure: SendFailure | null): void {
  if (failure === null) return;
  const words = sayIn("en")(`dicom.failure_${failure.reason}`, { detail: failure.detail });
  throw new AppError("NOT_AVAILABLE", words.includes(failure.detail) ? words : `${words} (${failure.detail})`);
}
