import { spawn, type ChildProcess } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { replacePrivateFile } from "../store/files/private-file.ts";
import { findBrowsers, type AppBrowser, type BrowserSystem } from "./find-browsers.ts";

export type OpenedPage = {
  readonly url: string;
  readonly dataDir: string;
  /** File with the certificate of the authority that issued the server's. */
  readonly authorityFile: string;
};

export type PageWindow = { readonly browser: AppBrowser["name"]; close(): void };

/**
 * Opens the page in a window of the first browser that starts; null if none does, or the system has no display.
 *
 * @param settledMs  time after which a browser that still runs is assumed to have opened a window
 */
export async function openAppWindow(
  page: OpenedPage,
  system: BrowserSystem,
  settledMs?: number,
): Promise<PageWindow | null> {
  if (!hasDisplay(system)) return null;
  for (const { name, file } of findBrowsers(system)) {
    const child = await startProgram(file, appWindowArguments(page), system, settledMs);
    if (child) return { browser: name, close: () => void child.kill() };
  }
  return null;
}

export async function openDefaultBrowser(url: string, system: BrowserSystem): Promise<boolean> {
  if (!hasDisplay(system)) return false;
  const [command, ...args] = defaultBrowserCommand(url, system.platform);
  return (await startProgram(command, args, system)) !== null;
}

/**
 * Arguments of a Chromium browser: a profile in the data directory, and trust in only the authority's key. `test-type`
 * hides the browser's warning about that flag. The address is in a private file, because arguments are visible to all
 * users of the computer.
 */
function appWindowArguments({ url, dataDir, authorityFile }: OpenedPage): string[] {
  const profile = path.join(dataDir, "browser");
  const opener = path.join(dataDir, "open-page.html");
  replacePrivateFile(opener, `<!doctype html><script>location.replace(${JSON.stringify(url)})</script>\n`);
  return [
    `--app=${pathToFileURL(opener).href}`,
    `--user-data-dir=${profile}`,
    `--ignore-certificate-errors-spki-list=${keyHash(authorityFile)}`,
    "--test-type",
    "--no-first-run",
    "--no-default-browser-check",
    // With an existing profile the browser restores its last size.
    ...(existsSync(profile) ? [] : ["--window-size=1440,900"]),
  ];
}

function keyHash(certificateFile: string): string {
  const key = new X509Certificate(readFileSync(certificateFile)).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}

function defaultBrowserCommand(url: string, platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "win32") return ["rundll32.exe", "url.dll,FileProtocolHandler", url];
  return [platform === "darwin" ? "open" : "xdg-open", url];
}

function hasDisplay({ platform, environment }: BrowserSystem): boolean {
  if (platform === "win32" || platform === "darwin") return true;
  return Boolean(environment["DISPLAY"] || environment["WAYLAND_DISPLAY"]);
}

/** Starts a program that may outlive this process; null if it fails at once. */
function startProgram(
  command: string,
  args: readonly string[],
  { environment }: BrowserSystem,
  settledMs = 5000,
): Promise<ChildProcess | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: "ignore", env: environment });
    child.unref();
    const settled = setTimeout(() => resolve(child), settledMs);
    const end = (started: ChildProcess | null) => {
      clearTimeout(settled);
      resolve(started);
    };
    child.once("error", () => end(null));
    // If the browser is already running, it shows the window and the second start exits with 0.
    child.once("exit", (code) => end(code === 0 ? child : null));
  });
}
