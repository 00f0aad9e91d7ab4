import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../main/store/database.ts";
import { plainHttpSetting, saveSetting } from "../../main/store/settings.ts";
import { createServiceClient } from "../../tools/service-client.ts";
import { runCommand } from "../fixtures/process/corvet-command.ts";

const root = path.resolve(import.meta.dirname, "../..");
const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-headless-"));
const serverFile = path.join(dataDir, "server.json");
type ServerFile = { url: string; port: number; pid: number; authority: string };
const readServer = () => JSON.parse(readFileSync(serverFile, "utf8")) as ServerFile;

function start(...more: string[]): ChildProcess {
  return spawn(process.execPath, ["main/headless.ts", ...more, "--port", "0", "--data-dir", dataDir], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CORVET_LOG_LEVEL: "warn" },
  });
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let messages = "";
    child.stderr?.on("data", (text: Buffer) => (messages += text.toString()));
    child.stdout?.once("data", (text: Buffer) => resolve(text.toString()));
    child.once("exit", (code) => reject(new Error(`exited with ${code}: ${messages}`)));
  });
}

const ended = (child: ChildProcess) =>
  new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );

async function get(server: ServerFile, route: string): Promise<{ status: number; body: string }> {
  const client = createServiceClient(server.url, readFileSync(server.authority, "utf8"));
  const { status, text } = await client.send("GET", route, null, {});
  client.close();
  return { status, body: text };
}

async function getPlain(server: ServerFile, route: string): Promise<{ status: number; location: string | undefined }> {
  const response = await fetch(`http://localhost:${server.port}${route}`, { redirect: "manual" });
  return { status: response.status, location: response.headers.get("location") ?? undefined };
}

// The last tests end the service.
describe("npm run serve", { shuffle: false }, () => {
  let child: ChildProcess;
  beforeAll(async () => {
    child = start();
    await ready(child);
  });
  afterAll(() => {
    child.kill("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("writes its address to server.json, readable by its owner only, with a certificate that verifies", async () => {
    const server = readServer();
    expect(server).toEqual({
      url: `https://localhost:${server.port}`,
      port: expect.any(Number),
      pid: child.pid,
      authority: path.join(dataDir, "tls", "authority.pem"),
    });
    if (process.platform !== "win32") expect(statSync(serverFile).mode & 0o777).toBe(0o600);
    expect(await get(server, "/v3/health")).toEqual({
      status: 403,
      body: JSON.stringify({ error: "Invalid API key" }),
    });
    expect((await get(server, "/usg/v1/health")).status).toBe(200);
  });

  it("responds to unknown paths with 404 and a JSON error", async () => {
    for (const route of ["/v3", "/foo", "/%zz", "/assets/x.js", "/v3/nothing", "/a/b/c"])
      expect(await get(readServer(), route)).toEqual({ status: 404, body: JSON.stringify({ error: "Not found" }) });
  });

  it("redirects plain HTTP on the same port", async () => {
    expect(await getPlain(readServer(), "/v3/health")).toEqual({
      status: 308,
      location: `${readServer().url}/v3/health`,
    });
  });

  it("refuses a second start on the same data directory, with the address of the first one", async () => {
    const second = await runCommand("serve", "--port", "0", "--data-dir", dataDir);
    expect({ status: second.status, stderr: second.stderr.trim() }).toEqual({
      status: 1,
      stderr: `serve: Corvet is already running on ${dataDir} at ${readServer().url}. Stop it first.`,
    });
  });

  it("prints the address of the running program's page for a second start with --page and any files", async () => {
    const named = [path.join(root, "docs", "decisions"), path.join(root, "missing.jpg")];
    const second = await runCommand("serve", ...named, "--page", "--data-dir", dataDir);
    expect({ status: second.status, stdout: second.stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining(`${readServer().url}/#t=`),
    });
  });

  it("restarts after a kill while another program uses its port, and serves plain HTTP if enabled", async () => {
    const exit = ended(child);
    child.kill("SIGKILL");
    expect(await exit).toBe("SIGKILL");
    expect(existsSync(serverFile)).toBe(true);
    const db = await openStore(dataDir);
    await saveSetting(db, plainHttpSetting, true);
    await db.destroy();
    const stranger = createServer().listen(readServer().port, "127.0.0.1");
    child = start("--page");
    expect(await ready(child)).toContain("Corvet listens on");
    stranger.close();
    expect((await get(readServer(), "/usg/v1/health")).status).toBe(200);
    expect(await getPlain(readServer(), "/v3/health")).toEqual({ status: 403, location: undefined });
  });

  it("removes server.json and exits with 0 on SIGTERM", async () => {
    const exit = ended(child);
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    expect(existsSync(serverFile)).toBe(false);
  });

  it.each([
    ["--port", "70000"],
    ["--nonsense", "1"],
    ["--database", ""],
  ])("prints its usage and exits with 2 for %s %s", async (...args) => {
    expect(await runCommand("serve", ...args)).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/Usage: corvet serve [^]*--data-dir <dir>/),
    });
  });
});
