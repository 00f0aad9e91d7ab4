// Runs once: uses no store.
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { deleteAbandonedExports, writeZip } from "../../../../main/services/desktop/exports.ts";
import { unzipped } from "../../../fixtures/unzipped.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const folder = folderForEach();
let file: string;
beforeEach(() => {
  file = path.join(folder(), "export.zip");
});

it("deletes unfetched exports and mail drafts after an hour, complete or not", async () => {
  const exports = path.join(folder(), "exports");
  for (const film of ["old", "new"]) mkdirSync(path.join(exports, `mail-${film}`), { recursive: true });
  writeFileSync(path.join(exports, "mail-old", "message.eml"), "patient");
  for (const name of ["old.zip", "half.zip.unfinished", "new.pdf"]) writeFileSync(path.join(exports, name), "patient");
  const secondsAgo = (minutes: number) => Date.now() / 1000 - minutes * 60;
  for (const name of ["old.zip", "half.zip.unfinished", "mail-old"])
    utimesSync(path.join(exports, name), secondsAgo(61), secondsAgo(61));
  utimesSync(path.join(exports, "mail-new"), secondsAgo(59), secondsAgo(59));
  await deleteAbandonedExports(folder());
  expect(readdirSync(exports).sort()).toEqual(["mail-new", "new.pdf"]);
});

describe("a ZIP of an export", () => {
  it("receives its name once complete, and replaces an earlier file", async () => {
    writeFileSync(file, "earlier");
    const filled = writeZip(file, (zip) => {
      zip.addBuffer(Buffer.from("film"), "film.png");
      return Promise.resolve(1);
    });
    expect(readFileSync(file, "utf8")).toBe("earlier");
    expect(await filled).toBe(1);
    expect([...(await unzipped(readFileSync(file)))]).toEqual([["film.png", Buffer.from("film")]]);
    expect(readdirSync(folder())).toEqual(["export.zip"]);
  });

  it("leaves no partial file and keeps an earlier file if a film fails", async () => {
    writeFileSync(file, "earlier");
    const filled = writeZip(file, (zip) => {
      zip.addBuffer(Buffer.alloc(1_000_000, "patient"), "film.png", { compress: false });
      return new Promise((_resolve, reject) => setTimeout(() => reject(new Error("no film")), 50));
    });
    await expect(filled).rejects.toThrow("no film");
    expect(readdirSync(folder()).map((name) => [name, readFileSync(path.join(folder(), name), "utf8")])).toEqual([
      ["export.zip", "earlier"],
    ]);
  });

  it("leaves no file if writing fails", async () => {
    const filled = writeZip(path.join(folder(), "gone", "export.zip"), (zip) => {
      zip.addBuffer(Buffer.from("film"), "film.png");
      return Promise.resolve();
    });
    await expect(filled).rejects.toMatchObject({ code: "ENOENT" });
    expect(readdirSync(folder())).toEqual([]);
  });
});
