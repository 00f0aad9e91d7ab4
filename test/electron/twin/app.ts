import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type Electron from "electron";
import { startChromium } from "./session.ts";

/** Emits an event. @returns whether a listener prevented the default */
export function isPrevented(emitter: EventEmitter, name: string, more: object = {}): boolean {
  const event = Object.assign(new Event(name, { cancelable: true }), more);
  emitter.emit(name, event);
  return event.defaultPrevented;
}

/** Subset of an interface of electron.d.ts that the twin implements. */
export type PartOf<Api, Other extends string = never> = Partial<Omit<Api, keyof EventEmitter | Other>>;

/** Events as in shell/browser/browser.cc and lib/browser/init.ts, calls as in shell/browser/api/electron_api_app.cc. */
class App extends EventEmitter implements PartOf<Electron.App, "getLoginItemSettings"> {
  readonly isPackaged = !process.defaultApp;
  readonly windows = new Set<Pick<Electron.BrowserWindow, "close" | "destroy">>();
  isQuitting = false;
  #isExiting = false;
  #ready: Promise<void> | null = null;
  #relaunch: readonly string[] | null = null;
  readonly #lock = new AbortController();
  readonly #paths = { appData: process.env["XDG_CONFIG_HOME"] ?? path.join(os.homedir(), ".config"), userData: "" };

  async #becomeReady(): Promise<void> {
    // A test prepares the main process first, as with Playwright's loader for Electron.
    const prepared = process.connected && once(this, "prepared");
    await startChromium();
    await prepared;
  }
  whenReady = () => (this.#ready ??= this.#becomeReady());
  enableSandbox = () => assert(!this.#ready, "app.enableSandbox() can only be called before app is ready");
  setPath = (name: "userData", to: string) => void (this.#paths[name] = to);
  getPath = (name: "appData" | "userData") => this.#paths[name];
  getLocale = () => "en-GB";
  getVersion = () => "1.0.0";
  getName = () => "Corvet";
  getLoginItemSettings = () => ({ openAtLogin: false, wasOpenedAtLogin: false });
  /** Uses a file as lock, to which later starts append a line. */
  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    const lock = path.join(this.getPath("userData"), "twin-lock");
    mkdirSync(path.dirname(lock), { recursive: true });
    if (existsSync(lock)) {
      appendFileSync(lock, `${JSON.stringify([reorderedByChromium(process.argv), process.cwd(), additionalData])}\n`);
      return false;
    }
    writeFileSync(lock, "");
    let seen = 0;
    this.#lock.signal.addEventListener("abort", () => rmSync(lock, { force: true }));
    watch(lock, { persistent: false, signal: this.#lock.signal }, () => {
      const added = readFileSync(lock, "utf8").split("\n").slice(seen, -1);
      seen += added.length;
      for (const line of added) this.emit("second-instance", {}, ...(JSON.parse(line) as unknown[]));
    });
    return true;
  }
  releaseSingleInstanceLock = () => this.#lock.abort();
  /** Options replace all arguments of this process. */
  relaunch(options?: Electron.RelaunchOptions): void {
    this.#relaunch = options ? (options.args ?? []) : process.argv.slice(1);
  }
  quit(): void {
    if (this.isQuitting || isPrevented(this, "before-quit")) return;
    this.isQuitting = true;
    for (const window of this.windows) window.close();
    this.onWindowClosed();
  }
  /** Windows are destroyed without `close`, and neither before-quit nor will-quit is emitted. */
  exit(code = 0): void {
    this.isQuitting = this.#isExiting = true;
    for (const window of this.windows) window.destroy();
    this.#end(code);
  }
  onWindowClosed(): void {
    if (this.windows.size > 0 || this.#isExiting) return;
    if (!this.isQuitting) return void (this.emit("window-all-closed") || this.quit());
    if (isPrevented(this, "will-quit")) this.isQuitting = false;
    else this.#end(0);
  }
  #end(code: number): void {
    this.emit("quit", {}, code);
    this.releaseSingleInstanceLock();
    const twin = [...process.execArgv, path.join(import.meta.dirname, "executable.ts")];
    if (this.#relaunch)
      spawn(process.execPath, [...twin, ...this.#relaunch], { detached: true, stdio: "ignore" }).unref();
    process.exit(code);
  }
}

/** base::CommandLine moves switches to the front, and Chromium adds its own switches. */
function reorderedByChromium([program = "", ...args]: readonly string[]): string[] {
  const end = args.concat("--").indexOf("--");
  const place = (argument: string) => (/^-./.test(argument) ? 0 : 1);
  const ordered = args.slice(0, end).toSorted((one, other) => place(one) - place(other));
  return [program, "--allow-file-access-from-files", ...ordered, ...args.slice(end)];
}

export const app = new App();
// shell/browser/electron_browser_main_parts_posix.cc
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
