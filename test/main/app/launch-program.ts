import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type * as StandIn from "../../fixtures/electron-stand-in.ts";
import { patience } from "../../fixtures/patience.ts";

/** The real program (service, store, networks) under a stand-in for Electron. */
export type LaunchedProgram = { readonly standIn: typeof StandIn; readonly dataDir: string; quit(): Promise<void> };

/**
 * Starts main/app/main.ts as Electron would, with files on its command line if wanted. One program per test file:
 * modules are loaded once.
 */
export async function launchProgram({
  files = [] as readonly string[],
  dataDir = mkdtempSync(path.join(tmpdir(), "corvet-app-")),
} = {}): Promise<LaunchedProgram> {
  process.argv = [process.argv[0]!, process.cwd(), `--data-dir=${dataDir}`, "--port=0", ...files];
  process.env["CORVET_LOG_LEVEL"] = "silent";
  const standIn = (await import("electron")) as unknown as typeof StandIn;
  await import("../../../main/app/main.ts");
  standIn.becomeReady();
  await vi.waitFor(() => {
    const failure = standIn.recorded.find(({ name }) => name === "showErrorBox");
    if (failure) throw new Error(String(failure.arguments[1]));
    if (standIn.BrowserWindow.opened.every(({ loaded }) => loaded === "")) throw new Error("no window yet");
  }, patience);
  return {
    standIn,
    dataDir,
    async quit() {
      const exits = () => standIn.recorded.filter(({ name }) => name === "exit").length;
      if (exits() > 0) return;
      standIn.app.emit("before-quit", { preventDefault: () => undefined });
      await vi.waitFor(() => {
        if (exits() === 0) throw new Error("still running");
      }, patience);
    },
  };
}

/** The question that a start asks on such a data directory, and is answered; the program ends with the test. */
export async function questionAtStart(dataDir: string, answer: number): Promise<string> {
  const { recorded, dialogAnswers } = (await import("electron")) as unknown as typeof StandIn;
  dialogAnswers.messageBox = answer;
  const program = await launchProgram({ dataDir });
  onTestFinished(() => program.quit());
  const asked = recorded.filter(({ name }) => name === "showMessageBox");
  expect(asked).toHaveLength(1);
  return JSON.stringify(asked[0]?.arguments);
}
