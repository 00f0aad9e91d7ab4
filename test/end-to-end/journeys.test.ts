import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { capturingJourneys } from "./journeys/capturing.ts";
import { correctingJourneys } from "./journeys/correcting.ts";
import { networkJourneys } from "./journeys/dicom-network.ts";
import { studyJourneys } from "./journeys/dicom-studies.ts";
import { followingJourneys } from "./journeys/following.ts";
import { keepingJourneys } from "./journeys/keeping.ts";
import { openingJourneys } from "./journeys/opening.ts";
import { preferringJourneys } from "./journeys/preferring.ts";
import { reachingJourneys } from "./journeys/reaching.ts";
import { reportJourneys } from "./journeys/report.ts";
import { returningJourneys } from "./journeys/returning.ts";
import { standingJourneys } from "./journeys/standing.ts";
import { viewingJourneys } from "./journeys/viewing.ts";
import { buildPage, openWindow, startBrowser, startProgram, type Program, type Window } from "./program.ts";

let program: Program;
let browser: Browser;
let window: Window;

beforeAll(async () => {
  await buildPage();
  program = await startProgram();
  browser = await startBrowser();
  window = await openWindow(browser, program.pageUrl);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

// Nothing that a journey does may leave an error on the console or break the content security policy.
// A failed one is photographed, and the page loaded anew, so that the others do not fail with it.
afterEach(async ({ task }) => {
  const complaints = window.complaints.splice(0);
  if (task.result?.state === "fail") {
    await window.page.screenshot({
      path: path.join(tmpdir(), `corvet-${task.name.replace(/\W+/g, "-").slice(0, 60)}.png`),
    });
    await window.page.reload();
    await window.page.locator(".rail").waitFor({ timeout: 30_000 });
  }
  expect(complaints).toEqual([]);
});

// One program and one window for all, in the order in which a clinic would meet them: each journey builds on what the
// ones before left. A journey that failed is gone once more on the page loaded anew: a real browser on a busy machine
// now and then misses a moment.
const again = { retry: 1 };
describe("starting", again, () =>
  standingJourneys(
    () => browser,
    () => program,
    () => window,
  ),
);
describe("opening", again, () => openingJourneys(() => window));
describe("viewing", again, () => viewingJourneys(() => window));
describe("preferring", again, () =>
  preferringJourneys(
    () => browser,
    () => program,
    () => window,
  ),
);
describe("correcting", again, () => correctingJourneys(() => window));
describe("following", again, () => followingJourneys(() => window));
// Before a backup is restored, which the next start would do.
describe("returning", again, () =>
  returningJourneys(
    () => window,
    () => program,
  ),
);
describe("keeping", again, () =>
  keepingJourneys(
    () => window,
    () => program.origin,
  ),
);
describe("studies", again, () => studyJourneys(() => window));
describe("giving away", again, () => reportJourneys(() => window));
describe("network", again, () => networkJourneys(() => window));
describe("reaching", again, () => reachingJourneys(() => window));
describe("capturing", again, () =>
  capturingJourneys(
    () => program,
    () => program.newAddress(),
  ),
);
