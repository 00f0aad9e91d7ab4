import { mkdirSync } from "node:fs";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";
import { z } from "zod";
import { serveThread, type ServedCall } from "../../../workers/serve-thread.ts";
import { readDicomFile } from "../../dicom-file.ts";
import type { FetchJob, FindJob, NodeCalls, ReachedWeb, SendAnswer, SendJob } from "../node-calls.ts";
import type { FetchAnswer, FetchMessage, FindAnswer, Match } from "../query/query-calls.ts";
import type { NetworkLimits } from "../network-limits.ts";
import { ReceivedObject } from "../receiving/received-object.ts";
import { statusText } from "../status-text.ts";
import { bytesOf, deadlineOf, sendRequest, type Deadline } from "./exchange.ts";
import { matchOfJson, readStoreAnswer, reportsMore, searchParameters } from "./dicom-json.ts";
import { createMultipartReader, type MultipartReader, type PartEvents } from "./multipart-reader.ts";
import { WebFault } from "./web-fault.ts";

// Each request has a separate thread: the thread parses the server's data, and cancelling terminates it.

serveThread<NodeCalls<ReachedWeb>>({ find, fetch, send });

/** Maximum size of a response with matches, above that of 10,000 studies, and of a response to STOW-RS [bytes]. */
const longest = { matches: 16 * 1024 * 1024, storeAnswer: 1024 * 1024 } as const;

/**
 * Searches by QIDO-RS, page by page while the server reports more matches. A server that ignores `offset` repeats the
 * same page, which ends the search. @see DICOM PS3.18 10.6 and 8.3.4.4
 */
async function find({ maxMatches, ...job }: FindJob<ReachedWeb>): Promise<FindAnswer> {
  const found: Match[] = [];
  const answer = (isCutOff: boolean, failure: SendFailure | null = null): FindAnswer => ({
    matches: found.slice(0, maxMatches),
    isCutOff,
    failure,
  });
  let offset = 0;
  try {
    for (;;) {
      const before = found.length;
      const former = new Set(found.map(identityOf));
      const limit = maxMatches + 1 - before;
      const page = await findPage(job, { limit, offset }, (match) => {
        if (!former.has(identityOf(match))) found.push(match);
      });
      offset += page.objects;
      if (!page.hasMore || found.length === before || found.length > maxMatches) return answer(page.hasMore);
    }
  } catch (error) {
    const failure = failureOf(error);
    // The server reported more matches but refuses the next page.
    return offset > 0 && failure.reason === "web-refused" ? answer(true) : answer(false, failure);
  }
}

function identityOf(match: Match): string {
  return JSON.stringify(match.StudyInstanceUID ?? match);
}

/** Requests one page of a search; `hasMore` is true if the server reports more matches or the page is full. */
async function findPage(
  { node: web, limits, identifier }: Omit<FindJob<ReachedWeb>, "maxMatches">,
  page: { readonly limit: number; readonly offset: number },
  take: (match: Match) => void,
): Promise<{ readonly objects: number; readonly hasMore: boolean }> {
  const path = `studies?${searchParameters(identifier, page)}`;
  const answer = await sendRequest({ web, limits, path, accept: "application/dicom+json" });
  const hasMore = reportsMore(String(answer.headers.warning ?? ""));
  if (answer.statusCode === 204) return { objects: 0, hasMore };
  if (!/json/.test(typeOf(answer))) throw new WebFault("not-dicomweb", typeOf(answer));
  const { text, isWhole } = await textOf(answer, limits, longest.matches);
  const objects = listIn(isWhole ? text : completeRows(text)).slice(0, page.limit);
  if (!isWhole && objects.length < page.limit) throw tooLarge("response", longest.matches);
  for (const object of objects) {
    const match = matchOfJson(object);
    if (match) take(match);
  }
  return { objects: objects.length, hasMore: hasMore || objects.length === page.limit };
}

const multipart = 'multipart/related; type="application/dicom"';

