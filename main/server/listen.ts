import type { Server } from "node:https";
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../core/app-error.ts";
import { usgErrorCodeOf } from "../../core/contract/usg-v1.ts";
import { failureAt } from "./client-errors.ts";
import { useCertificates } from "./transport.ts";
import type { TlsCredentials } from "./tls/tls.ts";

/** Time to send the last responses after the grace period [ms]. */
const finalResponsesMs = 1000;

export type ListenOptions = {
  /** 0 for any free port. */
  readonly port: number;
  /** Whether to use a free port if the requested one is in use or reserved. */
  readonly takesFreePort?: boolean;
};

export type Listening = {
  readonly url: string;
  readonly port: number;
  /** Uses renewed certificates for new connections. */
  useCertificates(credentials: TlsCredentials): void;
  /** Stops accepting connections, waits up to `graceMs` for requests in flight, then responds 503 to the rest. */
  close(graceMs?: number): Promise<void>;
};

/**
 * Listens on the loopback addresses only: 127.0.0.1, and ::1 if the computer supports IPv6.
 *
 * @throws AppError NOT_AVAILABLE if the port is in use or forbidden
 */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listening> {
  const { port, takesFreePort = false } = options;
  await app.listen({ host: "127.0.0.1", port }).catch(async (error: unknown) => {
    const known = portError(port, error);
    if (!takesFreePort || known === null) throw known ?? error;
    app.context.log.warn({ cause: known.message }, "listening on a free port");
    await app.listen({ host: "127.0.0.1", port: 0 });
  });
  const taken = (app.server.address() as AddressInfo).port;
  const sockets = trackSockets(app);
  const second = await listenOnIpv6(app, taken);
  return {
    url: `${"setSecureContext" in app.server ? "https" : "http"}://localhost:${taken}`,
    port: taken,
    useCertificates: (credentials) => useCertificates(app.server as Server, credentials),
    async close(graceMs = 10_000) {
      const left = setTimeout(() => answerRemainingRequests(app), graceMs);
      const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMs + finalResponsesMs);
      // The main server counts only its own connections, not those on ::1.
      const closedOnIpv6 = new Promise<void>((resolve) => (second ? second.close(() => resolve()) : resolve()));
      // Closes idle connections at once, busy ones after their response, and all others once no response is open.
      const endIdle = (): void => {
        app.server.closeIdleConnections();
        if (app.openResponses.size === 0) sockets.forEach((socket) => socket.destroy());
      };
      const closed = Promise.all([app.close(), closedOnIpv6]);
      endIdle();
      const idle = setInterval(endIdle, 100);
      await closed.finally(() => {
        clearTimeout(left);
        clearTimeout(cut);
        clearInterval(idle);
      });
      // Responses on closed connections end a few event loop turns later, and the store must stay open until then.
      for (let turn = 0; app.openResponses.size > 0 && turn < 100; turn += 1) await setImmediate();
      await Promise.all(app.settling);
    },
  };
}

/**
 * Responds STOPPING to the remaining requests. Work that can be aborted sends its own response; requests that are still
 * being read, or whose work cannot be aborted, are answered after half of the remaining time.
 */
function answerRemainingRequests(app: FastifyInstance): void {
  const { code, status, message } = new AppError("STOPPING");
  app.stopping.abort(new AppError(code));
  setTimeout(() => {
    for (const response of app.openResponses) {
      if (response.headersSent || response.destroyed) continue;
      const { headers, body } = failureAt(response.req.url ?? "/", usgErrorCodeOf(code), message);
      response.writeHead(status, { ...headers, connection: "close" }).end(body);
    }
  }, finalResponsesMs / 2);
}

/** Windows reports EACCES for ports that it reserves for virtual machines, other systems for ports below 1024. */
export function portError(port: number, error: unknown): AppError | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const advice =
    port > 1023
      ? "is reserved by the system (Windows: netsh interface ipv4 show excludedportrange protocol=tcp); choose another"
      : "may not be used by this user; choose one above 1023";
  if (code === "EADDRINUSE")
    return new AppError("NOT_AVAILABLE", `Port ${port} is in use by another program; choose another.`, {
      cause: error,
    });
  if (code === "EACCES") return new AppError("NOT_AVAILABLE", `Port ${port} ${advice}.`, { cause: error });
  return null;
}

function trackSockets(app: FastifyInstance): Set<Socket> {
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Many systems resolve `localhost` to ::1 first. Resolves to null if IPv6 is not available. */
function listenOnIpv6(app: FastifyInstance, port: number): Promise<NetServer | null> {
  const server = createServer((socket) => app.server.emit("connection", socket));
  return new Promise((resolve) => {
    server.once("error", (error) => {
      app.context.log.warn({ cause: error.message }, "not listening on ::1");
      resolve(null);
    });
    server.listen({ host: "::1", port, ipv6Only: true }, () => resolve(server));
  });
}
