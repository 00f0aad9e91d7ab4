import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { discoverPacks, parseManifest } from "../../../../main/inference/packs/discover-packs.ts";
import { readPackFile } from "../../../../main/inference/packs/pack-files.ts";
import {
  filesOf,
  type ColumnManifest,
  type HeartManifest,
  type NetworkManifest,
} from "../../../../main/inference/packs/pack-manifest.ts";
import { createPackRegistry } from "../../../../main/inference/packs/pack-registry.ts";
import type { NetworkCall } from "../../../../main/inference/threads/network-calls.ts";
import { createEngine, type Engine } from "../../../../main/inference/engine.ts";
import { folderForFile } from "../../../fixtures/folders.ts";
import { divergedNetwork, unrunnableNetwork } from "../../../fixtures/packs/unrunnable-network.ts";

const tinyGate = fileURLToPath(new URL("../../../fixtures/packs/tiny-gate", import.meta.url));
type Json = Record<string, unknown>;
const tinyManifest = () => JSON.parse(readFileSync(path.join(tinyGate, "manifest.json"), "utf8")) as Json;

const folder = folderForFile();
const userFolder = folderForFile();
const emptied = () => {
  for (const dir of [folder, userFolder])
    for (const name of readdirSync(dir)) rmSync(path.join(dir, name), { recursive: true });
};

beforeEach(emptied);

function addPack(dir: string, name: string, changes: Json = {}): string {
  const pack = path.join(dir, name);
  cpSync(tinyGate, pack, { recursive: true });
  writeFileSync(path.join(pack, "manifest.json"), JSON.stringify({ ...tinyManifest(), name, ...changes }));
  return pack;
}

function addPackOf(name: string, bytes: string | Uint8Array, file = "tiny.onnx"): void {
  const member = { file, sha256: createHash("sha256").update(bytes).digest("hex") };
  const { members } = tinyManifest() as { members: Json[] };
  const pack = addPack(folder, name, { members: file === "tiny.onnx" ? [member] : [...members, member] });
  writeFileSync(path.join(pack, file), bytes);
}

const states = (engine: Engine) =>
  Object.fromEntries(
    engine.health().packs.map(({ name, state, reason }) => [name, reason === null ? state : `${state}: ${reason}`]),
  );

describe("discovery", () => {
  it("finds packs in the order of the folders, and reports the reasons for the others", () => {
    addPack(folder, "b-gate");
    addPack(folder, "a-gate");
    addPack(userFolder, "c-gate");
    mkdirSync(path.join(userFolder, "empty"));
    const found = discoverPacks([folder, userFolder, path.join(folder, "not-there")]);
    expect(found.packs.map((pack) => pack.manifest.name)).toEqual(["a-gate", "b-gate", "c-gate"]);
    expect(found.refused).toEqual([
      {
        kind: null,
        name: "empty",
        version: null,
        folder: path.join(userFolder, "empty"),
        state: "refused",
        reason: "manifest.json is missing",
        why: { name: "packFileMissing", values: { name: "manifest.json" } },
      },
    ]);
  });

  it("uses the first of two packs with the same name", () => {
    addPack(folder, "twin");
    addPack(userFolder, "twin");
    const found = discoverPacks([folder, userFolder]);
    expect(found.packs).toHaveLength(1);
    expect(found.refused).toMatchObject([
      {
        kind: "gate",
        folder: path.join(userFolder, "twin"),
        reason: `a pack of this name already exists in ${path.join(folder, "twin")}`,
      },
    ]);
  });

  it.each(["1\0", "1\ud83d"])("refuses the version %j, which not every store accepts", (version) => {
    addPack(folder, "odd", { version });
    const { packs, refused } = discoverPacks([folder]);
    expect(packs).toEqual([]);
    expect(refused).toMatchObject([{ name: "odd", reason: expect.stringContaining("version") as string }]);
  });

  it.each([
    "../tiny.onnx",
    "/etc/passwd",
    "a/b.onnx",
    "..",
    ".hidden",
    "C:\\weights.onnx",
    "a\\b.onnx",
    "weights.onnx\0",
    "",
  ])("refuses the file name %j", (file) => {
    addPack(folder, "outside", { members: [{ file, sha256: "0".repeat(64) }] });
    const { packs, refused } = discoverPacks([folder]);
    expect(packs).toEqual([]);
    expect(refused).toMatchObject([{ reason: expect.stringMatching(/plain file name|Too/) as string }]);
  });

  it("follows no link out of a pack", () => {
    const pack = addPack(folder, "linked");
    rmSync(path.join(pack, "tiny.onnx"));
    symlinkSync(path.join(tinyGate, "tiny.onnx"), path.join(pack, "tiny.onnx"));
    const [member] = discoverPacks([folder]).packs[0]!.manifest.members;
    expect(() => readPackFile(pack, member!)).toThrow("tiny.onnx is not a regular file");
  });
});

