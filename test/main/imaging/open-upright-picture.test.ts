import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { openUprightPicture } from "../../../main/imaging/open-upright-picture.ts";

test("has the colours that are measured in a CMYK picture", async () => {
  const file = readFileSync(new URL("../../fixtures/imaging/cmyk.jpg", import.meta.url));
  const measured = await (await decodeImage(file)).fullColour();
  const { image } = await openUprightPicture(file);
  expect((await image.raw().toBuffer()).equals(measured.data)).toBe(true);
});
