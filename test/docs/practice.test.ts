import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { postgresPrograms } from "../fixtures/postgres/programs.ts";

const text = readFileSync("docs/practice.md", "utf8");
const all = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))];

describe("the document for practices", () => {
  it("names commands that there are, with options that they know", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    expect(all(/npm run ([a-z-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    const usage = readFileSync("main/commands/store.ts", "utf8") + readFileSync("main/headless.ts", "utf8");
    expect(all(/npm run store -- [a-z]+ (--[a-z]+)/g).filter((option) => !usage.includes(option))).toEqual([]);
  });

  it("links to what there is", () => {
    expect(all(/\]\(([^)#]+)\)/g).filter((link) => !existsSync(path.join("docs", link)))).toEqual([]);
  });

  it.runIf(postgresPrograms !== null)("names programs that PostgreSQL has", () => {
    const named = all(/sudo -u postgres (psql|createdb|dropdb|pg_[a-z]+)/g);
    expect(named.filter((name) => !existsSync(path.join(postgresPrograms ?? "", name)))).toEqual([]);
    expect(named.length).toBeGreaterThan(4);
  });
});
