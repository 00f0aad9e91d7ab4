import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/{*,decisions/*}.md"),
];
const root = /^(?:build|core|docs|main|models|preload|renderer|scripts|test|tools)\/[\w./-]+$/;

it("names only files and folders that exist", () => {
  const named = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`([^`\n]+)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => root.test(name))
      .map((name) => ({ page, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ name }) => !existsSync(name))).toEqual([]);
});
