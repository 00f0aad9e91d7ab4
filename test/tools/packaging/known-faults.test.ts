import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { findKnownFaults, librariesOf } from "../../../tools/packaging/known-faults/find-known-faults.ts";
import { isAffected } from "../../../tools/packaging/known-faults/fault-records.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "corvet-faults-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ranged = (name: string, ...events: Record<string, string>[]) => ({
  id: `GHSA-${name}`,
  summary: `${name} is wrong`,
  affected: [{ package: { ecosystem: "npm", name }, ranges: [{ type: "SEMVER", events }] }],
});
async function writeExport(...records: readonly object[]): Promise<string> {
  const zip = new ZipFile();
  for (const [index, record] of records.entries()) zip.addBuffer(Buffer.from(JSON.stringify(record)), `${index}.json`);
  zip.end();
  const file = path.join(folder, "all.zip");
  writeFileSync(file, await buffer(zip.outputStream));
  return file;
}

it("finds known vulnerabilities of the lock file's own versions, the program before its tools; what is bundled into the page is the program", async () => {
  const installed = librariesOf("package-lock.json");
  const versionOf = (wanted: string) => installed.find(({ name }) => name === wanted)!.version;
  const file = await writeExport(
    ranged("fontkit", { introduced: "0" }),
    ranged("vite", { introduced: "0" }),
    ranged("react-dom", { introduced: "0" }),
    ranged("sharp", { introduced: "0" }, { fixed: "0.30.0" }),
    { id: "MAL-1", affected: [{ package: { ecosystem: "npm", name: "yazl" }, versions: [versionOf("yazl")] }] },
    { ...ranged("fastify", { introduced: "0" }), withdrawn: "2026-01-01T00:00:00Z" },
    {
      id: "PYSEC-1",
      affected: [{ package: { ecosystem: "PyPI", name: "fontkit" }, versions: [versionOf("fontkit")] }],
    },
    ranged("a-library-that-is-not-here", { introduced: "0" }),
    { nothing: "of the kind" },
  );
  const found = await findKnownFaults(file, "package-lock.json");
  expect([...new Set(found.map(({ id, isTool }) => `${id} ${isTool}`))]).toEqual([
    "GHSA-fontkit false",
    "GHSA-react-dom false",
    "MAL-1 false",
    "GHSA-vite true",
  ]);
});

it.each([
  ["1.0.0", [{ introduced: "0" }, { fixed: "1.2.0" }], true],
  ["1.2.0", [{ introduced: "0" }, { fixed: "1.2.0" }], false],
  ["2.1.0", [{ introduced: "0" }, { fixed: "1.2.0" }, { introduced: "2.0.0" }, { fixed: "2.1.1" }], true],
  ["1.5.0", [{ introduced: "0" }, { fixed: "1.2.0" }, { introduced: "2.0.0" }], false],
  ["1.3.0", [{ introduced: "1.0.0" }, { last_affected: "1.3.0" }], true],
  ["1.3.1", [{ introduced: "1.0.0" }, { last_affected: "1.3.0" }], false],
  ["2.0.0-rc.1", [{ introduced: "0" }, { fixed: "2.0.0" }], true],
])("reads %s against %j as affected: %s", (version, events, expected) => {
  expect(isAffected(ranged("x", ...events), "x", version)).toBe(expected);
});

it("does not take an empty export for a clean one", async () => {
  await expect(findKnownFaults(await writeExport(), "package-lock.json")).rejects.toThrow(/no record/);
});
