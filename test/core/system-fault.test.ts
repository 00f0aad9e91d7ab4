import { expect, test } from "vitest";
import { systemFaultOf } from "../../core/system-fault.ts";

const withCode = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });

test.each([
  ["ENOSPC", "DISK_FULL"],
  ["EDQUOT", "DISK_FULL"],
  ["SQLITE_FULL", "DISK_FULL"],
  ["EMFILE", "TOO_MANY_FILES"],
  ["ENFILE", "TOO_MANY_FILES"],
])("%s is %s, also deep in the causes of another error", (code, expected) => {
  expect(systemFaultOf(withCode(code))?.code).toBe(expected);
  expect(systemFaultOf(new Error("write failed", { cause: withCode("EIO", withCode(code)) }))?.code).toBe(expected);
});

test.each([[withCode("EACCES")], [new Error("x")], ["ENOSPC"], [null]])("%s is none of them", (error) => {
  expect(systemFaultOf(error)).toBeNull();
});
