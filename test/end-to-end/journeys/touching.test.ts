import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { middleOf, openFilms, shownScore } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { ask, openWindow, phantom } from "../program.ts";

/** A tablet of 1024 x 768: everything with fingers alone. */
const { browser, program } = startJourney();

type Place = { readonly x: number; readonly y: number };

/** Puts fingers down, moves them together in steps, and takes them away. */
async function slide(cdp: CDPSession, from: readonly Place[], to: readonly Place[]): Promise<void> {
  const steps = 8;
  const at = (share: number) =>
    from.map(({ x, y }, index) => ({
      x: x + (to[index]!.x - x) * share,
      y: y + (to[index]!.y - y) * share,
      id: index,
    }));
  // One after the other, as fingers come.
  for (let count = 1; count <= from.length; count += 1)
    await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0).slice(0, count) });
  for (let step = 1; step <= steps; step += 1)
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / steps) });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Buttons that can be seen and are too small for a finger. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        ".rail button, .toolbar button, .drawing-tools button, .decision button, .worklist-head button, .film-row button, .filter-bar select",
      ),
    ]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 40 || box.height < 40))
      .map(({ element, box }) => `${element.ariaLabel ?? element.textContent}: ${box.width} x ${box.height}`),
  );
}

test("on a tablet, fingers open, correct, zoom, use tools and select", async ({ onTestFinished }) => {
  const { page, context, complaints } = await openWindow(browser(), await program().newAddress(), {
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
  });
  onTestFinished(() => context.close());
  const cdp = await context.newCDPSession(page);
  await openFilms(page, ["dog-02.jpg", "dog-03.jpg", "dog-04.jpg"].map(phantom));
  await page.getByTestId("film").filter({ hasText: "dog-02" }).getByRole("button").first().tap();
  await page.locator(".stage-cover").waitFor({ state: "detached" });
  expect(await smallTargets(page)).toEqual([]);

  // A finger beside the point takes it, and the point keeps its distance.
  const before = await shownScore(page, "vhs");
  await page.getByRole("button", { name: "Correct", exact: true }).tap();
  const apex = await middleOf(page, "[data-handle=heart_bottom] .ring");
  const beside = { x: apex.x - 16, y: apex.y + 16 };
  await slide(cdp, [beside], [{ x: beside.x - 30, y: beside.y + 30 }]);
  const moved = await middleOf(page, "[data-handle=heart_bottom] .ring");
  expect([Math.round(moved.x - apex.x), Math.round(moved.y - apex.y)]).toEqual([-30, 30]);
  expect(await shownScore(page, "vhs")).toBeGreaterThan(before);
  const correction = page.getByRole("toolbar", { name: "Correction" });
  await correction.getByRole("button", { name: "Undo" }).tap();

  // Two fingers zoom about their middle and move the film.
  const zoom = async () => Number(/(\d+)\s%/.exec(await page.locator(".readout").first().innerText())?.[1]);
  const fitted = await zoom();
  const stage = await middleOf(page, ".stage");
  const fingers = (spread: number) => [
    { x: stage.x - spread, y: stage.y },
    { x: stage.x + spread, y: stage.y },
  ];
  await slide(cdp, fingers(40), fingers(100));
  expect((await zoom()) / fitted).toBeCloseTo(2.5, 1);
  expect(await middleOf(page, "[data-handle=heart_bottom] .ring")).not.toEqual(apex);
  await page.getByRole("button", { name: "Fit to window" }).tap();
  expect(await zoom()).toBe(fitted);
  await correction.getByRole("button", { name: "Exit" }).tap();

  // A tool: a length drawn by one finger.
  await page.getByRole("button", { name: "Length", exact: true }).tap();
  await slide(cdp, [{ x: stage.x - 80, y: stage.y - 60 }], [{ x: stage.x + 60, y: stage.y - 60 }]);
  await page.getByTestId("annotation-length").waitFor();

  // Rows are selected without a key.
  const rows = page.getByTestId("film");
  await rows
    .nth(0)
    .getByRole("button", { name: /More actions/ })
    .tap();
  await page.getByRole("menuitem", { name: "Select with others" }).tap();
  await rows.nth(2).getByRole("button").first().tap();
  await page.getByText("2 films selected").waitFor();
  expect(await rows.nth(1).getByRole("button").first().getAttribute("aria-pressed")).toBe("false");
  await page.getByRole("button", { name: "Done" }).tap();
  await rows.nth(1).getByRole("button").first().tap();
  expect(await page.getByText(/films selected/).count()).toBe(0);

  // Two fingers zoom all compared films; one of them left behind changes no window.
  const { films } = await ask(page, "films.list", {});
  const nala = { name: "Nala", species: "dog", breed: "", owner: "", uuid: null } as const;
  const { id } = await ask(page, "patients.create", nala);
  await ask(page, "films.assignPatient", { filmIds: films.slice(0, 2).map((film) => film.id), patientId: id });
  await page.getByRole("button", { name: "Trends" }).tap();
  await page.locator(".patient-row").filter({ hasText: "Nala" }).tap();
  const boxes = page.getByRole("checkbox");
  await expect.poll(() => boxes.count()).toBe(2);
  for (const box of await boxes.all()) await box.check();
  await page.getByRole("button", { name: "Compare films" }).tap();
  const stages = page.locator(".compared-stage");
  await expect.poll(() => stages.locator(".landmark").count()).toBe(10);
  const longAxisPx = async (film: number) => {
    const ends = await Promise.all(
      ["heart_top", "heart_bottom"].map(
        async (name) => (await stages.nth(film).locator(`.landmark.${name}`).boundingBox())!,
      ),
    );
    return Math.hypot(ends[1]!.x - ends[0]!.x, ends[1]!.y - ends[0]!.y);
  };
  const axesBefore = [await longAxisPx(0), await longAxisPx(1)];
  const middle = (await stages.first().boundingBox())!;
  const pinch = (spread: number) =>
    [-spread, spread].map((by) => ({ x: middle.x + middle.width / 2 + by, y: middle.y + middle.height / 2 }));
  await slide(cdp, pinch(30), pinch(60));
  for (const film of [0, 1]) expect((await longAxisPx(film)) / axesBefore[film]!).toBeCloseTo(2, 1);
  expect(complaints).toEqual([]);
});
