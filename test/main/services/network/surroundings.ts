import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { endOf, run } from "../../dicom/network/dcmtk.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

/** What a desktop has round it in a test. */
export type Surroundings = {
  /** A folder of the test's own, or of the file's. */
  readonly folder: string;
  /** Opens a desktop with its data in a folder below. */
  open(name?: string): Promise<DesktopBench>;
  /** @returns the port; one that is free unless it is given */
  listening(server: Server, port?: number): Promise<number>;
  /** Waits until a PACS, which calls itself so, answers. */
  answering(pacs: ChildProcess, port: number): Promise<void>;
  /** Programs that end with the folder. */
  readonly children: ChildProcess[];
};

/** A folder, desktops, programs and servers, for each test of a file anew; all of it goes when the test ends. */
export function openSurroundings(): Surroundings {
  const { around, start, end } = surroundings();
  beforeEach(start);
  afterEach(end);
  return around;
}

/** The same for all tests of a file. */
export function openSurroundingsOfFile(): Surroundings {
  const { around, start, end } = surroundings();
  beforeAll(start);
  afterAll(end);
  return around;
}

function surroundings() {
  let folder = "";
  const benches: DesktopBench[] = [];
  const children: ChildProcess[] = [];
  const servers: Server[] = [];
  const around: Surroundings = {
    get folder() {
      return folder;
    },
    children,
    async open(name = "data") {
      const bench = await openBench({ dataDir: path.join(folder, name) });
      benches.push(bench);
      return bench;
    },
    async listening(server, port = 0) {
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
      const address = server.address();
      return typeof address === "object" && address ? address.port : 0;
    },
    async answering(pacs, port) {
      children.push(pacs);
      const echo = ["-aec", "PACS", "127.0.0.1", String(port)];
      await waitUntil(async () => (await run("echoscu", echo)).status === 0);
    },
  };
  return {
    around,
    start: () => void (folder = mkdtempSync(path.join(tmpdir(), "corvet-network-"))),
    async end() {
      for (const bench of benches.splice(0)) await bench.close();
      await Promise.all(children.splice(0).map(ended));
      for (const server of servers.splice(0)) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const end = endOf(child);
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await end;
}
