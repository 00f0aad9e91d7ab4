import path from "node:path";
import sharp, { type Sharp } from "sharp";
import { expect, it } from "vitest";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { isSamePicture, shapeOfPicture } from "../../../main/imaging/same-picture.ts";

const films = path.resolve(import.meta.dirname, "../../fixtures/films");
const shapeOf = async (picture: Sharp) => shapeOfPicture(await decodeImage(await picture.png().toBuffer()));
const film = (name: string) => sharp(path.join(films, name));

it("recognises a film after strong compression and under another window", async () => {
  const one = await shapeOf(film("dog-01.jpg"));
  const compressed = sharp(await film("dog-01.jpg").jpeg({ quality: 10 }).toBuffer());
  const others = [await shapeOf(compressed), await shapeOf(film("dog-01.jpg").linear(0.6, 40))];
  expect(others.map((other) => isSamePicture(one, other))).toEqual([true, true]);
});

it("distinguishes a film from another one, from its mirror image, and from a shifted exposure", async () => {
  const one = await shapeOf(film("dog-01.jpg"));
  const { width, height } = await film("dog-01.jpg").metadata();
  const left = Math.round(0.02 * width);
  const aside = film("dog-01.jpg").extend({ left, background: "black" });
  const others = [
    await shapeOf(film("dog-02.jpg")),
    await shapeOf(film("dog-01.jpg").flop()),
    await shapeOf(sharp(await aside.png().toBuffer()).extract({ left: 0, top: 0, width, height: height })),
  ];
  expect(others.map((other) => isSamePicture(one, other))).toEqual([false, false, false]);
});
