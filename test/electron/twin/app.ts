import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type Electron from "electron";
import { makeCodec } from "./codec.ts";

/** A window as `app` sees it. */
type Closable = { close(): void; destroy(): void };
const codec = makeCodec();

/** Runs listeners. @returns whether one of them prevented the default */
export function isPrevented(emitter: EventEmitter, name: string, more: object = {}, ...args: unknown[]): boolean {
  const event = { ...more, defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true) };
  emitter.emit(name, event, ...args);
  return event.defaultPrevented;
}

/** Order of events as in shell/browser/browser.cc; requests as in shell/browser/api/electron_api_app.cc. */
class App extends EventEmitter {
  readonly isPackaged = !process.defaultApp;
  readonly windows = new Set<Closable>();
  /** Starts what windows need. Replaced by `electron.ts`. */
  prepare: () => Promise<unknown> = () => Promise.resolve();
  isQuitting = false;
  logInItem: Electron.Settings = {};
  #isExiting = false;
  #isReady = false;
  #ready: Promise<void> | null = null;
  #relaunch: readonly string[] | null = null;
  #lock: string | null = null;
  readonly #paths = new Map([
    ["appData", process.env["XDG_CONFIG_HOME"] ?? path.join(os.homedir(), ".config")],
    ["temp", os.tmpdir()],
  ]);

  async #becomeReady(): Promise<void> {
    await this.prepare();
    this.#isReady = true;
    this.emit("ready", {}, {});
  }
  whenReady = () => (this.#ready ??= this.#becomeReady());
  isReady = () => this.#isReady;
  enableSandbox(): void {
    if (this.#isReady) throw new Error("app.enableSandbox() can only be called before app is ready");
  }
  setPath = (name: string, to: string) => void this.#paths.set(name, to);
  getPath(name: string): string {
    const found = this.#paths.get(name) ?? (name === "userData" ? path.join(this.getPath("appData"), "Corvet") : null);
    if (found === null) throw new Error(`Failed to get '${name}' path`);
    return found;
  }
  getLocale = () => process.env["TWIN_LOCALE"] ?? "en-GB";
  getVersion = () => "1.0.0";
  getName = () => "Corvet";
  getAppPath = () => process.cwd();
  getLoginItemSettings = ({ path: file, args }: Electron.LoginItemSettingsOptions = {}) => ({
    openAtLogin:
      this.logInItem.openAtLogin === true && this.logInItem.path === file && `${this.logInItem.args}` === `${args}`,
    wasOpenedAtLogin: false,
  });
  setLoginItemSettings = (item: Electron.Settings) => void (this.logInItem = item);

  /** The second process is answered by files, because `false` is returned before any event. */
  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    const folder = path.join(this.getPath("userData"), "twin-instance");
    const lock = path.join(folder, "lock");
    mkdirSync(folder, { recursive: true });
    const owner = () => Number(readdirSync(folder).includes("lock") && readFileSync(lock, "utf8"));
    if (owner() > 0 && isRunning(owner())) {
      const name = path.join(folder, String(process.pid));
      writeFileSync(name, codec.encode([reorderedByChromium(process.argv), process.cwd(), additionalData]));
      renameSync(name, `${name}.start`);
      return false;
    }
    writeFileSync(lock, String(process.pid));
    this.#lock = lock;
    const readStarts = () => {
      for (const file of readdirSync(folder).filter((name) => name.endsWith(".start"))) {
        const start = codec.decode(readFileSync(path.join(folder, file), "utf8")) as unknown[];
        rmSync(path.join(folder, file));
        this.emit("second-instance", {}, ...start);
      }
    };
    watch(folder, readStarts).unref();
    return true;
  }
  releaseSingleInstanceLock(): void {
    if (this.#lock !== null) rmSync(this.#lock, { force: true });
    this.#lock = null;
  }

  /** Options replace all arguments of this process: those that they do not name are lost. */
  relaunch(options: Electron.RelaunchOptions = {}): void {
    const { execPath, args } = options;
    this.#relaunch = execPath || args ? [execPath || process.execPath, ...(args ?? [])] : process.argv;
  }
  quit(): void {
    if (this.isQuitting || isPrevented(this, "before-quit")) return;
    this.isQuitting = true;
    if (this.windows.size === 0) this.#shutDown();
    for (const window of this.windows) window.close();
  }
  /** Windows are destroyed without `close`; there is no before-quit and no will-quit. */
  exit(code = 0): void {
    this.isQuitting = this.#isExiting = true;
    for (const window of this.windows) window.destroy();
    this.#end(code);
  }
  onWindowClosed(window: Closable): void {
    this.windows.delete(window);
    if (this.windows.size > 0 || this.#isExiting) return;
    if (this.isQuitting) this.#shutDown();
    // lib/browser/init.ts
    else if (!this.emit("window-all-closed")) this.quit();
  }
  #shutDown(): void {
    if (isPrevented(this, "will-quit")) this.isQuitting = false;
    else this.#end(0);
  }
  #end(code: number): void {
    this.emit("quit", {}, code);
    this.releaseSingleInstanceLock();
    const [file, ...args] = this.#relaunch ?? [];
    const twin = [...process.execArgv, path.join(import.meta.dirname, "executable.ts")];
    if (file)
      spawn(file, [...(file === process.execPath ? twin : []), ...args], { detached: true, stdio: "ignore" }).unref();
    process.exit(code);
  }
}

/** base::CommandLine puts switches first, and Chromium adds switches of its own. */
function reorderedByChromium([program = "", ...args]: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isSwitch = (argument: string) => argument.startsWith("-") && argument !== "-";
  const own = args.slice(0, end);
  const switches = ["--allow-file-access-from-files", ...own.filter(isSwitch)];
  return [program, ...switches, ...own.filter((argument) => !isSwitch(argument)), ...args.slice(end)];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const app = new App();
void (app satisfies Pick<
  Electron.App,
  "whenReady" | "isReady" | "enableSandbox" | "getLocale" | "requestSingleInstanceLock" | "relaunch" | "quit" | "exit"
>);
// shell/browser/electron_browser_main_parts_posix.cc
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
