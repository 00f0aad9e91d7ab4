import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage } from "../../../../main/imaging/decode-image.ts";
import { letterboxColour } from "../../../../main/inference/views/colour-letterbox.ts";
import type { CropPx, InputPlacement } from "../../../../main/inference/screens/corner-decoding.ts";

const side = 64;
const spot = { x: 149.5, y: 79.5 };
async function picture(format: "colour" | "grey") {
  const base = {
    width: 200,
    height: 120,
    channels: 3 as const,
    background: format === "colour" ? "#800000" : "#202020",
  };
  const mark = await sharp({
    create: { width: 20, height: 20, channels: 3, background: format === "colour" ? "#00ff00" : "#ffffff" },
  })
    .png()
    .toBuffer();
  const image = sharp({ create: base }).composite([{ input: mark, left: 140, top: 70 }]);
  return decodeImage(await (format === "grey" ? image.toColourspace("b-w") : image).png().toBuffer());
}

function centreOfLight(input: Float32Array, plane: number): { x: number; y: number } {
  let [mass, x, y] = [0, 0, 0];
  for (let at = 0; at < side * side; at += 1) {
    const value = Math.max(0, (input[plane * side * side + at] as number) - 0.3);
    mass += value;
    x += value * (at % side);
    y += value * Math.floor(at / side);
  }
  return { x: x / mass, y: y / mass };
}

const toInput = (at: { x: number; y: number }, { scale, offsetXPx, offsetYPx }: InputPlacement) => ({
  x: (at.x + 0.5) * scale - 0.5 + offsetXPx,
  y: (at.y + 0.5) * scale - 0.5 + offsetYPx,
});

describe("letterboxColour", () => {
  it("centres the picture on black, planes red, green, blue, 0–1", async () => {
    const { input, placement } = await letterboxColour(await picture("colour"), side);
    expect(placement.scale).toBeCloseTo(0.32, 6);
    // 200 x 120 becomes 64 x 38: 13 black rows above and below.
    expect([placement.offsetXPx, placement.offsetYPx]).toEqual([0, 13]);
    const plane = (index: number, x: number, y: number) => input[(index * side + y) * side + x] as number;
    expect(plane(0, 5, 12)).toBe(0);
    expect(plane(0, 5, 13)).toBeCloseTo(0x80 / 255, 2);
    expect(plane(0, 5, 50)).toBeCloseTo(0x80 / 255, 2);
    expect(plane(0, 5, 51)).toBe(0);
    expect(plane(2, 30, 30)).toBe(0);
    expect(centreOfLight(input, 1).x).toBeCloseTo(toInput(spot, placement).x, 0);
    expect(centreOfLight(input, 1).y).toBeCloseTo(toInput(spot, placement).y, 0);
  });

  it("fills three equal planes with a grey picture", async () => {
    const { input } = await letterboxColour(await picture("grey"), side);
    const area = side * side;
    expect(input.subarray(area, 2 * area)).toEqual(input.subarray(0, area));
    expect(input.subarray(2 * area)).toEqual(input.subarray(0, area));
  });

  it.each<[string, CropPx]>([
    ["inside", { left: 110, top: 40, width: 70, height: 70 }],
    ["across the right border", { left: 120.4, top: 30.3, width: 110, height: 110 }],
    ["across the left and upper border", { left: -40.6, top: -35.2, width: 220, height: 220 }],
  ])("places a crop %s at the returned position", async (_, crop) => {
    const { input, placement } = await letterboxColour(await picture("colour"), side, crop);
    const found = centreOfLight(input, 1);
    const expected = toInput(spot, placement);
    expect(Math.hypot(found.x - expected.x, found.y - expected.y)).toBeLessThan(0.6);
    // The crop results in the same position: its edge coordinates are half a pixel before the pixel's centre.
    const byCrop = {
      x: ((spot.x + 0.5 - crop.left) * side) / crop.width - 0.5,
      y: ((spot.y + 0.5 - crop.top) * side) / crop.height - 0.5,
    };
    expect(Math.hypot(found.x - byCrop.x, found.y - byCrop.y)).toBeLessThan(1);
  });

  it("does not wrap a crop's first whole pixel to the other side, although it begins before the crop", async () => {
    const sidePx = 300;
    const grey = Uint8Array.from({ length: sidePx ** 2 }, (_, at) => (at % sidePx === 100 ? 255 : 0));
    const crop = { left: 100.4, top: 100.4, width: 16, height: 16 };
    const { input } = await letterboxColour({ grey, colour: null, widthPx: sidePx, heightPx: sidePx }, side, crop);
    const brightest = (column: number) => Math.max(...input.filter((_, at) => at % side === column));
    expect([brightest(0), brightest(side - 2), brightest(side - 1)]).toEqual([expect.closeTo(1, 0), 0, 0]);
  });
});
