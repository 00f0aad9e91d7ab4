import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, it } from "vitest";
import { decodeImage } from "../../../../main/imaging/decode-image.ts";
import { hasCameraColours } from "../../../../main/inference/screens/camera-colours.ts";
import { photographs } from "../../../fixtures/truth.ts";

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));
const film = fixture("films/dog-01.jpg");
const marks = Buffer.from(
  `<svg width="900" height="700"><rect x="40" y="40" width="200" height="90" fill="#e02020"/><path d="M100 300 L800 500" stroke="#20d040" stroke-width="9"/></svg>`,
);

it.each<[string, () => Promise<Buffer>]>([
  ["grey", () => sharp(film).png().toBuffer()],
  ["in JPEG colours", () => sharp(film).toColourspace("srgb").jpeg({ quality: 60 }).toBuffer()],
  [
    "tinted",
    async () =>
      sharp(await sharp(film).toColourspace("srgb").png().toBuffer())
        .linear([0.85, 0.95, 1.1], [0, 4, 12])
        .png()
        .toBuffer(),
  ],
  [
    "tinted, in JPEG colours",
    async () =>
      sharp(await sharp(fixture("films/dog-02.jpg")).resize(900).toColourspace("srgb").png().toBuffer())
        .linear([0.85, 0.95, 1.1], [0, 4, 12])
        .jpeg({ quality: 100 })
        .toBuffer(),
  ],
  [
    "with coloured marks",
    () =>
      sharp(film)
        .resize(900, 700, { fit: "fill" })
        .toColourspace("srgb")
        .composite([{ input: marks }])
        .jpeg()
        .toBuffer(),
  ],
])("classifies a film that is %s as a file", async (_, make) =>
  expect(hasCameraColours(await decodeImage(await make()))).toBe(false),
);

it.each([1, 2, 4, 5, 7, 8])(
  "classifies the inside of screen-0%i, without its border, as from a camera",
  async (number) => {
    expect(hasCameraColours(await decodeImage(await closeUp(number)))).toBe(true);
  },
);

async function closeUp(number: number): Promise<Buffer> {
  const name = `screen-0${number}.jpg`;
  const { corners } = photographs.find(({ file }) => file === name)!;
  const middle = (axis: 0 | 1) =>
    corners
      .map((corner) => corner[axis])
      .sort((a, b) => a - b)
      .slice(1, 3);
  const [[left = 0, right = 0], [top = 0, bottom = 0]] = [middle(0), middle(1)];
  return sharp(fixture(`screens/${name}`))
    .extract({
      left: Math.round(left + 4),
      top: Math.round(top + 4),
      width: Math.round(right - left - 8),
      height: Math.round(bottom - top - 8),
    })
    .resize(1200)
    .jpeg({ quality: 90 })
    .toBuffer();
}
