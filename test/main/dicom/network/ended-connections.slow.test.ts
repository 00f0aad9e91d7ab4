import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GatedSocket } from "../../../../main/dicom/network/gated-socket.ts";
import { inThread } from "../../../../main/dicom/network/in-thread.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import { programDir } from "../../../../main/program.ts";
import { threadFile } from "../../../../main/workers/start-thread.ts";
import { writeSample } from "./dcmtk.ts";
import type { LingeringCalls } from "./lingering-thread.ts";
import { acceptance } from "./raw-association.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

/** Side of a film that exceeds the system's buffers for a connection whose peer does not read [px, two bytes each]. */
const sidePx = 4096;

const folder = folderForEach();
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

test("reports a node that stops reading during a large film, and exits", async () => {
  const film = writeSample(folder(), "large", { sopInstanceUid: "1.2.3.9.10", sidePx, bits: 12 });
  const from = (file: string) => JSON.stringify(path.join(programDir, "main/dicom/network", file));
  const script = `
    import { readFileSync } from "node:fs";
    import { networkLimits } from ${from("network-limits.ts")};
    import { sendObjects } from ${from("sending/sender.ts")};
    const peer = { host: "127.0.0.1", port: ${port}, aeTitle: "DEAF", encryption: null };
    const limits = { ...networkLimits, idleMs: 1000 };
    const sent = await sendObjects(peer, [readFileSync(${JSON.stringify(film)})], { aeTitle: "CORVET", limits });
    console.log(sent.failure.reason);`;
  const program = path.join(folder(), "sending.mjs");
  writeFileSync(program, script);
  const sending = promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect((await sending).stdout).toBe("no-answer\n");
});

test("destroys a refused connection whose peer does not read", async () => {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const gated = new GatedSocket(socket, "user", { ...networkLimits, messageMs: 500 });
  gated.on("error", () => undefined);
  gated.write(Buffer.alloc(2 * sidePx * sidePx));
  await once(socket, "close");
  expect(gated.fault?.fault).toBe("too-slow");
});

test("terminates a thread that does not exit after its response", async () => {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const file = threadFile("lingering-thread", import.meta.url);
  await inThread<LingeringCalls, "linger">(file, "linger", { counter }, { memoryMb: 64 });
  await expect
    .poll(async () => {
      const before = Atomics.load(counter, 0);
      await wait(500);
      return Atomics.load(counter, 0) - before;
    })
    .toBe(0);
});
