import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import tls, { type TLSSocket } from "node:tls";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { batchBodyLimitBytes } from "../../../main/server/requests/body-reader.ts";
import { listLedgerEvents } from "../../../main/store/ledger/ledger-reports.ts";
import { listUndelivered } from "../../../main/store/ledger/undelivered-charges.ts";
import { measured } from "../store/sample-store.ts";
import { endlessLimits, useListeningService } from "./service/listening-service.ts";
import { plainImage } from "./service/sample-images.ts";
import { untilAborted } from "./service/scripted-service.ts";

const { service, listening, authority, openAgain } = useListeningService();
let image: string;

beforeAll(async () => {
  image = await plainImage();
});

async function connect(): Promise<TLSSocket> {
  const socket = tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority() });
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}

function request(path: string, body: object, headers: readonly string[] = []): string {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    `x-api-key: ${service.key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    ...headers,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

async function textOf(socket: TLSSocket): Promise<string> {
  let text = "";
  for await (const chunk of socket.setEncoding("latin1")) text += String(chunk);
  return text;
}

async function charged(): Promise<(string | null)[]> {
  const rows = [...(await listLedgerEvents(service.context.db, {}))];
  const reversed = new Set(rows.map(({ reverses }) => reverses));
  return rows
    .filter(({ kind, seq }) => kind === "charge" && !reversed.has(seq))
    .map(({ uuid }) => uuid)
    .sort();
}
const undelivered = async () => (await listUndelivered(service.context.db)).length;
const booked = async () => [await charged(), await undelivered()];
const untilAtRest = async () => {
  while (service.context.queue.size > 0 || service.app.openResponses.size > 0) await wait(5);
  await turn();
};

describe("two requests on one connection", () => {
  it("are aborted without a charge if the connection is lost while both are measured", async () => {
    let asked = 0;
    service.script.measure = (film, options) => {
      asked += 1;
      return untilAborted(film, options);
    };
    const socket = await connect();
    socket.write(request("/v3/predict", { image, uuid: "first" }) + request("/v3/predict", { image, uuid: "second" }));
    while (asked < 2) await wait(5);
    socket.destroy();
    await untilAtRest();
    await expect.poll(booked).toEqual([[], 0]);
  });
  it("are not charged if the connection is lost while the second response waits for the first", async () => {
    service.script.measure = (film, options) =>
      film.widthPx === 64 ? untilAborted(film, options) : Promise.resolve(measured);
    const socket = await connect();
    socket.write(
      request("/v3/predict", { image, uuid: "first" }) +
        request("/v3/predict", { image: await plainImage(80), uuid: "second" }),
    );
    while ((await charged()).length === 0) await wait(5);
    socket.destroy();
    await untilAtRest();
    await expect.poll(booked).toEqual([[], 0]);
  });
  it("get separate responses if the first is refused", async () => {
    const socket = await connect();
    socket.write(
      request("/v3/predict", { image: "***" }) +
        request("/v3/predict", { image, uuid: "second" }, ["connection: close"]),
    );
    expect((await textOf(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"]);
    await expect.poll(booked).toEqual([["second"], 0]);
  });
});

describe("a client that disconnects while the images of its batch are read", () => {
  it.each(["/v3/predict", "/v3/predict/stream"])("gets no measurement and no charge: %s", async (path) => {
    let asked = 0;
    service.script.measure = async () => {
      asked += 1;
      return measured;
    };
    service.app.server.once("request", (message: IncomingMessage, response: ServerResponse) =>
      message.once("end", () => response.socket?.destroy()),
    );
    const images: readonly string[] = Array(10).fill(image);
    const socket = await connect();
    socket.write(request(path, { images, uuid: "batch" }));
    await once(socket, "close");
    // A later batch passes the same queue: once it is measured, the first would have been measured, too.
    await service.post("/v3/predict", { images, uuid: "next" });
    await untilAtRest();
    expect([asked, await charged(), await undelivered()]).toEqual([10, ["next"], 0]);
  });
});

describe("a client that does not read its responses", () => {
  /** Concurrent requests on one connection, whose images of 2.6 MB exceed the buffers to the client (about 4 MB). */
  const patients = Array.from({ length: 5 }, (_, index) => `patient-${index}`);
  const last = patients.at(-1) ?? "";
  let noisy: string;
  beforeAll(async () => {
    const film = sharp({
      create: {
        width: 1080,
        height: 900,
        channels: 3,
        background: "grey",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    });
    noisy = (await film.jpeg().toBuffer()).toString("base64");
  });
  const leaveUnread = async (): Promise<TLSSocket> => {
    const { measure } = service.script;
    let areAllRead = false;
    // Node reads no further requests while responses are pending, so all must have arrived before the first response.
    service.script.measure = async (...film) => {
      while (!areAllRead) {
        areAllRead = service.context.queue.size === patients.length;
        await wait(5);
      }
      return measure(...film);
    };
    const socket = await connect();
    socket.pause();
    for (const uuid of patients) socket.write(request("/v3/predict", { image: noisy, uuid, render: true }));
    while ((await charged()).length < patients.length) await wait(5);
    return socket;
  };

  it("is charged for a delivered call of the same patient, but not for aborted calls", async () => {
    const socket = await leaveUnread();
    const { body } = await service.post("/v3/predict", { image, uuid: last });
    expect(body["billing"]).toMatchObject({ billable: false, reason: "recheck_24h" });
    socket.destroy();
    while ((await undelivered()) > 0) await wait(5);
    expect([(await charged()).includes(last), (await charged()).includes(patients.at(-2) ?? "")]).toEqual([
      true,
      false,
    ]);
  });
  it("is disconnected after the time limit and not charged for the aborted call", async ({ onTestFinished }) => {
    // Fake timers make the limits independent of the time that rendering takes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = await leaveUnread();
    const { requestTimeoutMs, lingerMs } = service.app.limits;
    vi.advanceTimersByTime(requestTimeoutMs);
    await turn();
    expect(await undelivered()).toBeGreaterThan(0);
    vi.advanceTimersByTime(lingerMs);
    while ((await undelivered()) > 0) await wait(5);
    expect((await charged()).length).toBeLessThan(patients.length);
    socket.destroy();
  });
  it("does not prevent an orderly shutdown", async () => {
    const socket = await leaveUnread();
    await listening.close(50);
    expect([(await charged()).includes(last), await undelivered()]).toEqual([false, 0]);
    socket.destroy();
  });
});

describe("a client that disconnects before the end of a stream", () => {
  it.each(["photo", "summary"])("is charged for one image after the event %s", async (event) => {
    const had: string[] = [];
    for (let call = 0; call < 8; call += 1) {
      const uuid = `stream-${String(call).padStart(2, "0")}`;
      const socket = await connect();
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (text.includes(`event: ${event}`)) socket.destroy();
      });
      socket.write(request("/v3/predict/stream", { images: [image], uuid }));
      await once(socket, "close");
      had.push(uuid);
    }
    await untilAtRest();
    await expect.poll(booked).toEqual([had, 0]);
  });
});

describe("clients that declare long bodies and send little", () => {
  it("reserve memory only for the received bytes", async () => {
    const before = process.memoryUsage().arrayBuffers;
    let reading = 0;
    // When the service resumes a request, it has allocated the buffer for its body.
    service.app.server.on("request", (message: IncomingMessage) => message.once("resume", () => (reading += 1)));
    const sockets = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = await connect();
        socket.write(
          request("/v3/predict", {}).replace(/content-length: \d+/, `content-length: ${batchBodyLimitBytes}`),
        );
        return socket;
      }),
    );
    while (reading < sockets.length) await wait(5);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
    for (const socket of sockets) socket.destroy();
  });
});

describe("clients that disconnect at any moment", () => {
  /** Small limit, so that memory that is not released soon blocks further requests. */
  const bodiesBytes = 400_000;
  beforeEach(() => openAgain({ limits: { ...endlessLimits, bodiesBytes } }));

  it("leave no resources behind and are charged for delivered responses", async () => {
    const random = seededRandom(1);
    const upTo = (count: number) => Math.floor(random() * count);
    service.script.measure = async (_film, { signal } = {}) => {
      await wait(upTo(8));
      signal?.throwIfAborted();
      return measured;
    };
    /** Patients whose complete response stated a charge. */
    const told: string[] = [];
    const ofCalls = 80;
    let calls = 0;
    const client = async (): Promise<void> => {
      while (calls < ofCalls) {
        const uuid = `call-${calls++}`;
        const [path, body] = [
          ["/v3/predict", { image, uuid }],
          ["/v3/predict", { image, uuid, render: true }],
          ["/v3/predict", { images: Array(upTo(10) + 1).fill(image), uuid }],
          ["/v3/predict/stream", { images: Array(upTo(10) + 1).fill(image), uuid }],
        ][upTo(4)] as [string, object];
        const text = request(path, body, ["connection: close"]);
        const socket = await connect();
        let answer = "";
        const moment = upTo(4);
        const answerBytes = upTo(3000);
        socket.on("data", (chunk: Buffer) => {
          answer += chunk.toString("latin1");
          if (moment === 1 && answer.length > answerBytes) socket.destroy();
        });
        socket.write(moment === 0 ? text.slice(0, upTo(text.length)) : text);
        if (moment < 3) setTimeout(() => socket.destroy(), moment === 1 ? 500 : upTo(30));
        await new Promise((resolve) => socket.once("close", resolve));
        if (answer.endsWith("}") || answer.endsWith("0\r\n\r\n"))
          if (answer.includes('"billable":true')) told.push(uuid);
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    while (service.app.openResponses.size > 0) await wait(10);
    await untilAtRest();
    await expect.poll(undelivered).toBe(0);
    const standing = await charged();
    expect(told.filter((uuid) => !standing.includes(uuid))).toEqual([]);
    // On average 20 clients wait for the whole response.
    expect(told.length).toBeGreaterThan(4);
    expect(
      (await listLedgerEvents(service.context.db, { kind: "reversal" })).length + ofCalls - (await charged()).length,
    ).toBeGreaterThan(10);
    const whole = await connect();
    whole.write(request("/v3/predict", { image, padding: "x".repeat(bodiesBytes - 1000) }, ["connection: close"]));
    expect((await textOf(whole)).slice(0, 12)).toBe("HTTP/1.1 200");
  });
});
