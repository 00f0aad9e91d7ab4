import { readFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { createEngine, type Engine } from "../../../main/inference/engine.ts";
import { createAppRoutes } from "../../../main/ipc/app-routes.ts";
import { programPacksDir } from "../../../main/program.ts";
import { openBench, type DesktopBench } from "../../fixtures/desktop-bench.ts";

let engine: Engine;
let bench: DesktopBench;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeAll(async () => {
  engine = await createEngine({ packFolders: [programPacksDir], programVersion: "0.1.0", log });
  bench = openBench({ engine });
});
afterAll(async () => {
  await bench.remove();
  await engine.close();
});

async function measured(folder: string, name: string) {
  const bytes = readFileSync(`test/fixtures/${folder}/${name}`);
  await bench.addFile(name, bytes);
  await bench.desktop.parts.queue.whenIdle();
  const { films } = await bench.call("films.list", { search: name });
  const { film, readings } = await bench.call("films.get", { filmId: films[0]!.id });
  return { bytes, film, reading: readings[0]! };
}

describe("the worklist with the program's own networks", () => {
  it("shows exactly what the networks say about a film", async () => {
    const { bytes, film, reading } = await measured("films", "dog-01.jpg");
    const said = await engine.measure(await decodeImage(bytes));
    expect(film.state).toBe("done");
    expect([reading.resultCode, reading.provenance, reading.frame]).toEqual([said.resultCode, said.provenance, film.frame]);
    if (said.kind === "measured") expect([reading.score, reading.edges, reading.spread, reading.votes.length]).toEqual([said.score, said.edges, said.spread, said.votes.length]);
    expect(said.kind).toBe("measured");
  });

  it("gives the straightened film of a photograph of a screen, in whose pixels the points are", async () => {
    const names = ["screen-01.jpg", "screen-02.jpg", "screen-03.jpg", "screen-04.jpg"];
    let rectified = 0;
    for (const name of names) {
      const { film, reading } = await measured("screens", name);
      if (film.urls.rectified === null) continue;
      rectified += 1;
      expect([reading.popDetected, reading.corners?.length, reading.spread]).toEqual([true, 4, null]);
      const response = await createAppRoutes(bench.desktop)(new Request(`corvet://app${film.urls.rectified}`));
      const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect(width / height).toBeCloseTo(reading.frame.widthPx / reading.frame.heightPx, 1);
    }
    expect(rectified).toBeGreaterThan(0);
  });
});
