import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type * as Electron from "electron";
import { _electron, type Page } from "playwright-core";
import type { DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import type { DesktopBridge } from "../../core/contract/desktop/events.ts";
import { putPrepared } from "../end-to-end/prepared-data-dir.ts";
import { patienceMs } from "../fixtures/patience.ts";
import { findRuntime } from "../../tools/packaging/package-runtime.ts";
import { launchInTwin, twinArguments } from "./twin-program.ts";
import { watchDesktop, type WatchedDesktop } from "./watched-desktop.ts";

declare const window: { readonly corvet: DesktopBridge };
/** Global variable of the main process, set by watched-desktop.ts. */
declare const desktop: WatchedDesktop;

/** The program's main process and window, in Electron or on its twin. */
export type DesktopProgram = {
  /** Runs a function in the main process. It may only refer to its parameters. */
  inMain<R, A>(act: (electron: typeof Electron, argument: A) => R | Promise<R>, argument?: A): Promise<Awaited<R>>;
  page(): Promise<Page>;
  printed(): string;
  readonly exited: Promise<number | null>;
  end(): Promise<void>;
};

export type LaunchOptions = {
  readonly dataDir: string;
  readonly named?: readonly string[];
  /** Buttons and files that the next dialogs return. */
  readonly answers?: readonly unknown[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Resources folder of a packaged program, started instead of the checkout. On the twin only. */
  readonly resources?: string;
  /** Whether the networks measure films; otherwise recorded measurements replace them. On the twin only. */
  readonly runsNetworks?: boolean;
  /** Platform that the main process sees. On the twin only. */
  readonly platform?: NodeJS.Platform;
  /** Files that macOS opens before the application is ready; on the twin only. */
  readonly openedEarly?: readonly string[];
  readonly chromium?: readonly string[];
};

const runtime = findRuntime(process.cwd());
const isBuilt = existsSync("dist/main/app/main.js") && existsSync("dist/preload/preload.cjs");
const isLinux = process.platform === "linux";

function whatIsMissing(): string | null {
  if (!runtime) return "the Electron runtime is not installed";
  if (isLinux && !process.env["DISPLAY"] && !process.env["WAYLAND_DISPLAY"]) return "this computer has no display";
  if (isLinux && process.getuid?.() === 0) return "the program requires Chromium's sandbox, which does not run as root";
  if (!isBuilt) return "the program is not built (npm run build)";
  return null;
}

const missing = whatIsMissing();
export const isOnTwin = missing !== null;
if (missing) console.warn(`The journeys run on the twin of Electron: ${missing}.`);
export const driver = missing ? `the twin of Electron (${missing})` : "Electron";

/** Creates a data directory with completed setup, in a folder with a space and an umlaut. */
export async function makeDataDir(): Promise<string> {
  const dataDir = path.join(mkdtempSync(path.join(tmpdir(), "corvet-desktop-")), "Praxis Müller");
  await putPrepared(dataDir);
  return dataDir;
}

export const removeDataDir = (dataDir: string): void =>
  rmSync(path.dirname(dataDir), { recursive: true, force: true, maxRetries: 5 });

const programArguments = ({ dataDir, named = [], resources }: LaunchOptions): string[] => [
  ...(resources === undefined ? [process.cwd()] : []),
  `--data-dir=${dataDir}`,
  "--port=0",
  ...named,
];

export async function launch(options: LaunchOptions): Promise<DesktopProgram> {
  const program = await (missing ? launchInTwin : launchInElectron)(programArguments(options), options);
  return program;
}

export async function startAgain(options: LaunchOptions): Promise<number | null> {
  const [file, first] = missing ? [process.execPath, twinArguments()] : [executablePath(), []];
  const child = spawn(file, [...first, ...programArguments(options)], { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

function executablePath(): string {
  const places: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join("Electron.app", "Contents", "MacOS", "Electron"),
    win32: "electron.exe",
  };
  return path.join(runtime ?? "", places[process.platform] ?? "electron");
}

async function launchInElectron(args: readonly string[], options: LaunchOptions): Promise<DesktopProgram> {
  const { chromium = [], environment, answers = [] } = options;
  const electron = await _electron.launch({
    executablePath: executablePath(),
    args: [...chromium, ...args],
    env: { ...(process.env as Record<string, string>), ...environment },
    chromiumSandbox: true,
  });
  await electron.evaluate(watchDesktop, answers);
  const child = electron.process();
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += String(chunk)));
  return {
    inMain: (act, argument) => electron.evaluate(act as never, argument) as never,
    page: async () => await usablePage(electron.windows().at(-1) ?? (await electron.waitForEvent("window"))),
    printed: () => printed,
    exited: new Promise((resolve) => child.once("exit", resolve)),
    end: () => electron.close(),
  };
}

export async function usablePage(page: Page): Promise<Page> {
  page.setDefaultTimeout(patienceMs);
  await page.locator(".rail").waitFor();
  return page;
}

export const desktopOf = (program: DesktopProgram): Promise<WatchedDesktop> => program.inMain(() => desktop);

export const answerNext = (program: DesktopProgram, ...answers: unknown[]): Promise<void> =>
  program.inMain((_electron, next: unknown[]) => void desktop.answers.push(...next), answers);

export const clickMenu = (program: DesktopProgram, label: string): Promise<void> =>
  program.inMain(({ Menu }, wanted: string) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    const item = items?.find((each) => each.label === wanted);
    if (!item) throw new Error(`no menu item ${wanted}`);
    setImmediate(() => item.click());
  }, label);

/** Presses a menu item's keys. In Electron, clicks the item: github.com/microsoft/playwright/issues/8004. */
export async function pressMenuKeys(program: DesktopProgram, page: Page, keys: string, label: string): Promise<void> {
  // The page may close before the keys are released.
  if (isOnTwin) await page.keyboard.press(keys).catch(() => undefined);
  else await clickMenu(program, label);
}

export async function quit(program: DesktopProgram): Promise<number | null> {
  await program.inMain(({ app }) => void setImmediate(() => app.quit()));
  return await program.exited;
}

/** Calls a channel over the preload's bridge, as the page does. @throws Error if the call fails */
export function call<C extends DesktopChannel>(
  page: Page,
  channel: C,
  request: DesktopRequest<C>,
): Promise<DesktopResponse<C>> {
  return page.evaluate(
    async ([name, sent]) => {
      const answer = await (
        window.corvet.calls[name as DesktopChannel] as (
          request: unknown,
        ) => ReturnType<DesktopBridge["calls"][DesktopChannel]>
      )(sent);
      if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
      return answer.value;
    },
    [channel, request] as const,
  ) as Promise<DesktopResponse<C>>;
}
