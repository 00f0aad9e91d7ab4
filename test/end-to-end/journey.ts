import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { openWindow, startBrowser, startProgram, type Program, type Window } from "./program.ts";

/** What the steps of a journey share. */
export type Journey = {
  program(): Program;
  browser(): Browser;
  window(): Window;
};

/**
 * A journey of its own: a program with an empty store, a browser and a window on it. Its steps build on each other; no
 * journey needs another. Nothing that a step does may leave an error on the console or break the content security
 * policy; a step that fails is photographed.
 *
 * @param prepare  brings the store into the state in which the journey begins
 */
export function startJourney(prepare: (page: Page) => Promise<unknown> = async () => undefined): Journey {
  let program: Program;
  let browser: Browser;
  let window: Window;
  beforeAll(async () => {
    program = await startProgram();
    browser = await startBrowser();
    window = await openWindow(browser, program.pageUrl);
    await prepare(window.page);
  });
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
  });
  afterEach(async ({ task }) => {
    const complaints = window.complaints.splice(0);
    if (task.result?.state === "fail") {
      const name = `corvet-${task.name.replace(/\W+/g, "-").slice(0, 60)}.png`;
      await window.page.screenshot({ path: path.join(tmpdir(), name) });
      // Where only the output is kept, the picture is lost; the test's own films and names are nobody's.
      console.error(`The page said: ${await window.page.locator("body").innerText()}`);
    }
    expect(complaints).toEqual([]);
  });
  return { program: () => program, browser: () => browser, window: () => window };
}
