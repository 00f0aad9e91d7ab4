/** A function of another world, or a promise as a function that settles it. */
export type Lent = readonly [name: string, isPromise: boolean];
export type Codec = { encode(value: unknown): string; decode(text: string): unknown };
type Lending = { lend(value: unknown): Lent | null; borrow(lent: Lent): unknown };

/**
 * Structured clones as JSON, the same in Node and in the page; values that JSON lacks are tagged. Refers to nothing
 * outside, because its source also runs in the page.
 *
 * @param lending  for functions and promises; without it they are refused
 * @throws DataCloneError for functions, DOM nodes and proxies
 * @see https://www.electronjs.org/docs/latest/api/ipc-renderer#ipcrendererinvokechannel-args
 */
export function makeCodec(lending?: Lending): Codec {
  const restorers: Readonly<Record<string, (of: never) => unknown>> = {
    undefined: () => undefined,
    BigInt: (of: string) => BigInt(of),
    Number: (of: string) => Number(of),
    Date: (of: number) => new Date(of),
    Error: (of: string) => new Error(of),
    Map: (of: [unknown, unknown][]) => new Map(of),
    Set: (of: unknown[]) => new Set(of),
    Uint8Array: (of: number[]) => Uint8Array.from(of),
    Lent: (of: Lent) => lending?.borrow(of),
  };
  const tagged = (raw: unknown): unknown => {
    const tag = ($: string, of: unknown = null) => ({ $, of });
    const lent = lending?.lend(raw);
    if (lent) return tag("Lent", lent);
    if (raw === undefined) return tag("undefined");
    if (typeof raw === "bigint") return tag("BigInt", String(raw));
    if (typeof raw === "number" && !Number.isFinite(raw)) return tag("Number", String(raw));
    if (raw instanceof Date) return tag("Date", raw.getTime());
    if (raw instanceof Error) return tag("Error", raw.message);
    if (raw instanceof Map || raw instanceof Set) return tag(raw.constructor.name, [...raw]);
    if (raw instanceof ArrayBuffer) return tag("Uint8Array", [...new Uint8Array(raw)]);
    if (raw instanceof Uint8Array) return tag("Uint8Array", [...raw]);
    return raw;
  };
  return {
    encode: (value) =>
      JSON.stringify(lending ? value : structuredClone(value), function (this: Record<string, unknown>, key: string) {
        return tagged(this[key]);
      }),
    decode: (text) =>
      JSON.parse(text, (_key, value: { readonly $: string; readonly of: never } | null) =>
        value?.$ === undefined ? value : restorers[value.$]?.(value.of),
      ),
  };
}
