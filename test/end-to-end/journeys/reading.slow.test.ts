import { expect } from "vitest";
import type { PlainKey } from "../../../core/language/catalogue.ts";
import { sayIn } from "../../../core/language/say.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import {
  downloadBy,
  drag,
  dropFiles,
  middleOf,
  openRow,
  setLanguage,
  waitForFilms,
  waitForOpenFilm,
} from "../actions.ts";
import { openBella } from "../prepared.ts";
import { ask, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";

const { window, test } = startJourney(openBella);

test("moves the ruler by a vertebra, selects the next point and restores a moved point by one key each", async ({
  page,
}) => {
  await openRow(page, "Bella");
  await page.keyboard.press("e");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  expect(await page.locator(".ruler-tools").innerText()).toMatch(/^Q\s+Ruler\s+E$/);
  const caudal = await middleOf(page, "[data-handle='0'] .ring");
  await page.keyboard.press("q");
  expect((await middleOf(page, "[data-handle='0'] .ring")).x).not.toBeCloseTo(caudal.x, 0);
  await page.keyboard.press("x");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-handle"));
  expect(await focused()).toBe("heart_top");
  await page.keyboard.press("x");
  expect(await focused()).toBe("heart_bottom");
  await page.keyboard.press("Shift+X");
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

const signature = () => window().page.getByLabel("Signed by");
const isInSignature = () => signature().evaluate((field) => field === document.activeElement);

test("asks for a missing name in place when an unsigned correction is left, then saves and leaves it", async ({
  page,
}) => {
  await page.keyboard.press("c");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Alt+2");
  await page.getByRole("alertdialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Readings are signed").waitFor();
  await expect.poll(isInSignature).toBe(true);
  await page.keyboard.type("Dr Roth");
  await page.keyboard.press("Enter");
  await page.locator(".trends").waitFor();
  await page.keyboard.press("Alt+1");
  await page.getByTestId("film").filter({ hasText: "Bella" }).filter({ hasText: "Corrected" }).waitFor();
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
  await ask(page, "settings.save", { userName: "" });
  await expect.poll(() => signature().inputValue()).toBe("");
});

test("asks for a missing name in place when accepting, then continues", async ({ page }) => {
  await page.keyboard.press("y");
  await page.getByText("Readings are signed").waitFor();
  expect(await isInSignature()).toBe(true);
  await page.keyboard.type("Dr Weber");
  await page.keyboard.press("Enter");
  await page.getByTestId("film").filter({ hasText: "Bella" }).filter({ hasText: "Accepted" }).waitFor();
});

const onFilm = [
  ...[["result.accept", "Y"] as const, ["result.reject", "N"] as const, ["result.correct", "C"] as const],
  ...[["result.byHand", "H"] as const, ["shortcuts.nextFilm", "J"] as const, ["shortcuts.previousFilm", "K"] as const],
  ["films.assignPatient", "T"],
] as const;
const onPoints = [["viewer.nextPoint", "X"] as const, ["viewer.restorePoint", "B"] as const] as const;

test("shows names and shortcuts of buttons in the language of the page", async ({ page }) => {
  const saysKeys = async ([message, keys]: readonly [message: PlainKey, keys: string]) => {
    const name = sayIn("fr")(message);
    await page.getByRole("button", { name, exact: true }).focus();
    await expect.poll(() => page.locator(".tooltip").innerText()).toBe(`${name}\n${keys}`);
  };
  await openRow(page, "Bella");
  await setLanguage(page, "fr");
  for (const button of onFilm) await saysKeys(button);
  await page.keyboard.press("c");
  await page.keyboard.press("x");
  for (const button of [...onPoints, ["viewer.leaveCorrection", "Échap"] as const]) await saysKeys(button);
  await page.keyboard.press("Escape");
  await page.locator(".correction-bar").waitFor({ state: "detached" });
  await setLanguage(page, "en");
  await openRow(page, "dog-04.jpg");
  await page.getByRole("button", { name: "No patient…" }).focus();
  await expect.poll(() => page.locator(".tooltip").innerText()).toBe("Patient…\nT");
});

test("acts once on a double press", async ({ page }) => {
  await page.getByRole("button", { name: "Accept", exact: true }).dblclick();
  await page.getByTestId("film").filter({ hasText: "dog-04.jpg" }).filter({ hasText: "Accepted" }).waitFor();
  await expect.poll(() => page.getByTestId("version").count()).toBe(2);
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
});

test("keeps a new film in the list during a correction, and findings with their film", async ({ page }) => {
  const heading = page.locator(".panel-head h2");
  const findings = page.getByLabel("Findings");
  await page.keyboard.press("c");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowRight");
  await ask(page, "settings.save", { measuresOnArrival: false });
  await dropFiles(page, [phantom("dog-06.jpg")]);
  await waitForFilms(page, ["dog-06.jpg"]);
  await page.getByTestId("film").filter({ hasText: "dog-06.jpg" }).waitFor();
  expect(await heading.innerText()).toBe("dog-04.jpg");
  expect(await page.getByRole("alertdialog").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await openRow(page, "dog-03.jpg");
  await findings.fill("Half a sentence");
  await dropFiles(page, [phantom("dog-07.jpg")]);
  await waitForFilms(page, ["dog-07.jpg"]);
  await page.getByTestId("film").filter({ hasText: "dog-07.jpg" }).waitFor();
  expect(await heading.innerText()).toBe("dog-03.jpg");
  // Shortcuts of the screens work in a field too.
  await findings.press("Alt+2");
  await page.locator(".trends").waitFor();
  await page.keyboard.press("Alt+1");
  await openRow(page, "dog-07.jpg");
  expect(await findings.inputValue()).toBe("");
  await openRow(page, "dog-03.jpg");
  expect(await findings.inputValue()).toBe("Half a sentence");
  await findings.fill("");
});

test("shows advice and shortcuts for a review reason, and a limit within the interval as borderline", async ({
  page,
}) => {
  await page.route("**/app/call/films.get", async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { value: DesktopResponse<"films.get"> };
    const doubt = { resultCode: 3, tier: "review", reviewReasons: [{ kind: "short_ruler", value: 5, limit: 5.19 }] };
    // The upper limit of dogs in general is a VHS of 10.5 v.
    const interval = { low: 10.2, high: 10.8 };
    const readings = told.value.readings.map((reading) => ({
      ...reading,
      ...doubt,
      score: { ...reading.score, vhs: 10.4 },
      intervals: { coverage: 0.8, vhs: interval, vlas: null },
      source: "model",
    }));
    await route.fulfill({ response: answer, json: { ...told, value: { ...told.value, readings } } });
  });
  await openRow(page, "dog-05.jpg");
  await expect
    .poll(() => page.getByTestId("review-reasons").innerText())
    .toBe(
      "The ruler from A to B (5\u00a0v) is no longer than the short axis (5.19\u00a0v). " +
        "The ruler may have skipped a vertebra: check the points, or press H to redraw it.",
    );
  expect(await page.locator(".reference .interval-band").count()).toBe(1);
  expect(await page.getByTestId("vhs-interval").innerText()).toMatch(/^10\.2–10\.8 \(80\s%\)$/);
  expect(await page.getByTestId("vhs-borderline").innerText()).toBe("borderline, within the range");
  await page.unroute("**/app/call/films.get");
});

test("reports an uneven vertebra with its length and source, and marks it on the film", async ({ page }) => {
  await page.route("**/app/call/films.get", async (route) => {
    const answer = await route.fetch();
    const { value, ...told } = (await answer.json()) as { value: DesktopResponse<"films.get"> };
    const readings = value.readings.map((reading) => {
      const [, , from, to] = reading.ruler!.edges;
      return { ...reading, uneven: [{ index: 2, from: from!, to: to!, share: 0.8 }] };
    });
    await route.fulfill({ response: answer, json: { ...told, value: { ...value, readings } } });
  });
  await openRow(page, "Bella");
  await openRow(page, "dog-05.jpg");
  const panel = page.getByRole("complementary", { name: "Result" });
  await expect.poll(() => panel.getByTestId("verdict").innerText()).toMatch(/^Check T6/);
  expect(await page.getByTestId("uneven-vertebra").innerText()).toMatch(/T6.*80\s?%.*Jepsen-Grant/);
  const [mark, stage] = [page.getByTestId("uneven-vertebrae").locator("line"), page.getByTestId("stage")];
  expect(await mark.count()).toBe(1);
  const [drawn, film] = [(await mark.boundingBox())!, (await stage.boundingBox())!];
  expect(drawn.width).toBeGreaterThan(10);
  expect(drawn.x > film.x && drawn.x + drawn.width < film.x + film.width).toBe(true);
  await page.unroute("**/app/call/films.get");
});

test("keeps the focus on the placed or grabbed point, also after undo", async ({ page }) => {
  await openRow(page, "dog-02.jpg");
  const focused = () =>
    page.evaluate(() => {
      const { dataset } = document.activeElement as HTMLElement | SVGElement;
      return dataset["handle"] ?? dataset["testid"];
    });
  // The button has been removed, so the focus is on the film and not at the start of the page.
  await page.getByRole("button", { name: /^Measure manually/ }).press("Enter");
  await expect.poll(focused).toBe("stage");
  const stage = (await page.getByTestId("stage").boundingBox())!;
  const middle = { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 };
  // A double click places one point.
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
  // Where two grips overlap, the mouse grabs the nearer point.
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

test("moves the focus to the film with C, so that Tab selects a point, and back to the row with Escape", async ({
  page,
}) => {
  const row = page.getByTestId("film").filter({ hasText: "dog-05.jpg" }).getByRole("button").first();
  await row.focus();
  await page.keyboard.press("Enter");
  await page.locator(".panel-head").getByText("dog-05.jpg").waitFor();
  await waitForOpenFilm(page);
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

test("exports corrected films as annotated data", async ({ page }) => {
  await page.getByRole("button", { name: "Open films" }).click();
  await page.getByRole("menuitem", { name: "Export corrected films…" }).click();
  const question = page.getByRole("alertdialog", { name: "With names or without?" });
  const download = await downloadBy(page, () => question.getByRole("button", { name: "With names" }).click());
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
});
