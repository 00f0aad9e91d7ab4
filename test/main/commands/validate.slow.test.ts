import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programDir } from "../../../main/program.ts";

const films = path.join(programDir, "test", "fixtures", "films");
const hasPython = ["/usr/bin/python3", "python3"].some(
  (name) => spawnSync(name, ["-c", "import cv2, numpy, scipy"]).status === 0,
);

function validate(...args: string[]) {
  const command = ["main/commands/corvet.ts", "validate", ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: programDir, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("corvet validate", () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "corvet validate-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("refuses a missing folder", () => {
    const missing = path.join(folder, "missing");
    expect(validate(missing)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${missing}: no such folder`),
    });
  });

  it("classifies films in folders named by class, and writes figures, a row per film and a page", ({ skip }) => {
    skip(!hasPython, "no Python with NumPy, OpenCV and SciPy");
    const [collection, out] = [path.join(folder, "films"), path.join(folder, "out")];
    for (const [name, file] of [
      ["Small", "dog-01.jpg"],
      ["Normal", "dog-06.jpg"],
      ["Large", "dog-02.jpg"],
    ] as const) {
      mkdirSync(path.join(collection, name), { recursive: true });
      cpSync(path.join(films, file), path.join(collection, name, "1.jpg"));
    }
    const { status, stdout } = validate(collection, "--out", out);
    expect(status).toBe(0);
    expect(stdout).toMatch(/correct class .* 1\.000/);
    const { "all films": figures } = JSON.parse(readFileSync(path.join(out, "figures.json"), "utf8")) as {
      "all films": { films: number; failed: number; classes: { confusion: Record<string, Record<string, number>> } };
    };
    expect(figures).toMatchObject({ films: 3, failed: 0, classes: { confusion: { small: { small: 1 } } } });
    expect(readFileSync(path.join(out, "films.csv"), "utf8").split("\n")[0]).toMatch(
      /^file,group,class,measured_class/,
    );
    expect(readFileSync(path.join(out, "index.html"), "utf8")).toContain("Large/1.jpg: measured");
  });
});
