import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { AppError } from "../../../../core/app-error.ts";
import type { DicomReader } from "../../../../main/dicom/dicom-reader.ts";
import { findFiles, type FoundFile } from "../../../../main/services/import/import-folder.ts";
import { saidAsNobody } from "../../../fixtures/as-nobody.ts";
import { folderForTest } from "../../../fixtures/folders.ts";

const inChild = { module: "main/services/import/import-folder.ts", names: ["findFiles"] };
const filesOrReasons = `await Array.fromAsync(findFiles({}, process.argv[1]), async ({ name, isAmongOthers, read }) => [
  name, await read().then(String, ({ reason }) => reason.name), isAmongOthers,
])`;

it("finds files next to an unreadable folder, reports that folder, and skips recycle bins", () => {
  const folder = folderForTest();
  chmodSync(folder, 0o755);
  // Recycle bins of Windows, Linux, macOS and network storage.
  const bins = ["$Recycle.Bin", "RECYCLER", ".Trash-1000", ".Trashes", "one/#recycle", "@Recycle"];
  for (const below of ["closed", "one", "one/two", ...bins, "$Recycle.Bin/S-1-5-18"])
    mkdirSync(path.join(folder, below));
  for (const file of ["closed/0.dcm", "a.dcm", "one/b.dcm", "one/two/c.dcm", ...bins.map((bin) => `${bin}/thrown.dcm`)])
    writeFileSync(path.join(folder, file), "film");
  const locked = ["closed", ".Trashes", "$Recycle.Bin/S-1-5-18"];
  for (const closed of locked) chmodSync(path.join(folder, closed), 0o000);
  const found = saidAsNobody(inChild, folder, filesOrReasons);
  for (const closed of locked) chmodSync(path.join(folder, closed), 0o700);
  expect(found).toEqual([
    ["a.dcm", "film", true],
    ["one/b.dcm", "film", true],
    ["one/two/c.dcm", "film", true],
    ["closed", "folderUnreadable", false],
  ]);
});

it("finds linked films, and reports missing ones and links to folders elsewhere", async () => {
  const [folder, elsewhere] = [folderForTest(), folderForTest()];
  for (const file of ["film", "corvet.db"]) writeFileSync(path.join(elsewhere, file), "film");
  mkdirSync(path.join(folder, "one"));
  const link = (target: string, name: string) => symlinkSync(target, path.join(folder, name));
  link(path.join(elsewhere, "film"), "a.dcm");
  link(path.join(elsewhere, "missing"), "b.dcm");
  link(elsewhere, "2024");
  link(path.join(elsewhere, "corvet.db"), "c.dcm");
  link("/dev/zero", "d.dcm");
  link(folder, "one/all");
  const read = async ({ read: bytes }: FoundFile) => bytes().then(String, ({ reason }: AppError) => reason?.name);
  const found = Array.fromAsync(findFiles({} as DicomReader, folder), async (file) => [file.name, await read(file)]);
  expect(await found).toEqual([
    ["a.dcm", "film"],
    ["b.dcm", "fileNotFound"],
    ["2024", "folderLinked"],
  ]);
});

it("opens no files of a store, which would release SQLite's locks on them", async () => {
  const folder = folderForTest();
  const ofStore = ["corvet.db", "corvet.db-shm", "corvet.db-wal", "corvet.lock"];
  for (const name of [...ofStore, "corvet.dcm"]) writeFileSync(path.join(folder, name), "film");
  const namesIn = (named: string) => Array.fromAsync(findFiles({} as DicomReader, named), ({ name }) => name);
  expect(await namesIn(folder)).toEqual(["corvet.dcm"]);
  for (const name of ofStore) {
    const [named] = await Array.fromAsync(findFiles({} as DicomReader, path.join(folder, name)));
    await expect(named?.read()).rejects.toMatchObject({ code: "UNSUPPORTED_IMAGE" });
  }
});
