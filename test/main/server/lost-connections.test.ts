import { once } from "node:events";
import net, { type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import tls, { type TLSSocket } from "node:tls";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { measured } from "../store/sample-store.ts";
import { useListeningService } from "./service/listening-service.ts";
import { plainImage } from "./service/sample-images.ts";
import { untilAborted } from "./service/scripted-service.ts";
import { waitFor } from "../../fixtures/patience.ts";

const { service, listening, authority } = useListeningService({ isPlainHttpAllowed: true });
let image: string;
let host: string;
let opened: Socket[];
const accepted = new Map<number, Socket>();

beforeAll(async () => {
  image = await plainImage();
});
beforeEach(() => {
  host = "127.0.0.1";
  opened = [];
  accepted.clear();
  service.app.server.on("connection", (socket: Socket) => accepted.set(socket.remotePort ?? 0, socket));
});
afterEach(() => {
  for (const socket of opened) socket.destroy();
});

/** A client's connection; with TLS, `raw` is the underlying socket. */
type Connection = { readonly raw: Socket; readonly secure?: TLSSocket };

async function connect(): Promise<Connection> {
  const raw = net.connect({ port: listening.port, host, allowHalfOpen: true }).on("error", () => undefined);
  opened.push(raw);
  await once(raw, "connect");
  return { raw };
}

/** @param early  text that is sent together with the last record of the handshake */
async function connectSecurely(early = ""): Promise<Required<Connection>> {
  const { raw } = await connect();
  const secure = tls.connect({ socket: raw, servername: "localhost", ca: authority() }).on("error", () => undefined);
  if (early) secure.write(early);
  await once(secure, "secureConnect");
  // Now the record is written, but the service has not read it yet.
  await turn();
  return { raw, secure };
}

const health = () => `GET /v3/health HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${service.key}\r\n\r\n`;
function prediction(): string {
  const body = JSON.stringify({ image });
  return `POST /v3/predict HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${service.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
async function arrived(connection: Connection): Promise<Connection> {
  const { raw } = connection;
  while ((accepted.get(raw.localPort ?? 0)?.bytesRead ?? -1) < raw.bytesWritten) await wait(1);
  return connection;
}
async function afterAnswer(connection: Connection): Promise<Connection> {
  const socket = connection.secure ?? connection.raw;
  socket.write(health());
  await once(socket, "data");
  return connection;
}
async function measuring(): Promise<Connection> {
  const isAsked = Promise.withResolvers<boolean>();
  service.script.measure = (film, options) => {
    isAsked.resolve(true);
    return untilAborted(film, options);
  };
  const connection = await connectSecurely(prediction());
  await isAsked.promise;
  return connection;
}

const states: Readonly<Record<string, () => Promise<Connection>>> = {
  "before its first byte": async () => arrived(await connect()),
  "after a byte of plain HTTP": async () => {
    const connection = await connect();
    connection.raw.write("G");
    return arrived(connection);
  },
  "within the TLS handshake": async () => {
    const connection = await connect();
    connection.raw.write(Buffer.from([0x16, 3, 1, 2, 0]));
    return arrived(connection);
  },
  "with the last record of the handshake": () => connectSecurely(),
  "with the last record of the handshake and a request": () => connectSecurely(health()),
  "with the last record of the handshake and a part of a request's headers": () =>
    connectSecurely(health().slice(0, 30)),
  "with the last record of the handshake and a part of a request": () => connectSecurely(prediction().slice(0, -30)),
  "without a request": async () => arrived(await connectSecurely()),
  "within a request": async () => arrived(await connectSecurely(prediction().slice(0, -30))),
  "while its film is measured": measuring,
  "kept alive": async () => afterAnswer(await connectSecurely()),
  "kept alive, plain HTTP": async () => afterAnswer(await connect()),
};

const ways: Readonly<Record<string, (connection: Connection) => unknown>> = {
  reset: ({ raw }) => raw.resetAndDestroy(),
  closed: ({ raw }) => raw.destroy(),
  "half-closed by a client that continues to read": ({ raw, secure }) => (secure ?? raw).end(),
};

const connections = () =>
  new Promise<number>((resolve, reject) =>
    service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it.each(Object.entries(ways))("releases a connection that is %s, in any state", async (_way, leave) => {
  for (const [state, bring] of Object.entries(states)) {
    for (let index = 0; index < 2; index += 1) leave(await bring());
    await waitFor(async () =>
      expect([state, await connections(), service.app.openResponses.size]).toEqual([state, 0, 0]),
    );
  }
});

describe("closing the service", () => {
  const idle = [
    "before its first byte",
    "after a byte of plain HTTP",
    "within the TLS handshake",
    "without a request",
    "kept alive",
    "kept alive, plain HTTP",
  ];
  it("does not wait for connections without a request in flight", async () => {
    for (const state of idle) await states[state]?.();
    expect(await connections()).toBe(idle.length);
    await listening.close(600_000);
    expect(await connections()).toBe(0);
  });
  it.for(["127.0.0.1", "::1"])(
    "closes connections to %s without a request after the last response",
    async (at, { skip }) => {
      const addresses = Object.values(networkInterfaces()).flat();
      skip(!addresses.some((address) => address?.address === at), `this computer has no ${at}`);
      host = at;
      const isAsked = Promise.withResolvers<boolean>();
      const isMeasured = Promise.withResolvers<MeasuredRadiograph>();
      service.script.measure = () => {
        isAsked.resolve(true);
        return isMeasured.promise;
      };
      await arrived(await connectSecurely());
      const { secure } = await connectSecurely(prediction());
      await isAsked.promise;
      const closed = listening.close(600_000);
      isMeasured.resolve(measured);
      const [text] = (await once(secure, "data")) as [Buffer];
      expect(text.toString()).toMatch(/^HTTP\/1\.1 200 /);
      await closed;
      expect([...accepted.values()].filter((socket) => !socket.destroyed)).toEqual([]);
    },
  );
});
