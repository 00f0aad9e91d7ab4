import { readFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { expectedVoters, type Engine } from "../../../main/inference/engine.ts";
import { openBench } from "../../fixtures/desktop-bench.ts";
import { turnsOfFreeLoop, turnsUntil } from "../../fixtures/event-loop.ts";
import { film, measuredBy, programEngine, scoresOf } from "./program-engine.ts";

let engine: Engine;
let first: MeasuredRadiograph;
beforeAll(async () => {
  engine = await programEngine();
  first = await measured(film("dog-01.jpg"));
});
afterAll(() => engine.close());
const measured = (bytes: Buffer) => measuredBy(engine, bytes);

describe("the engine with the program's packs", () => {
  it("records the provenance of a measurement and every member's vote", () => {
    const result = first;
    expect(result).toMatchObject({
      kind: "measured",
      widthPx: 1080,
      heightPx: 864,
      popDetected: false,
      corners: null,
      provenance: { packName: "landmarks-corvet", programVersion: "1.2.3" },
    });
    expect(result.votes).toHaveLength(expectedVoters);
    expect(result.spread).toBeGreaterThan(0);
    expect(result.landmarks["Vertebra A"]).toEqual(result.ruler.edges[0]);
    expect(result.edges.length).toBeGreaterThanOrEqual(result.ruler.edges.length);
  });

  it("measures films of the worklist with exactly its results", async ({ onTestFinished }) => {
    const bench = await openBench({ engine });
    onTestFinished(() => bench.remove());
    const { id: filmId } = await bench.openFilm("dog-01.jpg", film("dog-01.jpg"));
    const { film: listed, readings } = await bench.call("films.get", { filmId });
    const { resultCode, provenance, score, rlad, edges, spread, votes } = first;
    expect([listed.state, readings.length, readings[0]?.frame]).toEqual(["done", 1, listed.picture.frame]);
    expect(readings[0]).toMatchObject({
      ...{ resultCode, provenance, edges, spread },
      score: { ...score, rlad: rlad?.value },
      votes: { length: votes.length },
    });
  });

  it("measures a film cut out of a photograph of a screen as a direct film", async () => {
    const photograph = readFileSync(new URL("../../fixtures/screens/screen-04.jpg", import.meta.url));
    const { measurement, film: taken } = await engine.measurePhotograph(await decodeImage(photograph));
    if (measurement.kind !== "measured" || !taken) throw new Error("no film was found");
    const again = await measured(await taken.toJpeg());
    expect(again.popDetected).toBe(false);
    expect(Math.abs(scoresOf(again).vhs - scoresOf(measurement).vhs)).toBeLessThan(0.15);
  });

  it("returns the same result twice, and does not block the event loop", async () => {
    const measuring = Promise.all(["dog-01.jpg", "dog-02.jpg"].map((name) => measured(film(name))));
    expect(await turnsUntil(measuring)).toBeGreaterThan(turnsOfFreeLoop);
    expect((await measuring)[0]).toEqual(first);
  });

  it("stops when the client disconnects, and measures the next film", async () => {
    const image = await decodeImage(film("dog-01.jpg"));
    const leaver = new AbortController();
    const abandoned = engine.measure(image, { signal: leaver.signal });
    leaver.abort();
    await expect(abandoned).rejects.toMatchObject({ code: "ABORTED" });
    await expect(engine.measure(image, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
    expect((await measured(film("dog-01.jpg"))).score.vhs).toBeGreaterThan(4);
  });

  it("returns a result for a black and a noisy picture", async () => {
    const black = await sharp({ create: { width: 600, height: 400, channels: 3, background: "black" } })
      .png()
      .toBuffer();
    const noise = await sharp({
      create: {
        width: 600,
        height: 400,
        channels: 3,
        noise: { type: "gaussian", mean: 128, sigma: 40 },
        background: "black",
      },
    })
      .png()
      .toBuffer();
    for (const bytes of [black, noise])
      expect([1, 2, 3, 4, 5, 6, 7]).toContain((await engine.measure(await decodeImage(bytes))).resultCode);
  });
});
