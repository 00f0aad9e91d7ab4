import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { usgErrorCodeOf } from "../../core/contract/usg-v1.ts";
import { answerClientError, failureAt, trackPeerAddress, recordRequestStarts } from "./client-errors.ts";
import { discardLateBody } from "./requests/lingering.ts";
import { addressOf, resolveTarget } from "./requests/request-target.ts";
import type { HostCheck } from "./host-check.ts";
import type { ServerLimits } from "./server-limits.ts";
import type { TlsCredentials } from "./tls/tls.ts";

/** First byte of a TLS connection: the type of a handshake record. */
const tlsHandshake = 0x16;

type TransportOptions = {
  readonly credentials: TlsCredentials | null;
  readonly isPlainHttpAllowed?: boolean;
  readonly limits: ServerLimits;
  readonly checkHost: HostCheck;
};

/** Accepts TLS and plain HTTP on one port, distinguished by the first byte of a connection. */
export function createTransport(handler: RequestListener, options: TransportOptions): http.Server {
  const { credentials, limits } = options;
  const settings = {
    // checkHost refuses a missing Host header, in the service's error format.
    requireHostHeader: false,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  };
  if (!credentials) return answering(http.createServer(settings), handler);
  const server = answering(https.createServer({ ...settings, handshakeTimeout: limits.handshakeTimeoutMs }), handler);
  useCertificates(server, credentials);
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

export function useCertificates(server: https.Server, { key, cert, successor }: TlsCredentials): void {
  server.setSecureContext({ key, cert, minVersion: "TLSv1.2" });
  if (successor) for (const name of successor.names) server.addContext(name, successor);
}

/**
 * Attaches the handler, also for "Expect: 100-continue": the body reader requests the body after key, host and length
 * are checked. Other expectations are ignored, as HTTP allows; Node would refuse them in its own error format.
 */
function answering<Kind extends http.Server | https.Server>(server: Kind, handler: RequestListener): Kind {
  server.on(server instanceof https.Server ? "secureConnection" : "connection", recordRequestStarts);
  for (const event of ["request", "checkContinue", "checkExpectation"]) {
    server.on(event, resolveTarget);
    server.on(event, trackPeerAddress);
    server.on(event, handler);
  }
  return server;
}

function splitByFirstByte(server: https.Server, plain: http.Server, limits: ServerLimits): void {
  const startTls = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  // `maxConnections` does not apply to connections over ::1, which another listener passes to this server.
  let open = 0;
  server.on("connection", (socket: Socket) => {
    if (open >= limits.connections) return void socket.destroy();
    open += 1;
    socket.once("close", () => (open -= 1));
    const destroySocket = (): void => void socket.destroy();
    const timer = setTimeout(destroySocket, limits.handshakeTimeoutMs);
    socket.once("error", destroySocket);
    socket.once("close", () => clearTimeout(timer));
    socket.once("data", (first: Buffer) => {
      clearTimeout(timer);
      socket.pause();
      socket.unshift(first);
      socket.off("error", destroySocket);
      if (first[0] === tlsHandshake) for (const start of startTls) start.call(server, socket);
      else {
        plain.emit("connection", socket);
        socket.resume();
      }
    });
  });
}

/**
 * Destroys connections that the client reset during the handshake. If the reset fails the last write of the handshake
 * (TLS 1.3: the session tickets), Node's TLSWrap treats that write as still in progress: reading ends as if the client
 * had ended, and later writes, and the end of the connection, never complete. A reset connection has no remote address.
 */
function destroyLost(server: https.Server): void {
  // By the next turn of the event loop that write has succeeded or failed.
  server.on("secureConnection", (socket: TLSSocket) =>
    setImmediate(() => {
      if (socket.remoteAddress === undefined) socket.destroy();
    }),
  );
}

/**
 * Forwards "listening", "close" and `closeIdleConnections` to the plain server, which itself never listens. Node tracks
 * a server's connections and request timeouts only after its "listening" event.
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
 * Redirects to https with 308, which preserves method and body, and closes the connection. The remaining body is read
 * before the response ends; otherwise Node would close, and so reset, the connection before the client has read the
 * response.
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
  discardLateBody(request, limits.lingerMs);
}
