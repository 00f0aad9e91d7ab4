import path from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Page } from "playwright-core";
import { keepOrder } from "../fixtures/keep-order.ts";
import { call, launch, makeDataDir, removeDataDir } from "./electron-program.ts";
import type { DesktopProgram, LaunchOptions } from "./electron-program.ts";

/** A program and its first page, which a test may replace by a later one. */
export type SharedProgram = { dataDir: string; program: DesktopProgram; page: Page };

type LaunchedWith = Omit<LaunchOptions, "dataDir">;

/**
 * Starts one program for the tests of a suite, in English and with a user. The members exist once a test runs. The
 * tests keep their order: each finds the program as those before it left it.
 *
 * @param optionsIn  options of the launch, prepared in the folder that contains the data directory
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

/** A data directory for one test. */
export async function dataDirForTest(): Promise<string> {
  const dataDir = await makeDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

/** Starts a program for one test. */
export async function launchForTest(options: LaunchOptions): Promise<DesktopProgram> {
  const program = await launch(options);
  onTestFinished(() => program.end());
  return program;
}
