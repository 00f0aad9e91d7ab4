import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { german } from "../../../core/language/german.ts";
import { startFaultText, writeFaultOf } from "../../../main/app/starting/start-fault.ts";
import { folderForTest } from "../../fixtures/folders.ts";

it.each([
  [
    Object.assign(new Error("no space left on device, mkdir"), { code: "ENOSPC" }),
    `${german.errors.DISK_FULL}\n\n/data`,
  ],
  [
    new AppError("STORE_UNAVAILABLE", "The data directory /data cannot be used (EACCES)."),
    "/data cannot be used (EACCES).",
  ],
  [new Error("unknown"), "unknown"],
])("explains in the user's language why a start failed: %s", (error, text) => {
  expect(startFaultText(error, "/data", "de")).toContain(text);
});

it("returns the error of an unwritable folder, and leaves no files in a writable one", () => {
  const folder = folderForTest();
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  expect(writeFaultOf(path.join(file, "data"))).toMatchObject({ code: "ENOTDIR" });
  expect([writeFaultOf(path.join(folder, "data")), readdirSync(path.join(folder, "data"))]).toEqual([null, []]);
});
