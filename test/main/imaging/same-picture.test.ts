import path from "node:path";
import sharp, { type Sharp } from "sharp";
import { expect, it } from "vitest";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { isSamePicture } from "../../../main/imaging/same-picture.ts";

const films = path.resolve(import.meta.dirname, "../../fixtures/films");
const opened = async (picture: Sharp) => decodeImage(await picture.png().toBuffer());
const film = (name: string) => sharp(path.join(films, name));

it("takes a film for the same after strong compression and under another window", async () => {
  const one = await opened(film("dog-01.jpg"));
  const compressed = sharp(await film("dog-01.jpg").jpeg({ quality: 10 }).toBuffer());
  const others = [await opened(compressed), await opened(film("dog-01.jpg").linear(0.6, 40))];
  expect(await Promise.all(others.map((other) => isSamePicture(one, other)))).toEqual([true, true]);
});

it("tells a film from another, from its mirror image, and from an exposure that lies a little aside", async () => {
  const one = await opened(film("dog-01.jpg"));
  const { width } = await film("dog-01.jpg").metadata();
  const left = Math.round(0.02 * width);
  const aside = film("dog-01.jpg").extend({ left, background: "black" });
  const others = [
    await opened(film("dog-02.jpg")),
    await opened(film("dog-01.jpg").flop()),
    await opened(sharp(await aside.png().toBuffer()).extract({ left: 0, top: 0, width, height: one.fullHeightPx })),
  ];
  expect(await Promise.all(others.map((other) => isSamePicture(one, other)))).toEqual([false, false, false]);
});
