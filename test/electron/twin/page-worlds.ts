import type { Codec, Lent, makeCodec } from "./codec.ts";

type Callable = (...args: unknown[]) => unknown;
/** Two worlds of one page, connected by events of its document. The functions here run in the page, by their source. */
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
  let ids = 0;
  let answer = "";
  const lend = (value: unknown): Lent | null => {
    const isPromise = value instanceof Promise;
    if (!isPromise && typeof value !== "function") return null;
    const settle = (resolve: unknown, reject: unknown) =>
      void (value as Promise<unknown>).then(resolve as Callable, reject as Callable);
    offered[++ids] = isPromise ? settle : (value as Callable);
    return [String(ids), isPromise];
  };
  const borrow = ([name, isPromise]: Lent) =>
    isPromise
      ? new Promise((resolve, reject) => void call(name, resolve, reject))
      : (...args: unknown[]) => call(name, ...args);
  const codec = codecWith({ lend, borrow });
  const post = (kind: "call" | "answer", detail: string) =>
    document.dispatchEvent(new CustomEvent(`${secret}-${there}-${kind}`, { detail }));
  const listen = (kind: "call" | "answer", receive: (detail: string) => void) =>
    document.addEventListener(`${secret}-${here}-${kind}`, (event) => receive((event as CustomEvent<string>).detail));
  const call = (name: string, ...args: unknown[]) => {
    post("call", codec.encode([name, args]));
    const { value, error } = codec.decode(answer) as { readonly value?: unknown; readonly error?: Error };
    if (error) throw error;
    return value;
  };
  listen("answer", (detail) => (answer = detail));
  listen("call", (detail) => {
    const [name, args] = codec.decode(detail) as [string, unknown[]];
    const answered = () => {
      try {
        return codec.encode({ value: offered[name]!(...args) });
      } catch (error) {
        return codec.encode({ error: new Error(error instanceof Error ? error.message : String(error)) });
      }
    };
    post("answer", answered());
  });
  return { offered, call };
}

/** Decisions of Electron's shell for which Chromium has no request of its own. */
export function changePage({ call, offered }: Bridge): void {
  const frozen = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
    return Object.freeze(value);
  };
  offered["expose"] = (name, value) =>
    void Object.defineProperty(window, String(name), { value: frozen(value), enumerable: true });
  const { getUserMedia, enumerateDevices } = MediaDevices.prototype;
  // shell/browser/web_contents_permission_helper.cc: media types of the request decide.
  MediaDevices.prototype.getUserMedia = async function (wanted = {}) {
    const mediaTypes = [...(wanted.audio ? ["audio"] : []), ...(wanted.video ? ["video"] : [])];
    if (!(await call("permission", "request", "media", { mediaTypes })))
      throw new DOMException("Permission denied", "NotAllowedError");
    return getUserMedia.call(this, wanted);
  };
  // Devices whose check is refused have neither name nor number.
  MediaDevices.prototype.enumerateDevices = async function () {
    const isAllowed = (mediaType: string) => call("permission", "check", "media", { mediaType });
    const [video, audio] = [await isAllowed("video"), await isAllowed("audio")];
    return (await enumerateDevices.call(this)).map((device) => {
      if (device.kind === "videoinput" ? video : audio) return device;
      return { kind: device.kind, label: "", deviceId: "", groupId: "", toJSON: () => ({}) };
    });
  };
  // shell/browser/electron_permission_manager.cc: a status is granted or denied.
  const { query } = Permissions.prototype;
  Permissions.prototype.query = async function (descriptor) {
    const mediaType = { camera: "video", microphone: "audio" }[descriptor.name as string];
    const isGranted = await call("permission", "check", mediaType ? "media" : descriptor.name, { mediaType });
    return Object.defineProperty(await query.call(this, descriptor), "state", {
      value: isGranted ? "granted" : "denied",
    });
  };
  const { open } = window;
  // lib/browser/guest-window-manager.ts: the main process decides while the page waits.
  window.open = (url = "about:blank", name = "", features = "") => {
    const request = new XMLHttpRequest();
    request.open("POST", "/.twin/open", false);
    request.send(JSON.stringify({ url: new URL(url, location.href).href, frameName: name, features }));
    return request.responseText === "allow" ? open.call(window, url, name, features) : null;
  };
}

type Delivered = { kind: "event" | "answer"; id: number; channel: string; text: string; error?: string };
type RequireElectron = (name: string) => unknown;

/**
 * What a sandboxed preload finds: `require` of Electron alone, and no Node.
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
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Map<string, Set<(event: object, ...args: unknown[]) => void>>();
  let ids = 0;
  const request = (kind: "invoke" | "permission", channel: string, args: unknown[]) => {
    const id = ++ids;
    pending.set(id, Promise.withResolvers());
    post(JSON.stringify({ kind, id, channel, text: codec.encode(args) }));
    return pending.get(id)!.promise;
  };
  bridge.offered["permission"] = (...args) => request("permission", "", args);
  // The main process evaluates this by name; lib/renderer/ipc-native-setup.ts.
  Object.assign(globalThis, {
    twinDeliver({ kind, id, channel, text, error }: Delivered) {
      if (kind === "event")
        for (const listener of [...(listeners.get(channel) ?? [])])
          listener({ ports: [] }, ...(codec.decode(text) as unknown[]));
      else if (error === undefined) pending.get(id)?.resolve(codec.decode(text));
      else pending.get(id)?.reject(new Error(error));
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
    invoke: async (channel: string, ...args: unknown[]) => await request("invoke", channel, args),
    send: (channel: string, ...args: unknown[]) =>
      post(JSON.stringify({ kind: "send", channel, text: codec.encode(args) })),
    on(channel: string, listener: () => void) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      return ipcRenderer;
    },
    off(channel: string, listener: () => void) {
      listeners.get(channel)?.delete(listener);
      return ipcRenderer;
    },
  };
  const required = (name: string) => {
    if (name !== "electron") throw new Error(`module not found: ${name}`);
    return {
      ipcRenderer,
      contextBridge: { exposeInMainWorld: (...named: unknown[]) => bridge.call("expose", ...named) },
    };
  };
  preload(required, { platform, env: {} }, { exports: {} });
}
