import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import os from "node:os";
import path from "node:path";
import type Electron from "electron";
import { startChromium } from "./chromium.ts";
import { requestLock } from "./single-instance.ts";

/** Runs listeners. @returns whether one of them prevented the default */
export function isPrevented(emitter: EventEmitter, name: string, more: object = {}): boolean {
  const event = { ...more, defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true) };
  emitter.emit(name, event);
  return event.defaultPrevented;
}

/** The members of an interface of electron.d.ts that the twin has. */
export type PartOf<Api, Other extends string = never> = Partial<Omit<Api, keyof EventEmitter | Other>>;

/** Order of events as in shell/browser/browser.cc; requests as in shell/browser/api/electron_api_app.cc. */
class App extends EventEmitter implements PartOf<Electron.App, "getLoginItemSettings"> {
  readonly isPackaged = !process.defaultApp;
  readonly windows = new Set<Pick<Electron.BrowserWindow, "close" | "destroy">>();
  isQuitting = false;
  #isExiting = false;
  #ready: Promise<void> | null = null;
  #relaunch: readonly string[] = [];
  #releaseLock: (() => void) | null = null;
  readonly #paths = { appData: process.env["XDG_CONFIG_HOME"] ?? path.join(os.homedir(), ".config"), userData: "" };

  async #becomeReady(): Promise<void> {
    const address = await startChromium();
    process.send?.({ address });
    // A test prepares the main process first, as Playwright's loader for Electron lets it.
    if (process.connected) await once(this, "prepared");
    this.emit("ready", {}, {});
  }
  whenReady = () => (this.#ready ??= this.#becomeReady());
  enableSandbox = () => assert(!this.#ready, "app.enableSandbox() can only be called before app is ready");
  setPath = (name: "userData", to: string) => void (this.#paths[name] = to);
  getPath = (name: "appData" | "userData") => this.#paths[name];
  getLocale = () => "en-GB";
  getVersion = () => "1.0.0";
  getName = () => "Corvet";
  getLoginItemSettings = () => ({ openAtLogin: false, wasOpenedAtLogin: false });
  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    const onStart = (...start: unknown[]) => this.emit("second-instance", {}, ...start);
    this.#releaseLock = requestLock(path.join(this.getPath("userData"), "twin-lock"), additionalData, onStart);
    return this.#releaseLock !== null;
  }
  releaseSingleInstanceLock(): void {
    this.#releaseLock?.();
    this.#releaseLock = null;
  }
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
  onWindowClosed(): void {
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
    const [file, ...args] = this.#relaunch;
    const twin = [...process.execArgv, path.join(import.meta.dirname, "executable.ts")];
    if (file)
      spawn(file, [...(file === process.execPath ? twin : []), ...args], { detached: true, stdio: "ignore" }).unref();
    process.exit(code);
  }
}

export const app = new App();
// shell/browser/electron_browser_main_parts_posix.cc
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
