import { expect, test } from "vitest";
import { dropFiles } from "../actions.ts";
import { openWindow, phantom, startProgram, type Program, type Window } from "../program.ts";
import type { Browser } from "playwright-core";
import { mkdtempSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";

/** States in which something is missing: no sign-in, no pack, no program. */
export function standingJourneys(browser: () => Browser, program: () => Program, window: () => Window): void {
  test("the first usable window is there within two seconds", async () => {
    const times = [window().usableInMs];
    // The best of three is what the page needs; the rest is what else the machine has to do.
    for (let more = 0; more < 2; more++) {
      const another = await openWindow(browser(), await program().newAddress());
      times.push(another.usableInMs);
      await another.context.close();
    }
    // Other programs stretch every wall-clock time by the length of the machine's queue; on a quiet machine this is 1.
    const crowding = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
    console.log(`start to first usable window: page ${times.map((time) => time.toFixed(0)).join(", ")} ms, service ${program().startedInMs.toFixed(0)} ms before; ${crowding.toFixed(1)} programs per core`);
    expect(Math.min(...times)).toBeLessThan(2000 * crowding);
  });

  test("without the printed address the page says how to sign in", async () => {
    const context = await browser().newContext({ ignoreHTTPSErrors: true, locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(program().origin);
    await page.getByRole("heading", { name: "This page is not signed in" }).waitFor();
    await context.close();
  });

  test("without packs films are opened and measured by hand; when the program stops, the page says so and comes back", async () => {
    const empty = mkdtempSync(path.join(tmpdir(), "corvet-no-packs-"));
    const bare = await startProgram(["--packs", empty]);
    const { page, context } = await openWindow(browser(), bare.pageUrl);
    await page.getByText("No model pack: measuring by hand only").waitFor();
    await dropFiles(page, [phantom("dog-01.jpg")]);
    await page.getByRole("button", { name: "Measure by hand" }).click();
    await page.getByText("Click: Base of the heart").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+3");
    await page.getByRole("heading", { name: "No screening model is loaded" }).waitFor();
    await page.keyboard.press("Alt+4");
    await page.getByRole("heading", { name: "The pack for photographs of screens is not loaded" }).waitFor();
    await bare.stop();
    await page.getByText("The program does not answer").first().waitFor();
    await context.close();
  });
}
