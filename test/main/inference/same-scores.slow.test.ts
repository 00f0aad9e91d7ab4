import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../main/inference/engine.ts";
import { startNetworkPool } from "../../../main/inference/threads/network-pool.ts";
import { film, measuredBy, programEngine, scoresOf } from "./program-engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await programEngine(startNetworkPool(1));
});
afterAll(() => engine.close());
const scores = async (bytes: Buffer) => scoresOf(await measuredBy(engine, bytes));

const usual = new Map<string, ReturnType<typeof scores>>();
function usualScores(name: string): ReturnType<typeof scores> {
  const known = usual.get(name) ?? scores(film(name));
  usual.set(name, known);
  return known;
}

// Formats and EXIF orientations that decode to the same pixels are tested in decode-image.test.ts.
describe("the engine with the program's packs", () => {
  it("measures the same scores after a lossy conversion", async () => {
    const jpeg = await sharp(film("dog-01.jpg")).jpeg({ quality: 98, progressive: true }).toBuffer();
    const [{ vhs, vlas }, plain] = [await scores(jpeg), await usualScores("dog-01.jpg")];
    expect(Math.abs(vhs - plain.vhs)).toBeLessThan(0.05);
    expect(Math.abs(vlas - plain.vlas)).toBeLessThan(0.05);
  });

  const changes: [string, (bytes: Buffer) => Promise<Buffer>][] = [
    ["mirrored (facing right)", (bytes) => sharp(bytes).flop().png().toBuffer()],
    ["as a negative", (bytes) => sharp(bytes).negate().png().toBuffer()],
  ];
  it.each(changes)("measures the same scores of films %s", async (_, change) => {
    const differences: number[] = [];
    for (const name of ["dog-01.jpg", "dog-04.jpg", "dog-06.jpg"]) {
      const before = await usualScores(name);
      const after = await scores(await change(film(name)));
      differences.push(Math.abs(before.vhs - after.vhs), Math.abs(before.vlas - after.vlas));
    }
    expect(Math.max(...differences), differences.map((value) => value.toFixed(3)).join(" ")).toBeLessThan(0.1);
  });
});
