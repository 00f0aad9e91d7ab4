import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../main/inference/engine.ts";
import { filmForms, greyOf } from "../imaging/film-forms.ts";
import { film, measuredBy, programEngine, scoresOf } from "./program-engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await programEngine();
});
afterAll(() => engine.close());
const scores = async (bytes: Buffer) => scoresOf(await measuredBy(engine, bytes));

const usual = new Map<string, ReturnType<typeof scores>>();
/** Scores of a film of the fixtures, computed once. */
function usualScores(name: string): ReturnType<typeof scores> {
  const known = usual.get(name) ?? scores(film(name));
  usual.set(name, known);
  return known;
}

describe("the engine with the program's packs", () => {
  it("measures the same scores in other file formats", async () => {
    const forms = await filmForms(await greyOf(film("dog-01.jpg")));
    const plain = await scores(forms["8-bit grey PNG"]!);
    for (const name of ["16-bit colour PNG", "palette PNG", "progressive JPEG"]) {
      const { vhs, vlas } = await scores(forms[name]!);
      expect(Math.abs(vhs - plain.vhs), name).toBeLessThan(0.05);
      expect(Math.abs(vlas - plain.vlas), name).toBeLessThan(0.05);
    }
  });

  const turns: [string, (bytes: Buffer) => Promise<Buffer>][] = [
    ["mirrored (facing right)", (bytes) => sharp(bytes).flop().png().toBuffer()],
    [
      "EXIF: a quarter turn",
      async (bytes) =>
        sharp(await sharp(bytes).rotate(270).png().toBuffer())
          .withMetadata({ orientation: 6 })
          .png()
          .toBuffer(),
    ],
    [
      "EXIF: mirrored",
      async (bytes) =>
        sharp(await sharp(bytes).flop().png().toBuffer())
          .withMetadata({ orientation: 2 })
          .png()
          .toBuffer(),
    ],
    ["a negative", (bytes) => sharp(bytes).negate().png().toBuffer()],
  ];
  it.each(turns)("measures the same scores in another orientation or polarity: %s", async (_, turn) => {
    const differences: number[] = [];
    for (const name of ["dog-01.jpg", "dog-04.jpg", "dog-06.jpg"]) {
      const before = await usualScores(name);
      const after = await scores(await turn(film(name)));
      differences.push(Math.abs(before.vhs - after.vhs), Math.abs(before.vlas - after.vlas));
    }
    expect(Math.max(...differences), differences.map((value) => value.toFixed(3)).join(" ")).toBeLessThan(0.1);
  });
});
