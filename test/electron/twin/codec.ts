export type Codec = { encode(value: unknown): string; decode(text: string): unknown };

/** What is called from a distance instead of copied: a function, or a promise by a function that settles it. */
export type Lent = readonly [name: string, isPromise: boolean];
type Lending = { lend(value: unknown): Lent | null; borrow(lent: Lent): unknown };

/**
 * Structured clones as text, the same in Node and in the page; values that JSON lacks are tagged. Refers to nothing
 * outside, because its source also runs in the page.
 *
 * @param lending  for functions and promises; without it they are refused
 * @throws DataCloneError for functions, DOM nodes and proxies
 * @see https://www.electronjs.org/docs/latest/api/ipc-renderer#ipcrendererinvokechannel-args
 */
export function makeCodec(lending?: Lending): Codec {
  const toBase64 = (bytes: Uint8Array) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
  };
  const tagged = (value: unknown): unknown => {
    const lent = lending?.lend(value);
    if (lent) return { $: "lent", v: lent };
    if (value === undefined) return { $: "undefined" };
    if (typeof value === "bigint") return { $: "bigint", v: String(value) };
    if (typeof value === "number" && !Number.isFinite(value)) return { $: "number", v: String(value) };
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(tagged);
    if (value instanceof Date) return { $: "date", v: tagged(value.getTime()) };
    if (value instanceof Map) return { $: "map", v: [...value].map(tagged) };
    if (value instanceof Set) return { $: "set", v: [...value].map(tagged) };
    if (value instanceof Error) return { $: "error", v: value.message };
    if (value instanceof ArrayBuffer) return { $: "bytes", v: toBase64(new Uint8Array(value)) };
    if (ArrayBuffer.isView(value))
      return { $: "bytes", v: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
    if (Object.getPrototypeOf(value) !== Object.prototype) return tagged(structuredClone(value));
    return { $: "object", v: Object.entries(value).map(([key, of]) => [key, tagged(of)]) };
  };
  type Tagged = { readonly $: string; readonly v: never };
  const makers: Readonly<Record<string, (v: never) => unknown>> = {
    undefined: () => undefined,
    bigint: (v: string) => BigInt(v),
    number: (v: string) => Number(v),
    date: (v: unknown) => new Date(untagged(v) as number),
    map: (v: unknown[]) => new Map(v.map(untagged) as [unknown, unknown][]),
    set: (v: unknown[]) => new Set(v.map(untagged)),
    error: (v: string) => new Error(v),
    lent: (v: Lent) => lending?.borrow(v),
    bytes: (v: string) => Uint8Array.from(atob(v), (character) => character.charCodeAt(0)),
    object: (v: [string, unknown][]) => Object.fromEntries(v.map(([key, of]) => [key, untagged(of)])),
  };
  const untagged = (value: unknown): unknown => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(untagged);
    return makers[(value as Tagged).$]?.((value as Tagged).v);
  };
  return {
    encode: (value) => JSON.stringify(tagged(lending ? value : structuredClone(value))),
    decode: (text) => untagged(JSON.parse(text)),
  };
}