describe("the manifest", () => {
  const landmarks = fileURLToPath(new URL("../../../../models/packs/landmarks-corvet/manifest.json", import.meta.url));
  const manifest = JSON.parse(readFileSync(landmarks, "utf8")) as { column: ColumnManifest; heart: HeartManifest };
  const parsedWith = (changes: object) => parseManifest(JSON.stringify({ ...manifest, ...changes }));
  const shaped = (name: string, shape: readonly number[]) => ({ name, dtype: "float32", shape });

  it("is refused with the invalid field", () => {
    expect(() => parseManifest(JSON.stringify({ ...tinyManifest(), clinicallyValidated: "yes" }))).toThrow(
      /clinicallyValidated/,
    );
    expect(() =>
      parseManifest(JSON.stringify({ ...tinyManifest(), input: { name: "image", dtype: "float32", shape: [1, -3] } })),
    ).toThrow(/input\.shape/);
    expect(() => parseManifest("{")).toThrow("manifest.json is not JSON");
    const notUtf8 = Buffer.from(JSON.stringify({ ...tinyManifest(), license: "caf\u00e9" }), "latin1");
    expect(() => parseManifest(notUtf8)).toThrow("manifest.json is not JSON");
  });

  it("describes inputs and outputs of the column network", () => {
    const parsed = (changes: object) => parsedWith({ column: { ...manifest.column, ...changes } });
    expect(parsed({})).toMatchObject({ column: { file: "column.onnx", vertebraPx: 32 } });
    expect(() => parsed({ input: shaped("strip", [1, 3, 96, 512]) })).toThrow(/\[1, 1, height, width\]/);
    expect(() => parsed({ outputs: [shaped("lengths", [5, 128]), shaped("names", [1, 17, 64])] })).toThrow(
      /\[networks, n\] and \[1, vertebrae, n\]/,
    );
    expect(() => parsed({ vertebraPx: 0 })).toThrow(/vertebraPx/);
    const files = filesOf(parsedWith({ locator: undefined })).map(({ file }) => file);
    expect(files.slice(-3)).toEqual(["fold-4.onnx", "column.onnx", "heart.onnx"]);
    expect(files).toHaveLength(6);
  });

  it("describes standard errors between films of one animal", () => {
    const row = { kind: "direct", widthUpToPx: null, tier: "good", vhsError: 0.2, vlasError: 0.1 };
    const parsed = (changes: object) =>
      parsedWith({ repeatability: { statement: "measured", errors: [{ ...row, ...changes }] } });
    expect(parsed({})).toMatchObject({ repeatability: { errors: [row] } });
    expect(() => parsed({ vhsError: 0 })).toThrow(/repeatability\.errors\[0\]\.vhsError/);
    expect(() => parsed({ tier: "best" })).toThrow(/repeatability\.errors\[0\]\.tier/);
  });

  it("describes inputs and outputs of the heart networks", () => {
    const parsed = (changes: object) => parsedWith({ heart: { ...manifest.heart, ...changes } });
    expect(parsed({})).toMatchObject({ heart: { file: "heart.onnx", heartShare: 0.5 } });
    expect(() => parsed({ input: shaped("close_up", [1, 1, 256, 128]) })).toThrow(/\[1, 1, side, side\]/);
    const expectRefused = (points: readonly number[], silhouettes: readonly number[]) => {
      const outputs = [shaped("points", points), shaped("silhouettes", silhouettes)];
      expect(() => parsed({ outputs })).toThrow(/\[n, 5, 2\] and \[n, cells, cells\]/);
    };
    expectRefused([5, 4, 2], [5, 64, 64]);
    expectRefused([5, 5, 2], [4, 64, 64]);
    expectRefused([5, 5, 2], [5, 64, 32]);
    expectRefused([5, 10], [5, 64, 64]);
    expect(() => parsed({ heartShare: 2 })).toThrow(/heartShare/);
    expect(() => parsed({ closeShare: 1.5 })).toThrow(/closeShare/);
    expect(parsed({ closeShare: undefined })).toMatchObject({ heart: { closeShare: 0.5 } });
  });

  it("is loaded or refused for any text", () => {
    const keys = Object.keys(tinyManifest());
    const outcome = (json: string) => {
      try {
        parseManifest(json);
        return "read";
      } catch (error) {
        return error instanceof AppError ? error.code : `bug: ${String(error)}`;
      }
    };
    const changed = fc
      .tuple(fc.constantFrom(...keys), fc.jsonValue())
      .map(([key, value]) => JSON.stringify({ ...tinyManifest(), [key]: value }));
    fc.assert(
      fc.property(fc.oneof(changed, fc.json(), fc.string()), (json) => {
        expect(["read", "PACK_REFUSED"]).toContain(outcome(json));
      }),
      { numRuns: 500 },
    );
  });
});

