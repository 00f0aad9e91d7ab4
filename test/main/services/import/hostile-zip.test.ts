// Runs once: uses no store.
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { ZipFile } from "yazl";
import { AppError } from "../../../../core/app-error.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";

const limits = { files: 40, fileBytes: 64 * 1024 * 1024, totalBytes: 128 * 1024 * 1024 };
const good = await zipOf({ "manifest.json": Buffer.from("{}"), "a/b.bin": Buffer.alloc(2000, 7) });

it.each([
  ["too many files", zipOf(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}.bin`, Buffer.alloc(1)])))],
  ["more bytes than allowed", zipOf({ "bomb.bin": Buffer.alloc(65 * 1024 * 1024) })],
  ["a path out of its folder", replaced("../.bin")],
  ["an absolute path", replaced("/etc/pw")],
  ["a path with backslashes", replaced("..\\.bin")],
  ["no bytes", Buffer.alloc(0)],
  ["an end alone", Buffer.from("PK\u0005\u0006")],
  ["its end cut off", good.subarray(0, good.length - 10)],
])("refuses an archive with %s", async (_, zip) => {
  await expect(readZip(await zip, limits)).rejects.toBeInstanceOf(AppError);
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

async function zipOf(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

function replaced(by: string): Buffer {
  return Buffer.from(good.toString("latin1").replaceAll("a/b.bin", by), "latin1");
}
