import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const maxTests = 80;

let importersOf: Map<string, string[]> | null = null;

/** Lists the quick tests of a file's folder, then those that import it, nearest first; for core, its tests first. */
export function nearestTests(root: string, file: string): string[] {
  importersOf ??= readImporters(root);
  const seen = new Set([file]);
  // Fixtures are not followed, since almost every test imports them.
  for (const each of seen)
    if (!each.startsWith("test/")) for (const importer of importersOf.get(each) ?? []) seen.add(importer);
  const ofFolder = globSync(`test/${path.dirname(file)}/*.test.ts`, { cwd: root }).sort();
  const tests = [...new Set([...ofFolder, ...seen])].filter((each) => /(?<!\.slow|\.long)\.test\.tsx?$/.test(each));
  const isOfCore = (test: string) => file.startsWith("core/") && test.startsWith("test/core/");
  return [...tests.filter(isOfCore), ...tests.filter((test) => !isOfCore(test))].slice(0, maxTests);
}

function readImporters(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  const sources = globSync("{core,main,renderer,test}/**/*.{ts,tsx}", { cwd: root, exclude: ["test/end-to-end/**"] });
  for (const file of sources)
    for (const [, name = ""] of readFileSync(path.join(root, file), "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const imported = path.join(path.dirname(file), name);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
}
