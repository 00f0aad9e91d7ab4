import { describe, expect, it } from "vitest";
import { letterboxColour } from "../../../../main/inference/views/colour-letterbox.ts";
import { letterboxFilm } from "../../../../main/inference/views/reduce-film.ts";
import { imageLevels } from "../../../../main/inference/views/sample-frame.ts";

/** Waves, with grain of the given amplitude [grey levels]. */
function film(width: number, height: number, grain: number): Uint8Array {
  return Uint8Array.from(
    { length: width * height },
    (_, index) =>
      128 + 80 * Math.sin((index % width) / 9) * Math.cos(index / width / 7) + ((index * 7919) % 31) * (grain / 31),
  );
}

/** Differences between the reduced film and the output of sharp [grey levels]. */
async function differences(data: Uint8Array, width: number, height: number, side = 96): Promise<Float32Array> {
  const expected = (await letterboxColour({ grey: data, colour: null, widthPx: width, heightPx: height }, side)).input;
  // Values of an earlier film must be overwritten.
  const plane = new Float32Array(side * side).fill(7);
  letterboxFilm(imageLevels({ grey: data, widthPx: width, heightPx: height }), side, plane);
  return plane.map((value, index) => 255 * Math.abs(value - (expected[index] as number)));
}

describe("letterboxFilm", () => {
  it.each([
    [400, 320],
    [320, 400],
    [800, 500],
    [200, 160],
    [97, 96],
    [1080, 40],
  ])("reduces a film of %i x %i px like colour pictures", async (width, height) => {
    const found = await differences(film(width, height, 31), width, height);
    expect(Math.max(...found)).toBeLessThan(4);
    expect(found.reduce((sum, difference) => sum + difference, 0) / found.length).toBeLessThan(0.5);
  });

  it("reduces a strip narrower than its filter", async () => {
    expect(Math.max(...(await differences(film(33, 500, 31), 33, 500, 10)))).toBeLessThan(4);
  });

  it.each([
    [60, 44],
    [33, 32],
  ])("enlarges a film of %i x %i px nearly like sharp, which uses a cubic filter", async (width, height) => {
    expect(Math.max(...(await differences(film(width, height, 0), width, height)))).toBeLessThan(6);
  });
});
