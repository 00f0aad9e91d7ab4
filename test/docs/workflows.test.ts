import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const folder = ".github/workflows";

describe.each(readdirSync(folder))("workflow %s", (file) => {
  const text = readFileSync(path.join(folder, file), "utf8");

  it("pins every action to a commit and names its version", () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action ?? "");
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it("asks for no right but reading, and keeps no credentials in the checkout", () => {
    expect(text.match(/^permissions:\n {2}contents: read\n/m)).not.toBeNull();
    expect(text).not.toMatch(/: write/);
    expect(text.match(/actions\/checkout/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length);
  });

  it("runs only npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const called = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? "");
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it("has one version, which the changelog and the lock file know", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    version: string;
    packages: Record<string, { version?: string }>;
  };
  expect([lock.version, lock.packages[""]?.version]).toEqual([version, version]);
  expect(readFileSync("CHANGELOG.md", "utf8")).toMatch(
    new RegExp(`^## \\[${version}\\] - 20\\d\\d-\\d\\d-\\d\\d$`, "m"),
  );
});
