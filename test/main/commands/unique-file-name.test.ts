import { expect, test } from "vitest";
import { uniqueFileName } from "../../../main/commands/output/unique-file-name.ts";

test("numbers names that are equal on Windows and macOS", () => {
  const taken = new Set<string>();
  const wanted = ["Rex.pdf", "rex.pdf", "REX.pdf", "B\u00e4r.pdf", "Ba\u0308r.pdf"];
  expect(wanted.map((name) => uniqueFileName(name, taken))).toEqual([
    "Rex.pdf",
    "rex-2.pdf",
    "REX-3.pdf",
    "B\u00e4r.pdf",
    "Ba\u0308r-2.pdf",
  ]);
});
