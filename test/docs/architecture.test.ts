import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Folders that the tree of ARCHITECTURE.md draws, as paths from the root: `main/`, `main/store/`, … */
function drawnFolders(): string[] {
  const [, tree = ""] = readFileSync("ARCHITECTURE.md", "utf8").split("```");
  let room = "";
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", name = ""] = /^( {0,2})([\w-]+\/) /.exec(line) ?? [];
    if (!name) return [];
    if (indent === "") room = name;
    return [indent === "" ? name : `${room}${name}`];
  });
}

const foldersIn = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => `${path === "." ? "" : path}${name}/`);

/** Nobody's source: installed or built. */
const untracked = ["node_modules/", "dist/", "corvet-data/", "coverage/"];

it("draws exactly the folders that are there", () => {
  const there = [...foldersIn("."), ...foldersIn("core/"), ...foldersIn("main/")].filter(
    (folder) => !untracked.includes(folder),
  );
  expect(drawnFolders().sort()).toEqual(there.sort());
});

it("fits on one page", () => {
  expect(readFileSync("ARCHITECTURE.md", "utf8").split("\n").length).toBeLessThanOrEqual(110);
});
