import type { Codec, makeCodec } from "./codec.ts";

type Callable = (...args: unknown[]) => unknown;
/** Two worlds of one page. The functions here run in the page, by their source. */
export type Bridge = {
  /** Functions of this world that the other one can call by name. */
  readonly offered: Record<string, Callable>;
  call(name: string, ...args: unknown[]): unknown;
};

/**
 * Copies values between worlds, and proxies functions and promises, as `contextBridge` does.
 *
 * @see https://www.electronjs.org/docs/latest/api/context-bridge#parameter--error--return-type-support
 */
export function makeBridge(secret: string, here: "page" | "preload", codecWith: typeof makeCodec): Bridge {
  const there = here === "page" ? "preload" : "page";
  const offered: Bridge["offered"] = {};
  // Worlds share the nodes of a document: one carries the call, and then its result.
  const call = (name: string, ...args: unknown[]) => {
    const note = document.createTextNode(codec.encode([name, args]));
    document.dispatchEvent(new MouseEvent(`${secret}-${there}`, { relatedTarget: note }));
    const { value, error } = codec.decode(note.data) as { readonly value?: unknown; readonly error?: Error };
    if (error) throw error;
    return value;
  };
  const codec = codecWith({
    lend(value) {
      const isPromise = value instanceof Promise;
      if (!isPromise && typeof value !== "function") return null;
      const name = String(Object.keys(offered).length);
      offered[name] = isPromise
        ? (resolve, reject) => void value.then(resolve as Callable, reject as Callable)
        : (value as Callable);
      return [name, isPromise];
    },
    borrow: ([name, isPromise]) =>
      isPromise
        ? new Promise((resolve, reject) => void call(name, resolve, reject))
        : (...args: unknown[]) => call(name, ...args),
  });
  document.addEventListener(`${secret}-${here}`, (event) => {
    const note = (event as MouseEvent).relatedTarget as unknown as Text;
    const [name, args] = codec.decode(note.data) as [string, unknown[]];
    try {
      note.data = codec.encode({ value: offered[name]!(...args) });
    } catch (error) {
      note.data = codec.encode({ error: new Error(error instanceof Error ? error.message : String(error)) });
    }
  });
  return { offered, call };
}

/** Runs in the page's own world. */
export function changePage({ offered }: Bridge): void {
  const frozen = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
    return Object.freeze(value);
  };
  offered["expose"] = (name, value) =>
    void Object.defineProperty(window, String(name), { value: frozen(value), enumerable: true });
  // The main process denies a window only once it is open: the page must not hold it before.
  const { open } = window;
  window.open = (url, name) => open.call(window, url, name, "noopener");
}

type Delivered = { kind: "event" | "answer"; id: number; channel: string; text: string; error?: string };
type RequireElectron = (name: string) => unknown;

/**
 * Runs the preload with what it finds in a sandbox: `require` of Electron alone, and no Node.
 *
 * @see https://www.electronjs.org/docs/latest/tutorial/sandbox#preload-scripts
 */
export function runPreload(
  post: (text: string) => void,
  bridge: Bridge,
  codec: Codec,
  preload: (require: RequireElectron, process: object, module: { exports: object }) => void,
  platform: string,
): void {
  const pending: PromiseWithResolvers<unknown>[] = [];
  const listeners = new Map<string, Set<(event: object, ...args: unknown[]) => void>>();
  // The main process evaluates this by name; lib/renderer/ipc-native-setup.ts.
  Object.assign(globalThis, {
    twinDeliver({ kind, id, channel, text, error }: Delivered) {
      if (kind === "event")
        for (const listener of [...(listeners.get(channel) ?? [])])
          listener({ ports: [] }, ...(codec.decode(text) as unknown[]));
      else if (error === undefined) pending[id]?.resolve(codec.decode(text));
      else pending[id]?.reject(new Error(error));
    },
  });
  // Keys that the page leaves unhandled reach the menu, shell/browser/native_window_views.cc.
  window.addEventListener("keydown", (event) => {
    const { key, ctrlKey, shiftKey, altKey, metaKey } = event;
    setTimeout(() => {
      if (!event.defaultPrevented) post(JSON.stringify({ kind: "key", key, ctrlKey, shiftKey, altKey, metaKey }));
    });
  });
  const ipcRenderer = {
    // lib/renderer/api/ipc-renderer.ts
    async invoke(channel: string, ...args: unknown[]) {
      const text = codec.encode(args);
      const id = pending.push(Promise.withResolvers()) - 1;
      post(JSON.stringify({ kind: "invoke", id, channel, text }));
      return await pending[id]!.promise;
    },
    send: (channel: string, ...args: unknown[]) =>
      post(JSON.stringify({ kind: "send", channel, text: codec.encode(args) })),
    on: (channel: string, listener: () => void) =>
      void listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
    off: (channel: string, listener: () => void) => void listeners.get(channel)?.delete(listener),
  };
  const contextBridge = { exposeInMainWorld: (...named: unknown[]) => bridge.call("expose", ...named) };
  const required = (name: string) => {
    if (name !== "electron") throw new Error(`module not found: ${name}`);
    return { ipcRenderer, contextBridge };
  };
  preload(required, { platform, env: {} }, { exports: {} });
}
