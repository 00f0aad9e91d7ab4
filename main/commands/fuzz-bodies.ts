import { v3Routes } from "../../core/contract/v3-routes.ts";

/** A request that may be anything. */
export type FuzzRequest = { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What a field may be given instead of what it wants. */
const strangeValues: readonly unknown[] = [
  null, true, false, 0, -1, 1e308, -0, 0.1, "", " ", "a", "\u0000", "💣", "__proto__", "constructor", "../../etc/passwd", "%s%n", "data:image/png;base64,", "AAAA", "====", [],
  [[]], [null], {}, { toString: 1 }, { length: 7 }, "x".repeat(300), "9".repeat(70_000), Array(11).fill("YQ=="), Array(10).fill(null), [[0, 0], [1, 0], [1, 1], [0, 1]],
  [[0, 0], [0, 0], [0, 0], [0, 0]], [[-1e9, 0], [1e9, 0], [1e9, 1e9], [0, 1e9]], [["0", 0], [1, 0], [1, 1], [0, 1]],
];
const strangeNames = ["image", "images", "uuid", "render", "session_id", "corners", "__proto__", "toString", "", "x"] as const;
const posts = v3Routes.filter((route) => route.method === "POST").map((route) => route.path);

/**
 * One request after the other, half of them near the schema (good values, some replaced), the other half bytes near JSON.
 *
 * @param image  base64 of a small valid picture
 */
export function createFuzzer(seed: number, key: string, image: string): () => FuzzRequest {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const chance = (share: number) => random() < share;
  const imageBytes = Buffer.from(image, "base64");

  const brokenImage = (): string => {
    const bytes = Buffer.from(imageBytes);
    for (let flips = Math.ceil(random() * 8); flips > 0; flips -= 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    const text = bytes.subarray(0, chance(0.3) ? Math.floor(random() * bytes.length) : bytes.length).toString("base64");
    return chance(0.2) ? text.slice(0, Math.floor(random() * text.length)) : text;
  };
  const goodBody = (): Record<string, unknown> => {
    const some = chance(0.5) ? image : brokenImage();
    return pick<Record<string, unknown>>([
      { image: some }, { image: some, uuid: "patient", render: true }, { images: [some, image] }, { images: [brokenImage()], uuid: "patient" },
      { image: some, session_id: "none", uuid: "patient" }, { image: some, corners: [[1, 1], [60, 2], [61, 40], [2, 41]] }, {},
    ]);
  };
  const nearSchema = (): Buffer => {
    const body = goodBody();
    for (let changes = Math.floor(random() * 3); changes > 0; changes -= 1) {
      const name = chance(0.8) ? pick(Object.keys(body).length > 0 ? Object.keys(body) : strangeNames) : pick(strangeNames);
      if (chance(0.15)) Reflect.deleteProperty(body, name);
      else Object.defineProperty(body, name, { value: pick(strangeValues), enumerable: true, configurable: true, writable: true });
    }
    return Buffer.from(JSON.stringify(chance(0.05) ? pick(strangeValues) : body));
  };
  const nearJson = (): Buffer => {
    const bytes = chance(0.15) ? Buffer.from(Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256))) : nearSchema();
    for (let flips = Math.floor(random() * 5); flips > 0 && bytes.length > 0; flips -= 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return chance(0.3) ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
  };
  return () => {
    const headers: Record<string, string> = {
      "x-api-key": chance(0.97) ? key : pick(["", "wrong", "x".repeat(5000)]),
      "content-type": chance(0.95) ? "application/json" : pick(["text/plain", "application/json; charset=utf-16", "multipart/form-data; boundary=x", "x"]),
    };
    if (chance(0.02)) headers["content-encoding"] = pick(["gzip", "identity", "br"]);
    return { method: chance(0.95) ? "POST" : pick(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]), path: pick(posts), headers, body: chance(0.5) ? nearSchema() : nearJson() };
  };
}
