import path from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Page } from "playwright-core";
import { keepOrder } from "../fixtures/keep-order.ts";
import { call, launch, makeDataDir, removeDataDir } from "./electron-program.ts";
import type { DesktopProgram, LaunchOptions } from "./electron-program.ts";

export type SharedProgram = { dataDir: string; program: DesktopProgram; page: Page };

type LaunchedWith = Omit<LaunchOptions, "dataDir">;

/**
 * Starts one program for the tests of a suite, in English and with a user. The members are available in tests. The
 * tests run in order, since each continues with the state that the previous one left.
 *
 * @param optionsIn  returns options of the launch; receives the folder that contains the data directory
 */
export function shareProgram(
  optionsIn: (folder: string) => LaunchedWith | Promise<LaunchedWith> = () => ({}),
): SharedProgram {
  const shared: Partial<SharedProgram> = {};
  keepOrder();
  beforeAll(async () => {
    const dataDir = (shared.dataDir = await makeDataDir());
    shared.program = await launch({ ...(await optionsIn(path.dirname(dataDir))), dataDir });
    shared.page = await shared.program.page();
    await call(shared.page, "settings.save", { language: "en", userName: "Dr Weber" });
  });
  afterAll(async () => {
    await shared.program?.end();
    if (shared.dataDir) removeDataDir(shared.dataDir);
  });
  return shared as SharedProgram;
}

export async function dataDirForTest(): Promise<string> {
  const dataDir = await makeDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

export async function launchForTest(options: LaunchOptions): Promise<DesktopProgram> {
  const program = await launch(options);
  onTestFinished(() => program.end());
  return program;
}
