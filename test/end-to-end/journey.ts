import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { keepOrder } from "../fixtures/keep-order.ts";
import { openProgram, type OpenedProgram } from "./open-program.ts";
import {
  closeWindows,
  openWindow,
  sharedBrowser,
  startProgram,
  type Program,
  type ProgramProcess,
  type Window,
} from "./program.ts";

/** The parts that the steps of a journey share. */
export type Journey<P extends Program = Program> = {
  program(): P;
  browser(): Browser;
  window(): Window;
};

type Prepare = (page: Page) => Promise<unknown>;

/**
 * Opens a program with an empty store and a window on it. The steps of a journey build on each other; no journey needs
 * another. A step fails if the page logs an error or breaks the content security policy; the page of a failed step is
 * photographed.
 *
 * @param prepare  brings the store into the state in which the journey begins
 * @param open     opens another program
 */
export function startJourney(prepare?: Prepare, open = () => openProgram()): Journey<OpenedProgram> {
  return journeyOf(open, prepare);
}

/** A journey that kills the program and starts it again. */
export function startKillingJourney(prepare?: Prepare): Journey<ProgramProcess> {
  return journeyOf(() => startProgram([], { entry: "test/end-to-end/recorded-program.ts" }), prepare);
}

/** A journey whose films are measured by the networks, in the program that ships. */
export function startMeasuringJourney(prepare?: Prepare): Journey<ProgramProcess> {
  return journeyOf(() => startProgram(), prepare);
}

function journeyOf<P extends Program>(start: () => Promise<P>, prepare: Prepare = async () => undefined): Journey<P> {
  let program: P;
  let browser: Browser;
  let window: Window;
  keepOrder();
  beforeAll(async () => {
    [program, browser] = await Promise.all([start(), sharedBrowser()]);
    window = await openWindow(browser, program.pageUrl);
    await prepare(window.page);
  });
  afterAll(async () => {
    await closeWindows();
    await program?.stop();
  });
  afterEach(async ({ task }) => {
    const complaints = window.complaints.splice(0);
    if (task.result?.state === "fail") {
      const name = `corvet-${task.name.replace(/\W+/g, "-").slice(0, 60)}.png`;
      await window.page.screenshot({ path: path.join(tmpdir(), name) });
      // Kept in the output, which may be all that is left of a run.
      console.error(`Text of the page: ${await window.page.locator("body").innerText()}`);
    }
    expect(complaints).toEqual([]);
  });
  return { program: () => program, browser: () => browser, window: () => window };
}
