import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, "docs", "decisions");
const index = readFileSync(path.join(folder, "README.md"), "utf8");
const records = readdirSync(folder).filter((name) => name !== "README.md");
const rooms = ["core", "main", "preload", "renderer", "models", "scripts", "tools", "test", "docs"];

/** Every file name below the rooms, without its folder: moving a file leaves the records true. */
const fileNames = new Set(
  rooms
    .filter((room) => existsSync(path.join(root, room)))
    .flatMap((room) => readdirSync(path.join(root, room), { recursive: true, encoding: "utf8" }))
    .map((file) => path.basename(file)),
);

describe.each(records)("%s", (name) => {
  const text = readFileSync(path.join(folder, name), "utf8");

  it("has title, status, date, context, decision and consequences in this order", () => {
    expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
    expect(text).toMatch(
      new RegExp(
        `^# ${name.slice(0, 4)}\\. .+\\n\\n- Status: (accepted|superseded by \\d{4})\\n- Date: \\d{4}-\\d\\d-\\d\\d\\n` +
          "\\n## Context\\n\\n[^]+\\n## Decision\\n\\n[^]+\\n## Consequences\\n\\n[^]+$",
      ),
    );
  });

  it("has at most 60 lines", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });

  it("is in the index under its own title", () => {
    const title = text.slice(2, text.indexOf("\n"));
    expect(index).toContain(`- [${title}](${name})\n`);
  });

  it("names only files that exist", () => {
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|py))`/g)].map((match) => path.basename(match[1] ?? ""));
    expect(named.filter((file) => !fileNames.has(file))).toEqual([]);
  });
});

it("lists every record in the index once, and gives no number twice", () => {
  const listed = [...index.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map((match) => match[1]);
  expect([...listed].sort()).toEqual([...records].sort());
  expect(new Set(records.map((name) => name.slice(0, 4))).size).toBe(records.length);
});
