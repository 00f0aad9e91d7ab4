// Runs once: uses no store.
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { cornersInOtherSize, type Corners } from "../../../../core/cardiac/points.ts";
import type { MeasuredRadiograph } from "../../../../core/cardiac/radiograph-measurement.ts";
import { decodeImage } from "../../../../main/imaging/decode-image.ts";
import { rectify } from "../../../../main/imaging/rectify.ts";
import { drawMeasurement } from "../../../../main/services/measuring/measurement-drawing.ts";
import {
  drawStrip,
  sourceWords,
  stripHeightPx,
  stripOf,
} from "../../../../main/services/measuring/measurement-strip.ts";
import { renderMeasurement } from "../../../../main/services/measuring/render.ts";
import { measured } from "../../store/sample-store.ts";
import { photographs } from "../../../fixtures/truth.ts";

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));

const film = await decodeImage(fixture("films/dog-01.jpg"));
const measurement: MeasuredRadiograph = { ...measured, heightPx: film.heightPx };

const pixels = async (png: Buffer) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });

describe("renderMeasurement", () => {
  it("draws a strip under the film, and the same bytes every time", async () => {
    const png = await renderMeasurement(film, measurement);
    const { data, info } = await pixels(png);
    expect([info.width, info.height]).toEqual([1080, 864 + stripHeightPx(stripOf(measurement), 1080)]);
    expect((await renderMeasurement(film, measurement)).equals(png)).toBe(true);
    const isUntouched = (x: number, y: number) =>
      [0, 1, 2].every((channel) => data[(y * 1080 + x) * 3 + channel] === film.grey[y * 1080 + x]);
    expect([isUntouched(5, 5), isUntouched(1070, 5), isUntouched(5, 850), isUntouched(1070, 850)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("draws only the two axes inside the heart", async () => {
    const { data } = await pixels(await renderMeasurement(film, measurement));
    const { heart_top, heart_bottom, heart_right, heart_left } = measurement.landmarks;
    const centre = {
      x: (heart_top.x + heart_bottom.x + heart_right.x + heart_left.x) / 4,
      y: (heart_top.y + heart_bottom.y + heart_right.y + heart_left.y) / 4,
    };
    let drawn = 0;
    let seen = 0;
    // A square around the middle, well inside the heart.
    for (let y = -60; y <= 60; y += 1) {
      for (let x = -60; x <= 60; x += 1) {
        const at = Math.round(centre.y + y) * 1080 + Math.round(centre.x + x);
        seen += 1;
        if (data[at * 3] !== film.grey[at]) drawn += 1;
      }
    }
    expect(drawn / seen).toBeLessThan(0.1);
  });

  it("draws letters as outlines, which need no system fonts", () => {
    const drawn = { heart: measurement.landmarks, ruler: measurement.ruler, score: measurement.score };
    const svg =
      drawMeasurement(drawn, { width: 1080, height: 864, scale: 1 }) +
      drawStrip(stripOf(measurement), { width: 1080, top: 864 });
    expect(svg).not.toMatch(/<text|font-family|@font-face|<image/);
    expect(svg.match(/<path/g)?.length).toBeGreaterThan(20);
  });

  it("prints 'Not clinically validated' unless the pack is validated", () => {
    const { provenance } = measurement;
    expect(sourceWords(provenance)).toBe(`Corvet 0.1.0, landmarks 1.2.0. Not clinically validated.`);
    expect(sourceWords({ ...provenance, isClinicallyValidated: true })).toBe(`Corvet 0.1.0, landmarks 1.2.0.`);
  });

  it("names the releasing person of a validated pack only", () => {
    const { provenance } = measurement;
    const release = { publisher: "Example Ltd", fingerprint: "SHA256:abc", releasedBy: "Dr. Jane Doe" };
    expect(sourceWords({ ...provenance, isClinicallyValidated: true, release })).toBe(
      `Corvet 0.1.0, landmarks 1.2.0. Clinically validated, released by Dr. Jane Doe (Example Ltd).`,
    );
    expect(sourceWords({ ...provenance, release })).toMatch(/\. Not clinically validated\.$/);
  });

  it("draws the measurement of a photograph on its rectified film", async () => {
    const { file, width, height, corners: seen } = photographs.find(({ file: name }) => name === "screen-08.jpg")!;
    const photo = await decodeImage(fixture(`screens/${file}`));
    const inFile = seen.map(([x, y]) => ({ x, y })) as unknown as Corners;
    const corners = cornersInOtherSize(inFile, { widthPx: width, heightPx: height }, photo);
    const cut = await rectify(photo, inFile, { longestSidePx: 1080 });
    const { widthPx, heightPx } = cut;
    const taken = { ...measured, popDetected: true, corners, widthPx, heightPx };
    const { info } = await pixels(await renderMeasurement(photo, taken));
    expect([info.width, info.height]).toEqual([widthPx, heightPx + stripHeightPx(stripOf(taken), widthPx)]);
  });

  it("enlarges a small film for legibility", async () => {
    const small = await decodeImage(await sharp(fixture("films/dog-01.jpg")).resize(240).png().toBuffer());
    const { widthPx, heightPx } = small;
    const { info } = await pixels(await renderMeasurement(small, { ...measured, widthPx, heightPx }));
    expect(info.width).toBe(900);
  });

  it("draws a measurement without scores", async () => {
    const score = { ...measurement.score, vhs: null, vlas: null, longAxisVertebrae: null, shortAxisVertebrae: null };
    await expect(
      renderMeasurement(film, { ...measurement, resultCode: 5, tier: "review", score }),
    ).resolves.toBeInstanceOf(Buffer);
  });
});
