import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import type { DesktopBridge, DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import { markSetUp } from "../end-to-end/program.ts";
import { findRuntime } from "../../tools/packaging/package-runtime.ts";

declare const window: { readonly corvet: DesktopBridge };

const runtime = findRuntime(process.cwd());
const isBuilt =
  existsSync("dist/main/app/main.js") &&
  existsSync("dist/renderer/index.html") &&
  existsSync("dist/preload/preload.cjs");
const isLinux = process.platform === "linux";

/** Why Electron cannot run here; null when it can. */
export function whatIsMissing(): string | null {
  if (!runtime) return "there is no Electron runtime on this machine";
  if (isLinux && !process.env["DISPLAY"] && !process.env["WAYLAND_DISPLAY"]) return "this machine has no display";
  if (isLinux && process.getuid?.() === 0)
    return "Chromium's sandbox, without which the program does not start, does not run as root";
  if (!isBuilt) return "the program is not built (npm run build)";
  return null;
}

/** The program in Electron, on a data directory that outlives a restart. */
export type ElectronProgram = { readonly electron: ElectronApplication; readonly page: Page };

/** A new data directory, past its first run. */
export async function makeDataDir(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-electron-"));
  await markSetUp(dataDir);
  return dataDir;
}

/** Command line of the program, after the executable. */
export const programArguments = (dataDir: string, files: readonly string[] = []): string[] => [
  process.cwd(),
  `--data-dir=${dataDir}`,
  "--port=0",
  ...files,
];

/** Electron's executable. */
export function executablePath(): string {
  const places: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join("Electron.app", "Contents", "MacOS", "Electron"),
    win32: "electron.exe",
  };
  return path.join(runtime ?? "", places[process.platform] ?? "electron");
}

/** Starts the program with its sandbox and waits for its page. */
export async function launchElectron(dataDir: string, files: readonly string[] = []): Promise<ElectronProgram> {
  const electron = await _electron.launch({
    executablePath: executablePath(),
    args: programArguments(dataDir, files),
    chromiumSandbox: true,
  });
  return { electron, page: await usablePage(await electron.firstWindow()) };
}

/** The page once its places are shown. */
export async function usablePage(page: Page): Promise<Page> {
  page.setDefaultTimeout(15_000);
  await page.locator(".rail").waitFor();
  return page;
}

/** Asks over the bridge of the preload, as the page does. @throws Error when the program refuses */
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
