import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLogFile } from "../../main/log-file.ts";

const limits = { fileBytes: 100, files: 2, ageMs: 1000 };
let folder = "";
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "corvet-log-")), "logs");
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

test("writes to a file that only the user can read", () => {
  createLogFile(folder, limits).write("one\n");
  createLogFile(folder, limits).write("two\n");
  const file = path.join(folder, "corvet.log");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["one\ntwo\n", 0o600]);
});

test("rotates a full file, and limits number and age of rotated files", () => {
  mkdirSync(folder, { recursive: true });
  const old = path.join(folder, "corvet-20200101T000000000Z.log");
  writeFileSync(old, "old");
  utimesSync(old, 0, 0);
  const log = createLogFile(folder, limits);
  for (let line = 0; line < 40; line += 1) {
    log.write(`${"x".repeat(59)}\n`);
    const until = Date.now() + 2;
    while (Date.now() < until);
  }
  const names = readdirSync(folder);
  expect([names.length, names.includes(path.basename(old))]).toEqual([3, false]);
});

test("drops lines that cannot be written, and resumes once it can write", () => {
  const log = createLogFile(folder, limits);
  writeFileSync(folder, "a file in the way");
  expect(() => log.write("lost\n")).not.toThrow();
  rmSync(folder);
  log.write("kept\n");
  expect(readFileSync(path.join(folder, "corvet.log"), "utf8")).toBe("kept\n");
});
