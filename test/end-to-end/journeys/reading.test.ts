import { expect, test } from "vitest";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { middleOf, openRow, shownScore } from "../actions.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";

/** A film read without a mouse: certainty as it is shown, and one key for each thing that is done with it. */
const { window } = startJourney(openBella);

test("a score stands with its interval, on the scale too; where a limit lies in it, the score is called borderline", async () => {
  const { page } = window();
  await openRow(page, "Bella");
  const score = await shownScore(page, "vhs");
  const [low, high] = (await page.getByTestId("vhs-interval").innerText()).split(" ")[0]!.split("–").map(Number) as [
    number,
    number,
  ];
  expect(low).toBeLessThan(score);
  expect(high).toBeGreaterThan(score);
  expect(await page.locator(".reference .interval-band").count()).toBe(2);
  const limits = /VHS (\d+\.\d)–(\d+\.\d) v/.exec(await page.locator(".reference").first().innerText())!;
  const isCrossed = [Number(limits[1]), Number(limits[2])].some((limit) => low <= limit && limit <= high);
  expect(await page.getByTestId("vhs-borderline").count()).toBe(isCrossed ? 1 : 0);
});

test("both axes as printed add up to the score as printed", async () => {
  const { page } = window();
  const facts = await page.locator(".facts").innerText();
  const axis = (name: string) => Number(new RegExp(`${name}\\s+(\\d+\\.\\d) v`).exec(facts)![1]);
  expect((axis("Long axis") + axis("Short axis")).toFixed(1)).toBe((await shownScore(page, "vhs")).toFixed(1));
});

test("one key moves the ruler by a vertebra either way, one goes to the next point, one puts a moved point back", async () => {
  const { page } = window();
  await page.keyboard.press("e");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  const caudal = await middleOf(page, "[data-handle='0'] .ring");
  await page.keyboard.press("q");
  expect((await middleOf(page, "[data-handle='0'] .ring")).x).not.toBeCloseTo(caudal.x, 0);
  await page.keyboard.press("n");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-handle"));
  expect(await focused()).toBe("heart_top");
  await page.keyboard.press("n");
  expect(await focused()).toBe("heart_bottom");
  await page.keyboard.press("Shift+N");
  expect(await focused()).toBe("heart_top");
  const proposed = await middleOf(page, "[data-handle=heart_top] .ring");
  await page.keyboard.press("Shift+ArrowRight");
  expect((await middleOf(page, "[data-handle=heart_top] .ring")).x).toBeGreaterThan(proposed.x + 1);
  await page.keyboard.press("b");
  expect((await middleOf(page, "[data-handle=heart_top] .ring")).x).toBeCloseTo(proposed.x, 1);
  expect(await focused()).toBe("heart_top");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
});

test("accepting asks for a missing name in place, and goes on when it is there", async () => {
  const { page } = window();
  await page.keyboard.press("y");
  await page.getByText("Readings are signed").waitFor();
  expect(await page.getByLabel("Signed by").evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type("Dr Weber");
  await page.keyboard.press("Enter");
  await page.getByTestId("film").filter({ hasText: "Bella" }).filter({ hasText: "Accepted" }).waitFor();
});

test("the next film and its rejection are one key each", async () => {
  const { page } = window();
  const heading = page.locator(".panel-head h2");
  await page.getByTestId("film").first().click();
  const first = await page.getByTestId("film").first().innerText();
  await expect.poll(async () => first.includes(await heading.innerText())).toBe(true);
  await page.keyboard.press("j");
  await expect.poll(async () => first.includes(await heading.innerText())).toBe(false);
  await page.locator(".panel[aria-busy=false]").waitFor();
  const name = await heading.innerText();
  await page.keyboard.press("x");
  await page.getByTestId("film").filter({ hasText: name }).filter({ hasText: "Rejected" }).waitFor();
});

test("why a film is to be checked is a sentence with what to do, and names the keys for it", async () => {
  const { page } = window();
  await page.route("**/app/call/films.get", async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { value: DesktopResponse<"films.get"> };
    const doubt = { resultCode: 3, tier: "review", reviewReasons: [{ kind: "short_ruler", value: 5, limit: 5.19 }] };
    const readings = told.value.readings.map((reading) => ({ ...reading, ...doubt, source: "model" }));
    await route.fulfill({ response: answer, json: { ...told, value: { ...told.value, readings } } });
  });
  await openRow(page, "dog-05.jpg");
  await expect
    .poll(() => page.getByTestId("review-reasons").innerText())
    .toBe(
      "The ruler from A to B is shorter (5 v) than the short axis (5.19 v). " +
        "The ruler may have skipped a vertebra: check the marks, or press H to redraw it.",
    );
  await page.unroute("**/app/call/films.get");
});
