import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { desktopChannels, type DesktopBridge } from "../../core/contract/desktop.ts";
import { exposed, ipcRenderer } from "../fixtures/electron-stand-in.ts";
import "../../preload/preload.ts";

const bridge = exposed.get("corvet") as DesktopBridge;

describe("the preload", () => {
  it("offers every channel of the contract and no other", async () => {
    expect(Object.keys(bridge.calls)).toEqual(desktopChannels);
    expect(await bridge.calls["films.get"]({ filmId: "1" })).toEqual({
      channel: "films.get",
      request: { filmId: "1" },
    });
  });

  it("passes events on without Electron's own event object, until the subscription ends", () => {
    const listener = vi.fn();
    const unsubscribe = bridge.subscribe(listener);
    const event = { name: "film.removed", payload: { filmIds: ["1"] } };
    ipcRenderer.emit("event", { sender: "electron" }, event);
    unsubscribe();
    ipcRenderer.emit("event", {}, event);
    expect(listener.mock.calls).toEqual([[event]]);
  });

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
