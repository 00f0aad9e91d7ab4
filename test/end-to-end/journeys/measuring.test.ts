import path from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { shownScore } from "../../../core/cardiac/shown-score.ts";
import { dropFiles, openRow, waitForFilms } from "../actions.ts";
import { phantom } from "../program.ts";
import { startMeasuringJourney } from "../journey.ts";
import { folderForTest } from "../../fixtures/folders.ts";

const { test } = startMeasuringJourney();

test("shows the score of a dropped film without another click", async ({ page }) => {
  await dropFiles(page, [phantom("dog-01.jpg")]);
  const [film] = await waitForFilms(page, ["dog-01.jpg"]);
  await page.getByTestId("vhs").locator("small").waitFor();
  const shown = await page.getByTestId("vhs").innerText();
  expect(shown).toContain(shownScore(film!.reading!.vhs!).toFixed(1));
  await page
    .getByTestId("film")
    .filter({ hasText: "dog-01.jpg" })
    .getByRole("img")
    .or(page.locator(".thumbnail img"))
    .first()
    .waitFor();
});

test("reports another picture as not a lateral chest film, and offers to measure it by hand", async ({ page }) => {
  const letter = path.join(folderForTest(), "letter.png");
  const lines = Array.from(
    { length: 30 },
    (_, line) => `<text x="60" y="${80 + line * 28}">Dear Mrs Sommer, Bella may go home.</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="960" font-size="22"><rect width="800" height="960" fill="#fff"/>${lines.join("")}</svg>`;
  await sharp(Buffer.from(svg)).png().toFile(letter);
  await dropFiles(page, [letter]);
  const [film] = await waitForFilms(page, ["letter.png"]);
  await page.locator(`[data-film="${film!.id}"]`).getByRole("button").first().click();
  const panel = page.locator(".panel[aria-busy=false]");
  await panel.getByText(/^Not a lateral thoracic film/).waitFor();
  expect(await leastContrastOnWhite(page)).toBeGreaterThan(4.5);
  // The class found by the classifier is shown, if the pack provides it.
  await page.route("**/app/call/films.get", async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { value: DesktopResponse<"films.get"> };
    const readings = told.value.readings.map((reading) => ({ ...reading, takenFor: "document" }));
    await route.fulfill({ response: answer, json: { ...told, value: { ...told.value, readings } } });
  });
  await openRow(page, "dog-01.jpg");
  await openRow(page, "letter.png");
  await panel.getByText("It looks like a document, or a screen without a film.").waitFor();
  await page.unroute("**/app/call/films.get");
  // The text about the missing patient opens the assignment.
  await panel.getByRole("button", { name: "No patient…" }).click();
  await page.getByRole("dialog", { name: "Patient of this film" }).waitFor();
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Measure manually" }).first().click();
  await page.getByText("Click: Base of the heart").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Click: Base of the heart").waitFor({ state: "detached" });
});

/** Minimum contrast of the readouts over a white film; axe does not check text on a translucent background. */
function leastContrastOnWhite(page: Page): Promise<number> {
  return page.locator(".readout span, .scale-bar strong, .scale-kind").evaluateAll((texts) => {
    const channels = (colour: string) => colour.match(/[\d.]+/g)!.map(Number);
    const luminance = (rgb: readonly number[]) => {
      const [r = 0, g = 0, b = 0] = rgb.map((value) => ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrasts = texts.map((text) => {
      const { color, backgroundColor } = getComputedStyle(text);
      const [r = 0, g = 0, b = 0, alpha = 1] = channels(backgroundColor);
      const ground = [r, g, b].map((value) => value * alpha + 255 * (1 - alpha));
      return (luminance(channels(color).slice(0, 3)) + 0.05) / (luminance(ground) + 0.05);
    });
    return Math.min(...contrasts);
  });
}
