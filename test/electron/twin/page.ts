import type { ContextBridge, IpcRenderer } from "electron";

// The source of these functions is run in the page.

type Callable = (...args: unknown[]) => unknown;

/**
 * Connects two JavaScript worlds of a page by events, whose details Chromium clones: docs/api/context-bridge.md.
 *
 * @param offered  functions of this world that the other world can call
 * @returns        function that calls a function of the other world by its index
 */
export function joinWorlds(secret: string, here: string, there: string, offered: Callable[]): Callable {
  let returned: unknown;
  const send = (name: string, detail: unknown) =>
    void document.dispatchEvent(new CustomEvent(`${secret}-${name}`, { detail: structuredClone(lend(detail)) }));
  const receive = (name: string, take: (detail: never) => void) =>
    document.addEventListener(`${secret}-${name}`, (event) => take(borrow((event as CustomEvent).detail) as never));
  const mapMembers = (value: unknown, change: (member: unknown) => unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => change(each));
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]));
  };
  const lend = (value: unknown): unknown => {
    if (value instanceof Promise)
      return { promise: offered.push((...settle) => void value.then(...(settle as []))) - 1 };
    return typeof value === "function" ? { lent: offered.push(value as Callable) - 1 } : mapMembers(value, lend);
  };
  const borrow = (value: unknown): unknown => {
    const { lent, promise } = (value ?? {}) as Partial<Record<"lent" | "promise", number>>;
    if (lent !== undefined) return (...args: unknown[]) => call(lent, ...args);
    if (promise !== undefined) return new Promise((...settle) => void call(promise, ...settle));
    return mapMembers(value, borrow);
  };
  const call: Callable = (...called) => {
    send(there, called);
    return returned;
  };
  receive(here, ([index, ...args]: [number, ...unknown[]]) => send(`${there}-returned`, offered[index]!(...args)));
  receive(`${here}-returned`, (result) => (returned = result));
  return call;
}

/** Prepares the page's main world. @param secret  name of the binding that sends messages to the main process */
export function runPage(secret: string): void {
  // The twin can deny a window only after it has opened, so the page must not get a reference to it.
  const { open } = window;
  window.open = (url, name) => open.call(window, url, name, "noopener");
  const expose: Callable = (name, value) => void Object.defineProperty(window, String(name), { value });
  joinWorlds(secret, "page", "preload", [Reflect.get(window, secret) as Callable, expose]);
  Reflect.deleteProperty(window, secret);
}

/** Runs the preload script sandboxed in an isolated world: docs/tutorial/sandbox.md. */
export function runPreload(secret: string, platform: string, preload: Callable): void {
  const call = joinWorlds(secret, "preload", "page", []);
  const listeners = new Map<unknown, string>();
  document.addEventListener(`${secret}-event`, (event) => {
    const [channel, ...args] = (event as CustomEvent<[string, ...unknown[]]>).detail;
    for (const [listener, name] of listeners) if (name === channel) (listener as Callable)({}, ...args);
  });
  const electron = {
    // lib/renderer/api/ipc-renderer.ts
    ipcRenderer: {
      invoke: async (channel: string, ...args: unknown[]) => call(0, "invoke", channel, structuredClone(args)),
      send: (channel: string, ...args: unknown[]) => void call(0, "send", channel, structuredClone(args)),
      on: (channel: string, listener: unknown) => listeners.set(listener, channel) as never,
      off: (_channel: string, listener: unknown) => listeners.delete(listener) as never,
    } satisfies Partial<IpcRenderer>,
    contextBridge: { exposeInMainWorld: (name, value) => void call(1, name, value) } satisfies Partial<ContextBridge>,
  };
  // Keys that the page does not handle reach the menu: shell/browser/native_window_views.cc
  window.addEventListener("keydown", (event) => {
    const { key, ctrlKey, shiftKey, altKey, metaKey } = event;
    const names = [ctrlKey && "ctrl", shiftKey && "shift", altKey && "alt", metaKey && "cmd", key.toLowerCase()];
    const keys = names.filter(Boolean).sort().join("+");
    setTimeout(() => event.defaultPrevented || electron.ipcRenderer.send("twin-keys", keys));
  });
  const required = (name: unknown) => {
    if (name !== "electron") throw new Error(`module not found: ${String(name)}`);
    return electron;
  };
  preload(required, { platform, env: {} }, {});
}
