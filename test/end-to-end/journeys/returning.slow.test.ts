import { expect } from "vitest";
import { drag, middleOf, openFilms, openRow, shownScore, waitForFilms } from "../actions.ts";
import { ask, phantom } from "../program.ts";
import { startKillingJourney } from "../journey.ts";

const { window, program, test } = startKillingJourney(async (page) => {
  await ask(page, "settings.save", { userName: "Dr Weber" });
  await openFilms(page, [phantom("cat-01.jpg"), phantom("dog-06.jpg")]);
});
let correctedVhs = 0;

/** Widths of the loaded thumbnails [px]; null for one that failed to load. */
const thumbnails = () =>
  window()
    .page.locator(".film-row .thumbnail")
    .evaluateAll((all) => all.map((one) => one.querySelector<HTMLImageElement>("img")?.naturalWidth ?? null));

async function measurementsOfCat(): Promise<{ readonly filmId: string; readonly count: number }> {
  const { page } = window();
  const [film] = (await ask(page, "films.list", { search: "cat-01.jpg" })).films;
  const { readings } = await ask(page, "films.get", { filmId: film!.id });
  return { filmId: film!.id, count: readings.filter(({ source }) => source === "model").length };
}

test("keeps a correction through a lost connection, and does not save it meanwhile", async ({ page }) => {
  await page.route("**/thumbnail*", (route) => route.abort());
  await page.reload();
  await expect.poll(thumbnails).toEqual([null, null]);
  await openRow(page, "dog-06.jpg");
  await page.keyboard.press("c");
  const apex = await middleOf(page, "[data-handle=heart_bottom] .ring");
  await drag(page, apex, { x: apex.x + 25, y: apex.y + 25 });
  correctedVhs = await shownScore(page, "vhs");
  const { filmId, count } = await measurementsOfCat();
  expect(count).toBe(1);
  await ask(page, "films.retry", { filmIds: [filmId] });
  await program().kill();
  await page.getByRole("alert").getByText("Corvet is not responding").waitFor();
  await page.getByText("Connected").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.locator(".toast.fault").waitFor();
  expect(await shownScore(page, "vhs")).toBe(correctedVhs);
});

test("measures queued films and loads failed thumbnails after the reconnect", async ({ page }) => {
  expect(await thumbnails()).toEqual([null, null]);
  await page.unroute("**/thumbnail*");
  await program().startAgain();
  await page.getByText("Connected").waitFor();
  await page.getByRole("alert").getByText("Corvet is not responding").waitFor({ state: "detached" });
  expect((await waitForFilms(page, ["cat-01.jpg"])).map(({ state }) => state)).toEqual(["done"]);
  await page.getByText("Queue empty").waitFor();
  expect((await measurementsOfCat()).count).toBe(2);
  await expect.poll(async () => (await thumbnails()).every((widthPx) => widthPx !== null && widthPx > 0)).toBe(true);
});

test("saves the correction after the reconnect", async ({ page }) => {
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  expect(await shownScore(page, "vhs")).toBe(correctedVhs);
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
  await page.keyboard.press("Control+s");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
  await page
    .getByTestId("version")
    .filter({ hasText: "Corrected" })
    .filter({ hasText: correctedVhs.toFixed(1) })
    .waitFor();
});
