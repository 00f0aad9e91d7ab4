import { seededRandom } from "../fixtures/seeded-random.ts";
import { v3Routes } from "../../core/contract/v3/routes.ts";

export type FuzzRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type FuzzMaterial = {
  readonly key: string;
  /** Small pictures; most requests carry one of them, often damaged. */
  readonly plain: readonly Buffer[];
  /** A film and a photograph of a screen, carried by few requests because they occupy the networks. */
  readonly telling: readonly Buffer[];
  readonly liveSession: () => string;
};

const strangeValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -0,
  0.1,
  "",
  " ",
  "a",
  "\u0000",
  "💣",
  "\ud800",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "%s%n",
  "' OR 1=1 --",
  "data:image/png;base64,",
  "AAAA",
  "====",
  [],
  [[]],
  [null],
  {},
  { toString: 1 },
  { length: 7 },
  "x".repeat(300),
  "9".repeat(70_000),
  Array(11).fill("YQ=="),
  Array(10).fill(null),
  [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
  [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
  [
    [-1e9, 0],
    [1e9, 0],
    [1e9, 1e9],
    [0, 1e9],
  ],
  [
    ["0", 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
  [
    [0, 0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
];
const strangeNames = [
  "image",
  "images",
  "uuid",
  "render",
  "session_id",
  "corners",
  "__proto__",
  "toString",
  "",
  "x",
] as const;
const posts = v3Routes.filter((route) => route.method === "POST").map((route) => route.path);
type Path = (typeof posts)[number];
type Body = Record<string, unknown>;

/** Generator of requests, half of them damaged JSON, reproducible by its seed except for ids of live sessions. */
export function createFuzzer(seed: number, { key, plain, telling, liveSession }: FuzzMaterial): () => FuzzRequest {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const chance = (share: number) => random() < share;
  const upTo = (count: number) => Math.floor(random() * count);
  const flipBytes = (bytes: Buffer, flips: number): void => {
    for (let left = bytes.length > 0 ? flips : 0; left > 0; left -= 1) bytes[upTo(bytes.length)] = upTo(256);
  };

  const picture = (tellingShare: number) => pick(chance(tellingShare) ? telling : plain);
  const brokenImage = (tellingShare: number): string => {
    const bytes = Buffer.from(picture(tellingShare));
    flipBytes(bytes, 1 + upTo(8));
    const text = bytes.subarray(0, chance(0.3) ? upTo(bytes.length) : bytes.length).toString("base64");
    return chance(0.2) ? text.slice(0, upTo(text.length)) : text;
  };
  const someImage = (tellingShare = 0.1) =>
    chance(0.7) ? picture(tellingShare).toString("base64") : brokenImage(tellingShare);
  const someCorners = () =>
    chance(0.3)
      ? Array.from({ length: 4 }, () => [upTo(66), upTo(46)])
      : [
          [1 + upTo(9), 1],
          [60, 2 + upTo(9)],
          [61, 40],
          [2, 41 + upTo(3)],
        ];
  const goodBodies: Readonly<Record<Path, () => Body>> = {
    "/v3/predict": () =>
      pick<() => Body>([
        () => ({ image: someImage() }),
        () => ({ image: someImage(), uuid: "patient", render: true }),
        () => ({ images: [someImage(), someImage()], uuid: "patient" }),
      ])(),
    "/v3/predict/stream": () => ({
      images: Array.from({ length: 1 + upTo(3) }, () => someImage()),
      ...(chance(0.5) && { uuid: "patient" }),
    }),
    "/v3/pop-session/start": () => ({}),
    "/v3/pop-session": () => ({
      image: someImage(0.6),
      session_id: chance(0.9) ? liveSession() : pick(["none", "", liveSession().toUpperCase()]),
      uuid: "patient",
    }),
    "/v3/corners": () => ({ image: someImage(0.6) }),
    "/v3/rectify": () => ({ image: someImage(), corners: someCorners() }),
    "/v3/preprocess": () => ({ image: someImage(0.6) }),
  };
  const nearSchema = (path: Path): Buffer => {
    const body = goodBodies[chance(0.9) ? path : pick(posts)]();
    for (let changes = chance(0.5) ? 1 + upTo(2) : 0; changes > 0; changes -= 1) {
      const own = Object.keys(body);
      const name = chance(0.8) && own.length > 0 ? pick(own) : pick(strangeNames);
      if (chance(0.15)) Reflect.deleteProperty(body, name);
      else
        Object.defineProperty(body, name, {
          value: pick(strangeValues),
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
    return Buffer.from(JSON.stringify(chance(0.05) ? pick(strangeValues) : body));
  };
  const nearJson = (path: Path): Buffer => {
    const bytes = chance(0.15) ? Buffer.from(Array.from({ length: upTo(200) }, () => upTo(256))) : nearSchema(path);
    flipBytes(bytes, upTo(5));
    return chance(0.3) ? bytes.subarray(0, upTo(bytes.length)) : bytes;
  };
  return () => {
    const headers: Record<string, string> = {
      "x-api-key": chance(0.97) ? key : pick(["", "wrong", "x".repeat(5000)]),
      "content-type": chance(0.95)
        ? "application/json"
        : pick(["text/plain", "application/json; charset=utf-16", "multipart/form-data; boundary=x", "x"]),
    };
    if (chance(0.02)) headers["content-encoding"] = pick(["gzip", "identity", "br"]);
    const path = pick(posts);
    return {
      method: chance(0.97) ? "POST" : pick(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]),
      path,
      headers,
      body: chance(0.5) ? nearSchema(path) : nearJson(path),
    };
  };
}
