import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { drag, middleOf, openFilms, openRow, placesOfMarks, shownScore } from "../actions.ts";
import { phantomFromJpeg } from "../../main/dicom/phantom-film.ts";
import { ask, fixture, phantom } from "../program.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";

const { window } = startJourney(openBella);

/** Whether the whole element is in view: at each of its corners no other element is in front of it. */
function isUncovered(shown: Locator): Promise<boolean> {
  return shown.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [left + 1, right - 1].every((x) =>
      [top + 1, bottom - 1].every((y) => element.contains(document.elementFromPoint(x, y))),
    );
  });
}

/** Expects the open film's row to show the mark of the panel's sentence: same shape and colour, and its first word. */
async function isInList(page: Page, name: string): Promise<void> {
  const [inPanel, inRow] = [page.locator(".panel"), page.getByTestId("film").filter({ hasText: name })].map((place) =>
    place.getByTestId("verdict"),
  );
  expect(await inRow!.getAttribute("class")).toBe(await inPanel!.getAttribute("class"));
  expect(await inRow!.locator("path").getAttribute("d")).toBe(await inPanel!.locator("path").getAttribute("d"));
  expect((await inPanel!.innerText()).startsWith(await inRow!.innerText())).toBe(true);
}

test("the result panel shows units, verdict, reference with source, axes, code and pack; the lack of validation is stated once", async () => {
  const { page } = window();
  await openRow(page, "Bella");
  const panel = page.getByRole("complementary", { name: "Result" });
  await panel.getByText("How the networks measured").click();
  const words = await panel.innerText();
  for (const expected of [
    "VHS",
    "VLAS",
    "Long axis",
    "Short axis",
    "Ruler",
    "Spread",
    "Model pack",
    "Result code",
    "Cavalier King Charles Spaniel",
    "mean ± 2 SD",
    "Bagardi et al. 2022",
  ])
    expect(words).toContain(expected);
  const verdict = panel.getByTestId("verdict");
  expect(await verdict.innerText()).toMatch(/^(Reliable|Usable|Check)/);
  expect(await verdict.locator("svg path").getAttribute("d")).toBeTruthy();
  await isInList(page, "Bella");
  const status = page.getByRole("contentinfo", { name: "Status" });
  await status.getByText(/^Model \d/).waitFor();
  await status.getByText("Not clinically validated").waitFor();
  expect(await page.getByText("Not clinically validated").filter({ visible: true }).count()).toBe(1);
});

test("a dragged point of the outline takes the axes along, and reverting brings both back", async () => {
  const { page } = window();
  await page.getByRole("button", { name: /^Correct/ }).click();
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  const outline = () => page.getByTestId("heart-outline").getAttribute("points");
  const caudal = await middleOf(page, "[data-handle=heart_left] .ring");
  const cranial = await middleOf(page, "[data-handle=heart_right] .ring");
  const before = await outline();
  const boxes = await Promise.all(
    (await page.locator("[data-handle^=outline] .ring").all()).map((ring) => ring.boundingBox()),
  );
  const [nearest] = boxes
    .map((box) => ({ x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 }))
    .sort((a, b) => Math.hypot(a.x - caudal.x, a.y - caudal.y) - Math.hypot(b.x - caudal.x, b.y - caudal.y));
  const outward = { x: 0.15 * (caudal.x - cranial.x), y: 0.15 * (caudal.y - cranial.y) };
  await drag(page, nearest!, { x: nearest!.x + outward.x, y: nearest!.y + outward.y });
  expect(await outline()).not.toBe(before);
  const followed = await middleOf(page, "[data-handle=heart_left] .ring");
  expect(Math.hypot(followed.x - cranial.x, followed.y - cranial.y)).toBeGreaterThan(
    Math.hypot(caudal.x - cranial.x, caudal.y - cranial.y) + 2,
  );
  await page.getByRole("button", { name: "Revert to saved points" }).click();
  expect(await outline()).toBe(before);
  await page.keyboard.press("Escape");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
});

