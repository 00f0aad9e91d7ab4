// Runs once: tests copies of the SQLite file.
import { randomBytes } from "node:crypto";
import { createWriteStream, readFileSync } from "node:fs";
import path from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { ZipFile } from "yazl";
import { openEncryptedZip } from "../../../main/store/backups/veiled-file.ts";
import { folderForFile } from "../../fixtures/folders.ts";

const folder = folderForFile();

it("returns the files of an archive without writing them to disk as plain text", async () => {
  const files = new Map(
    [0, 1, 15, 16, 17, 300_001].map((length) => [`${"n".repeat(length % 7)}${length}`, randomBytes(length)]),
  );
  files.set("store.key", Buffer.from("the key of the store"));
  const zip = new ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(bytes, name, { compress: false });
  zip.end();
  const place = path.join(folder, "unpacked.zip");
  const opened = await openEncryptedZip(
    [zip.outputStream as Readable, new PassThrough()],
    createWriteStream(place, { mode: 0o600 }),
  );
  const found = new Map<string, Buffer>();
  for await (const entry of opened.eachEntry())
    found.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)));
  opened.close();
  expect(found).toEqual(files);
  const disk = readFileSync(place);
  expect(["store.key", "the key of the store"].map((text) => disk.includes(text))).toEqual([false, false]);
});
