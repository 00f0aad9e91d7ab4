import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { film, filmNamed } from "./actions.ts";
import {
  call,
  driver,
  launch,
  makeDataDir,
  removeDataDir,
  startAgain,
  type DesktopProgram,
} from "./electron-program.ts";

describe(`a start of ${driver}`, async () => {
  const dataDir = await makeDataDir();
  let program: DesktopProgram;
  let page: Page;
  const fileNames = async () => (await call(page, "films.list", {})).films.map(({ fileName }) => fileName).sort();
  beforeAll(async () => {
    program = await launch({ dataDir, named: [film("dog-01.jpg")] });
    page = await program.page();
  });
  afterAll(async () => {
    await program?.end();
    removeDataDir(dataDir);
  });

  it("opens the film of its command line", async () => {
    await expect.poll(() => filmNamed(page, "dog-01.jpg")).toBeDefined();
  });

  it("opens nothing at a second start without files", async () => {
    expect(await startAgain({ dataDir })).toBe(0);
    expect(await startAgain({ dataDir, named: [film("dog-03.jpg")] })).toBe(0);
    await expect.poll(() => filmNamed(page, "dog-03.jpg")).toBeDefined();
    expect(await fileNames()).toEqual(["dog-01.jpg", "dog-03.jpg"]);
  });
});
