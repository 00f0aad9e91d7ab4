import type { Codec } from "./codec.ts";

/** Two worlds of one page, connected by events of its document. The functions here run in the page, by their source. */
export type Bridge = {
  expose(name: string, value: unknown): void;
  /** Functions of this world that the other one can call by name. */
  readonly offered: Record<string, (...args: unknown[]) => unknown>;
  call(name: string, ...args: unknown[]): unknown;
};

type Message =
  | { readonly call: number | string; readonly args: unknown[] }
  | { readonly settle: number; readonly value?: unknown; readonly error?: string }
  | { readonly answer: { readonly value?: unknown; readonly error?: string } }
  | { readonly expose: string; readonly value: unknown };

/**
 * Copies values between worlds, and proxies functions and promises, as `contextBridge` does.
 *
 * @see https://www.electronjs.org/docs/latest/api/context-bridge#parameter--error--return-type-support
 */
export function makeBridge(secret: string, here: "page" | "preload"): Bridge {
  const functions = new Map<number | string, (...args: unknown[]) => unknown>();
  const promises = new Map<number, PromiseWithResolvers<unknown>>();
  const offered: Bridge["offered"] = {};
  let ids = 0;
  let answer: { readonly value?: unknown; readonly error?: string } = {};
  const isPlain = (value: unknown): value is object =>
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
  const post = (message: Message) => {
    try {
      structuredClone(message);
    } catch {
      throw new Error("An object could not be cloned.");
    }
    const there = here === "page" ? "preload" : "page";
    document.dispatchEvent(new CustomEvent(`${secret}-${there}`, { detail: message }));
  };
  const lower = (value: unknown): unknown => {
    const id = ++ids;
    if (typeof value === "function") {
      functions.set(id, value as () => unknown);
      return { $function: id };
    }
    if (value instanceof Promise) {
      value.then(
        (settled) => post({ settle: id, value: lower(settled) }),
        (error: unknown) => post({ settle: id, error: reason(error) }),
      );
      return { $promise: id };
    }
    if (Array.isArray(value)) return value.map(lower);
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, lower(of)])) : value;
  };
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift);
    if (!isPlain(value)) return value;
    if ("$function" in value) return (...args: unknown[]) => call(value.$function as number, args);
    if ("$promise" in value) {
      promises.set(value.$promise as number, Promise.withResolvers());
      return promises.get(value.$promise as number)!.promise;
    }
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, lift(of)]));
  };
  const call = (named: number | string, args: unknown[]) => {
    post({ call: named, args: args.map(lower) });
    if (answer.error !== undefined) throw new Error(answer.error);
    return lift(answer.value);
  };
  const frozen = (value: unknown): unknown => {
    if (isPlain(value)) Object.values(value).forEach(frozen);
    return Object.freeze(value);
  };
  document.addEventListener(`${secret}-${here}`, (event) => {
    const message = (event as CustomEvent<Message>).detail;
    if ("answer" in message) answer = message.answer;
    else if ("expose" in message)
      Object.defineProperty(window, message.expose, { value: frozen(lift(message.value)), enumerable: true });
    else if ("settle" in message) {
      if (message.error === undefined) promises.get(message.settle)?.resolve(lift(message.value));
      else promises.get(message.settle)?.reject(new Error(message.error));
      promises.delete(message.settle);
    } else {
      try {
        const called = functions.get(message.call) ?? offered[message.call]!;
        post({ answer: { value: lower(called(...message.args.map(lift))) } });
      } catch (error) {
        post({ answer: { error: reason(error) } });
      }
    }
  });
  return {
    offered,
    call: (name, ...args) => call(name, args),
    expose: (expose, value) => post({ expose, value: lower(value) }),
  };
}

/** Decisions of Electron's shell for which Chromium has no request of its own. */
export function changePage({ call }: Bridge): void {
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
    return { ipcRenderer, contextBridge: { exposeInMainWorld: bridge.expose } };
  };
  preload(required, { platform, env: {} }, { exports: {} });
}
