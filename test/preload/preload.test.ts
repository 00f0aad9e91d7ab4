import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { desktopChannels } from "../../core/contract/desktop.ts";

describe("the preload", () => {
  it("is built as one CommonJS file that requires nothing but Electron, as a sandbox demands", () => {
    const outDir = mkdtempSync(path.join(tmpdir(), "corvet-preload-"));
    try {
      execFileSync(process.execPath, [
        "node_modules/vite/bin/vite.js",
        "build",
        "--config",
        "preload/vite.config.ts",
        "--outDir",
        outDir,
        "--logLevel",
        "error",
      ]);
      const text = readFileSync(path.join(outDir, "preload.cjs"), "utf8");
      expect([...text.matchAll(/require\("([^"]+)"\)/g)].map((match) => match[1])).toEqual(["electron"]);
      expect(text).not.toMatch(/^import /m);
      expect(desktopChannels.filter((channel) => !text.includes(`"${channel}"`))).toEqual([]);
      expect(text.length).toBeLessThan(10_000);
    } finally {
      rmSync(outDir, { recursive: true });
    }
  });
});
