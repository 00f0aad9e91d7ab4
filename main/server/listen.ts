import type { Server } from "node:https";
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../core/app-error.ts";
import { usgErrorCodeOf } from "../../core/contract/usg-v1.ts";
import { everyDay } from "../services/desktop/every-day.ts";
import { failureAt } from "./client-errors.ts";
import { certificateTime } from "./tls/certificate-time.ts";
import { ensureTlsCredentials, hasFutureCertificate, type TlsCredentials } from "./tls/tls.ts";

/** Time for the responses to requests left after the grace period [ms]. */
const lastWordsMs = 1000;

/** How often the certificates are compared with the clock, which may have been set right [ms]. */
const lookAtClockMs = 60_000;

export type ListenOptions = {
  /** 0 takes a free one. */
  readonly port: number;
  /** Takes a free port if the wanted one is in use or reserved. */
  readonly takesFreePort?: boolean;
  readonly onCertificates?: (credentials: TlsCredentials) => void;
};

export type Listening = {
  /** `https://localhost:PORT` */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, waits up to `graceMs` for requests in flight, then answers the remaining ones with 503. */
  close(graceMs?: number): Promise<void>;
};

/**
 * Listens on the loopback addresses only: 127.0.0.1, and ::1 where the machine has it.
 *
 * @throws AppError NOT_AVAILABLE when the port is taken or forbidden
 */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listening> {
  const { port, takesFreePort = false, onCertificates } = options;
  await app.listen({ host: "127.0.0.1", port }).catch(async (error: unknown) => {
    const known = portError(port, error);
    if (!takesFreePort || known === null) throw known ?? error;
    app.context.log.warn({ cause: known.message }, "listening on a free port");
    await app.listen({ host: "127.0.0.1", port: 0 });
  });
  const taken = (app.server.address() as AddressInfo).port;
  const sockets = trackSockets(app);
  const second = await listenOnIpv6(app, taken);
  const isTls = "setSecureContext" in app.server;
  const renewing = isTls ? everyDay(app.context.now, () => void renewCertificate(app, onCertificates)) : null;
  const replacing = isTls
    ? setInterval(() => void replaceFutureCertificate(app, onCertificates), lookAtClockMs)
    : undefined;
  return {
    url: `${isTls ? "https" : "http"}://localhost:${taken}`,
    port: taken,
    async close(graceMs = 10_000) {
      renewing?.stop();
      clearInterval(replacing);
      const left = setTimeout(() => answerWhatIsLeft(app), graceMs);
      const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMs + lastWordsMs);
      second?.close();
      // Ends idle connections now, busy ones after their response, and those without a request
      // with the last of them.
      const endIdle = (): void => {
        app.server.closeIdleConnections();
        if (app.openResponses.size === 0) sockets.forEach((socket) => socket.destroy());
      };
      const closed = app.close();
      endIdle();
      const idle = setInterval(endIdle, 100);
      await closed.finally(() => {
        clearTimeout(left);
        clearTimeout(cut);
        clearInterval(idle);
      });
      // Responses on closed connections end a few turns later; closing the store has to wait for them.
      for (let turn = 0; app.openResponses.size > 0 && turn < 100; turn += 1) await setImmediate();
      await Promise.all(app.settling);
    },
  };
}

/**
 * Work that is stopped answers for itself; a request that is still being read, or work that cannot stop, is answered
 * here.
 */
function answerWhatIsLeft(app: FastifyInstance): void {
  const { code, status, message } = new AppError("STOPPING");
  app.stopping.abort(new AppError(code));
  setTimeout(() => {
    for (const response of app.openResponses) {
      if (response.headersSent || response.destroyed) continue;
      const { headers, body } = failureAt(response.req.url ?? "/", usgErrorCodeOf(code), message);
      response.writeHead(status, { ...headers, connection: "close" }).end(body);
    }
  }, lastWordsMs / 2);
}

/**
 * The fault of a port that cannot be listened on; null for another error. Windows refuses the ports that it reserves
 * for virtual machines like a system without rights to a port below 1024.
 */
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

/** `localhost` is ::1 first on many machines; one without IPv6 does without. */
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

/** Once the clock is right, no client accepts a certificate that was made while it was ahead. */
export async function replaceFutureCertificate(
  app: FastifyInstance,
  onCertificates?: ListenOptions["onCertificates"],
): Promise<void> {
  const { context } = app;
  try {
    if (!hasFutureCertificate(context.dataDir, await certificateTime(context))) return;
    context.log.warn({}, "a certificate dated later than the clock is replaced");
    await renewCertificate(app, onCertificates);
  } catch (error) {
    context.log.error({ error }, "the certificates could not be compared with the clock");
  }
}

/** Renews the certificate if it is about to expire, without interrupting the service. */
export async function renewCertificate(
  app: FastifyInstance,
  onCertificates: ListenOptions["onCertificates"] = () => undefined,
): Promise<void> {
  const { context, configuredHosts } = app;
  try {
    const credentials = await ensureTlsCredentials(context.dataDir, configuredHosts, await certificateTime(context));
    const { key, cert, successor } = credentials;
    const server = app.server as Server;
    server.setSecureContext({ key, cert });
    if (successor) for (const name of successor.names) server.addContext(name, successor);
    onCertificates(credentials);
  } catch (error) {
    context.log.error({ error }, "the certificate could not be renewed");
  }
}
