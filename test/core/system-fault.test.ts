import { expect, test } from "vitest";
import { systemFaultOf } from "../../core/system-fault.ts";

const withCode = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });

test.each([
  ["ENOSPC", "DISK_FULL"],
  ["EDQUOT", "DISK_FULL"],
  ["SQLITE_FULL", "DISK_FULL"],
  ["EMFILE", "TOO_MANY_FILES"],
  ["ENFILE", "TOO_MANY_FILES"],
])("maps %s to %s, even as a nested cause", (code, expected) => {
  expect(systemFaultOf(withCode(code))?.code).toBe(expected);
  expect(systemFaultOf(new Error("write failed", { cause: withCode("EIO", withCode(code)) }))?.code).toBe(expected);
});

test.each([[withCode("EACCES")], [new Error("x")], ["ENOSPC"], [null]])("returns null for %s", (error) => {
  expect(systemFaultOf(error)).toBeNull();
});

test.each([
  ["ERR_WORKER_INIT_FAILED", "Worker initialization failure: EMFILE", "TOO_MANY_FILES"],
  ["ERR_INVALID_PACKAGE_CONFIG", "Cannot read package config package.json: too many open files.", "TOO_MANY_FILES"],
  ["ERR_INVALID_PACKAGE_CONFIG", "Invalid package config package.json.", undefined],
])("maps %s with message %j to %s", (code, words, expected) => {
  expect(systemFaultOf(Object.assign(new Error(words), { code }))?.code).toBe(expected);
});
