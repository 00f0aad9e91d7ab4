import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { saidAsNobody } from "../../../fixtures/as-nobody.ts";
import { folderForTest } from "../../../fixtures/folders.ts";

const scan = { module: "main/services/practice/folder-scan.ts", names: ["isFree", "listFolder"] };
const saidOf = (folder: string, expression: string) => saidAsNobody(scan, folder, expression);

function newFolder(): string {
  const folder = folderForTest();
  chmodSync(folder, 0o755);
  return folder;
}

it("treats a write-protected file, such as a copy of a CD, as complete", () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, "film.dcm"), "film", { mode: 0o444 });
  const script = "await Promise.all((await listFolder(process.argv[1])).map((file) => isFree(file, true)))";
  expect(saidOf(folder, script)).toEqual([true]);
});

it("lists files next to and below an unreadable folder", () => {
  const folder = newFolder();
  for (const below of ["lost+found", "one", "one/two", "done"]) mkdirSync(path.join(folder, below));
  for (const file of ["lost+found/0.dcm", "a.dcm", "one/b.dcm", "one/two/c.dcm", "done/d.dcm"])
    writeFileSync(path.join(folder, file), "film");
  chmodSync(path.join(folder, "lost+found"), 0o000);
  const names = saidOf(folder, "(await listFolder(process.argv[1]))?.map(({ path }) => path) ?? null");
  chmodSync(path.join(folder, "lost+found"), 0o700);
  expect(names).toEqual(
    expect.arrayContaining(["a.dcm", "one/b.dcm", "one/two/c.dcm"].map((name) => path.join(folder, name))),
  );
  expect(names).toHaveLength(3);
});
