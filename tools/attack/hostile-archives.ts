import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { AppError } from "../../core/app-error.ts";
import { readZip } from "../../main/services/import/zip-files.ts";
import type { AttackTally } from "./attack-tally.ts";

const limits = { files: 40, fileBytes: 64 * 1024 * 1024, totalBytes: 128 * 1024 * 1024 };

/**
 * ZIP files that are damaged at random places, that unpack to far more than they are, or that lead out of their folder.
 */
export async function attackByArchives(isShort: boolean): Promise<AttackTally> {
  const good = await zipOf({ "manifest.json": Buffer.from("{}"), "a/b.bin": Buffer.alloc(2000, 7) });
  const hostile = [
    await zipOf({ "bomb.bin": Buffer.alloc(60 * 1024 * 1024) }),
    await zipOf(Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`${number}.bin`, Buffer.alloc(1)]))),
    replaced(good, "a/b.bin", "../.bin"),
    replaced(good, "a/b.bin", "/etc/pw"),
    replaced(good, "a/b.bin", "..\\.bin"),
    Buffer.alloc(0),
    Buffer.from("PK\u0005\u0006"),
    good.subarray(0, good.length - 10),
  ];
  let state = 20_261_122;
  const random = (below: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  for (let number = isShort ? 300 : 5000; number > 0; number -= 1) {
    const damaged = Buffer.from(good);
    for (let place = 1 + random(4); place > 0; place -= 1) damaged[random(damaged.length)] = random(256);
    hostile.push(damaged);
  }
  let [refused, crashed] = [0, 0];
  for (const zip of hostile) {
    try {
      await readZip(zip, limits);
    } catch (error) {
      if (error instanceof AppError) refused += 1;
      else crashed += 1;
    }
  }
  return {
    kind: "ZIP",
    tried: hostile.length,
    refused,
    crashed,
    lost: 0,
    note: "the others open: damage beside the data",
  };
}

async function zipOf(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

function replaced(zip: Buffer, name: string, by: string): Buffer {
  return Buffer.from(zip.toString("latin1").replaceAll(name, by), "latin1");
}