/** Retrieves by WADO-RS. @see DICOM PS3.18 10.4 */
async function fetch(
  { node: web, limits, identifier, folder }: FetchJob<ReachedWeb>,
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
    if (bytes > limits.objectBytes) throw tooLarge("object", limits.objectBytes);
    arriving?.write(piece);
  };
  const end = () => {
    const fileName = arriving?.keep().fileName ?? null;
    arriving = null;
    if (fileName === null) progress = { ...progress, failedObjects: progress.failedObjects + 1 };
    else progress = { ...progress, fetchedObjects: progress.fetchedObjects + 1 };
    // Each film renews the time limit of a study; other objects do not.
    if (fileName !== null) deadline?.renew();
    if (fileName !== null) call.progress({ kind: "received", fileName });
    call.progress({ kind: "progress", progress });
  };
  try {
    const answer = await sendRequest({ web, limits, path, accept: `${multipart}; transfer-syntax=*` }).catch(
      (error: unknown) => {
        // Request the default transfer syntax from a server that does not support the wildcard.
        if (!(error instanceof WebFault) || error.failure.detail !== "406") throw error;
        return sendRequest({ web, limits, path, accept: multipart });
      },
    );
    if (answer.statusCode === 204) return { ...progress, failure: null };
    const events = { begin, data, end };
    const reader = isSinglePart(answer) ? readerOfOne(events) : createMultipartReader(boundaryOf(answer), events);
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

/** Stores by STOW-RS. Only objects that the server confirms count as stored. @see DICOM PS3.18 10.5 */
async function send(
  { node: web, limits, files }: SendJob<ReachedWeb>,
  call: ServedCall<SendProgress>,
): Promise<SendAnswer> {
  const uids = files.map((bytes) => readDicomFile(bytes).text("00080018") ?? "");
  const boundary = randomUUID();
  const head = Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`);
  const parts = files.flatMap((bytes) => [head, bytes, Buffer.from("\r\n")]);
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const totalBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const reportProgress = (sentBytes: number, sentObjects: number) =>
    call.progress({ sentBytes, totalBytes, sentObjects, objects: files.length });
  try {
    const answer = await sendRequest({
      ...{ web, limits, path: "studies", accept: "application/dicom+json" },
      body: { type: `${multipart}; boundary=${boundary}`, parts, wrote: (bytes) => reportProgress(bytes, 0) },
    });
    const { text, isWhole } = await textOf(answer, limits, longest.storeAnswer);
    if (!isWhole) throw tooLarge("response", longest.storeAnswer);
    const confirmed = readStoreAnswer(text);
    if (confirmed === null) throw new WebFault("not-dicomweb", typeOf(answer));
    const kept = uids.filter((uid) => confirmed.kept.has(uid)).length;
    reportProgress(totalBytes, kept);
    if (kept === files.length) return { failure: null, leftOut: [] };
    const failure = { reason: "object-refused", detail: statusText(confirmed.failureReason ?? 0) } as const;
    return { failure, leftOut: [] };
  } catch (error) {
    return { failure: failureOf(error), leftOut: [] };
  }
}

/** Reads a text up to a limit, above which it is cut off. */
async function textOf(
  answer: IncomingMessage,
  limits: NetworkLimits,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of bytesOf(answer, limits)) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return { text: Buffer.concat(pieces).toString("utf8"), isWhole: bytes <= maxBytes };
}

function tooLarge(what: string, maxBytes: number): WebFault {
  return new WebFault("too-large", `${what} of more than ${maxBytes} bytes`);
}

/** Ends a JSON array of objects, which is cut off, after its last complete object. */
function completeRows(text: string): string {
  let [depth, end] = [0, 1];
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    if (token === "}" && depth === 1) end = index + 1;
  }
  return `${text.slice(0, end)}]`;
}

function listIn(text: string): readonly unknown[] {
  try {
    return z.array(z.unknown()).parse(JSON.parse(text));
  } catch {
    throw new WebFault("not-dicomweb", "not a JSON array");
  }
}

function typeOf(answer: IncomingMessage): string {
  return answer.headers["content-type"] ?? "";
}

/** Some servers return a single object without multipart. */
function isSinglePart(answer: IncomingMessage): boolean {
  return /^application\/dicom\s*(;|$)/i.test(typeOf(answer));
}

function readerOfOne({ begin, data, end }: PartEvents): MultipartReader {
  begin("");
  return { push: data, finish: end };
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
