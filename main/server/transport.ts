import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { usgErrorCodeOf } from "../../core/contract/usg-v1.ts";
import { answerClientError, failureAt, followAddress, followStarts } from "./client-errors.ts";
import { cutLingering } from "./requests/lingering.ts";
import { addressOf, resolveTarget } from "./requests/request-target.ts";
import type { HostCheck } from "./host-check.ts";
import type { ServerLimits } from "./server-limits.ts";
import type { TlsCredentials } from "./tls/tls.ts";

/** First byte of every TLS connection: a handshake record. */
const tlsHandshake = 0x16;

type TransportOptions = {
  readonly credentials: TlsCredentials | null;
  readonly isPlainHttpAllowed?: boolean;
  readonly limits: ServerLimits;
  readonly checkHost: HostCheck;
};

/**
 * One port for TLS and plain HTTP, distinguished by the first byte of a connection. Plain HTTP is redirected, or served
 * if the user allows it.
 */
export function createTransport(handler: RequestListener, options: TransportOptions): http.Server {
  const { credentials, limits } = options;
  const settings = {
    // A missing Host is judged with the wrong ones, in the service's own words.
    requireHostHeader: false,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  };
  if (!credentials) return answering(http.createServer(settings), handler);
  const { key, cert, successor } = credentials;
  const server = answering(
    https.createServer({ ...settings, key, cert, minVersion: "TLSv1.2", handshakeTimeout: limits.handshakeTimeoutMs }),
    handler,
  );
  if (successor) for (const name of successor.names) server.addContext(name, successor);
  const plain = answering(
    http.createServer(settings),
    options.isPlainHttpAllowed ? handler : (request, response) => redirect(request, response, options),
  );
  plain.on("clientError", answerClientError);
  splitByFirstByte(server, plain, limits);
  destroyLost(server);
  watchBoth(server, plain);
  return server;
}

/**
 * Routes "Expect: 100-continue" to the handler, which requests the body after checking key, host and length: see the
 * body reader. Any other expectation is ignored, as HTTP allows; Node would refuse it in another error format.
 */
function answering<Kind extends http.Server | https.Server>(server: Kind, handler: RequestListener): Kind {
  server.on(server instanceof https.Server ? "secureConnection" : "connection", followStarts);
  for (const event of ["request", "checkContinue", "checkExpectation"]) {
    server.on(event, resolveTarget);
    server.on(event, followAddress);
    server.on(event, handler);
  }
  return server;
}

/** The https server continues to listen and count; only its handling of a new connection waits for the first byte. */
function splitByFirstByte(server: https.Server, plain: http.Server, limits: ServerLimits): void {
  const startTls = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  // Counted here: what came over ::1 is handed to this server by another one that listens.
  let open = 0;
  server.on("connection", (socket: Socket) => {
    if (open >= limits.connections) return void socket.destroy();
    open += 1;
    socket.once("close", () => (open -= 1));
    const giveUp = (): void => void socket.destroy();
    const timer = setTimeout(giveUp, limits.handshakeTimeoutMs);
    socket.once("error", giveUp);
    socket.once("close", () => clearTimeout(timer));
    socket.once("data", (first: Buffer) => {
      clearTimeout(timer);
      socket.pause();
      socket.unshift(first);
      socket.off("error", giveUp);
      if (first[0] === tlsHandshake) for (const start of startTls) start.call(server, socket);
      else {
        plain.emit("connection", socket);
        socket.resume();
      }
    });
  });
}

/**
 * A client's reset that is met by the last record of the handshake (TLS 1.3: the session tickets) is lost: Node's
 * TLSWrap keeps the failed write as one in progress, so that reading ends as if the client had ended, and no later
 * write succeeds or fails. What waits for such a write, the end of the connection among it, waits for ever. A
 * connection that was reset has no address any more.
 */
function destroyLost(server: https.Server): void {
  // By the next turn that record is written, or has failed.
  server.on("secureConnection", (socket: TLSSocket) =>
    setImmediate(() => {
      if (socket.remoteAddress === undefined) socket.destroy();
    }),
  );
}

/**
 * The plain server never listens. Node tracks a server's connections and request times from the "listening" event on,
 * so the event is forwarded to the plain server, and closing idle connections closes those of both.
 */
function watchBoth(server: https.Server, plain: http.Server): void {
  server.on("listening", () => plain.emit("listening"));
  server.on("close", () => plain.close());
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    plain.closeIdleConnections();
  };
}

/**
 * 308 keeps method and body. The response announces the end of the connection: the next one uses TLS. A remaining body
 * is read before the response ends, since Node would close the connection and so reset it before the client has read
 * the response.
 */
function redirect(request: IncomingMessage, response: ServerResponse, { checkHost, limits }: TransportOptions): void {
  const { host } = request.headers;
  const address = addressOf(request.url ?? "/");
  const fault = checkHost(request);
  const status = fault?.status ?? 308;
  const message = fault?.message ?? "Use https";
  const { headers, body } = failureAt(address, fault ? usgErrorCodeOf(fault.code) : "use_https", message);
  response.writeHead(status, {
    ...headers,
    connection: "close",
    ...(!fault && { location: `https://${host}${address}` }),
  });
  response.write(body);
  request.once("end", () => response.end());
  request.resume();
  cutLingering(request, limits.lingerMs);
}
