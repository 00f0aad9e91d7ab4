// Runs once: uses no store.
import { expect, it } from "vitest";
import { kindOfFile, notAFilm } from "../../../../main/services/import/import-kinds.ts";

const box = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`, "latin1");

it.each([
  ["heic", /^This is a HEIC photo.*“Most Compatible”/],
  ["mif1", /^This is a HEIC photo/],
  ["avif", /AVIF format/],
  ["isom", /this file is none of them/],
])("reports the type of a file of brand %s and what to do", (brand, words) => {
  expect(kindOfFile(box(brand))).toBe("other");
  expect(notAFilm(box(brand)).message).toMatch(words);
});

it.each([
  ["%PDF-1.7", /PDF.*Export the film itself/],
  ["\0\0\0\x0cjP  \r\n\x87\n", /JPEG 2000 format/],
  ["\xff\n", /JPEG XL format/],
  ["RIFF\x24\0\0\0WEBPVP8 ", /WebP format/],
  ["7z\xbc\xaf\x27\x1c", /7-Zip format/],
])("reports the type of %j", (head, words) => {
  expect(notAFilm(Buffer.from(head, "latin1")).message).toMatch(words);
});