test("a dragged landmark moves the score live, under a loupe; undo and redo walk back and forth", async () => {
  const { page } = window();
  const original = await shownScore(page, "vhs");
  const angle = page.locator(".fact").filter({ hasText: "Angle between axes" });
  const found = await angle.innerText();
  // The proposal is accepted without a name, and corrected instead.
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByText("Readings are signed").waitFor();
  await page.getByRole("button", { name: /^Correct/ }).click();
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  // Building blocks would say the values before the correction.
  expect(await page.getByRole("button", { name: "Insert…" }).isDisabled()).toBe(true);
  // The axes are shown perpendicular; what the networks found between them stands until one is moved.
  expect(await angle.innerText()).toBe(found);
  const apex = await middleOf(page, "[data-handle=heart_bottom]");
  const base = await middleOf(page, "[data-handle=heart_top]");
  const outward = { x: apex.x + (apex.x - base.x) * 0.2, y: apex.y + (apex.y - base.y) * 0.2 };
  await page.mouse.move(apex.x, apex.y);
  await page.mouse.down();
  await page.mouse.move(outward.x, outward.y, { steps: 6 });
  await page.getByTestId("loupe").waitFor();
  const during = await shownScore(page, "vhs");
  expect(during).toBeGreaterThan(original + 0.3);
  await page.mouse.up();
  await page.getByTestId("loupe").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  expect(await shownScore(page, "vhs")).toBe(original);
  await page.keyboard.press("Control+Shift+Z");
  expect(await shownScore(page, "vhs")).toBe(during);
});

test("arrow keys move the chosen point by one pixel, a ruler edge too; the ruler shifts by a vertebra", async () => {
  const { page } = window();
  const edge = page.getByRole("button", { name: "Cranial edge of T6" });
  await edge.focus();
  const before = await middleOf(page, "[data-handle='2'] .ring");
  await page.keyboard.press("Shift+ArrowRight");
  const after = await middleOf(page, "[data-handle='2'] .ring");
  const zoomPercent = Number.parseInt(await page.locator(".readout span").nth(1).innerText(), 10);
  expect(after.x - before.x).toBeCloseTo(zoomPercent / 10, 0);
  const firstEdge = await middleOf(page, "[data-handle='1'] .ring");
  await page.keyboard.press("e");
  const shifted = await middleOf(page, "[data-handle='0'] .ring");
  expect(Math.hypot(shifted.x - firstEdge.x, shifted.y - firstEdge.y)).toBeLessThan(1);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
});

test("a ruler edge is dragged under the loupe, and the scores follow", async () => {
  const { page } = window();
  const before = await shownScore(page, "vlas");
  const edge = await middleOf(page, "[data-handle='0'] .ring");
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x + 24, edge.y, { steps: 4 });
  await page.getByTestId("loupe").waitFor();
  await page.mouse.up();
  expect(await shownScore(page, "vlas")).not.toBe(before);
  await page.keyboard.press("Control+z");
  expect(await shownScore(page, "vlas")).toBe(before);
});

test("the lens stands beside the heart, on the side of the point that is away from it", async () => {
  const { page } = window();
  const ends = ["heart_right", "heart_left"].map((name) => `[data-handle=${name}] .ring`);
  for (const [moved, other] of [ends, ends.toReversed()] as [string, string][]) {
    const [from, heart] = [await middleOf(page, moved), await middleOf(page, other)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 4, from.y, { steps: 2 });
    await page.getByTestId("loupe").waitFor();
    const lens = await middleOf(page, "[data-testid=loupe]");
    await page.mouse.up();
    await page.keyboard.press("Control+z");
    expect(Math.sign(lens.x - from.x)).toBe(Math.sign(from.x - heart.x));
  }
});

