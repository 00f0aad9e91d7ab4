import { readFileSync } from "node:fs";
import path from "node:path";
import asc from "assemblyscript/asc";
import { expect, it } from "vitest";
import { programDir } from "../../../../main/program.ts";

it("compiles to film-views.wasm as it is checked in (npm run kernel)", async () => {
  const folder = path.join(programDir, "main", "inference", "views", "kernel");
  const written: Uint8Array[] = [];
  const { error, stderr } = await asc.main(["--config", path.relative(".", path.join(folder, "asconfig.json"))], {
    writeFile: (_name: string, contents: string | Uint8Array) => void written.push(Buffer.from(contents)),
  });
  expect([error, stderr.toString(), written.length]).toEqual([null, "", 1]);
  expect(readFileSync(path.join(folder, "film-views.wasm")).equals(written[0] as Uint8Array)).toBe(true);
});
