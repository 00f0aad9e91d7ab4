import { expect, test } from "vitest";
import { axeFaults, openRow } from "../actions.ts";
import { ask, type Window } from "../program.ts";

/** axe takes its time on a machine that is busy with other things. */
const axeTimeoutMs = 120_000;
const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

/** Accessibility: axe on the main states in both themes, and everything by keyboard. */
export function reachingJourneys(window: () => Window): void {
  test.each(["dark", "light"] as const)("axe finds nothing on the main states in the %s theme", async (theme) => {
    const { page } = window();
    await ask(page, "settings.save", { theme });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe(theme);
    const faults: string[] = [];
    const check = async (state: string) => {
      await page.waitForTimeout(350);
      // The themes differ in nothing but colour.
      faults.push(...(await axeFaults(page, theme === "dark" ? everyRule : ["color-contrast"])).map((fault) => `${state}: ${fault}`));
    };
    await page.keyboard.press("Alt+1");
    await openRow(page, "dog-03.jpg");
    await check("film");
    await page.keyboard.press("c");
    await check("correction");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await check("shortcuts");
    await page.keyboard.press("Escape");
    for (const [keys, state] of [["Alt+2", "trends"], ["Alt+3", "urine"], ["Alt+4", "capture"], ["Alt+5", "ledger"], ["Alt+6", "settings"]] as const) {
      await page.keyboard.press(keys);
      await check(state);
    }
    for (const tab of ["Local service", "Model packs", "Data and backups", "About"]) {
      await page.getByRole("tab", { name: tab }).click();
      await check(tab);
    }
    expect(faults).toEqual([]);
    await ask(page, "settings.save", { theme: "dark" });
  }, axeTimeoutMs);

  test("the whole way from worklist to saved decision works without a mouse", async () => {
    const { page } = window();
    await page.keyboard.press("Alt+1");
    await openRow(page, "dog-05.jpg").catch(() => openRow(page, "Bella"));
    await page.keyboard.press("c");
    await page.getByRole("toolbar", { name: "Correcting" }).waitFor();
    const handle = page.locator("[data-handle=heart_left]");
    for (let presses = 0; presses < 80 && !(await handle.evaluate((node) => node === document.activeElement)); presses++) await page.keyboard.press("Tab");
    expect(await handle.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Control+s");
    await page.getByTestId("version").filter({ hasText: "Corrected" }).first().waitFor();
  });
}
