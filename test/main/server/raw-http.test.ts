import { once } from "node:events";
import { connect } from "node:tls";
import { expect, it } from "vitest";
import { useListeningService } from "./service/listening-service.ts";

const { service, listening, authority } = useListeningService();

const body = '{"image":"AAAA"}';
const post = (headers: string, content = body) =>
  `POST /v3/predict HTTP/1.1\r\nhost: localhost\r\n${headers}content-type: application/json\r\n\r\n${content}`;

function requests(key: string): readonly string[] {
  const known = `x-api-key: ${key}\r\n`;
  return [
    "GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n",
    "GET /v3/health HTTP/1.1\r\nhost: evil.example\r\n\r\n",
    "GET /v3/health HTTP/1.1\r\n\r\n",
    "GET http://evil.example/v3/health HTTP/1.1\r\nhost: evil.example\r\n\r\n",
    "GET /v3/%zz HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "GET /app/../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n",
    `GET /${"a".repeat(40_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(40_000)}\r\n\r\n`,
    "\u0000\u0001\u0002\u0003\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    post(""),
    post("x-api-key: wrong\r\n"),
    post(`${known}content-length: -5\r\n`),
    post(`${known}content-length: 99999999999999999999\r\n`),
    post(`${known}content-length: 5\r\ncontent-length: 16\r\n`),
    post(`${known}content-length: 16\r\ntransfer-encoding: chunked\r\n`),
    post(`${known}transfer-encoding: chunked, chunked\r\n`, "0\r\n\r\n"),
    post(`${known}transfer-encoding: chunked\r\n`, "zz\r\n\r\n"),
    post(`${known}content-encoding: gzip\r\ncontent-length: 16\r\n`),
    post(`${known}content-length: ${body.length}\r\n`),
    post(`${known}expect: 200-maybe\r\ncontent-length: 2\r\n`, "[]"),
    `GET / HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b\r\n\r\n`,
    `GET / HTTP/1.1\nhost: localhost\nx:\u0000\n\n`,
  ];
}

it("refuses malformed requests with a status below 500 or ends the connection", async () => {
  for (const request of requests(service.key)) {
    const status = Number(/^HTTP\/1.1 (\d+)/.exec(await responseTo(request))?.[1] ?? 400);
    expect(status, request.slice(0, 80)).toBeGreaterThanOrEqual(400);
    expect(status, request.slice(0, 80)).toBeLessThan(500);
  }
});

/** Sends a request and ends the connection after the header of the response. */
async function responseTo(request: string): Promise<string> {
  const socket = connect({ port: listening.port, host: "127.0.0.1", servername: "localhost", ca: authority() });
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    if (text.includes("\r\n\r\n")) socket.end();
  });
  socket.on("error", () => undefined).once("end", () => socket.destroy());
  const closed = once(socket, "close");
  socket.end(request, "latin1");
  await closed;
  return text;
}
