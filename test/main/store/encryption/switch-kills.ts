import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { convertFiles } from "../../../../main/services/program/encryption/convert-files.ts";
import { openStore } from "../../../../main/store/database.ts";
import { convertStore, type ConversionStep } from "../../../../main/store/encryption/convert-store.ts";
import { expectWhole, fillDirectory, plan, turn } from "./encrypted-directory.ts";
import { folderForTest } from "../../../fixtures/folders.ts";

const program = path.join(import.meta.dirname, "switching-process.ts");

/** Kills a program during a conversion (encrypt if true), after a step has occurred the given number of times. */
export function describeSwitchKills(kills: readonly (readonly [ConversionStep, number, boolean])[]): void {
  describe("a kill during a conversion", () => {
    it.each(kills)("loses nothing after step %s (%i) (encrypt: %s)", async (step, times, isOn) => {
      const dataDir = folderForTest();
      onTestFinished(() => void vi.unstubAllEnvs());
      vi.stubEnv("CORVET_KEYS_DIR", folderForTest());
      await fillDirectory(dataDir);
      if (!isOn) await turn(dataDir, true);
      await plan(dataDir, isOn);
      const killed = spawnSync(process.execPath, [program, dataDir, step, String(times)], { encoding: "utf8" });
      expect([killed.signal, killed.stderr]).toEqual(["SIGKILL", ""]);
      // Before the next start, a command opens and writes to whichever of the two files is valid.
      await (await openStore(dataDir, { create: false, setAside: false })).destroy();
      convertStore(dataDir);
      expect(await convertFiles(dataDir)).toEqual([]);
      await expectWhole(dataDir, isOn);
    });
  });
}
