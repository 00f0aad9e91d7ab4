import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { createEngine, type Engine } from "../../../main/inference/engine.ts";
import { programPacksDir } from "../../../main/program.ts";
import { openBench, type DesktopBench } from "../../fixtures/desktop-bench.ts";

let engine: Engine;
let bench: DesktopBench;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeAll(async () => {
  engine = await createEngine({ packFolders: [programPacksDir], programVersion: "0.1.0", log });
  bench = await openBench({ engine });
});
afterAll(async () => {
  await bench.remove();
  await engine.close();
});

async function measured(name: string) {
  const bytes = readFileSync(`test/fixtures/films/${name}`);
  await bench.addFile(name, bytes);
  await bench.desktop.parts.queue.whenIdle();
  const { films } = await bench.call("films.list", { search: name });
  const { film, readings } = await bench.call("films.get", { filmId: films[0]!.id });
  return { bytes, film, reading: readings[0]! };
}

describe("the worklist with the program's own networks", () => {
  it("shows exactly the result of the networks", async () => {
    const { bytes, film, reading } = await measured("dog-01.jpg");
    const said = await engine.measure(await decodeImage(bytes));
    expect(film.state).toBe("done");
    expect([reading.resultCode, reading.provenance, reading.frame]).toEqual([
      said.resultCode,
      said.provenance,
      film.frame,
    ]);
    if (said.kind === "measured")
      expect([reading.score, reading.edges, reading.spread, reading.votes.length]).toEqual([
        { ...said.score, rlad: said.rlad?.value },
        said.edges,
        said.spread,
        said.votes.length,
      ]);
    expect(said.kind).toBe("measured");
  });
});
