import { readFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";

const fixtures = path.join(import.meta.dirname, "..", "..", "..", "fixtures");

export function fixtureImage(name: string): string {
  return readFileSync(path.join(fixtures, name)).toString("base64");
}

export function fixtureNames(folder: string): string[] {
  const index = JSON.parse(readFileSync(path.join(fixtures, folder, "index.json"), "utf8")) as {
    images: { file: string }[];
  };
  return index.images.map(({ file }) => `${folder}/${file}`);
}

export async function plainImage(widthPx = 64, heightPx = 48): Promise<string> {
  const png = await sharp({
    create: { width: widthPx, height: heightPx, channels: 3, background: { r: 90, g: 90, b: 90 } },
  })
    .png()
    .toBuffer();
  return png.toString("base64");
}
