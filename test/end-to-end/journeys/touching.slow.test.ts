import { errors, type CDPSession, type Locator, type Page } from "playwright-core";
import { expect, test } from "vitest";
import { createPatient, middleOf, openFilms, shownScore, waitForOpenFilm } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask, phantom } from "../program.ts";

const { window } = startJourney(
  (page) => openFilms(page, ["dog-02.jpg", "dog-03.jpg", "dog-04.jpg"].map(phantom)),
  openProgram,
  {
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
  },
);

type Place = { readonly x: number; readonly y: number };

async function slide(cdp: CDPSession, from: readonly Place[], to: readonly Place[]): Promise<void> {
  const steps = 8;
  const at = (share: number) =>
    from.map(({ x, y }, index) => ({
      x: x + (to[index]!.x - x) * share,
      y: y + (to[index]!.y - y) * share,
      id: index,
    }));
  // One after another, like real fingers.
  for (let count = 1; count <= from.length; count += 1)
    await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0).slice(0, count) });
  for (let step = 1; step <= steps; step += 1)
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / steps) });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

async function drawWithPalm(cdp: CDPSession, from: Place, by: Place, palm: Place): Promise<void> {
  const pen = (type: "mousePressed" | "mouseMoved" | "mouseReleased", share: number) =>
    cdp.send("Input.dispatchMouseEvent", {
      ...{ type, pointerType: "pen", button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1 },
      ...{ x: from.x + by.x * share, y: from.y + by.y * share },
    });
  const touch = (type: "touchStart" | "touchMove", step: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: [{ x: palm.x + step * 12, y: palm.y + step * 6, id: 7 }],
    });
  await pen("mousePressed", 0);
  await touch("touchStart", 0);
  for (const step of [1, 2, 3, 4]) {
    await touch("touchMove", step);
    await pen("mouseMoved", step / 4);
  }
  await pen("mouseReleased", 1);
  await touch("touchMove", 5);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Taps, and taps again if a busy machine turned the tap into a long press, which fires no click. */
async function tap(target: Locator): Promise<void> {
  const page = target.page();
  await page.evaluate(() => {
    delete document.body.dataset["tapped"];
    addEventListener("click", () => (document.body.dataset["tapped"] = ""), { capture: true, once: true });
  });
  const isTapped = () => page.waitForSelector("body[data-tapped]", { state: "attached", timeout: 3000 });
  await target.tap();
  try {
    await isTapped();
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    await target.tap();
    await isTapped();
  }
}

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

test("opens, corrects, zooms, uses tools and selects by touch on a tablet", async () => {
  const { page, context } = window();
  const cdp = await context.newCDPSession(page);
  await tap(page.getByTestId("film").filter({ hasText: "dog-02" }).getByRole("button").first());
  await waitForOpenFilm(page);
  expect(await smallTargets(page)).toEqual([]);

  // A finger next to a point grabs it, and the point keeps its distance.
  const before = await shownScore(page, "vhs");
  await tap(page.getByRole("button", { name: "Correct", exact: true }));
  const apex = await middleOf(page, "[data-handle=heart_bottom] .ring");
  const beside = { x: apex.x - 16, y: apex.y + 16 };
  await slide(cdp, [beside], [{ x: beside.x - 30, y: beside.y + 30 }]);
  const moved = await middleOf(page, "[data-handle=heart_bottom] .ring");
  expect([Math.round(moved.x - apex.x), Math.round(moved.y - apex.y)]).toEqual([-30, 30]);
  expect(await shownScore(page, "vhs")).toBeGreaterThan(before);
  const correction = page.getByRole("toolbar", { name: "Correction" });
  await tap(correction.getByRole("button", { name: "Undo" }));

  // A pen drags the point that it touches; the palm next to it moves no point, window or film.
  const base = await middleOf(page, "[data-handle=heart_top] .ring");
  const readout = await page.locator(".readout").first().innerText();
  await drawWithPalm(cdp, apex, { x: -20, y: 24 }, { x: apex.x + 90, y: apex.y + 60 });
  const drawn = await middleOf(page, "[data-handle=heart_bottom] .ring");
  expect([Math.round(drawn.x - apex.x), Math.round(drawn.y - apex.y)]).toEqual([-20, 24]);
  expect(await middleOf(page, "[data-handle=heart_top] .ring")).toEqual(base);
  expect(await page.locator(".readout").first().innerText()).toBe(readout);
  await tap(correction.getByRole("button", { name: "Undo" }));

  // Two fingers zoom about their midpoint and pan the film.
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
  await tap(page.getByRole("button", { name: "Fit to window" }));
  expect(await zoom()).toBe(fitted);
  await tap(correction.getByRole("button", { name: "Exit" }));

  // A length is drawn with one finger.
  await tap(page.getByRole("button", { name: "Length", exact: true }));
  await slide(cdp, [{ x: stage.x - 80, y: stage.y - 60 }], [{ x: stage.x + 60, y: stage.y - 60 }]);
  await page.getByTestId("annotation-length").waitFor();

  // A pen draws a length too; the palm on the film places no point.
  await tap(page.getByRole("button", { name: "Length", exact: true }));
  await drawWithPalm(
    cdp,
    { x: stage.x - 80, y: stage.y + 60 },
    { x: 140, y: 0 },
    { x: stage.x + 90, y: stage.y + 120 },
  );
  await expect.poll(() => page.getByTestId("annotation-length").count()).toBe(2);

  // Rows are selected without a modifier key.
  const rows = page.getByTestId("film");
  // The menu opens as soon as the finger touches.
  await rows
    .nth(0)
    .getByRole("button", { name: /More actions/ })
    .tap();
  await tap(page.getByRole("menuitem", { name: "Select multiple" }));
  await tap(rows.nth(2).getByRole("button").first());
  await page.getByText("2 films selected").waitFor();
  expect(await rows.nth(1).getByRole("button").first().getAttribute("aria-pressed")).toBe("false");
  await tap(page.getByRole("button", { name: "Done" }));
  await tap(rows.nth(1).getByRole("button").first());
  expect(await page.getByText(/films selected/).count()).toBe(0);

  // Two fingers zoom all compared films; the one that stays down afterwards changes no window.
  const { films } = await ask(page, "films.list", {});
  const { id } = await createPatient(page, "Nala");
  await ask(page, "films.assignPatient", { filmIds: films.slice(0, 2).map((film) => film.id), patientId: id });
  await tap(page.getByRole("button", { name: "Trends" }));
  await tap(page.locator(".patient-row").filter({ hasText: "Nala" }));
  const boxes = page.getByRole("checkbox");
  await expect.poll(() => boxes.count()).toBe(2);
  for (const box of await boxes.all()) await box.check();
  await tap(page.getByRole("button", { name: "Compare films" }));
  const stages = page.locator(".compared-stage");
  await expect.poll(() => stages.locator(".landmark").count()).toBe(12);
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
});
