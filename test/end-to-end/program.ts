import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { machineSettings } from "../../main/services/desktop/desktop-settings.ts";
import { openStoreOf } from "../../main/services/program/store-location.ts";
import { saveSetting } from "../../main/store/settings.ts";
import { chromiumWith } from "../fixtures/chromium.ts";
import { patienceMs } from "../fixtures/patience.ts";
import { putEmptyStore } from "../main/store/sample-store.ts";
import type { DesktopAnswer, DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export type Program = {
  readonly pageUrl: string;
  readonly dataDir: string;
  readonly origin: string;
  /** Returns the page's address with a fresh one-time token, for a second window. */
  newAddress(): Promise<string>;
  stop(): Promise<void>;
};

export type ProgramProcess = Program & {
  /** Kills the program, as a power failure would; its data directory stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data directory, so that an open page reconnects. */
  startAgain(): Promise<void>;
};

export type ProcessOptions = {
  readonly entry?: string;
  readonly isFirstRun?: boolean;
};

/**
 * Starts the headless program on a free port.
 *
 * @param isFirstRun  whether the set-up of a new practice is shown
 */
export async function startProgram(
  extra: readonly string[] = [],
  { entry = "main/headless.ts", isFirstRun = false }: ProcessOptions = {},
): Promise<ProgramProcess> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-journey-"));
  const database = extra.includes("--database") ? extra[extra.indexOf("--database") + 1] : null;
  if (!isFirstRun) await markSetUp(dataDir, database);
  let child = spawnProgram(entry, dataDir, "0", extra);
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
    newAddress: async () => `${origin}/#t=${(await readFile(path.join(dataDir, "sign-in-token"), "utf8")).trim()}`,
    kill: () => end("SIGKILL"),
    startAgain: async () => {
      child = spawnProgram(entry, dataDir, port, extra);
      await printedAddress(child);
    },
    stop: async () => {
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Marks the set-up of a practice as closed. */
export async function markSetUp(dataDir: string, database?: string | null): Promise<void> {
  if (!database) await putEmptyStore(dataDir);
  const db = await openStoreOf(dataDir, { database });
  await saveSetting(db, machineSettings, { isSetUp: true });
  await db.destroy();
}

function spawnProgram(entry: string, dataDir: string, port: string, extra: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [path.join(root, entry), "--port", port, "--data-dir", dataDir, ...extra], {
    cwd: root,
    env: { ...process.env, CORVET_LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Piped rather than inherited: an inherited descriptor keeps the runner's pipe open if the program outlives its test.
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

export function startBrowser(extra: readonly string[] = []): Promise<Browser> {
  return chromium.launch(chromiumWith(...extra));
}

let browser: Promise<Browser> | null = null;

export async function sharedBrowser(): Promise<Browser> {
  if (!(await browser)?.isConnected()) browser = startBrowser();
  return await browser!;
}

export async function closeWindows(): Promise<void> {
  for (const context of (await browser)?.contexts() ?? []) {
    for (const page of coverageFolder ? context.pages() : []) await keepCoverage(page);
    await context.close();
  }
}

/** Folder in which `npm run coverage` collects the coverage of the page. */
const coverageFolder = process.env["CORVET_COVERAGE"];

async function keepCoverage(page: Page): Promise<void> {
  const scripts = await page.coverage.stopJSCoverage().catch(() => []);
  await writeFile(path.join(coverageFolder ?? "", "pages", `${randomUUID()}.json`), JSON.stringify({ scripts }));
}

/** A window on the program, with the errors that its page logged or threw. */
export type Window = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
};

export type WindowOptions = {
  readonly permissions?: string[];
  readonly deviceScaleFactor?: number;
  readonly viewport?: { width: number; height: number };
  readonly hasTouch?: boolean;
};

/** Opens the program's page, signed in, and waits until it is usable. */
export async function openWindow(inBrowser: Browser, address: string, options: WindowOptions = {}): Promise<Window> {
  const context = await inBrowser.newContext({
    // For requests that Playwright sends itself (`route.fetch`).
    ignoreHTTPSErrors: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    colorScheme: "dark",
    // Dialogs and menus are usable at once; journeys in Electron run with transitions.
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  // The browser's own question before unsaved points are left; the page shows no other native dialogs.
  page.on("dialog", (dialog) => void dialog.accept());
  const complaints = listen(page);
  if (coverageFolder) await page.coverage.startJSCoverage({ resetOnNavigation: false });
  await page.goto(address);
  await page.locator(".rail").waitFor();
  return { page, context, complaints };
}

/** Collects console errors (including security policy violations) and thrown errors, but no failed requests. */
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
 * Calls the service over the page's own transport, to prepare and check what a journey does not test.
 *
 * @throws Error if the service refuses
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

export function phantom(name: string): string {
  return path.join(root, "test/fixtures/films", name);
}

export function fixture(name: string): string {
  return path.join(root, "test/fixtures", name);
}
