import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, it } from "vitest";
import { hasExposureData } from "../../../main/imaging/camera-exposure.ts";
import { decodeImage } from "../../../main/imaging/decode-image.ts";

const film = readFileSync(new URL("../../fixtures/films/dog-01.jpg", import.meta.url));
const exposed = { IFD0: { Make: "Phone" }, IFD2: { ExposureTime: "1/60", FNumber: "18/10" } };

it.each([
  ["JPEG", () => sharp(film).jpeg().withExif(exposed).toBuffer()],
  ["PNG", () => sharp(film).png().withExif(exposed).toBuffer()],
  [
    "grey JPEG",
    () =>
      sharp(film)
        .greyscale()
        .jpeg()
        .withExif({ IFD2: { FNumber: "18/10" } })
        .toBuffer(),
  ],
])("detects exposure data in a %s from a camera", async (_kind, make) => {
  expect((await decodeImage(await make())).hasExposureData).toBe(true);
});

it.each([
  ["without EXIF data", () => sharp(film).jpeg().toBuffer()],
  ["with its orientation", () => sharp(film).jpeg().withMetadata({ orientation: 1 }).toBuffer()],
  [
    "with the model of a scanner",
    () =>
      sharp(film)
        .jpeg()
        .withExif({ IFD0: { Make: "Scanner", Model: "X", Software: "S", DateTime: "2026:11:22 10:00:00" } })
        .toBuffer(),
  ],
])("detects none in a film %s", async (_kind, make) => {
  expect((await decodeImage(await make())).hasExposureData).toBe(false);
});

it("returns a result for 3000 damaged blocks", async () => {
  const { exif } = await sharp(await sharp(film).jpeg().withExif(exposed).toBuffer()).metadata();
  let state = 7;
  const next = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 3000; round += 1) {
    const damaged = Buffer.from(exif!.subarray(0, next(exif!.length + 1)));
    for (let change = next(5); change > 0 && damaged.length > 0; change -= 1) damaged[next(damaged.length)] = next(256);
    expect([true, false]).toContain(hasExposureData(damaged));
  }
});
