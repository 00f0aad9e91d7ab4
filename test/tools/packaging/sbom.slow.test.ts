import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { licencesOfLockFile } from "../../../main/services/program/licences/licences.ts";
import { folderForFile } from "../../fixtures/folders.ts";

const folder = folderForFile();

it("lists all libraries of the licences page and all model packs with hashes, without URLs", async () => {
  const output = path.join(folder, "corvet.cdx.json");
  await promisify(execFile)(process.execPath, ["tools/packaging/sbom.ts", "--output", output]);
  const text = readFileSync(output, "utf8");
  const bom = JSON.parse(text) as {
    readonly bomFormat: string;
    readonly components: readonly {
      readonly type: string;
      readonly name: string;
      readonly group?: string;
      readonly components?: readonly { readonly name: string }[];
    }[];
  };
  const named = new Set(
    bom.components.flatMap(({ group, name, components = [] }) => {
      const library = group ? `${group}/${name}` : name;
      return [library, ...components.map((part) => `${part.name} (in ${library})`)];
    }),
  );
  expect(bom.bomFormat).toBe("CycloneDX");
  expect(licencesOfLockFile("package-lock.json").filter(({ name }) => !named.has(name))).toEqual([]);
  expect(bom.components.filter(({ type }) => type === "machine-learning-model").map(({ name }) => name)).toContain(
    "landmarks-corvet",
  );
  expect(text).not.toMatch(/https?:\/\/(?!cyclonedx\.org)/);
});
