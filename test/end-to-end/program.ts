import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { readSignInPath } from "../../main/ipc/page/page-sessions.ts";
import { machineSettings } from "../../main/services/desktop/desktop-settings.ts";
import { openStoreOf } from "../../main/services/program/store-location.ts";
import { saveSetting } from "../../main/store/settings.ts";
import { startOwnService } from "../../tools/own-service.ts";
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

/** Starts the headless program, or `program`, on a free port; `isFirstRun` shows the set-up of a new practice. */
export async function startProgram({
  packsDir,
  program,
  isFirstRun = false,
}: {
  readonly packsDir?: string;
  readonly program?: string;
  readonly isFirstRun?: boolean;
} = {}): Promise<ProgramProcess> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-journey-"));
  if (!isFirstRun) await markSetUp(dataDir);
  let service = await startOwnService(dataDir, { packsDir, program });
  const { url: origin, port } = service;
  const newAddress = async () => origin + readSignInPath(dataDir);
  return {
    pageUrl: await newAddress(),
    dataDir,
    origin,
    newAddress,
    kill: async () => void (await service.stop("SIGKILL")),
    startAgain: async () => void (service = await startOwnService(dataDir, { packsDir, program, port })),
    stop: async () => {
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function markSetUp(dataDir: string, database?: string): Promise<void> {
  if (!database) await putEmptyStore(dataDir);
  const db = await openStoreOf(dataDir, { database });
  await saveSetting(db, machineSettings, { isSetUp: true });
  await db.destroy();
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

/** Calls the service as the page does, to prepare and check what a journey does not test. @throws Error if refused */
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

/** Replaces the program's responses on a channel, until `page.unroute`. */
export async function answer(page: Page, channel: DesktopChannel, value: unknown): Promise<void> {
  await page.route(`**/app/call/${channel}`, (route) => route.fulfill({ json: { ok: true, value } }));
}

/** Lets the program's responses on a channel fail, until `page.unroute`. */
export async function refuse(
  page: Page,
  channel: DesktopChannel,
  code: "INTERNAL" | "INVALID_FIELD" | "STORE_BUSY",
): Promise<void> {
  const json = { ok: false, code, message: "", reason: null };
  await page.route(`**/app/call/${channel}`, (route) => route.fulfill({ json }));
}

/** Holds the program's responses on a channel until the returned function is called. */
export async function hold(page: Page, channel: DesktopChannel): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  await page.route(`**/app/call/${channel}`, async (route) => {
    await promise;
    await route.continue();
  });
  return () => resolve(null);
}

export function phantom(name: string): string {
  return path.join(root, "test/fixtures/films", name);
}

export function fixture(name: string): string {
  return path.join(root, "test/fixtures", name);
}
