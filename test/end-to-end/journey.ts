import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
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
  type WindowOptions,
} from "./program.ts";

export type Journey<P extends Program = Program> = {
  program(): P;
  browser(): Browser;
  window(): Window;
  /** A test with the page of the journey's window. */
  readonly test: ReturnType<typeof testOn>;
};

const testOn = (page: () => Page) => test.extend("page", page);

type Prepare = (page: Page) => Promise<unknown>;

/**
 * Opens a program with an empty store and a window on it. The steps of a journey build on each other, but not on other
 * journeys. A step fails if the page logs an error or violates the content security policy. Failed steps are saved as
 * screenshots. `prepare` brings the store into the initial state.
 */
export function startJourney(
  prepare?: Prepare,
  open = () => openProgram(),
  options: WindowOptions = {},
): Journey<OpenedProgram> {
  return journeyOf(open, prepare, options);
}

export function startKillingJourney(prepare?: Prepare): Journey<ProgramProcess> {
  return journeyOf(() => startProgram({ program: "test/end-to-end/recorded-program.ts" }), prepare);
}

/** Starts a journey whose films are measured by the networks of the shipped program. */
export function startMeasuringJourney(prepare?: Prepare): Journey<ProgramProcess> {
  return journeyOf(() => startProgram(), prepare);
}

function journeyOf<P extends Program>(
  start: () => Promise<P>,
  prepare: Prepare = async () => undefined,
  options: WindowOptions = {},
): Journey<P> {
  let program: P;
  let browser: Browser;
  let window: Window;
  keepOrder();
  beforeAll(async () => {
    [program, browser] = await Promise.all([start(), sharedBrowser()]);
    window = await openWindow(browser, program.pageUrl, options);
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
      // Printed, as the output may be the only trace of a run.
      console.error(`Text of the page: ${await window.page.locator("body").innerText()}`);
    }
    expect(complaints).toEqual([]);
  });
  return {
    program: () => program,
    browser: () => browser,
    window: () => window,
    test: testOn(() => window.page),
  };
}
