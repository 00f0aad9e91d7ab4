import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programDir } from "../../main/program.ts";

let folder = "";
let isMounted = false;
const running: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-faults-"));
});
afterEach(() => {
  for (const service of running.splice(0)) service.kill("SIGKILL");
  if (isMounted) execFileSync("umount", ["-l", folder]);
  isMounted = false;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the service from a shell, which sets limits and redirections. */
function serve(before: string, after = ""): ChildProcess {
  const line = `${before} exec "${process.execPath}" main/headless.ts --port 0 --data-dir "${folder}/data" ${after}`;
  const service = spawn("sh", ["-c", line], { cwd: programDir, stdio: ["ignore", "pipe", "pipe"] });
  running.push(service);
  return service;
}

async function ended(service: ChildProcess): Promise<readonly [number | null, string]> {
  const said = service.stderr ? text(service.stderr) : Promise.resolve("");
  const status = await new Promise<number | null>((resolve) => service.once("exit", resolve));
  return [status, await said];
}

const hasShell = process.platform !== "win32";
const isRoot = process.getuid?.() === 0;
if (!hasShell) console.info("faults of the machine: skipped, no POSIX shell here");
if (!isRoot) console.info("a full disk: skipped, only root may mount a small one");

test.skipIf(!isRoot || !existsSync("/proc/mounts"))("reports a full disk at the start and exits", async () => {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", folder]);
  isMounted = true;
  const [status, said] = await ended(serve(""));
  expect([status, said]).toEqual([1, expect.stringContaining("The disk is full; free some space and try again")]);
});

// Too few for the store, and too few for the networks.
test.skipIf(!hasShell).each([26, 32])("reports a limit of %i file handles at the start and exits", async (files) => {
  const [status, said] = await ended(serve(`ulimit -n ${files};`));
  expect([status, said]).toEqual([1, expect.stringContaining("does not let the program open more files")]);
});

test.skipIf(!hasShell)("does not report a film as missing if too few file handles are left to read it", async () => {
  const script = `
    import { closeSync, openSync } from "node:fs";
    import { readFilmFile, saveFilmFile } from "./main/services/desktop/film-files.ts";
    const name = { sha256: "a".repeat(64), frameIndex: 0, image: "original" };
    const read = () => readFilmFile(process.env.FOLDER, name).then(String, ({ code }) => code);
    const said = [await read()];
    await saveFilmFile(process.env.FOLDER, name, Buffer.from("film"));
    said.push(await read());
    const handles = [];
    try { for (;;) handles.push(openSync(process.execPath)); } catch {}
    said.push(await read());
    for (const handle of handles) closeSync(handle);
    console.error(said.join());`;
  const line = `ulimit -n 64; exec "${process.execPath}" --input-type=module -e '${script}'`;
  const env = { ...process.env, FOLDER: folder };
  const child = spawn("sh", ["-c", line], { cwd: programDir, stdio: ["ignore", "ignore", "pipe"], env });
  expect(await ended(child)).toEqual([0, "null,film,TOO_MANY_FILES\n"]);
});

test.skipIf(!existsSync("/dev/full"))("continues if the log cannot be written", async () => {
  const service = serve("", `--packs "${folder}/no-packs" 2>/dev/full`);
  const lines: string[] = [];
  if (service.stdout)
    for await (const line of createInterface(service.stdout)) {
      lines.push(line);
      if (line.includes("listens on")) break;
    }
  const url = /https:\/\/\S+/.exec(lines.join("\n"))?.[0] ?? "";
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${url}/v3/health`, { rejectUnauthorized: false }, resolve).on("error", reject),
  );
  expect([service.exitCode, await text(answer)]).toEqual([null, JSON.stringify({ error: "Invalid API key" })]);
});
