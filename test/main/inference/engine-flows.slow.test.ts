import { once } from "node:events";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { AppError } from "../../../core/app-error.ts";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { startEngine, type Engine } from "../../../main/inference/engine.ts";
import { startNetworkPool, type NetworkPool } from "../../../main/inference/threads/network-pool.ts";
import { waitFor } from "../../fixtures/patience.ts";
import { photographs } from "../../fixtures/truth.ts";

const ownPacks = fileURLToPath(new URL("../../../models/packs", import.meta.url));
const fixture = (name: string) => decodeImage(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));
const engines: Engine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

async function open(errors: string[], pool?: NetworkPool): Promise<Engine> {
  const engine = await start(ownPacks, errors, pool);
  engines.push(engine);
  return engine;
}

async function start(packFolder: string, errors: string[] = [], pool?: NetworkPool): Promise<Engine> {
  const log = { warn: () => undefined, error: (_: unknown, message: string) => void errors.push(message) };
  const { engine, loaded } = startEngine({ packFolders: [packFolder], programVersion: "1.2.3", log }, pool);
  await loaded;
  return engine;
}

describe("with all packs", () => {
  let engine: Engine;
  beforeAll(async () => void (engine = await start(ownPacks)));
  afterAll(() => engine.close());

  it("is complete", () => {
    expect(engine.health()).toMatchObject({
      modelsLoaded: 5,
      popModelsLoaded: 1,
      isPopEnabled: true,
      isDegraded: false,
    });
  });

  it.each([1, 2, 3, 4, 5, 6])("rejects negative-0%i", async (number) => {
    const result = await engine.measure(await fixture(`negatives/negative-0${number}.jpg`));
    expect(result).toMatchObject({ kind: "rejected", resultCode: 6 });
    expect(result.classifierConfidence).toBeGreaterThan(0.5);
  });

  it("measures a film cut out of a photograph, and returns corners in pixels of the full picture", async () => {
    const photo = await fixture("screens/screen-08.jpg");
    const measurement = await engine.measure(photo);
    expect(measurement).toMatchObject({ kind: "measured", popDetected: true, spread: null });
    if (measurement.kind !== "measured") throw new Error("not measured");
    expect(measurement.votes).toHaveLength(1);
    const corners = await engine.findCorners(photo);
    const scale = photo.fullWidthPx / photo.widthPx;
    expect(scale).toBeGreaterThan(1);
    expect(corners).toHaveLength(4);
    corners?.forEach(({ x, y }, index) => {
      expect(x).toBeCloseTo(((measurement.corners?.[index]?.x ?? NaN) + 0.5) * scale - 0.5, 6);
      expect(y).toBeCloseTo(((measurement.corners?.[index]?.y ?? NaN) + 0.5) * scale - 0.5, 6);
    });
    const frame = await engine.measurePhotograph(photo);
    expect(frame.film).toMatchObject({ widthPx: measurement.widthPx, heightPx: measurement.heightPx });
    expect(Math.max(measurement.widthPx, measurement.heightPx)).toBeLessThanOrEqual(1080);
    expect(frame.measurement).toEqual(measurement);
  });

  it("returns code 7 for a close-up of a screen whose border is out of view", async () => {
    const { corners } = photographs.find(({ file }) => file === "screen-02.jpg")!;
    const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis] ?? 0).sort((a, b) => a - b));
    const [left, top] = [Math.ceil(xs?.[1] ?? 0) + 4, Math.ceil(ys?.[1] ?? 0) + 4];
    const inside = {
      left,
      top,
      width: Math.floor(xs?.[2] ?? 0) - 4 - left,
      height: Math.floor(ys?.[2] ?? 0) - 4 - top,
    };
    const photo = readFileSync(new URL("../../fixtures/screens/screen-02.jpg", import.meta.url));
    const closeUp = await sharp(photo).extract(inside).resize(1200).jpeg({ quality: 90 }).toBuffer();
    expect(await engine.measure(await decodeImage(closeUp))).toMatchObject({ kind: "unrectified", resultCode: 7 });
  });

  it("ignores corners that cannot be rectified, so that every measurement can be drawn", async () => {
    const photo = sharp(readFileSync(new URL("../../fixtures/screens/screen-01.jpg", import.meta.url)));
    const { width, height } = await photo.metadata();
    const [top, bottom] = [Math.round(0.28 * height), Math.round(0.68 * height)];
    const band = await photo
      .extract({ left: 0, top, width, height: bottom - top })
      .jpeg({ quality: 92 })
      .toBuffer();
    expect(await engine.measure(await decodeImage(band))).toMatchObject({ kind: "unrectified", resultCode: 7 });
    expect(await engine.findCorners(await decodeImage(band))).toBeNull();
  });

  it("changes packs between two films, so that no film is measured by two packs", async () => {
    // Wait for the second thread, which loads the packs while films are measured.
    await engine.reload();
    const [film, next] = [await fixture("films/dog-01.jpg"), await fixture("films/dog-02.jpg")];
    const order: string[] = [];
    const ended = (what: string) => () => void order.push(what);
    const underWay = engine.measure(film).then(ended("film under way"));
    await turn();
    const reloaded = engine.reload().then(ended("packs"));
    await turn();
    await Promise.all([underWay, reloaded, engine.measure(next).then(ended("next film"))]);
    expect(order).toEqual(["film under way", "packs", "next film"]);
  });

  it("finds no corners in a picture without a film", async () => {
    expect(await engine.findCorners(await fixture("negatives/negative-06.jpg"))).toBeNull();
  });

  it.each([1, 2, 3, 4, 5, 6])("rejects a capture frame that shows negative-0%i", async (number) => {
    expect(await engine.measurePhotograph(await fixture(`negatives/negative-0${number}.jpg`))).toMatchObject({
      film: null,
      measurement: { kind: "rejected", resultCode: 6 },
    });
  });
});

