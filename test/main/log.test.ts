import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { AppError, because } from "../../core/app-error.ts";
import { logFolder, openLog } from "../../main/log.ts";
import { folderForEach } from "../fixtures/folders.ts";

const dataDir = folderForEach();

function logged(error: unknown): { kept: unknown; line: string } {
  openLog(dataDir()).error({ error }, "it failed");
  const line =
    readFileSync(path.join(logFolder(dataDir()), "corvet.log"), "utf8")
      .trim()
      .split("\n")
      .at(-1) ?? "";
  return { kept: JSON.parse(line).error, line };
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("an error in the log", () => {
  it("contains name, message and stack", () => {
    const error = thrownBy(() => (undefined as unknown as { name: string }).name);
    expect(logged(error).kept).toEqual({
      name: "TypeError",
      message: "Cannot read properties of undefined (reading 'name')",
      stack: expect.stringMatching(/^ {4}at .*log\.test\.ts/),
    });
  });

  it("contains its causes in any form, also circular ones", () => {
    const [first, second] = [new Error("first"), new Error("second")];
    const circle = new Error("circle");
    circle.cause = circle;
    const wrapped = [
      new Error("outer", { cause: first }),
      new AggregateError([first, second], "outer"),
      new SuppressedError(first, second, "outer"),
      circle,
    ];
    const said = wrapped.map((error) => [...logged(error).line.matchAll(/"message":"(\w+)"/g)].map(([, word]) => word));
    expect(said).toEqual([
      ["outer", "first"],
      ["outer", "first", "second"],
      ["outer", "first", "second"],
      ["circle", "circle", "circle", "circle", "circle", "circle"],
    ]);
  });

  it("does not contain rows and parameters of a database error", () => {
    const error = Object.assign(new DatabaseError('new row for relation "films" violates a check', 200, "error"), {
      code: "23514",
      detail: "Failing row contains (1, Bella, dog, Beagle, Anna Weber, P-4711).",
      where: "unnamed portal parameter $1 = 'Bella'",
      parameters: ["Bella"],
    });
    const { kept, line } = logged(new Error("not kept", { cause: error }));
    expect(kept).toMatchObject({
      message: "not kept",
      causes: [{ code: "23514", message: 'new row for relation "films" violates a check' }],
    });
    expect(line).not.toMatch(/Bella|Weber|P-4711/);
  });

  it.each([
    [
      "a value that the database cannot read",
      () =>
        Object.assign(new DatabaseError('invalid input syntax for type integer: "Bella"', 9, "error"), {
          code: "22P02",
        }),
    ],
    ["invalid JSON", () => thrownBy(() => JSON.parse('{"name": "x", Bella Weber}'))],
    ["short invalid JSON", () => thrownBy(() => JSON.parse("Bella"))],
    ["a file name", () => readFile(path.join(dataDir(), "Bella.dcm")).catch((error: unknown) => error)],
    ["a reason of the catalogue", () => new AppError("NOT_FOUND", because("openingNotFound", { value: "Bella" }))],
    ["an object that is not an error", () => ({ name: "Bella" })],
  ])("does not quote %s", async (_what, fail) => {
    const { kept, line } = logged(await fail());
    expect(line).not.toMatch(/Bella|Weber/);
    expect(JSON.stringify(kept).length).toBeGreaterThan(10);
  });
});

it("writes security-relevant lines also to a log of their own", () => {
  const log = openLog(dataDir());
  log.info({}, "of no interest");
  log.warn({ security: "key.refused", times: 3 }, "access refused");
  const lines = readFileSync(path.join(logFolder(dataDir()), "security.log"), "utf8")
    .trim()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ security: "key.refused", times: 3 }]);
});
