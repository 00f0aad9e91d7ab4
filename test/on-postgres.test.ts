import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { leftOutInHurry, onBothEngines, onceOnly } from "./on-postgres.ts";

const listed = [onceOnly, leftOutInHurry].flatMap((lists) => Object.values(lists).flat());
const found = onBothEngines.flatMap((pattern) => globSync(pattern).map((file) => file.replaceAll("\\", "/")));

it("names every file that does not run on PostgreSQL once, and none that is gone or would not run there anyway", () => {
  expect(listed.filter((file) => !found.includes(file))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

it("has files for every folder that runs on both engines", () => {
  expect(onBothEngines.filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
});
