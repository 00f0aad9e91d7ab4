import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import { programDir } from "../../main/program.ts";
import { timedMs } from "../quantiles.ts";

export type WindowFigures = {
  /** Start of the program until the page in its window can be used; null where there is no Chromium. */
  readonly windowMs: number | null;
  /** The page's part of it: from its address until the worklist is there. */
  readonly windowPageMs: number | null;
};

const starts = 3;
const browserArguments = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

/**
 * The program is started and its page opened in Chromium, on a data directory that has been used before. Chromium
 * itself is running already: what Electron needs for its own start is not measured here.
 */
export async function benchWindow(): Promise<WindowFigures> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) return { windowMs: null, windowPageMs: null };
  const { chromium } = await import("playwright-core");
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-bench-window-"));
  const browser = await chromium.launch({ executablePath, args: browserArguments });
  const openPage = async (address: string) => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const pageMs = await timedMs(async () => {
      await page.goto(address);
      await page.locator(".worklist-empty").waitFor();
    });
    await context.close();
    return pageMs;
  };
  try {
    const rounds: { readonly wholeMs: number; readonly pageMs: number }[] = [];
    for (let round = 0; round <= starts; round += 1) {
      const { child, address, startMs } = await startProgram(dataDir);
      const pageMs = await openPage(address);
      await stop(child);
      // The first start makes certificates and the store.
      if (round > 0) rounds.push({ wholeMs: startMs + pageMs, pageMs });
    }
    return {
      windowMs: median(rounds.map(({ wholeMs }) => wholeMs)),
      windowPageMs: median(rounds.map(({ pageMs }) => pageMs)),
    };
  } finally {
    await browser.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function startProgram(
  dataDir: string,
): Promise<{ readonly child: ChildProcess; readonly address: string; readonly startMs: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["main/headless.ts", "--port", "0", "--data-dir", dataDir], {
    cwd: programDir,
    env: { NODE_COMPILE_CACHE: path.join(tmpdir(), "corvet-compile-cache"), ...process.env, CORVET_LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await printedAddress(child);
  return { child, address, startMs: performance.now() - startedAt };
}

function printedAddress({ stdout }: { readonly stdout: Readable }): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
      const address = /https:\S+#t=\S+/.exec(printed)?.[0];
      if (address) resolve(address);
    });
    stdout.once("end", () => reject(new Error(`the program ended before it had a page: ${printed}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
