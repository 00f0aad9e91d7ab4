import { expect, test } from "vitest";
import { drag, middleOf, openFilms, openRow, shownScore, waitForFilms } from "../actions.ts";
import { ask, phantom } from "../program.ts";
import { startKillingJourney } from "../journey.ts";

/** A program that is killed under an open page, as by a power failure, and started again on the same data. */
const { window, program } = startKillingJourney();

test("keeps a correction through a lost connection, disables saving, and saves it afterwards", async () => {
  const { page } = window();
  await ask(page, "settings.save", { userName: "Dr Weber" });
  await page.keyboard.press("Alt+1");
  await openFilms(page, [phantom("cat-01.jpg"), phantom("dog-06.jpg")]);
  await openRow(page, "dog-06.jpg");
  await page.keyboard.press("c");
  const apex = await middleOf(page, "[data-handle=heart_bottom] .ring");
  await drag(page, apex, { x: apex.x + 25, y: apex.y + 25 });
  const corrected = await shownScore(page, "vhs");
  await program().kill();
  await page.getByRole("alert").getByText("Corvet is not responding").waitFor();
  await page.getByText("Connected").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.locator(".toast.fault").waitFor();
  expect(await shownScore(page, "vhs")).toBe(corrected);

  await program().startAgain();
  await page.getByText("Connected").waitFor();
  await page.getByRole("alert").getByText("Corvet is not responding").waitFor({ state: "detached" });
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  expect(await shownScore(page, "vhs")).toBe(corrected);
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
  await page.keyboard.press("Control+s");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
  await page
    .getByTestId("version")
    .filter({ hasText: "Corrected" })
    .filter({ hasText: corrected.toFixed(1) })
    .waitFor();
});

test("measures films queued before the program was killed, without a reload of the page", async () => {
  const { page } = window();
  const { films } = await ask(page, "films.list", {});
  const names = ["cat-01.jpg", "dog-06.jpg"];
  const filmIds = names.map((name) => films.find(({ fileName }) => fileName === name)!.id);
  const versions = async (filmId: string) =>
    (await ask(page, "films.get", { filmId })).readings.filter(({ source }) => source === "model").length;
  const before = await Promise.all(filmIds.map(versions));
  await ask(page, "films.retry", { filmIds });
  await program().kill();
  await page.getByRole("alert").getByText("Corvet is not responding").waitFor();
  await program().startAgain();
  await page.getByText("Connected").waitFor();
  expect((await waitForFilms(page, names)).map(({ state }) => state)).toEqual(["done", "done"]);
  await page.getByText("Queue empty").waitFor();
  expect(await Promise.all(filmIds.map(versions))).toEqual(before.map((count) => count + 1));
});

test("loads thumbnails again after a reconnect, if they failed to load before", async () => {
  const { page } = window();
  const thumbnails = () =>
    page
      .locator(".film-row .thumbnail")
      .evaluateAll((all) => all.map((one) => one.querySelector<HTMLImageElement>("img")?.naturalWidth ?? null));
  await page.route("**/thumbnail*", (route) => route.abort());
  await page.reload();
  await expect.poll(thumbnails).toEqual([null, null]);
  await page.unroute("**/thumbnail*");
  await program().kill();
  await page.getByRole("alert").getByText("Corvet is not responding").waitFor();
  await program().startAgain();
  await page.getByText("Connected").waitFor();
  await expect.poll(async () => (await thumbnails()).every((widthPx) => widthPx !== null && widthPx > 0)).toBe(true);
});
