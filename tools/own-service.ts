import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { readServerFile } from "../main/instance-lock.ts";
import { programDir } from "../main/program.ts";
import { createKey } from "../main/services/calls/keys.ts";
import { defaultAccountName } from "../main/store/people/accounts.ts";
import { openStoreOf } from "../main/services/program/store-location.ts";
import { createServiceClient, type ServiceClient } from "./service-client.ts";

/** The service in a separate process, as integrators use it. */
export type OwnService = Omit<ServiceClient, "close"> & {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  /** Lines of standard error so far: logged errors and warnings of Node. Empty if there are no faults. */
  readonly complaints: readonly string[];
  /** Ends the process. @returns the exit status, or null if it was killed */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<number | null>;
};

/** Creates a data directory with an API key, for one run of a command. */
export async function makeDataDir(
  name: string,
): Promise<{ readonly dataDir: string; readonly key: string; remove(): void }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), `corvet-${name}-`));
  const db = await openStoreOf(dataDir);
  const { key } = await createKey(db, { accountName: defaultAccountName, name, at: new Date() });
  await db.destroy();
  return { dataDir, key, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

type ServiceOptions = {
  readonly packsDir?: string | undefined;
  /** 0 for a free one. */
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether lines of standard error are expected and not printed. */
  readonly isQuiet?: boolean;
  /** Script that is started instead of the service, with the same arguments. */
  readonly program?: string | undefined;
};

/** Starts the service without a window and waits until it listens. Its errors are also printed to stderr. */
export async function startOwnService(
  dataDir: string,
  { packsDir, port = 0, environment = {}, isQuiet = false, program = "main/headless.ts" }: ServiceOptions = {},
): Promise<OwnService> {
  const { config } = JSON.parse(readFileSync(path.join(programDir, "package.json"), "utf8"));
  const options = ["--port", String(port), "--data-dir", dataDir, ...(packsDir ? ["--packs", packsDir] : [])];
  const args = [...config.nodeOptions.split(" "), program, ...options];
  // Caches compiled code between starts, which saves half the start-up time.
  const env = {
    NODE_COMPILE_CACHE: path.join(tmpdir(), "corvet-compile-cache"),
    ...process.env,
    CORVET_LOG_LEVEL: "error",
    ...environment,
  };
  const child = spawn(process.execPath, args, { cwd: programDir, env, stdio: ["ignore", "ignore", "pipe"] });
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    complaints.push(line);
    if (!isQuiet) process.stderr.write(`${line}\n`);
  });
  const ended = once(child, "exit");
  let server = readServerFile(dataDir);
  while (server === null || server.pid !== child.pid) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the service ended with status ${child.exitCode ?? child.signalCode}`);
    await setTimeout(5);
    server = readServerFile(dataDir);
  }
  const { url, port: openPort, authority } = server;
  const { close, ...client } = createServiceClient(url, readFileSync(authority, "utf8"));
  return {
    ...client,
    child,
    url,
    port: openPort,
    complaints,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
      // Closed last, since responses of the service may still be in transit.
      close();
      return child.exitCode;
    },
  };
}

/** Highest resident memory of a process so far [MiB]; null if the system does not report it. */
export function peakMegabytes({ pid }: ChildProcess): number | null {
  if (process.platform !== "linux") return null;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