test("leaving with unsaved points asks first", async () => {
  const { page } = window();
  await page.keyboard.press("Alt+2");
  const question = page.getByRole("alertdialog", { name: "Save your correction?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
});

test("a saved correction is signed and listed with the original", async () => {
  const { page } = window();
  const corrected = await shownScore(page, "vhs");
  const name = page.getByLabel("Signed by");
  // Enter would sign what waits for a name: no longer the proposal.
  await name.fill("Dr Weber");
  await name.press("Enter");
  await name.fill("");
  await page.getByRole("button", { name: "Save reading" }).click();
  await page.getByText("Readings are signed").waitFor();
  await name.fill("Dr Weber");
  await page.getByLabel("Findings").fill("Apex was too high");
  await page.getByRole("button", { name: "Save reading" }).press("Enter");
  await expect.poll(() => page.getByTestId("version").count()).toBe(2);
  // The keyboard goes to what was saved: another Enter accepts nothing.
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe("version counts");
  const versions = await page.getByTestId("version").allInnerTexts();
  expect(versions[0]).toMatch(/Corrected[\s\S]*Dr Weber[\s\S]*Apex was too high/);
  expect(versions[0]).toContain(corrected.toFixed(1));
  expect(versions[1]).toContain("Measured by the networks");
  await page.locator(".panel-scroll").evaluate((panel) => panel.scrollTo(0, 0));
  const latest = page.getByTestId("version").first();
  expect(page.viewportSize()).toEqual({ width: 1440, height: 900 });
  expect(await isUncovered(latest)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 720 });
  await middleOf(page, ".panel-scroll").then(({ x, y }) => page.mouse.move(x, y));
  await page.mouse.wheel(0, 2000);
  await expect.poll(() => isUncovered(latest)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByTestId("film").filter({ hasText: "Bella" }).filter({ hasText: "Corrected" }).waitFor();
  expect(await page.locator(".panel").getByTestId("verdict").innerText()).toMatch(/^Corrected by Dr Weber: /);
  await page.locator(".panel").getByTestId("vhs-interval").waitFor();
  await isInList(page, "Bella");
  await page.keyboard.press("Shift+O");
  await page.getByTestId("original-marks").waitFor();
  await page.keyboard.press("Shift+O");
  const { films } = await ask(page, "films.list", { search: "Bella" });
  expect(films[0]!.reading!.vhs!).toBeCloseTo(corrected, 0); // the store keeps more decimals
});

test("readings are accepted and rejected with a remark", async () => {
  const { page } = window();
  await openRow(page, "dog-02.jpg");
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByTestId("film").filter({ hasText: "dog-02.jpg" }).filter({ hasText: "Accepted" }).waitFor();
  await isInList(page, "dog-02.jpg");
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await openRow(page, "dog-03.jpg");
  await expect.poll(() => page.getByTestId("version").count()).toBe(1);
  await page.getByLabel("Findings").fill("Rotated animal");
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("menuitem", { name: "Poor image quality" }).click();
  await page.getByText("excluded from the trend").waitFor();
  const [rejected, measured] = await page.getByTestId("version").allInnerTexts();
  expect(rejected).toMatch(/Rejected\s*—[\s\S]*Poor image quality[\s\S]*Rotated animal/);
  expect(measured).toMatch(/\d+\.\d · \d+\.\d\sv/);
  expect(await page.locator(".mark-label").count()).toBeGreaterThan(0);
  expect(await page.locator(".mark-label.vlas").count()).toBe(0);
  expect(await page.locator(".mark-label").allInnerTexts()).not.toContainEqual(expect.stringMatching(/\d\.\d/));
  expect(await page.getByTestId("vhs").innerText()).not.toMatch(/\d/);
  expect(await page.locator(".panel .reference").count()).toBe(0);
  expect(await page.locator(".panel").getByText("Long axis").isVisible()).toBe(false);
  const row = page.getByTestId("film").filter({ hasText: "dog-03.jpg" });
  await row.filter({ hasText: "Rejected" }).waitFor();
  expect(await page.locator(".panel").getByTestId("verdict").innerText()).toBe(
    "Rejected by Dr Weber: Poor image quality",
  );
  await isInList(page, "dog-03.jpg");
  expect(await row.innerText()).not.toMatch(/\d\.\d\s*v/);
  await openRow(page, "dog-02.jpg");
  await expect.poll(() => page.getByTestId("version").count()).toBe(2);
});

test("a heart is measured by hand, point by point", async () => {
  const { page } = window();
  await openRow(page, "dog-04.jpg");
  const { heart, edges } = await placesOfMarks(page);
  const model = await shownScore(page, "vhs");
  await page.keyboard.press("h");
  await page.getByText("Click: Base of the heart").waitFor();
  // Whoever measures by hand is not shown where the network looked.
  expect(await page.locator("svg.overlay .landmark, svg.overlay .heart-outline").count()).toBe(0);
  for (const point of heart) await page.mouse.click(point.x, point.y);
  await page.getByText("Click the cranial edge of T4").waitFor();
  const place = async (some: typeof edges) => {
    for (const edge of some) await page.mouse.click(edge.x, edge.y);
  };
  await place(edges.slice(0, 3));
  await page.getByText(/^Click the cranial edge of T7, or save the measurement/).waitFor();
  // Two vertebrae are shorter than a heart.
  const isShort = page.getByText("An axis is longer than the ruler");
  await isShort.waitFor();
  await page.keyboard.press("Alt+2");
  await page
    .getByRole("alertdialog", { name: "Save your measurement?" })
    .getByRole("button", { name: "Cancel" })
    .click();
  await place(edges.slice(3));
  expect(await isShort.count()).toBe(0);
  expect(Math.abs((await shownScore(page, "vhs")) - model)).toBeLessThan(0.2);
  await page.getByRole("button", { name: "Save reading" }).click();
  await page.getByTestId("film").filter({ hasText: "dog-04.jpg" }).filter({ hasText: "Measured manually" }).waitFor();
  // The row hears of it before the one who saved is answered.
  await page.getByRole("button", { name: "Save reading" }).waitFor({ state: "detached" });
});

test("the point that was placed or taken has the keyboard, also after a step back", async () => {
  const { page } = window();
  await page.keyboard.press("Escape");
  await openRow(page, "dog-02.jpg");
  const focused = () =>
    page.evaluate(() => {
      const { dataset } = document.activeElement as HTMLElement | SVGElement;
      return dataset["handle"] ?? dataset["testid"];
    });
  // The button is gone: the keyboard is on the film, not at the beginning of the page.
  await page.getByRole("button", { name: /^Measure manually/ }).press("Enter");
  await expect.poll(focused).toBe("stage");
  const stage = (await page.getByTestId("stage").boundingBox())!;
  const middle = { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 };
  // A double click is one place.
  await page.mouse.dblclick(middle.x, middle.y);
  await expect.poll(focused).toBe("heart_top");
  expect(await page.locator("[data-handle]").count()).toBe(1);
  await page.mouse.click(middle.x + 60, middle.y + 60);
  await expect.poll(focused).toBe("heart_bottom");
  await page.keyboard.press("Control+z");
  await page.locator("[data-handle=heart_bottom]").waitFor({ state: "detached" });
  await expect.poll(focused).toBe("stage");
  await page.mouse.click(middle.x + 50, middle.y + 70);
  await expect.poll(focused).toBe("heart_bottom");
  const before = await middleOf(page, "[data-handle=heart_bottom] .ring");
  await page.keyboard.press("Shift+ArrowDown");
  expect((await middleOf(page, "[data-handle=heart_bottom] .ring")).y).toBeGreaterThan(before.y);
  // Taken with the mouse where two grips overlap: the nearer one.
  const top = await middleOf(page, "[data-handle=heart_top] .ring");
  await page.mouse.click(top.x + 12, top.y + 5);
  await expect.poll(focused).toBe("heart_right");
  await drag(page, { x: top.x - 2, y: top.y }, { x: top.x - 22, y: top.y });
  expect(await focused()).toBe("heart_top");
  expect(Math.round((await middleOf(page, "[data-handle=heart_top] .ring")).x - top.x)).toBe(-20);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).press("Enter");
  await expect.poll(focused).toBe("stage");
});

test("C gives the film the keyboard, so that Tab chooses a point, and Escape gives it back to the row", async () => {
  const { page } = window();
  const row = page.getByTestId("film").filter({ hasText: "dog-05.jpg" }).getByRole("button").first();
  await row.focus();
  await page.keyboard.press("Enter");
  await page.locator(".panel-head").getByText("dog-05.jpg").waitFor();
  await page.locator(".stage-cover").waitFor({ state: "detached" });
  for (const isMoved of [false, true]) {
    await page.keyboard.press("c");
    await page.locator("[data-handle]").nth(9).waitFor();
    await page.keyboard.press("Tab");
    const chosen = page.locator("[data-handle]:focus");
    await chosen.waitFor();
    const from = await chosen.locator(".ring").getAttribute("cx");
    if (isMoved) {
      await page.keyboard.press("Shift+ArrowRight");
      expect(await chosen.locator(".ring").getAttribute("cx")).not.toBe(from);
    }
    await page.keyboard.press("Escape");
    if (isMoved) await page.getByRole("button", { name: "Discard" }).press("Enter");
    await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
  }
});

test("corrected films are exported as annotated data", async () => {
  const { page } = window();
  await page.getByRole("button", { name: "Open films" }).click();
  await page.getByRole("menuitem", { name: "Export corrected films…" }).click();
  const question = page.getByRole("alertdialog", { name: "With names or without?" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    question.getByRole("button", { name: "With names" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
});

test("a point is placed where the mouse is, also on a turned and mirrored film", async () => {
  const { page } = window();
  await openRow(page, "dog-05.jpg");
  await page.keyboard.press("r");
  await page.keyboard.press("m");
  await page.keyboard.press("c");
  const from = await middleOf(page, "[data-handle=VLAS] .ring");
  await drag(page, from, { x: from.x + 30, y: from.y - 20 });
  const to = await middleOf(page, "[data-handle=VLAS] .ring");
  expect([Math.round(to.x - from.x), Math.round(to.y - from.y)]).toEqual([30, -20]);
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
});

test("among the films to be decided, accepting and rejecting lead to the next one, and undoing leads back", async () => {
  const { page } = window();
  await openFilms(page, ["dog-06.jpg", "dog-07.jpg"].map(phantom));
  await page.getByRole("combobox", { name: "Status" }).selectOption("undecided");
  const undecided = async () =>
    (await ask(page, "films.list", { standing: "undecided" })).films.map(({ fileName }) => fileName);
  const names = await undecided();
  const isAt = (place: number, name: string | undefined) =>
    page
      .locator(".panel[aria-busy=false] .panel-head", { hasText: `To be decided: ${place} of ${names.length}` })
      .filter({ hasText: name! })
      .waitFor();
  await openRow(page, names[0]!);
  await isAt(1, names[0]);
  await page.keyboard.press("y");
  await isAt(2, names[1]);
  await page.keyboard.press("n");
  await page.getByRole("menuitem", { name: "Not a thorax" }).press("Enter");
  await isAt(3, names[2]);
  expect(await undecided()).toEqual(names.slice(2));
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await isAt(2, names[1]);
  expect(await undecided()).toEqual(names.slice(1));
  await page.keyboard.press("y");
  await isAt(3, names[2]);
  expect(await undecided()).toEqual(names.slice(2));
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await isAt(2, names[1]);
  expect(await undecided()).toEqual(names.slice(1));
  const { films } = await ask(page, "films.list", { search: names[1]! });
  expect([films[0]?.reading?.verdict, films[0]?.reading?.rejectionReason]).toEqual([null, undefined]);
});

test("films that cannot be measured are rejected with a reason, until none is left to be decided", async () => {
  const { page } = window();
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-ventrodorsal-"));
  const ventrodorsal = path.join(folder, "VD");
  const facts = { study: "1.2.276.77.3", instance: "1.2.276.77.3.1", view: "VD" };
  writeFileSync(ventrodorsal, await phantomFromJpeg(phantom("dog-08.jpg"), facts));
  const opened = await openFilms(page, [fixture("negatives/negative-04.jpg"), ventrodorsal]);
  expect(opened.map(({ reading }) => reading?.resultCode)).toEqual([6, undefined]);
  const status = page.getByRole("combobox", { name: "Status" });
  const isWaiting = async (id: string) => {
    const lists = await Promise.all(
      (["unmeasured", "undecided"] as const).map((standing) => ask(page, "films.list", { standing })),
    );
    return lists.some(({ films }) => films.some((film) => film.id === id));
  };
  const reject = async ({ id }: Film, reason: string) => {
    await page.locator(`[data-film="${id}"] .film-open`).click();
    await page.locator(".stage-cover").waitFor({ state: "detached" });
    await page.locator(".panel[aria-busy=false]").waitFor();
    await page.keyboard.press("n");
    await page.getByRole("menuitem", { name: reason }).press("Enter");
    await expect.poll(() => isWaiting(id)).toBe(false);
  };
  await status.selectOption("unmeasured");
  await reject(opened[1]!, "Not a lateral view");
  await page
    .locator(".panel")
    .getByText(/^Rejected by .+: Not a lateral view$/)
    .waitFor();
  await status.selectOption("undecided");
  await page.locator(`[data-film="${opened[0]!.id}"]`).waitFor();
  for (const film of (await ask(page, "films.list", { standing: "undecided" })).films)
    await reject(film, "Not a thorax");
  for (const none of ["unmeasured", "undecided"]) {
    await status.selectOption(none);
    await page.getByText("No matching film").waitFor();
    expect(await page.getByTestId("film").count()).toBe(0);
  }
  rmSync(folder, { recursive: true });
});
