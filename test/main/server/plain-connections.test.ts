import { once } from "node:events";
import http from "node:http";
import net, { type Socket } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { measured } from "../store/sample-store.ts";
import { endlessLimits, useListeningService } from "./service/listening-service.ts";
import { plainImage } from "./service/sample-images.ts";

const { service, listening, openAgain } = useListeningService();
let image: string;
let opened: Socket[];

beforeAll(async () => {
  image = await plainImage();
});
beforeEach(() => {
  opened = [];
});
afterEach(() => {
  for (const socket of opened) socket.destroy();
});

function connect(): Socket {
  const socket = net.connect(listening.port, "127.0.0.1").setEncoding("latin1");
  opened.push(socket.on("error", () => undefined));
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: string) => (text += chunk));
  await once(socket, "close");
  return text;
}

function head(path: string, ...headers: readonly string[]): string {
  return [`POST ${path} HTTP/1.1`, "host: localhost", `x-api-key: ${service.key}`, ...headers, "", ""].join("\r\n");
}

const timedOut = /^HTTP\/1\.1 408 [^]*\{"error":"Request timed out"\}$/;
const isSlow = { ...endlessLimits, checkIntervalMs: 50 };

describe("plain HTTP that is allowed", () => {
  it.each(["100-continue", "a-reply"])(
    "serves a call with 'Expect: %s' even if measuring takes longer than the limit for headers",
    async (expectation) => {
      await openAgain({ isPlainHttpAllowed: true, limits: { ...isSlow, headersTimeoutMs: 500 } });
      const isAsked = Promise.withResolvers<boolean>();
      const isMeasured = Promise.withResolvers<MeasuredRadiograph>();
      service.script.measure = () => {
        isAsked.resolve(true);
        return isMeasured.promise;
      };
      const body = JSON.stringify({ image });
      const socket = connect();
      const answer = textOf(socket);
      const json = ["content-type: application/json", `content-length: ${body.length}`, "connection: close"];
      socket.write(head("/v3/predict", `expect: ${expectation}`, ...json) + body);
      await isAsked.promise;
      // A later connection with incomplete headers is closed after the limit.
      const other = connect();
      other.write("GET /v3/health HTTP/1.1\r\n");
      await textOf(other);
      isMeasured.resolve(measured);
      expect(await answer).toMatch(/HTTP\/1\.1 200 [^]*"vhs":10\.12/);
    },
  );
  it("responds 408 to a body that never ends", async () => {
    await openAgain({ isPlainHttpAllowed: true, limits: { ...isSlow, requestTimeoutMs: 700 } });
    const socket = connect();
    socket.write(head("/v3/predict", "content-type: application/json", "content-length: 5000") + '{"image":"');
    expect(await textOf(socket)).toMatch(timedOut);
  });
  it("responds 408 to headers that never end, also those of a second request", async () => {
    await openAgain({ isPlainHttpAllowed: true, limits: { ...isSlow, headersTimeoutMs: 700 } });
    const first = connect();
    first.write("GET /v3/health HTTP/1.1\r\n");
    expect(await textOf(first)).toMatch(timedOut);
    const second = connect();
    second.write(head("/v3/pop-session/start"));
    const [answer] = (await once(second, "data")) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    second.write("GET /v3/health HT");
    expect(await textOf(second)).toMatch(timedOut);
  });
});

describe("plain HTTP that is redirected", () => {
  const redirected = /^HTTP\/1\.1 308 [^]*Use https[^]*$/;

  it("ends the connection after the request, with or without a body", async () => {
    const ask = async (request: string) => {
      const socket = connect();
      const answer = textOf(socket);
      socket.write(request);
      return (await answer).match(/^HTTP\/1\.1 \d+/gm);
    };
    const whole = head("/v3/predict", "content-length: 2") + "{}";
    expect(await Promise.all([head("/v3/predict"), whole, whole + whole, `${whole}GET /x HT`].map(ask))).toEqual(
      Array(4).fill(["HTTP/1.1 308"]),
    );
  });
  it("responds before the body has arrived and ends the connection afterwards", async () => {
    const socket = connect();
    const answer = textOf(socket);
    socket.write(`${head("/v3/predict", "content-length: 2")}{`);
    await once(socket, "data");
    socket.write("}");
    expect(await answer).toMatch(redirected);
  });
  it("does not keep connections alive", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const send = async () => {
      const url = `http://127.0.0.1:${listening.port}/v3/predict`;
      const [answer] = (await once(http.request(url, { agent, method: "POST" }).end("{}"), "response")) as [
        http.IncomingMessage,
      ];
      await once(answer.resume(), "end");
      return [answer.statusCode, answer.headers.connection];
    };
    for (let call = 0; call < 4; call += 1) expect(await send()).toEqual([308, "close"]);
    agent.destroy();
  });
  it("responds to HEAD and ends the connection", async () => {
    const socket = connect();
    socket.write(head("/v3/health").replace("POST", "HEAD"));
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 308 [^]*\r\n\r\n$/);
  });
  it("ends the connection after the limit if the body never arrives", async () => {
    await openAgain({ limits: { ...isSlow, lingerMs: 100 } });
    const socket = connect();
    socket.write(`${head("/v3/predict", "content-length: 2")}{`);
    expect(await textOf(socket)).toMatch(redirected);
  });
  it("responds 408 to headers that never end", async () => {
    await openAgain({ limits: { ...isSlow, headersTimeoutMs: 700 } });
    const socket = connect();
    socket.write("GET /v3/health HTTP/1.1\r\n");
    expect(await textOf(socket)).toMatch(timedOut);
  });
});
