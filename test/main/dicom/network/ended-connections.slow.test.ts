import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GatedSocket } from "../../../../main/dicom/network/gated-socket.ts";
import { inThread } from "../../../../main/dicom/network/in-thread.ts";
import type { DimseCalls } from "../../../../main/dicom/network/node-calls.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import { threadFile } from "../../../../main/workers/start-thread.ts";
import { patienceMs } from "../../../fixtures/patience.ts";
import type { LingeringCalls } from "./lingering-thread.ts";
import { phantomFile } from "../phantom-film.ts";
import { acceptance } from "./raw-association.ts";

/** Exceeds the system's buffers for a connection whose peer does not read. */
const largeBytes = 32 * 1024 * 1024;

let server: Server;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(acceptance(16_384));
      socket.pause();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** Exit code of the next thread that is started: 0 if it ends by itself, 1 if it is terminated. */
async function exitOfNextThread(): Promise<number> {
  const [thread] = (await once(process, "worker")) as [Worker];
  const [code] = (await once(thread, "exit")) as [number];
  return code;
}

test("reports a node that stops reading during a large film, and ends its thread", async () => {
  const job = {
    node: { host: "127.0.0.1", port, aeTitle: "DEAF", encryption: null },
    aeTitle: "CORVET",
    files: [Buffer.concat([phantomFile({ instance: "1.2.3.9.10" }), Buffer.alloc(largeBytes)])],
    limits: { ...networkLimits, idleMs: 1000, lastBytesMs: 100 },
  };
  const exit = exitOfNextThread();
  const file = new URL("../../../../main/dicom/network/dimse-thread.ts", import.meta.url);
  const answer = await inThread<DimseCalls, "send">(file, "send", job, { exitMs: patienceMs });
  expect([answer?.failure?.reason, await exit]).toEqual(["no-answer", 0]);
});

test("destroys a refused connection whose peer does not read", async () => {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const gated = new GatedSocket(socket, "user", { ...networkLimits, messageMs: 500, lastBytesMs: 100 });
  gated.on("error", () => undefined);
  gated.write(Buffer.alloc(largeBytes));
  await once(socket, "close");
  expect(gated.fault?.fault).toBe("too-slow");
});

test("terminates a thread that does not exit after its response", async () => {
  const file = threadFile("lingering-thread", import.meta.url);
  const exit = exitOfNextThread();
  await inThread<LingeringCalls, "linger">(file, "linger", null, { exitMs: 100 });
  expect(await exit).toBe(1);
});
