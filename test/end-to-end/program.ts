import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { build } from "vite";
import { machineSettings } from "../../main/services/desktop/desktop-settings.ts";
import { openStoreOf } from "../../main/services/program/store-place.ts";
import { saveSetting } from "../../main/store/settings.ts";
import type { DesktopAnswer, DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Debian's Chromium; software rendering, because test machines have no graphics card. */
const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--lang=en-GB",
];

/** A running service of its own, with a store and data directory of its own. */
export type Program = {
  readonly pageUrl: string;
  readonly dataDir: string;
  readonly origin: string;
  readonly startedInMs: number;
  /** Another address with a fresh one-time token, for a second browser. */
  newAddress(): Promise<string>;
  /** Ends the program as a power cut would; its data directory stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data directory, so that an open page finds it. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

/** Builds the page if its sources are newer; the service serves it from there, and other tests package it. */
export async function buildPage(): Promise<void> {
  const page = path.join(root, "dist/renderer/index.html");
  const isBuilt =
    existsSync(page) &&
    statSync(page).mtimeMs >=
      Math.max(newestChangeMs("renderer"), newestChangeMs("core"), newestChangeMs("docs/manual"));
  if (isBuilt) return;
  // The runner's own "test" would make it a page of React's development, several times as slow as the one that ships.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  await build({
    root: path.join(root, "renderer"),
    configFile: path.join(root, "renderer/vite.config.ts"),
    logLevel: "error",
  }).finally(() => (process.env.NODE_ENV = NODE_ENV));
}

function newestChangeMs(folder: string): number {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(path.join(root, folder, file)).mtimeMs));
}

/**
 * Starts the headless program on a free port.
 *
 * @param isFirstRun  the page begins with the first run, which would lie over everything else
 */
export async function startProgram(extra: readonly string[] = [], isFirstRun = false): Promise<Program> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-journey-"));
  const database = extra.includes("--database") ? extra[extra.indexOf("--database") + 1] : null;
  if (!isFirstRun) await markSetUp(dataDir, database);
  const started = performance.now();
  let child = spawnProgram(dataDir, "0", extra);
  const pageUrl = await printedAddress(child);
  const { origin, port } = new URL(pageUrl);
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return {
    pageUrl,
    dataDir,
    origin,
    startedInMs: performance.now() - started,
    newAddress: async () => `${origin}/#t=${(await readFile(path.join(dataDir, "sign-in-token"), "utf8")).trim()}`,
    kill: () => end("SIGKILL"),
    startAgain: async () => {
      child = spawnProgram(dataDir, port, extra);
      await printedAddress(child);
    },
    stop: async () => {
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Leaves the first run behind, which would lie over everything else. */
export async function markSetUp(dataDir: string, database?: string | null): Promise<void> {
  const db = await openStoreOf(dataDir, { database });
  await saveSetting(db, machineSettings, { isSetUp: true });
  await db.destroy();
}

function spawnProgram(dataDir: string, port: string, extra: readonly string[]): ChildProcess {
  const child = spawn(
    process.execPath,
    [path.join(root, "main/headless.ts"), "--port", port, "--data-dir", dataDir, ...extra],
    {
      cwd: root,
      env: { ...process.env, CORVET_LOG_LEVEL: "warn" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  // Not inherited: a program that outlived its tests would hold the runner's own pipe open, which then waits for it.
  child.stderr.pipe(process.stderr, { end: false });
  return child;
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /https:\S+#t=\S+/.exec(printed);
      if (address) resolve(address[0]);
    });
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${printed}`)));
  });
}

/** Chromium, with more arguments for a camera. */
export function startBrowser(extra: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: [...browserArguments, ...extra],
  });
}

/** A window of the browser on the program, and everything that it complained about. */
export type Window = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
  readonly usableInMs: number;
};

/** Opens the program's page, signed in, and waits until it can be used. */
export async function openWindow(
  browser: Browser,
  address: string,
  options: {
    readonly permissions?: string[];
    readonly deviceScaleFactor?: number;
    readonly viewport?: { width: number; height: number };
    readonly hasTouch?: boolean;
  } = {},
): Promise<Window> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    colorScheme: "dark",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  // Only the question of the browser itself before a page with unsaved points is left.
  page.on("dialog", (dialog) => void dialog.accept());
  const complaints = listen(page);
  const started = performance.now();
  await page.goto(address);
  await page.locator(".rail").waitFor({ timeout: 30_000 });
  return { page, context, complaints, usableInMs: performance.now() - started };
}

/**
 * Errors on the console, security policy violations among them, and thrown ones. Refused requests are what the page
 * itself reports.
 */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

/**
 * Asks the service over the page's own transport, for preparing and checking what a journey is not about.
 *
 * @throws Error when the service refuses
 */
export async function ask<C extends DesktopChannel>(
  page: Page,
  channel: C,
  request: DesktopRequest<C>,
): Promise<DesktopResponse<C>> {
  const answer = await page.evaluate(
    async ([name, body]) => {
      const response = await fetch(`/app/call/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await response.json()) as unknown;
    },
    [channel, request] as const,
  );
  const checked = answer as DesktopAnswer<DesktopResponse<C>>;
  if (!checked.ok) throw new Error(`${channel}: ${checked.message}`);
  return checked.value;
}

/** A phantom film of the fixtures. */
export function phantom(name: string): string {
  return path.join(root, "test/fixtures/films", name);
}

/** Any other fixture. */
export function fixture(name: string): string {
  return path.join(root, "test/fixtures", name);
}
