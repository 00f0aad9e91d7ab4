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

it("links from the README to existing pictures and pages", () => {
  const links = [...readFileSync("README.md", "utf8").matchAll(/\]\(([^)#]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !link.startsWith("http"));
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});

it("names only npm scripts that exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/npm run (?:--silent )?([a-z0-9:-]+)/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
