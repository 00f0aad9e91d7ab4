import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import asc from "assemblyscript/asc";
import { expect, it } from "vitest";
import { programDir } from "../../../main/program.ts";

it("film-views.wasm is what film-views.ts compiles to (npm run kernel)", async () => {
  const folder = path.join(programDir, "main", "inference", "kernel");
  const scratch = mkdtempSync(path.join(tmpdir(), "corvet-kernel-"));
  try {
    const compiled = path.join(scratch, "film-views.wasm");
    const { error, stderr } = await asc.main(["--config", path.relative(".", path.join(folder, "asconfig.json")), "--outFile", path.relative(folder, compiled)]);
    expect([error, stderr.toString()]).toEqual([null, ""]);
    expect(readFileSync(path.join(folder, "film-views.wasm")).equals(readFileSync(compiled))).toBe(true);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
