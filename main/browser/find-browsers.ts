import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";

/** A browser that can show a page in a window without tabs and address bar. */
export type AppBrowser = { readonly name: "Chrome" | "Edge" | "Chromium"; readonly file: string };

export type BrowserSystem = { readonly platform: NodeJS.Platform; readonly environment: NodeJS.ProcessEnv };

const linuxNames = [
  ["Chrome", "google-chrome-stable"],
  ["Chrome", "google-chrome"],
  ["Edge", "microsoft-edge-stable"],
  ["Edge", "microsoft-edge"],
  ["Chromium", "chromium"],
  ["Chromium", "chromium-browser"],
] as const;

const macNames = [
  ["Chrome", "Google Chrome"],
  ["Edge", "Microsoft Edge"],
  ["Chromium", "Chromium"],
] as const;

const windowsNames = [
  ["Chrome", "Google\\Chrome\\Application\\chrome.exe"],
  ["Edge", "Microsoft\\Edge\\Application\\msedge.exe"],
  ["Chromium", "Chromium\\Application\\chrome.exe"],
] as const;

/** Installed browsers, in order of preference. */
export function findBrowsers(system: BrowserSystem, isUsable = isUsableFile): AppBrowser[] {
  return candidates(system).filter(({ file }) => isUsable(file));
}

function candidates({ platform, environment }: BrowserSystem): AppBrowser[] {
  if (platform === "win32") {
    const roots = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].flatMap((name) => environment[name] ?? []);
    return windowsNames.flatMap(([name, file]) => roots.map((root) => ({ name, file: path.win32.join(root, file) })));
  }
  if (platform === "darwin") {
    const roots = ["/Applications", path.posix.join(environment["HOME"] ?? "/", "Applications")];
    return macNames.flatMap(([name, app]) =>
      roots.map((root) => ({ name, file: path.posix.join(root, `${app}.app`, "Contents", "MacOS", app) })),
    );
  }
  const folders = (environment["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  return linuxNames.flatMap(([name, file]) => folders.map((folder) => ({ name, file: path.join(folder, file) })));
}

/**
 * Whether a file is executable and not a snap. Snaps cannot read hidden folders, where the profile and the page's
 * address are; their commands are links to the program `snap`.
 */
function isUsableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.basename(realpathSync(file)) !== "snap";
  } catch {
    return false;
  }
}
