import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const scan = pathToFileURL(path.resolve(import.meta.dirname, "../../../../main/services/practice/folder-scan.ts")).href;
const script = `
const { isFree, listFolder } = await import(${JSON.stringify(scan)});
const [file] = await listFolder(process.argv[1]);
console.log(JSON.stringify([await isFree(file, true), await isFree(file, false)]));`;
const nobody = 65_534;

it("takes a write-protected file, as copies of a CD are, for one that nobody is writing", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-scan-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  writeFileSync(path.join(folder, "film.dcm"), "film", { mode: 0o444 });
  // To root no file is protected.
  const user = process.getuid?.() === 0 ? { uid: nobody } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script, folder], {
    ...user,
    encoding: "utf8",
  });
  expect(stdout, stderr).toBe("[true,true]\n");
});
