import { mkdirSync } from "node:fs";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";
import { serveThread, type ServedCall } from "../../../workers/serve-thread.ts";
import type { FetchAnswer, FetchMessage, FindAnswer, Match } from "../query/query-calls.ts";
import { ReceivedObject } from "../receiving/received-object.ts";
import { statusText } from "../status-text.ts";
import { ask, bytesOf, deadlineOf, type Deadline } from "./exchange.ts";
import { matchOfJson, readStoreAnswer, searchParameters } from "./dicom-json.ts";
import { createObjectSplitter } from "./json-objects.ts";
import { createMultipartReader } from "./multipart-reader.ts";
import type { WebCalls } from "./web-calls.ts";
import { WebFault } from "./web-fault.ts";

// A thread for each question: what a server sends is read here, and cancelling means ending it.

type Job<Name extends keyof WebCalls> = WebCalls[Name]["request"];

serveThread<WebCalls>({ find, fetch: (job, call) => fetch(job, call), store: (job, call) => store(job, call) });

/** A match is a few lines of text, an answer to a storing a line per object [bytes]. */
const longest = { match: 256 * 1024, storeAnswer: 1024 * 1024 } as const;

/** QIDO-RS. @see DICOM PS3.18 10.6 */
async function find({ web, limits, identifier, mostMatches }: Job<"find">): Promise<FindAnswer> {
  const matches: Match[] = [];
  try {
    const path = `studies?${searchParameters(identifier, mostMatches + 1)}`;
    const answer = await ask({ web, limits, path, accept: "application/dicom+json" });
    if (answer.statusCode === 204) return { matches, isCutOff: false, failure: null };
    if (!/json/.test(typeOf(answer))) throw new WebFault("not-dicomweb", typeOf(answer));
    const splitter = createObjectSplitter(longest.match);
    for await (const chunk of bytesOf(answer, limits)) {
      for (const object of splitter.push(chunk)) {
        if (matches.length === mostMatches) return { matches, isCutOff: true, failure: null };
        const match = matchOfJson(object);
        if (match) matches.push(match);
      }
    }
    splitter.finish();
    return { matches, isCutOff: false, failure: null };
  } catch (error) {
    return { matches, isCutOff: false, failure: failureOf(error) };
  }
}

const multipart = 'multipart/related; type="application/dicom"';

/** WADO-RS. @see DICOM PS3.18 10.4 */
async function fetch(
  { web, limits, identifier, folder }: Job<"fetch">,
  call: ServedCall<FetchMessage>,
): Promise<FetchAnswer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let progress: FetchProgress = { fetchedObjects: 0, failedObjects: 0, objects: null };
  const { StudyInstanceUID: study, SeriesInstanceUID: series, SOPInstanceUID: film } = identifier;
  const path = film ? `studies/${study}/series/${series}/instances/${film}` : `studies/${study}`;
  let arriving: ReceivedObject | null = null;
  let bytes = 0;
  let deadline: Deadline | null = null;
  const begin = () => {
    arriving = new ReceivedObject(folder, null);
    bytes = 0;
  };
  const data = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > limits.objectBytes)
      throw new WebFault("too-large", `an object of more than ${limits.objectBytes} bytes`);
    arriving?.write(piece);
  };
  const end = () => {
    const fileName = arriving?.keep().fileName ?? null;
    arriving = null;
    if (fileName === null) progress = { ...progress, failedObjects: progress.failedObjects + 1 };
    else progress = { ...progress, fetchedObjects: progress.fetchedObjects + 1 };
    // A study takes as long as its films do; what is no film gets no time.
    if (fileName !== null) deadline?.renew();
    if (fileName !== null) call.progress({ kind: "received", fileName });
    call.progress({ kind: "progress", progress });
  };
  try {
    const answer = await ask({ web, limits, path, accept: `${multipart}; transfer-syntax=*` }).catch(
      (error: unknown) => {
        // A server that does not know the star gives what it would give by itself.
        if (!(error instanceof WebFault) || error.failure.detail !== "406") throw error;
        return ask({ web, limits, path, accept: multipart });
      },
    );
    if (answer.statusCode === 204) return { ...progress, failure: null };
    const reader = createMultipartReader(boundaryOf(answer), { begin, data, end });
    deadline = deadlineOf(answer, limits);
    for await (const chunk of bytesOf(answer, limits, deadline)) reader.push(chunk);
    reader.finish();
    return { ...progress, failure: null };
  } catch (error) {
    return { ...progress, failure: failureOf(error) };
  } finally {
    (arriving as ReceivedObject | null)?.discard();
  }
}

/** STOW-RS. Only what the server names as kept counts as kept. @see DICOM PS3.18 10.5 */
async function store(
  { web, limits, files }: Job<"store">,
  call: ServedCall<WebCalls["store"]["progress"]>,
): Promise<WebCalls["store"]["answer"]> {
  const boundary = randomUUID();
  const head = Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`);
  const parts = files.flatMap(({ bytes }) => [head, bytes, Buffer.from("\r\n")]);
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const totalBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const tell = (sentBytes: number, sentObjects: number) =>
    call.progress({ sentBytes, totalBytes, sentObjects, objects: files.length });
  try {
    const answer = await ask({
      ...{ web, limits, path: "studies", accept: "application/dicom+json" },
      body: { type: `${multipart}; boundary=${boundary}`, parts, wrote: (bytes) => tell(bytes, 0) },
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of bytesOf(answer, limits)) {
      pieces.push(chunk);
      if ((bytes += chunk.length) > longest.storeAnswer) throw new WebFault("too-large", "an endless answer");
    }
    const said = readStoreAnswer(Buffer.concat(pieces).toString("utf8"));
    if (said === null) throw new WebFault("not-dicomweb", typeOf(answer));
    const kept = files.filter(({ sopInstanceUid }) => said.kept.has(sopInstanceUid)).length;
    tell(totalBytes, kept);
    if (kept === files.length) return { failure: null };
    return { failure: { reason: "object-refused", detail: statusText(said.failureReason ?? 0) } };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function typeOf(answer: IncomingMessage): string {
  return answer.headers["content-type"] ?? "";
}

function boundaryOf(answer: IncomingMessage): string {
  const type = typeOf(answer);
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!/^multipart\/related/i.test(type) || boundary === undefined) throw new WebFault("not-dicomweb", type);
  return boundary;
}

function failureOf(error: unknown): SendFailure {
  if (error instanceof WebFault) return error.failure;
  throw error;
}
