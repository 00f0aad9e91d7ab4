import { afterEach, expect, test } from "vitest";
import { openRow } from "../actions.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";

/** A window that is narrow, or zoomed: 683 x 384 is a screen of 1366 x 768 at 200 %. */
const { window } = startJourney(openBella);
const usual = { width: 1280, height: 720 };
afterEach(() => window().page.setViewportSize(usual));

const sizes = [
  { width: 683, height: 384 },
  { width: 720, height: 900 },
  { width: 500, height: 800 },
] as const;

test.each(sizes)("the film keeps a size to measure on at $width x $height, its result below it", async (size) => {
  const { page } = window();
  await openRow(page, "Bella");
  await page.setViewportSize(size);
  const box = (await page.locator(".stage").boundingBox())!;
  expect(box.width).toBeGreaterThanOrEqual(300);
  expect(box.height).toBeGreaterThanOrEqual(240);
  const accept = page.getByRole("button", { name: "Accept" });
  await accept.scrollIntoViewIfNeeded();
  expect((await accept.boundingBox())!.y).toBeLessThan(size.height);
  await page.locator(".viewer").evaluate((viewer) => viewer.scrollTo(0, 0));
  await page.keyboard.press("c");
  const tools = page.getByRole("toolbar", { name: "Correction" });
  await tools.waitFor();
  for (const button of await tools.getByRole("button").all()) {
    const { x, y, width, height } = (await button.boundingBox())!;
    expect(x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height).toBe(true);
  }
  await page.keyboard.press("Escape");
  await tools.waitFor({ state: "detached" });
});
