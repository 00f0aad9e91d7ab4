import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import type { Deidentification } from "../../../../main/dicom/deidentification/deidentification.ts";
import { createDicomReader } from "../../../../main/dicom/dicom-reader.ts";
import { us } from "../dicom-writer.ts";
import { encapsulatedFile, nativeFile, phantomFilm } from "../pixels/phantom-film.ts";

const how: Deidentification = {
  choices: { dates: "removed", descriptors: "removed", keepsPatient: false },
  ...{ pseudonym: "ANON-1", shiftDays: -400, secret: "secret", frameIndex: 0, areas: [], programVersion: "0.1.0" },
};

const reader = createDicomReader();
afterAll(() => reader.close());

test("removes texts in and after a compressed picture", async () => {
  const film = await phantomFilm(8, false, { widthPx: 64, heightPx: 80 });
  const jpeg = await sharp(Uint8Array.from(film.values), { raw: { width: 64, height: 80, channels: 1 } })
    .jpeg()
    .toColourspace("b-w")
    .toBuffer();
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 12]), Buffer.from("Bellavista")]);
  const coded = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), Buffer.from("Bellavista")]);
  const original = encapsulatedFile(film, "1.2.840.10008.1.2.4.50", [], [coded]);
  const copy = Buffer.from(await reader.deidentified(original, how));
  expect([original.includes("Bellavista"), copy.includes("Bellavista")]).toEqual([true, false]);
  expect((await reader.frame(copy, 0)).samples).toEqual((await reader.frame(original, 0)).samples);
});

test("keeps greys above the stated bits beside a blanked area", async () => {
  const size = { widthPx: 64, heightPx: 80 };
  const values = Int32Array.from({ length: 64 * 80 }, (_, index) => Math.floor((4096 * index) / (64 * 80)));
  const film = { ...(await phantomFilm(12, false, size)), values };
  const original = nativeFile(film, [us("00280101", 10), us("00280102", 9)]);
  const area = { x: 0, y: 0, width: 1, height: 0.5 };
  const [before, after] = [
    await reader.frame(original, 0),
    await reader.frame(await reader.deidentified(original, { ...how, areas: [area] }), 0),
  ];
  expect(before.bits).toBeGreaterThan(10);
  expect(after.samples.subarray(64 * 40)).toEqual(before.samples.subarray(64 * 40));
});