describe("loading", () => {
  let engine: Engine;
  beforeAll(async () => void (engine = await start()));
  afterAll(() => engine.close());
  // Unload the packs, so that the next test's packs have no predecessor.
  afterEach(async () => {
    emptied();
    await engine.reload({});
  });

  function start(activePacks = {}): Promise<Engine> {
    const log = { warn: () => undefined, error: () => undefined };
    return createEngine({ packFolders: [folder, userFolder], activePacks, programVersion: "0.0.0", log });
  }

  async function open(activePacks = {}): Promise<Engine> {
    await engine.reload(activePacks);
    return engine;
  }

  it("accepts a pack with correct hash, shapes and golden output", async () => {
    addPack(folder, "good");
    const engine = await open();
    expect(states(engine)).toEqual({ good: "active" });
    expect(engine.health()).toMatchObject({
      modelsLoaded: 0,
      isPopEnabled: false,
      isDegraded: true,
      modelVersion: "none",
    });
  });

  it.each([
    ["refused", () => void addPack(userFolder, "chosen", { members: [{ file: "tiny.onnx", sha256: "0".repeat(64) }] })],
    ["missing", () => undefined],
  ])("reports that the chosen pack is %s and another is in use", async (_fate, prepare) => {
    addPack(folder, "own");
    prepare();
    const engine = await open({ gate: "chosen" });
    expect(engine.health().notAsChosen).toEqual(["gate"]);
    expect(states(engine)).toMatchObject({ own: "active" });
    await engine.reload({ gate: "own" });
    expect(engine.health().notAsChosen).toEqual([]);
  });

  it.each<[string, Json, RegExp]>([
    ["another hash", { members: [{ file: "tiny.onnx", sha256: "0".repeat(64) }] }, /does not match its sha256/],
    ["a missing file", { members: [{ file: "other.onnx", sha256: "0".repeat(64) }] }, /other\.onnx is missing/],
    [
      "another input shape",
      { input: { name: "image", dtype: "float32", shape: [1, 3, 32, 32] } },
      /input image is float32 \[1,3,16,16\]/,
    ],
    [
      "another input name",
      { input: { name: "picture", dtype: "float32", shape: [1, 3, 16, 16] } },
      /no input named picture/,
    ],
    [
      "another output shape",
      {
        outputs: [{ name: "probabilities", dtype: "float32", shape: [1, 4] }],
        decoding: { kinds: ["direct", "pop", "document", "photograph"], rejectAtOrAbove: 0.5 },
      },
      /output probabilities is float32 \[1,3\]/,
    ],
    [
      "outputs that do not match its decoding",
      { decoding: { kinds: ["direct", "pop", "document", "photograph"], rejectAtOrAbove: 0.5 } },
      /probabilities must have the shape \[1, 4\]/,
    ],
    [
      "another golden output",
      { golden: { inputSeed: 7, outputs: [{ name: "probabilities", values: [0.3, 0.3, 0.4], tolerance: 0.001 }] } },
      /golden input does not give/,
    ],
    [
      "a golden output of another seed",
      { golden: { inputSeed: 8, outputs: [{ name: "probabilities", values: [0.1], tolerance: 1e-7 }] } },
      /golden input does not give/,
    ],
    ["invalid decoding constants", { decoding: { kinds: ["direct"], rejectAtOrAbove: 2 } }, /decoding/],
  ])("refuses %s with the reason", async (_, changes, reason) => {
    addPack(folder, "bad", changes);
    expect(states(await open())["bad"]).toMatch(new RegExp(`^refused: .*${reason.source}`));
  });

  it("refuses a file that is not a network", async () => {
    addPackOf("text", "not a network");
    expect(states(await open())["text"]).toMatch(/^refused: the network cannot be run/);
  });

  it("refuses a network that opens but does not run, and starts without it", async () => {
    addPackOf("unrunnable", unrunnableNetwork());
    addPack(userFolder, "good");
    const starting = await start();
    expect(states(starting)).toEqual({
      unrunnable: expect.stringMatching(/^refused: the network cannot be run: .*out of data bounds/s) as string,
      good: "active",
    });
    await starting.close();
  });

  it.each([
    ["does not run", unrunnableNetwork(), /out of data bounds/],
    ["returns values that are not finite", divergedNetwork(), /probabilities has values that are not finite/],
  ])("refuses a pack if a later member %s", async (_, bytes, reason) => {
    addPackOf("second", bytes, "second.onnx");
    expect(states(await open())["second"]).toMatch(reason);
  });

  it("refuses a pack for any error, and rethrows errors that the pack did not cause", async () => {
    const failing = (error: Error) => (() => Promise.reject(error)) as unknown as NetworkCall;
    const registry = createPackRegistry([folder]);
    addPack(folder, "odd");
    await registry.reload(failing(new TypeError("a bug")), {});
    expect(registry.statuses()).toMatchObject([
      { name: "odd", state: "refused", reason: "the network cannot be run: a bug" },
    ]);
    const stopped = new AppError("INTERNAL", "the networks stopped unexpectedly");
    await expect(registry.reload(failing(stopped), {})).rejects.toBe(stopped);
  });

  it("uses the pack that the user chose, or the program's own if that one fails", async () => {
    addPack(folder, "own");
    addPack(userFolder, "chosen");
    expect(states(await open({ gate: "chosen" }))).toEqual({ own: "available", chosen: "active" });
    addPack(userFolder, "chosen", {
      golden: { inputSeed: 7, outputs: [{ name: "probabilities", values: [9], tolerance: 0.1 }] },
    });
    const starting = await start({ gate: "chosen" });
    expect(states(starting)).toEqual({
      own: "active",
      chosen: expect.stringContaining("refused") as string,
    });
    await starting.close();
  });

  it("keeps the pack in use if its successor is refused, and switches to a valid one", async () => {
    addPack(folder, "first");
    const engine = await open();
    addPack(userFolder, "broken", { input: { name: "picture", dtype: "float32", shape: [1, 3, 16, 16] } });
    await engine.reload({ gate: "broken" });
    expect(states(engine)).toEqual({
      first: "active",
      broken: expect.stringContaining("refused: the network has no input named picture") as string,
    });
    addPack(userFolder, "second");
    await engine.reload({ gate: "second" });
    expect(states(engine)).toMatchObject({ first: "available", second: "active" });
  });

  it("reloads the predecessor in every thread, since one may have loaded the pack that another refused", async () => {
    const loaded: string[] = [];
    const everywhere = (async (_name: string, { manifest }: { manifest: NetworkManifest }) => {
      loaded.push(manifest.name);
      if (manifest.name === "large") throw new AppError("PACK_REFUSED");
      return 1;
    }) as unknown as NetworkCall;
    const registry = createPackRegistry([folder]);
    addPack(folder, "first");
    await registry.reload(everywhere, {});
    addPack(folder, "large");
    await registry.reload(everywhere, { gate: "large" });
    expect(loaded).toEqual(["first", "large", "first"]);
    expect(registry.active("gate")?.name).toBe("first");
  });

  it.each([
    ["none if no other loads", [], undefined],
    ["another that loads", ["other"], "other"],
  ])("clears the predecessor in every thread if one cannot restore it, and uses %s", async (_, others, now) => {
    const called: string[] = [];
    let isFull = false;
    const everywhere = (async (name: string, request: { manifest?: NetworkManifest; kind?: string }) => {
      called.push(`${name} ${request.manifest?.name ?? request.kind}`);
      if (isFull && name === "load" && request.manifest?.name !== "other") throw new AppError("PACK_REFUSED");
      return 1;
    }) as unknown as NetworkCall;
    const registry = createPackRegistry([folder]);
    addPack(folder, "first");
    await registry.reload(everywhere, {});
    isFull = true;
    for (const name of ["large", ...others]) addPack(folder, name);
    await registry.reload(everywhere, { gate: "large" });
    const tried = ["load first", "load large", "load first", "unload gate", "load first"];
    expect(called).toEqual([...tried, ...others.map((name) => `load ${name}`)]);
    expect(registry.active("gate")?.name).toBe(now);
  });

  it("unloads a pack whose folder is missing", async () => {
    const pack = addPack(folder, "gone");
    const engine = await open();
    rmSync(pack, { recursive: true });
    await engine.reload();
    expect(states(engine)).toEqual({});
  });
});

describe("the program's packs", () => {
  const own = fileURLToPath(new URL("../../../../models/packs", import.meta.url));
  const { packs, refused } = discoverPacks([own]);

  it("are all valid", () => {
    expect(refused).toEqual([]);
    expect(packs.map((pack) => pack.manifest.kind)).toContain("landmarks");
  });

  it.each(packs.map((pack) => [pack.manifest.name, pack] as const))(
    "have the hashes of their manifest and a card: %s",
    (_, { folder: pack, manifest }) => {
      for (const file of filesOf(manifest)) expect(readPackFile(pack, file).length).toBeGreaterThan(0);
      expect(readFileSync(path.join(pack, "CARD.md"), "utf8")).toMatch(/not clinically validated/i);
    },
  );
});
