// Runs once: uses no store.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { readZip, zipEntries } from "../../../../main/services/import/zip-files.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";
import { folderForTest } from "../../../fixtures/folders.ts";
import { zipOf } from "../../../fixtures/zip-of.ts";

const limits = { files: 40, fileBytes: 64 * 1024 * 1024, totalBytes: 128 * 1024 * 1024 };
const good = await zipOf({ "manifest.json": Buffer.from("{}"), "a/b.bin": Buffer.alloc(2000, 7) });

it.each([
  ["too many files", zipOf(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}.bin`, Buffer.alloc(1)])))],
  ["more bytes than allowed", zipOf({ "bomb.bin": Buffer.alloc(65 * 1024 * 1024) })],
  ["a path outside its folder", replaced("../.bin")],
  ["an absolute path", replaced("/etc/pw")],
  ["a path with backslashes", replaced("..\\.bin")],
  ["no bytes", Buffer.alloc(0)],
  ["only an end record", Buffer.from("PK\u0005\u0006")],
  ["a truncated end", good.subarray(0, good.length - 10)],
])("refuses an archive with %s", async (_, zip) => {
  await expect(readZip(await zip, limits)).rejects.toBeInstanceOf(AppError);
});

it("refuses a file whose bytes differ from its checksum, compressed or not", async () => {
  for (const compress of [true, false]) {
    const zip = await zipOf({ "film.dcm": Buffer.from("animal P-4711") }, compress);
    const changed = Buffer.from(zip);
    const at = compress ? changed.indexOf("film.dcm") + 12 : changed.indexOf("4711") + 3;
    changed[at] = (changed[at] as number) ^ 0x08;
    await expect(readZip(zip, limits)).resolves.toHaveLength(1);
    await expect(readZip(changed, limits)).rejects.toMatchObject({ code: "INVALID_ARCHIVE" });
  }
});

it.each([2, 1000])("reads an archive with %i bytes appended, from memory and from a file", async (more) => {
  const zip = Buffer.concat([good, Buffer.alloc(more, 0x0d)]);
  await expect(readZip(zip, limits)).resolves.toHaveLength(2);
  const file = path.join(folderForTest(), "appended.zip");
  writeFileSync(file, zip);
  const found = [];
  for await (const { name, read } of zipEntries(file, limits)) found.push([name, (await read()).length]);
  expect(found).toEqual([
    ["manifest.json", 2],
    ["a/b.bin", 2000],
  ]);
});

it.each([
  [9, "Deflate64"],
  [12, "BZIP2"],
  [77, "77"],
])("reports the unsupported compression method %i by name", async (method, name) => {
  const changed = Buffer.from(good);
  const central = changed.indexOf("PK\u0001\u0002");
  changed.writeUInt16LE(method, central + 10);
  await expect(readZip(changed, limits)).rejects.toMatchObject({
    message: `This file in the archive is compressed with ${name}: unpack the archive and open its files`,
  });
});

it("reads an archive with damaged bytes or refuses it with an expected error", async () => {
  const random = seededRandom(20_261_122);
  const below = (limit: number) => Math.floor(random() * limit);
  let refused = 0;
  for (let round = 0; round < 500; round += 1) {
    const damaged = Buffer.from(good);
    for (let place = 1 + below(4); place > 0; place -= 1) damaged[below(damaged.length)] = below(256);
    const error = await readZip(damaged, limits).catch((failure: unknown) => failure);
    if (!(error instanceof Error)) continue;
    expect(error).toBeInstanceOf(AppError);
    refused += 1;
  }
  expect(refused).toBeGreaterThan(0);
});

function replaced(by: string): Buffer {
  return Buffer.from(good.toString("latin1").replaceAll("a/b.bin", by), "latin1");
}
