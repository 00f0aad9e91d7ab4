import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import os from "node:os";
import path from "node:path";
import type Electron from "electron";
import { SingleInstance } from "./single-instance.ts";

/** A window as `app` sees it. */
type Closable = { close(): void; destroy(): void };

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
  #isExiting = false;
  #isReady = false;
  #ready: Promise<void> | null = null;
  #relaunch: readonly string[] | null = null;
  readonly #instance = new SingleInstance();
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
    const found = this.#paths.get(name);
    if (found === undefined) throw new Error(`Failed to get '${name}' path`);
    return found;
  }
  getLocale = () => process.env["TWIN_LOCALE"] ?? "en-GB";
  getVersion = () => "1.0.0";
  getName = () => "Corvet";
  getLoginItemSettings = () => ({ openAtLogin: false, wasOpenedAtLogin: false });
  requestSingleInstanceLock = (additionalData?: Record<string, unknown>): boolean =>
    this.#instance.request(path.join(this.getPath("userData"), "twin-instance"), additionalData, (...start) =>
      this.emit("second-instance", {}, ...start),
    );
  releaseSingleInstanceLock = () => this.#instance.release();

  /** Options replace all arguments of this process: those that they do not name are lost. */
  relaunch({ execPath, args }: Electron.RelaunchOptions = {}): void {
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

export const app = new App();
void (app satisfies Pick<
  Electron.App,
  "whenReady" | "isReady" | "enableSandbox" | "getLocale" | "requestSingleInstanceLock" | "relaunch" | "quit" | "exit"
>);
// shell/browser/electron_browser_main_parts_posix.cc
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
