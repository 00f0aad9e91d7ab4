import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { dicomPeer, webPeer, type SendFailure } from "../../core/contract/desktop/network/dicom.ts";
import { orderQuery } from "../../core/contract/desktop/network/orders.ts";
import { isPrivateWay } from "../../core/contract/desktop/network/private-way.ts";
import { studyQuery } from "../../core/contract/desktop/network/pacs.ts";
import { sayIn } from "../../core/language/say.ts";
import { readDicomFile } from "../dicom/dicom-file.ts";
import { askForCommitment } from "../dicom/network/commitment/commitment.ts";
import type { Identifier } from "../dicom/network/query/query-calls.ts";
import { readKeyObjects } from "../dicom/presentation/read-key-objects.ts";
import type { CommitmentReport, ReferredObject } from "../dicom/network/commitment/commitment-calls.ts";
import { commitmentReport } from "../dicom/network/commitment/commitment-report.ts";
import { uidOfUuid } from "../dicom/results/uids.ts";
import { networkLimits } from "../dicom/network/network-limits.ts";
import { fetchFrom, sendTo, type ReachedNode } from "../dicom/network/nodes.ts";
import { certificatesOf, requireCertificates } from "../dicom/network/secure-socket.ts";
import { startReceiver, type Receiver } from "../dicom/network/receiving/receiver.ts";
import type { CertifiedKey } from "../certificates/certified-key.ts";
import type { WebSignIn } from "../dicom/network/web/web-calls.ts";
import { givenPair } from "../services/network/own-certificate.ts";
import { searchOrders } from "../services/network/orders.ts";
import { searchStudies } from "../services/network/pacs.ts";
import { isPkcs12, readPkcs12 } from "../dicom/network/read-pkcs12.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `pacs find  --node NODE [--name NAME] [--id ID] [--accession NO] [--from DAY] [--to DAY] [--modality CR]
pacs fetch --node NODE --study UID|--key-films FILE --into FOLDER [--receive PORT]
pacs send  --node NODE [--commit [--receive PORT]] FILE…
pacs worklist --node NODE [--name NAME] [--id ID] [--accession NO] [--from DAY] [--to DAY] [--station TITLE]
  NODE is HOST:PORT:TITLE, or the address of a DICOMweb server, https://pacs.local/dicom-web;
  find: one line of JSON per study, the newest first; NAME is any part of the animal's or the owner's name, days are 2026-11-22;
  worklist: one line of JSON per ordered examination, in order of planned time; TITLE is the machine's AE title;
  fetch: by C-GET; where the PACS offers only C-MOVE, it sends to PORT on this machine and must know us by our title;
  send: with --commit the PACS is asked to confirm that it keeps what it was sent, here or to PORT on this machine;
  PORT takes objects from NODE alone, from its address and under its title; encrypted with --tls and --certificate;
  --title NAME: our own AE title, CORVET otherwise;
  --tls: encrypted; --ca FILE: trust these certificates (PEM) and no others; --certificate FILE: ours with its key (PEM, or PKCS#12 with its
  passphrase in CORVET_CERTIFICATE_PASSPHRASE);
  a password comes from CORVET_PACS_PASSWORD beside --user NAME, a token from CORVET_PACS_TOKEN`;

const options = {
  node: { type: "string" },
  title: { type: "string", default: "CORVET" },
  name: { type: "string" },
  id: { type: "string" },
  accession: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  modality: { type: "string" },
  station: { type: "string" },
  study: { type: "string" },
  into: { type: "string" },
  "key-films": { type: "string" },
  receive: { type: "string" },
  commit: { type: "boolean", default: false },
  tls: { type: "boolean", default: false },
  ca: { type: "string" },
  certificate: { type: "string" },
  user: { type: "string" },
} as const;

/** How long a PACS may take to answer for what it was sent [ms]. */
const longestWaitMs = 60_000;

type Given = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>["values"];

runCommand("pacs", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [what, ...files] = positionals;
  if (files.length > 0 && ["find", "fetch", "worklist"].includes(what ?? ""))
    throw new UsageError("too many arguments");
  const node = nodeOf(values);
  if (what === "find") return find(node, values, print);
  if (what === "fetch") return fetch(node, values, print);
  if (what === "send" && files.length > 0) return send(node, values, files, print);
  if (what === "worklist") return worklist(node, values, print);
  throw new UsageError("find, fetch, send or worklist?");
});

async function find(node: ReachedNode, given: Given, print: (line: string) => void): Promise<void> {
  const { name, id, accession, from, to, modality } = given;
  const query = studyQuery.safeParse({ name, patientId: id, accessionNumber: accession, from, to, modality });
  if (!query.success) throw new UsageError(`not a search: ${query.error.issues[0]?.path.join(".") ?? ""}`);
  const { studies, isCutOff, failure } = await searchStudies(node, query.data, { aeTitle: given.title });
  for (const study of studies) print(JSON.stringify(study));
  if (isCutOff) process.stderr.write(`pacs: there are more than ${studies.length}; ask for less\n`);
  orThrow(failure);
}

async function worklist(node: ReachedNode, given: Given, print: (line: string) => void): Promise<void> {
  const { name, id, accession, from, to, station } = given;
  const query = orderQuery.safeParse({ name, patientId: id, accessionNumber: accession, from, to, station });
  if (!query.success) throw new UsageError(`not a search: ${query.error.issues[0]?.path.join(".") ?? ""}`);
  const { orders, isCutOff, failure } = await searchOrders(node, query.data, { aeTitle: given.title });
  for (const order of orders) print(JSON.stringify(order));
  if (isCutOff) process.stderr.write(`pacs: there are more than ${orders.length}; ask for less\n`);
  orThrow(failure);
}

async function fetch(node: ReachedNode, given: Given, print: (line: string) => void): Promise<void> {
  const { into, title } = given;
  const wanted = wantedOf(given);
  if (wanted.length === 0 || !into) throw new UsageError("--study or --key-films, and --into are needed");
  const port = ownPortOf(given);
  await mkdir(into, { recursive: true });
  const receiver = port === null ? null : await listen(node, port, title, into, () => undefined);
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
    if (failed > 0) throw new AppError("NOT_AVAILABLE", "the PACS did not give everything");
  } finally {
    await receiver?.close();
  }
}

/** A study, or each film of a list of key films. */
function wantedOf({ study, "key-films": list }: Given): readonly Identifier[] {
  if (list === undefined) return study ? [{ StudyInstanceUID: study }] : [];
  const keyFilms = readKeyObjects(readDicomFile(readFileSync(list)));
  if (keyFilms === null) throw new AppError("INVALID_DICOM", `${list} is not a list of key films`);
  return keyFilms.films.map(({ studyInstanceUid, seriesInstanceUid, sopInstanceUid }) => ({
    ...{ StudyInstanceUID: studyInstanceUid, SeriesInstanceUID: seriesInstanceUid, SOPInstanceUID: sopInstanceUid },
  }));
}

/** Only the node that is asked may send. */
async function listen(
  node: ReachedNode,
  port: number,
  aeTitle: string,
  folder: string,
  received: (fileName: string) => void,
): Promise<Receiver> {
  if (node.kind === "web") throw new UsageError("--receive needs HOST:PORT:TITLE");
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
        received,
        association: () => undefined,
        listening: () => resolve(receiver),
        failed: (fault) => reject(new AppError("NOT_AVAILABLE", `nothing can be received on port ${port}: ${fault}`)),
      },
    );
  });
}

async function send(
  node: ReachedNode,
  given: Given,
  files: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const port = ownPortOf(given);
  const objects = await Promise.all(files.map((file) => readFile(file)));
  const { failure, leftOut } = await sendTo(node, objects, { aeTitle: given.title });
  orThrow(failure);
  const sent = objects.map(referenceTo).filter(({ sopInstanceUid }) => !leftOut.includes(sopInstanceUid));
  print(`${sent.length} sent`);
  if (leftOut.length > 0) process.stderr.write(`pacs: the PACS does not take marks: ${leftOut.join(", ")}\n`);
  if (given.commit) await commit(node, { ...given, port }, sent, print);
}

function referenceTo(bytes: Uint8Array): ReferredObject {
  const file = readDicomFile(bytes);
  return { sopClassUid: file.text("00080016") ?? "", sopInstanceUid: file.text("00080018") ?? "" };
}

async function commit(
  node: ReachedNode,
  { title, port }: Pick<Given, "title"> & { readonly port: number | null },
  objects: readonly ReferredObject[],
  print: (line: string) => void,
): Promise<void> {
  if (node.kind === "web") throw new UsageError("--commit needs HOST:PORT:TITLE");
  const folder = await mkdtemp(path.join(tmpdir(), "corvet-pacs-"));
  const later = Promise.withResolvers<string>();
  const receiver = port === null ? null : await listen(node, port, title, folder, later.resolve);
  try {
    const transactionUid = uidOfUuid(randomUUID());
    const options = { aeTitle: title, transactionUid, folder, waitMs: receiver ? 1000 : longestWaitMs };
    const answer = await askForCommitment(node, objects, options);
    orThrow(answer.failure);
    const coming = answer.reportFile === null && receiver ? later.promise : Promise.resolve(answer.reportFile);
    const report = await readReport(folder, coming);
    if (report === null)
      throw new AppError("NOT_AVAILABLE", "The PACS has not confirmed that it keeps what it was sent");
    print(`${report.kept.length} kept, ${objects.length - report.kept.length} not`);
    if (report.kept.length < objects.length)
      throw new AppError("NOT_AVAILABLE", `Not kept: ${report.failed.map((one) => one.sopInstanceUid).join(", ")}`);
  } finally {
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** null where none comes in time. */
async function readReport(folder: string, coming: Promise<string | null>): Promise<CommitmentReport | null> {
  const name = await Promise.race([coming, delay(longestWaitMs, null, { ref: false })]);
  return name === null ? null : commitmentReport.parse(JSON.parse(await readFile(path.join(folder, name), "utf8")));
}

/** Where objects or answers are received; null where nothing is. */
function ownPortOf({ receive }: Given): number | null {
  if (receive === undefined) return null;
  const port = Number(receive);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UsageError(`--receive must be 1 to 65535, not ${receive}`);
  return port;
}

function nodeOf(given: Given): ReachedNode {
  const trusted = given.ca === undefined ? "" : readFileSync(given.ca, "utf8");
  if (given.ca !== undefined && certificatesOf(trusted).length === 0)
    throw new UsageError(`--ca: there is no certificate (PEM) in ${given.ca}`);
  requireCertificates(trusted);
  const own = given.certificate === undefined ? null : certifiedKeyOf(readFileSync(given.certificate));
  const text = given.node ?? "";
  if (/^https?:/.test(text)) {
    const web = webPeer.safeParse({ url: text, signIn: "none", user: given.user ?? "", trusted });
    if (!web.success) throw new UsageError("--node is not the address of a DICOMweb server");
    const signIn = signInOf(given.user);
    if (signIn.kind !== "none" && !isPrivateWay(new URL(text))) throw new UsageError("a password or token needs https");
    return { kind: "web", url: text, trusted, own, signIn };
  }
  const [, host, port, aeTitle] = /^(.+):(\d+):([^:]+)$/.exec(text) ?? [];
  const node = dicomPeer.safeParse({ host: host?.replace(/^\[(.*)\]$/, "$1"), port: Number(port), aeTitle });
  if (!node.success) throw new UsageError("--node HOST:PORT:TITLE or the address of a DICOMweb server is needed");
  return { kind: "dimse", ...node.data, encryption: given.tls ? { trusted, own } : null };
}

function signInOf(user: string | undefined): WebSignIn {
  const { CORVET_PACS_PASSWORD: password, CORVET_PACS_TOKEN: token } = process.env;
  if (user !== undefined && password) return { kind: "basic", user, password };
  return token ? { kind: "bearer", token } : { kind: "none" };
}

/** One file holds both, as for the settings of the window. */
function certifiedKeyOf(bytes: Buffer): CertifiedKey {
  if (isPkcs12(bytes)) return readPkcs12(bytes, process.env["CORVET_CERTIFICATE_PASSPHRASE"] ?? "");
  return givenPair(bytes.toString("utf8"));
}

function orThrow(failure: SendFailure | null): void {
  if (failure === null) return;
  const words = sayIn("en")(`dicom.failure_${failure.reason}`, { detail: failure.detail });
  throw new AppError("NOT_AVAILABLE", words.includes(failure.detail) ? words : `${words} (${failure.detail})`);
}
