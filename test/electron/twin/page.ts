import type { ContextBridge, IpcRenderer } from "electron";

// The functions here run in the page, by their source.

type Callable = (...args: unknown[]) => unknown;
/** A function of another world, or a promise as a function that settles it. */
type Lent = { readonly lent: string; readonly isPromise: boolean };
type Returned = { readonly value?: unknown; readonly error?: unknown };
/** Two worlds of one page. */
export type Bridge = {
  /** Functions of this world that the other one can call by name. */
  readonly offered: Record<string, Callable>;
  call(name: string, ...args: unknown[]): unknown;
};

/**
 * Copies values between worlds, and proxies functions and promises, as `contextBridge` does. Chromium itself clones the
 * detail of an event for another world.
 *
 * @see https://www.electronjs.org/docs/latest/api/context-bridge#parameter--error--return-type-support
 */
export function makeBridge(secret: string, here: "page" | "preload"): Bridge {
  const there = here === "page" ? "preload" : "page";
  const offered: Bridge["offered"] = {};
  let returned: Returned = {};
  const send = (name: string, detail: unknown) =>
    void document.dispatchEvent(new CustomEvent(`${secret}-${name}`, { detail: structuredClone(detail) }));
  const receive = <Detail>(name: string, take: (detail: Detail) => void) =>
    document.addEventListener(`${secret}-${name}`, (event) => take((event as CustomEvent<Detail>).detail));
  const mapLeaves = (value: unknown, change: (leaf: unknown) => unknown): unknown => {
    const changed = change(value);
    if (changed !== value || typeof value !== "object" || value === null) return changed;
    if (Array.isArray(value)) return value.map((each) => mapLeaves(each, change));
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapLeaves(each, change)]));
  };
  const lend = (leaf: unknown) => {
    const isPromise = leaf instanceof Promise;
    if (!isPromise && typeof leaf !== "function") return leaf;
    const lent = String(Object.keys(offered).length);
    offered[lent] = isPromise
      ? (resolve, reject) => void leaf.then(resolve as Callable, reject as Callable)
      : (leaf as Callable);
    return { lent, isPromise } satisfies Lent;
  };
  const borrow = (leaf: unknown) => {
    if (typeof leaf !== "object" || leaf === null || !("lent" in leaf)) return leaf;
    const { lent, isPromise } = leaf as Lent;
    if (!isPromise) return (...args: unknown[]) => call(lent, ...args);
    return new Promise((resolve, reject) => void call(lent, resolve, reject));
  };
  const call = (name: string, ...args: unknown[]) => {
    send(there, [name, mapLeaves(args, lend)]);
    const { value, error } = returned;
    if (error !== undefined) throw error as Error;
    return mapLeaves(value, borrow);
  };
  receive(here, ([name, args]: [string, unknown[]]) => {
    try {
      const value = offered[name]!(...(mapLeaves(args, borrow) as unknown[]));
      send(`${there}-returned`, { value: mapLeaves(value, lend) });
    } catch (error) {
      send(`${there}-returned`, { error: new Error(error instanceof Error ? error.message : String(error)) });
    }
  });
  receive(`${here}-returned`, (detail: Returned) => (returned = detail));
  return { offered, call };
}

/** Runs in the page's own world. @param post  sends a message to the main process */
export function changePage({ offered }: Bridge, post: Callable): void {
  const frozen = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
    return Object.freeze(value);
  };
  offered["post"] = post;
  offered["expose"] = (name, value) =>
    void Object.defineProperty(window, String(name), { value: frozen(value), enumerable: true });
  // The main process denies a window only once it is open: the page must not hold it before.
  const { open } = window;
  window.open = (url, name) => open.call(window, url, name, "noopener");
}

type Preload = (require: (name: string) => unknown, process: object, module: { exports: object }) => void;

/**
 * Runs the preload with what it finds in a sandbox: `require` of Electron alone, and no Node.
 *
 * @see https://www.electronjs.org/docs/latest/tutorial/sandbox#preload-scripts
 */
export function runPreload(secret: string, { call }: Bridge, preload: Preload, platform: string): void {
  const listeners = new Map<string, Set<Callable>>();
  document.addEventListener(`${secret}-event`, (event) => {
    const [channel, args] = (event as CustomEvent<[string, unknown[]]>).detail;
    for (const listener of [...(listeners.get(channel) ?? [])]) listener({ ports: [] }, ...args);
  });
  // Keys that the page leaves unhandled reach the menu, shell/browser/native_window_views.cc.
  window.addEventListener("keydown", (event) => {
    const { key, ctrlKey, shiftKey, altKey, metaKey } = event;
    setTimeout(() => event.defaultPrevented || call("post", "key", "", [{ key, ctrlKey, shiftKey, altKey, metaKey }]));
  });
  // lib/renderer/api/ipc-renderer.ts
  const ipcRenderer = {
    invoke: async (channel, ...args) => call("post", "invoke", channel, structuredClone(args)),
    send: (channel, ...args) => void call("post", "send", channel, structuredClone(args)),
    on(channel, listener) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener as Callable));
      return this as IpcRenderer;
    },
    off(channel, listener) {
      listeners.get(channel)?.delete(listener as Callable);
      return this as IpcRenderer;
    },
  } satisfies Partial<IpcRenderer>;
  const contextBridge: Pick<ContextBridge, "exposeInMainWorld"> = {
    exposeInMainWorld: (name, value) => void call("expose", name, value),
  };
  const required = (name: string) => {
    if (name !== "electron") throw new Error(`module not found: ${name}`);
    return { ipcRenderer, contextBridge };
  };
  preload(required, { platform, env: {} }, { exports: {} });
}
