import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const scan = pathToFileURL(path.resolve(import.meta.dirname, "../../../../main/services/practice/folder-scan.ts")).href;
const nobody = 65_534;

/** What a script says of a folder to a user who may not do everything: to root nothing is protected. */
function saidOf(folder: string, script: string): unknown {
  const imported = `const { isFree, listFolder } = await import(${JSON.stringify(scan)});`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", `${imported} console.log(JSON.stringify(${script}))`, folder],
    { ...(process.getuid?.() === 0 ? { uid: nobody } : {}), encoding: "utf8" },
  );
  expect(stdout, stderr).not.toBe("");
  return JSON.parse(stdout);
}

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-scan-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}

it("takes a write-protected file, as copies of a CD are, for one that nobody is writing", () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, "film.dcm"), "film", { mode: 0o444 });
  const script = "await Promise.all((await listFolder(process.argv[1])).map((file) => isFree(file, true)))";
  expect(saidOf(folder, script)).toEqual([true]);
});

it("lists what lies beside and below a folder that cannot be read", () => {
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
