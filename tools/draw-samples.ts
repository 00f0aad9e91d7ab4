import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { textOutline, textWidthPx } from "../main/imaging/text/text-outlines.ts";
import { programDir } from "../main/program.ts";

/**
 * Draws the films of the sample study: phantoms of the fixtures with "SIMULATED" in the pixels, so that every copy is
 * marked. core/sample-study.ts lists the hashes.
 */
const drawn = [
  ["dog-06.jpg", "sample-1.jpg"],
  ["dog-03.jpg", "sample-2.jpg"],
] as const;
const letterPx = 34;
const marginPx = 22;
const words = "SIMULATED · CORVET";

for (const [phantom, sample] of drawn) {
  const film = readFileSync(path.join(programDir, "test", "fixtures", "films", phantom));
  const { width, height } = await sharp(film).metadata();
  const left = width - textWidthPx(words, letterPx, 600) - marginPx;
  const outline = textOutline(words, left, height - marginPx, letterPx, 600);
  const marked = await sharp(film)
    .composite([
      {
        input: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="${outline}" fill="#fff" stroke="#000" stroke-width="1.5"/></svg>`,
        ),
      },
    ])
    .greyscale()
    .jpeg({ quality: 88 })
    .toBuffer();
  writeFileSync(path.join(programDir, "samples", sample), marked);
}
