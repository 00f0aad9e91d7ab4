import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const places = ["docs", "docs/manual/en", "docs/manual/de"];
const pages = [
  "SECURITY.md",
  ...places.flatMap((place) => readdirSync(place).map((name) => `${place}/${name}`)),
].filter((page) => page.endsWith(".md"));

/** Commands that read files of whoever calls, and no store; the page about a command's options may be anybody's. */
const withoutStore = ["measure", "report", "pack", "pacs", "COMMAND"];

it("prints each command of the service that needs its store with sudo: without, it would open the caller's own", () => {
  const bare = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`(corvet ([a-zA-Z-]+)[^`]*)`/g)]
      .filter(([, , name = ""]) => !withoutStore.includes(name))
      .map(([, command]) => `${page}: ${command}`),
  );
  expect(bare).toEqual([]);
});
