import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { programDir } from "../../main/program.ts";
import { icnsOf, icoOf, type IconPicture } from "./icon-files.ts";

/** Small sizes have a simpler drawing. Run it after a source has changed; a test compares the files with the output. */
const folder = path.join(programDir, "build", "icons");

/** The drawing for each size [px]. */
const iconSizes = [
  [16, "icon-small.svg"],
  [24, "icon-small.svg"],
  [32, "icon-medium.svg"],
  [48, "icon-medium.svg"],
  [64, "icon-medium.svg"],
  [128, "icon.svg"],
  [256, "icon.svg"],
  [512, "icon.svg"],
  [1024, "icon.svg"],
] as const;

const pictures: IconPicture[] = [];
for (const [sizePx, source] of iconSizes) {
  const svg = readFileSync(path.join(folder, source));
  const png = await sharp(svg, { density: (72 * sizePx) / viewBoxPx(svg) })
    .resize(sizePx, sizePx)
    .png({ compressionLevel: 9 })
    .toBuffer();
  writeFileSync(path.join(folder, `${sizePx}x${sizePx}.png`), png);
  pictures.push({ sizePx, png });
}
writeFileSync(path.join(folder, "icon.ico"), icoOf(pictures.filter(({ sizePx }) => sizePx <= 256)));
writeFileSync(path.join(folder, "icon.icns"), icnsOf(pictures));

// macOS draws the alpha channel of a template image in the colour of the menu bar: 16 pt, and twice that for HiDPI.
for (const [sizePx, name] of [
  [16, "trayTemplate.png"],
  [32, "trayTemplate@2x.png"],
] as const) {
  const svg = readFileSync(path.join(folder, "tray-template.svg"));
  await sharp(svg, { density: (72 * sizePx) / viewBoxPx(svg) })
    .resize(sizePx, sizePx)
    .png({ compressionLevel: 9 })
    .toFile(path.join(programDir, "build", name));
}

function viewBoxPx(svg: Buffer): number {
  return Number(/viewBox="0 0 (\d+) /.exec(svg.toString("utf8"))?.[1]);
}
