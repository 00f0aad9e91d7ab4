import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { storeFile } from "../../../../main/store/files/store-files.ts";
import { waitUntil } from "../../../fixtures/patience.ts";
import { endOf, isOpen } from "../../dicom/network/dcmtk.ts";
import { putEmptyStore } from "../../store/sample-store.ts";

export type Surroundings = {
  readonly folder: string;
  open(name?: string): Promise<DesktopBench>;
  listening(server: Server, port?: number): Promise<number>;
  answering(program: ChildProcess, port: number): Promise<void>;
  /** Programs that are ended before the folder is deleted. */
  readonly children: ChildProcess[];
};

/** Provides new surroundings for each test, which are closed and deleted when the test ends. */
export function openSurroundings(): Surroundings {
  const { around, start, end } = surroundings();
  beforeEach(start);
  afterEach(end);
  return around;
}

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
      const dataDir = path.join(folder, name);
      mkdirSync(dataDir, { recursive: true });
      if (!existsSync(storeFile(dataDir))) await putEmptyStore(dataDir);
      const bench = await openBench({ dataDir });
      benches.push(bench);
      return bench;
    },
    async listening(server, port = 0) {
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
      const address = server.address();
      return typeof address === "object" && address ? address.port : 0;
    },
    async answering(program, port) {
      children.push(program);
      await waitUntil(() => isOpen(port));
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
