import { request as requestPlain, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { request as requestSecure } from "node:https";
import { isPrivateConnection } from "../../../../core/contract/desktop/network/private-connection.ts";
import type { NetworkLimits } from "../network-limits.ts";
import { tlsOptions } from "../secure-socket.ts";
import { failureOfSocket } from "../sending/refusals.ts";
import type { ReachedWeb } from "../node-calls.ts";
import { WebFault } from "./web-fault.ts";

export type WebRequest = {
  readonly web: ReachedWeb;
  readonly limits: NetworkLimits;
  /** Relative to the server's URL, such as `studies?…`. */
  readonly path: string;
  readonly accept: string;
  /** Sent by POST; `wrote` is called with the number of bytes that the system has accepted so far. */
  readonly body?: {
    readonly type: string;
    readonly parts: readonly Uint8Array[];
    readonly wrote: (bytes: number) => void;
  };
};

const maxRedirects = 5;
const maxHeaderBytes = 16_384;

/**
 * Sends a request. Follows redirects within the same origin only, so that password, token and films are sent to no
 * other server. @throws WebFault
 */
export async function sendRequest(request: WebRequest): Promise<IncomingMessage> {
  let url = new URL(request.path, request.web.url.replace(/\/*$/, "/"));
  for (let redirects = 0; ; redirects += 1) {
    const answer = await sendOnce(request, url);
    const status = answer.statusCode ?? 0;
    if (status < 300 || status > 399) return accepted(answer, status);
    answer.destroy();
    const target = targetOf(answer.headers.location, url);
    if (request.body || redirects === maxRedirects || target?.origin !== url.origin)
      throw new WebFault("redirected", target?.origin ?? "");
    url = target;
  }
}

function targetOf(location: string | undefined, from: URL): URL | null {
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : null;
}

function accepted(answer: IncomingMessage, status: number): IncomingMessage {
  // The body of a 409 lists the refused objects.
  if ((status >= 200 && status < 300) || status === 409) return answer;
  answer.destroy();
  throw new WebFault(status === 401 || status === 403 ? "sign-in-refused" : "web-refused", String(status));
}

function sendOnce({ web, limits, accept, body }: WebRequest, url: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const options = {
      method: body ? "POST" : "GET",
      agent: false,
      maxHeaderSize: maxHeaderBytes,
      headers: { accept, "accept-encoding": "identity", ...signInOf(web), ...(body && headersOf(body)) },
    } as const;
    const request =
      url.protocol === "https:"
        ? requestSecure(url, { ...options, ...tlsOptions(web, host) })
        : requestPlain(url, options);
    const silence = setTimeout(() => request.destroy(new WebFault("no-answer")), limits.idleMs);
    request.on("error", (error) => {
      clearTimeout(silence);
      reject(faultOf(error));
    });
    request.on("response", (answer) => {
      clearTimeout(silence);
      resolve(answer);
    });
    if (!body) return void request.end();
    void writeBody(body, (bytes, done) => {
      silence.refresh();
      request.write(bytes, done);
    }).then(() => request.end());
  });
}

function signInOf({ signIn, url }: ReachedWeb): OutgoingHttpHeaders {
  if (signIn.kind === "none") return {};
  if (!isPrivateConnection(new URL(url))) throw new WebFault("sign-in-refused", "http");
  return {
    authorization:
      signIn.kind === "bearer"
        ? `Bearer ${signIn.token}`
        : `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString("base64")}`,
  };
}

function headersOf({ type, parts }: NonNullable<WebRequest["body"]>): OutgoingHttpHeaders {
  return { "content-type": type, "content-length": parts.reduce((sum, { length }) => sum + length, 0) };
}

const pieceBytes = 256 * 1024;

async function writeBody(
  { parts, wrote }: NonNullable<WebRequest["body"]>,
  write: (bytes: Uint8Array, done: () => void) => void,
): Promise<void> {
  let sent = 0;
  for (const part of parts)
    for (let at = 0; at < part.length; at += pieceBytes) {
      const piece = part.subarray(at, at + pieceBytes);
      await new Promise<void>((done) => write(piece, done));
      wrote((sent += piece.length));
    }
}

export type Deadline = { readonly renew: () => void; readonly end: () => void };

/** Aborts a response after the time limit for one message. */
export function deadlineOf(answer: IncomingMessage, { messageMs }: NetworkLimits): Deadline {
  const timer = setTimeout(() => answer.destroy(new WebFault("no-answer")), messageMs);
  return { renew: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

/** Yields the bytes of a response as they arrive. @throws WebFault if it stalls, breaks off or takes too long */
export async function* bytesOf(
  answer: IncomingMessage,
  limits: NetworkLimits,
  deadline = deadlineOf(answer, limits),
): AsyncGenerator<Buffer> {
  const silence = setTimeout(() => answer.destroy(new WebFault("no-answer")), limits.idleMs);
  try {
    const encoding = answer.headers["content-encoding"] ?? "identity";
    if (encoding !== "identity") throw new WebFault("not-dicomweb", `content-encoding ${encoding}`);
    for await (const chunk of answer) {
      silence.refresh();
      yield chunk as Buffer;
    }
  } catch (error) {
    throw faultOf(error as Error);
  } finally {
    clearTimeout(silence);
    deadline.end();
    answer.destroy();
  }
}

function faultOf(error: NodeJS.ErrnoException): Error {
  if (error instanceof WebFault) return error;
  const { code = "" } = error;
  // Errors of Node's HTTP parser.
  if (code.startsWith("HPE_")) return new WebFault("not-dicomweb", code);
  if (["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(code))
    return new WebFault("connection-lost", code);
  if (code === "") return error;
  const { reason, detail } = failureOfSocket(error);
  return new WebFault(reason, detail);
}