describe("with all packs and ended threads", () => {
  it("restarts the networks after their thread has ended", async () => {
    let thread: Worker | undefined;
    process.once("worker", (worker) => (thread = worker));
    const errors: string[] = [];
    const engine = await open(errors, startNetworkPool(1));
    const film = await fixture("films/dog-01.jpg");
    const before = await engine.measure(film);
    // Terminate before the first network of a film: during a run, onnxruntime-node would end the whole process.
    const ended = thread?.terminate();
    const interrupted = engine.measure(film);
    await ended;
    await expect(interrupted).rejects.toThrow("the networks stopped unexpectedly");
    expect(engine.health().isDegraded).toBe(true);
    expect(await engine.measure(film)).toEqual(before);
    expect(errors).toEqual(["the networks stopped unexpectedly; starting them again"]);
    expect(engine.health().isDegraded).toBe(false);
  });

  it("logs why a thread ended before the packs are loaded", async () => {
    const pool = startNetworkPool(1);
    const [worker] = (await once(process, "worker")) as [Worker];
    const cause = new Error("the module cannot be loaded");
    worker.emit("error", cause);
    await worker.terminate();
    const error = vi.fn();
    const { engine, loaded } = startEngine(
      { packFolders: [], programVersion: "1.2.3", log: { warn: () => undefined, error } },
      pool,
    );
    engines.push(engine);
    await loaded;
    expect(error).toHaveBeenCalledWith(
      { error: expect.objectContaining({ code: "INTERNAL", cause }) as AppError },
      "the networks stopped unexpectedly; starting them again",
    );
  });

  it.runIf(availableParallelism() > 1)("reports fewer threads until a reload starts the second", async () => {
    const errors: string[] = [];
    const engine = await open(errors);
    process.once("worker", (worker) => void worker.terminate());
    await waitFor(() => expect(errors).toEqual(["films are measured by fewer threads"]));
    expect(engine.health()).toMatchObject({ canMeasure: true, isDegraded: true });
    await engine.reload();
    await waitFor(() => expect(engine.health().isDegraded).toBe(false));
  });
});

describe("with missing packs", () => {
  // In the checkout, because hard links cannot cross file systems.
  const dist = fileURLToPath(new URL("../../../dist", import.meta.url));
  let packFolder: string;
  let engine: Engine;
  beforeAll(async () => {
    mkdirSync(dist, { recursive: true });
    packFolder = mkdtempSync(path.join(dist, "packs-"));
    engine = await start(packFolder, [], startNetworkPool(1));
  });
  afterAll(async () => {
    await engine.close();
    rmSync(packFolder, { recursive: true, force: true });
  });

  /** Adds and removes packs, and reloads them; those that stay are not loaded again. */
  async function usePacks(...names: string[]): Promise<void> {
    const present = readdirSync(packFolder);
    for (const name of present)
      if (!names.includes(name)) rmSync(path.join(packFolder, name), { recursive: true, force: true });
    for (const name of names.filter((added) => !present.includes(added))) {
      mkdirSync(path.join(packFolder, name));
      for (const file of readdirSync(path.join(ownPacks, name)))
        linkSync(path.join(ownPacks, name, file), path.join(packFolder, name, file));
    }
    await engine.reload();
  }

  it("rejects films and photographs without a gate", async () => {
    await usePacks("landmarks-corvet", "landmarks-pop-corvet", "corners-corvet");
    expect(engine.health()).toMatchObject({ modelsLoaded: 5, isPopEnabled: true, canMeasure: false, isDegraded: true });
    const [film, photo] = [await fixture("films/dog-01.jpg"), await fixture("screens/screen-08.jpg")];
    await expect(engine.measure(film)).rejects.toMatchObject({ code: "MODELS_NOT_LOADED" });
    await expect(engine.measure(photo)).rejects.toMatchObject({ code: "MODELS_NOT_LOADED" });
    await expect(engine.measurePhotograph(photo)).rejects.toMatchObject({ code: "MODELS_NOT_LOADED" });
  });

  it.each([
    [["landmarks-corvet", "gate-corvet", "landmarks-pop-corvet"], 1],
    [["landmarks-corvet", "gate-corvet", "corners-corvet"], 0],
  ])("rejects photographs but measures films with only %j", async (packs, popModelsLoaded) => {
    await usePacks(...packs);
    expect(engine.health()).toMatchObject({ popModelsLoaded, isPopEnabled: false, canMeasure: true, isDegraded: true });
    const photo = await fixture("screens/screen-08.jpg");
    await expect(engine.measure(photo)).rejects.toMatchObject({ code: "POP_NOT_LOADED" });
    await expect(engine.measurePhotograph(photo)).rejects.toMatchObject({ code: "POP_NOT_LOADED" });
    await expect(engine.findCorners(photo)).rejects.toMatchObject({ code: "POP_NOT_LOADED" });
    expect(await engine.measure(await fixture("films/dog-01.jpg"))).toMatchObject({
      kind: "measured",
      popDetected: false,
    });
  });

  it("rejects films without a landmark pack", async () => {
    await usePacks();
    expect(engine.health()).toMatchObject({
      modelsLoaded: 0,
      modelVersion: "none",
      canMeasure: false,
      isDegraded: true,
    });
    await expect(engine.measure(await fixture("films/dog-01.jpg"))).rejects.toMatchObject({
      code: "MODELS_NOT_LOADED",
    });
  });
});
