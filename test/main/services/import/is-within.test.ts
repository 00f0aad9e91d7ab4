// Runs once: has no store.
import path from "node:path";
import { expect, it } from "vitest";
import { isWithin } from "../../../../main/services/import/is-within.ts";

it.each([
  ["C:\\Data", "C:\\Data"],
  ["C:\\Data\\films", "C:\\Data"],
  ["c:\\data\\films", "C:\\Data"],
  ["C:\\Data\\..films", "C:\\Data"],
  ["D:\\DICOM\\0001", "D:\\"],
  ["\\\\server\\films\\0001", "\\\\server\\films\\"],
])("finds %s within %s on Windows", (inner, outer) => {
  expect(isWithin(inner, outer, path.win32)).toBe(true);
});

it.each([
  ["E:\\Backups", "C:\\Data"],
  ["\\\\server\\backups", "C:\\Data"],
  ["C:\\Data of old", "C:\\Data"],
  ["C:\\", "C:\\Data"],
])("does not find %s within %s on Windows", (inner, outer) => {
  expect(isWithin(inner, outer, path.win32)).toBe(false);
});

it.each([
  ["/data/films", "/data", true],
  ["/media/0001", "/", true],
  ["/data/..films", "/data", true],
  ["/Data/films", "/data", false],
  ["/database", "/data", false],
  ["/", "/data", false],
])("compares %s and %s on other systems: %s", (inner, outer, expected) => {
  expect(isWithin(inner, outer, path.posix)).toBe(expected);
});
