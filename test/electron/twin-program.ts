import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Page } from "playwright-core";
import { waitUntil } from "../fixtures/patience.ts";
import { endProcess, removeAtExit } from "../fixtures/process/process-end.ts";
import { usablePage, type DesktopProgram, type LaunchOptions } from "./electron-program.ts";
import { watchDesktop } from "./watched-desktop.ts";

type Received = { readonly id: number; readonly value?: unknown; readonly error?: unknown };

export const twinArguments = (...more: readonly string[]): readonly string[] => [
  ...["memory-cage.ts", "in-main.ts", ...more].map((file) => `--import=${new URL(file, import.meta.url).href}`),
  // shell/browser/electron_browser_main_parts.cc
  "--unhandled-rejections=warn-with-error-code",
  path.join(import.meta.dirname, "twin", "executable.ts"),
];

const profiles = mkdtempSync(path.join(tmpdir(), "corvet-twin-"));
removeAtExit(profiles);

/** Changes the platform of the main process after the native modules of the real platform are loaded. */
function seePlatform(_electron: unknown, platform: NodeJS.Platform): void {
  const require = process.getBuiltinModule("node:module").createRequire(`${process.cwd()}/package.json`);
  const Database = require("better-sqlite3") as new (file: string) => { close(): void };
  new Database(":memory:").close();
  for (const name of ["sharp", "@node-rs/argon2", "onnxruntime-node"]) require(name);
  Object.defineProperty(process, "platform", { value: platform });
}

/** Port of Chromium's DevTools protocol; undefined while it starts. */
function devToolsPort(profile: string): string | undefined {
  const file = path.join(profile, "DevToolsActivePort");
  return existsSync(file) ? /^\d+(?=\n)/.exec(readFileSync(file, "utf8"))?.[0] : undefined;
}

export async function launchInTwin(args: readonly string[], options: LaunchOptions): Promise<DesktopProgram> {
  const { answers = [], environment, chromium: more = [], resources, platform, openedEarly = [] } = options;
  const engine = options.runsNetworks ? [] : ["recorded-networks.ts"];
  const profile = mkdtempSync(path.join(profiles, "profile-"));
  const child = spawn(process.execPath, [...twinArguments(...engine), ...args], {
    env: {
      CORVET_LOG_LEVEL: "warn",
      ...process.env,
      TWIN_CHROMIUM: JSON.stringify([profile, "--remote-debugging-port=0", ...more]),
      ...(resources !== undefined && { TWIN_RESOURCES: resources }),
      ...environment,
    },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    serialization: "advanced",
  });
  let printed = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (printed += String(chunk)));
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  child.on("message", (received: Received) => {
    if ("error" in received) pending.get(received.id)?.reject(received.error);
    else pending.get(received.id)?.resolve(received.value);
  });
  void exited.then((code) => {
    for (const { reject } of pending.values()) reject(new Error(`the program ended with ${code}: ${printed}`));
  });
  const assertRunning = () => {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`the program ended with ${end}: ${printed}`);
  };
  const inMain = (async (act, argument) => {
    assertRunning();
    const id = pending.size;
    pending.set(id, Promise.withResolvers());
    child.send({ id, source: String(act), argument });
    return pending.get(id)!.promise;
  }) as DesktopProgram["inMain"];
  const waitWhileRunning = <State>(stateOf: () => Promise<State | null | undefined>, name: string) =>
    waitUntil(() => {
      assertRunning();
      return stateOf();
    }, name);
  const port = await waitWhileRunning(async () => devToolsPort(profile), "Chromium with its DevTools");
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
  const [context] = browser.contexts();
  // Without a listener, Playwright would answer the page's beforeunload dialogs itself.
  context!.on("dialog", () => undefined);
  await inMain(watchDesktop, answers);
  if (platform !== undefined) await inMain(seePlatform, platform);
  await inMain(({ app }, files) => {
    for (const file of files) app.emit("open-file", { preventDefault: () => undefined }, file);
    app.emit("prepared" as "ready");
  }, openedEarly);
  const shownPage = (): Promise<Page> =>
    waitWhileRunning(async () => {
      const shown = context!.pages().findLast((page) => page.url().startsWith("http://corvet.localhost:"));
      try {
        return shown && (await usablePage(shown));
      } catch (error) {
        // The window may have just closed.
        if (!shown?.isClosed()) throw error;
        return null;
      }
    }, "a window with its page");
  return {
    inMain,
    page: shownPage,
    printed: () => printed,
    exited,
    end() {
      if (child.connected) child.disconnect();
      return endProcess(child, exited);
    },
  };
}
