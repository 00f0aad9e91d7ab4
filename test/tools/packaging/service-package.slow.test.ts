import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { keepOrder } from "../../fixtures/keep-order.ts";
import { documents } from "../../../tools/packaging/documents.ts";
import { createServiceClient } from "../../../tools/service-client.ts";

const run = promisify(execFile);
const dataDir = "/var/lib/corvet";

/** Runs dpkg, which unlike apt-get does not wait for its lock itself. */
async function dpkg(...args: readonly string[]): Promise<{ readonly stdout: string }> {
  for (;;)
    try {
      return await run("dpkg", args);
    } catch (error) {
      if (!/locked by another process/.test(String(error))) throw error;
      await delay(500);
    }
}

const reason = whyNot();
function whyNot(): string | null {
  if (process.platform !== "linux" || !existsSync("/usr/bin/dpkg-deb")) return "needs Debian's dpkg";
  if (process.getuid?.() !== 0) return "installs a package, which requires root";
  if (!process.env["CI"]) return "installs a package on this computer; set CI=true to allow that";
  if (existsSync(dataDir)) return `${dataDir} contains data`;
  return null;
}

describe.skipIf(reason !== null)(`the service's package${reason === null ? "" : ` (skipped: ${reason})`}`, () => {
  const output = folderForFile();
  let service: ChildProcess | null = null;
  let packageFile = "";
  let key = "";

  keepOrder();
  beforeAll(async () => {
    await run(process.execPath, ["node_modules/ts7/bin/tsc", "-b"]);
    await run(process.execPath, ["tools/packaging/build-assets.ts"]);
    const { stdout } = await run(process.execPath, [
      "tools/packaging/service/package-service.ts",
      "--fast",
      "--output",
      output,
    ]);
    packageFile = /^(\S+\.deb):/m.exec(stdout)?.[1] ?? "";
    console.info(stdout.trim());
  });
  afterAll(async () => {
    await stop();
    await run("dpkg", ["--purge", "corvet"], { env: { ...process.env, CORVET_PURGE_DATA: "yes" } }).catch(() => null);
  });

  const start = async (): Promise<string> => {
    const child = spawn("/usr/bin/corvet", ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
    service = child;
    let said = "";
    return new Promise((resolve, reject) => {
      child.stdout.on("data", (text: Buffer) => {
        const url = /listens on (\S+)/.exec((said += text.toString()))?.[1];
        if (url) resolve(url);
      });
      child.once("exit", () => reject(new Error(`the service ended: ${said}`)));
    });
  };
  const stop = async (): Promise<number | null> => {
    const child = service;
    service = null;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    return ended;
  };
  const call = async (url: string, method: string, pathname: string, body?: object) => {
    const client = createServiceClient(url, readFileSync(path.join(dataDir, "tls", "authority.pem"), "utf8"));
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const { status, text } = await client.send(method, pathname, body ? JSON.stringify(body) : null, headers);
    client.close();
    return { status, answer: JSON.parse(text) as unknown };
  };
  const charges = async (): Promise<number> =>
    (await run("corvet", ["ledger", "export"])).stdout.split('"charge"').length;

  it("has a valid systemd unit with a low exposure level", async () => {
    const unit = "build/service/corvet.service";
    if (!existsSync("/usr/bin/systemd-analyze")) return console.info("skipped: systemd-analyze is missing");
    const { stdout } = await run("systemd-analyze", ["security", "--offline=true", unit]);
    expect(Number(/exposure level for corvet.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
  });

  it("contains neither sources nor tools nor parts for other systems", async () => {
    const { stdout } = await run("dpkg-deb", ["--contents", packageFile], { maxBuffer: 64e6 });
    const files = stdout.split("\n").map((line) => line.split(/\s+/)[5] ?? "");
    expect(files.length).toBeGreaterThan(1000);
    expect(
      files.filter((file) => /\.(ts|map|cc|gyp)$|node_modules\/(electron|vite|vitest|typescript|eslint)\//.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /(darwin|win32|musl).*\.(node|so|dylib|dll)/.test(file))).toEqual([]);
    expect(files).toContain("./usr/lib/corvet/app/dist/main/commands/corvet.js");
    for (const text of ["corvet.cdx.json", "README.md", ...documents])
      expect(files).toContain(`./usr/share/doc/corvet/${text}`);
    expect(files).toContain("./usr/lib/corvet/app/dist/page-licences.txt");
  });

  it("installs with a dedicated user, starts, measures a film and prints a handout", async () => {
    await dpkg("--force-unsafe-io", "--install", packageFile);
    key = (await run("corvet", ["keys", "create"])).stdout.trim();
    const url = await start();
    const image = readFileSync("test/fixtures/films/dog-01.jpg").toString("base64");
    const { status, answer } = await call(url, "POST", "/v3/predict", { image });
    expect([status, answer]).toEqual([200, expect.objectContaining({ vhs: expect.any(Number) as number })]);
    const owner = statSync(path.join(dataDir, "corvet.db")).uid;
    const film = path.resolve("test/fixtures/films/dog-01.jpg");
    const printed = await run("corvet", ["report", film, "--dicom", "--out", path.join(output, "results")]);
    expect(printed.stdout.trim().split("\n")).toHaveLength(5);
    expect(`${owner}\n`).toBe((await run("id", ["-u", "corvet"])).stdout);
    expect(await stop()).toBe(0);
  });

  it("updates without losing keys, charges or films", async () => {
    const before = await charges();
    const tree = path.join(output, "tree");
    await run("dpkg-deb", ["--raw-extract", packageFile, tree]);
    const control = path.join(tree, "DEBIAN", "control");
    writeFileSync(control, readFileSync(control, "utf8").replace(/^(Version: .*)-1$/m, "$1-2"));
    const newer = path.join(output, "newer.deb");
    await run("dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, newer]);
    await dpkg("--force-unsafe-io", "--install", newer);
    expect((await run("dpkg-query", ["--show", "-f=${Version}", "corvet"])).stdout).toMatch(/-2$/);
    const url = await start();
    expect((await call(url, "GET", "/v3/health")).status).toBe(200);
    expect(await stop()).toBe(0);
    expect(await charges()).toBe(before);
    expect((await run("corvet", ["ledger", "verify"])).stdout).toContain("intact");
  });

  it("keeps the clinic's data when it is purged, unless CORVET_PURGE_DATA is set", async () => {
    const { stdout } = await dpkg("--purge", "corvet");
    expect(stdout).toContain(`the clinic's data stay in ${dataDir}`);
    expect([existsSync(path.join(dataDir, "corvet.db")), existsSync("/usr/bin/corvet")]).toEqual([true, false]);
    await run("sh", ["build/service/postrm", "purge"], { env: { ...process.env, CORVET_PURGE_DATA: "yes" } });
    expect(existsSync(dataDir)).toBe(false);
  });
});
