import { readFileSync } from "node:fs";
import type { Page, Request } from "playwright-core";
import { expect } from "vitest";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { shownScore } from "../../../core/cardiac/shown-score.ts";
import { brightnessOf, createPatient, downloadBy, nextFrame, openFilms, openRow, saveReading } from "../actions.ts";
import { ask, phantom, refuse } from "../program.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";

const { test } = startJourney(openBella);

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
}

test("shows a patient's scores over time with reference band, fast rise, table and CSV", async ({ page }) => {
  const { patients } = await ask(page, "patients.list", { search: "Bella" });
  const { films } = await ask(page, "films.list", {});
  const others = films.filter((film) => film.reading?.vhs && !film.patient && film.reading.verdict !== "rejected");
  for (const [index, film] of others.entries()) {
    await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: patients[0]!.id });
    await ask(page, "films.edit", {
      filmId: film.id,
      takenAt: new Date(Date.UTC(2026, 3 + index * 2, 5, 12)).toISOString(),
    });
  }
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bella/ }).click();
  await page.getByRole("heading", { name: "Bella" }).waitFor();
  const point = page.getByRole("button", { name: /^VHS .* open film$/ });
  await point.focus();
  await page.keyboard.press("Home");
  const names: string[] = [];
  for (let step = 0; step <= others.length; step++) {
    names.push((await point.getAttribute("aria-label")) ?? "");
    await page.keyboard.press("ArrowRight");
  }
  expect(new Set(names).size).toBe(others.length + 1);
  expect(await point.getAttribute("aria-label")).toBe(names.at(-1));
  expect(await page.locator(".chart-area .band").count()).toBe(3);
  expect(await page.getByRole("row").count()).toBe(others.length + 2);
  const trend = await ask(page, "trends.get", { patientId: patients[0]!.id });
  const [vhs] = await page.locator(".rate").allInnerTexts();
  const [, low, high] = /v per month \(95\s% interval ([+−]\d\.\d\d) to ([+−]\d\.\d\d)\)/.exec(vhs!)!;
  const slope = (printed: string) => Number(printed.replace("−", "-"));
  expect([slope(low!), slope(high!)]).toEqual([trend.vhs!.low, trend.vhs!.high].map((end) => Number(end.toFixed(2))));
  const download = await downloadBy(page, () => page.getByRole("button", { name: "Save as CSV" }).click());
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  // A change of a film elsewhere appears without a reload.
  const table = () => page.getByRole("table").innerText();
  const [shown, last] = [await table(), others.at(-1)!];
  const { takenAt } = (await ask(page, "films.get", { filmId: last.id })).film;
  const warning = page.getByTestId("fast-rise");
  const warnings = await warning.count();
  expect(warnings).toBe(trend.vhs!.isFast ? 1 : 0);
  await page.route("**/app/call/trends.get", async (route) => {
    const response = await route.fetch();
    const { value, ...told } = (await response.json()) as { value: DesktopResponse<"trends.get"> };
    await route.fulfill({ response, json: { ...told, value: { ...value, vhs: { ...value.vhs, isFast: true } } } });
  });
  await ask(page, "films.edit", { filmId: last.id, takenAt: "2026-12-24T12:00:00.000Z" });
  await expect.poll(table).not.toBe(shown);
  await expect
    .poll(() => warning.innerText())
    .toMatch(
      /Rapid increase, beyond noise\s*Flagged at 0\.08\sv per month or more if the interval is above 0\. Lord et al\. 2011/,
    );
  await page.unroute("**/app/call/trends.get");
  await ask(page, "films.edit", { filmId: last.id, takenAt });
  await expect.poll(table).toBe(shown);
  await expect.poll(() => warning.count()).toBe(warnings);
});

test("does not show a late response for the previous patient under another name", async ({ page }) => {
  await createPatient(page, "Nala", { owner: "B. Roth" });
  const { patients } = await ask(page, "patients.list", { search: "Bella" });
  const isOfBella = (request: Request) => request.postData()?.includes(patients[0]!.id) === true;
  await page.keyboard.press("Alt+1");
  await page.getByRole("region", { name: "Worklist" }).waitFor();
  let release = () => {};
  const otherIsShown = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/app/call/trends.get", async (route) => {
    if (isOfBella(route.request())) await otherIsShown;
    await route.continue();
  });
  const asked = page.waitForRequest("**/app/call/trends.get");
  await page.keyboard.press("Alt+2"); // Bella, selected by an earlier step
  expect(isOfBella(await asked)).toBe(true);
  // By keyboard, as the list may still be moving after the new patient was added.
  await page.getByRole("button", { name: /Nala/ }).press("Enter");
  await page.getByRole("heading", { name: "Nala" }).waitFor();
  const late = page.waitForResponse("**/app/call/trends.get");
  release();
  await (await late).finished();
  await nextFrame(page);
  await page.unroute("**/app/call/trends.get");
  expect(await page.locator(".trends h1").allInnerTexts()).toEqual(["Nala"]);
});

test("opens an unlisted film from the trend, and offers a retry after a failure", async ({ page }) => {
  await page.keyboard.press("Alt+1");
  await openRow(page, "Bella");
  const search = page.getByLabel("Search films, patients, owners");
  await search.fill("nobody has this name");
  await page.getByText("No matching film").waitFor();
  await search.blur();
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bella/ }).click();
  const point = page.getByRole("button", { name: /^VHS .* open film$/ });
  await point.focus();
  await page.keyboard.press("End");
  await refuse(page, "films.get", "INTERNAL");
  await page.keyboard.press("Enter");
  const viewer = page.getByRole("region", { name: "Film", exact: true });
  await viewer.getByRole("heading", { name: "Something went wrong in Corvet." }).waitFor();
  await page.unroute("**/app/call/films.get");
  await viewer.getByRole("button", { name: "Try again" }).click();
  await page.locator(".panel[aria-busy=false]").waitFor();
  await search.fill("");
  await page.getByTestId("film").first().waitFor();
});

test("compares two films side by side, with the change between them", async ({ page }) => {
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bella/ }).click();
  const boxes = page.getByRole("checkbox");
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  // A film that cannot be loaded leaves a way back.
  await refuse(page, "films.get", "INTERNAL");
  await page.getByRole("button", { name: "Compare films" }).click();
  await page.getByRole("heading", { name: "Something went wrong in Corvet." }).waitFor();
  await page.unroute("**/app/call/films.get");
  await page.getByRole("button", { name: "Close" }).press("Enter");
  await expect.poll(() => focusedText(page)).toBe("Compare films");
  await page.keyboard.press("Enter");
  const differences = page.getByTestId("differences");
  await differences.waitFor();
  await expect.poll(() => focusedText(page)).toBe("Change");
  await expect.poll(() => differences.innerText()).toMatch(/VHS\s+[\d.]+ → [\d.]+\s+[+−±][\d.]+ v/);
  await expect.poll(() => page.locator(".compared-stage .landmark").count()).toBe(12);
  // Escape first deselects a tool, then closes the comparison.
  await page.keyboard.press("Shift+D");
  await page.keyboard.press("Escape");
  await differences.waitFor();
  await page.keyboard.press("Escape");
  await differences.waitFor({ state: "detached" });
});

test("states a change within noise, compares both films by key, and lists corrected values, also as CSV", async ({
  page,
}) => {
  await page.keyboard.press("Alt+1");
  const films = await openFilms(page, [phantom("dog-07.jpg"), phantom("dog-08.jpg")]);
  const rocky = await createPatient(page, "Rocky", { owner: "P. Kern" });
  await ask(page, "films.assignPatient", { filmIds: films.map(({ id }) => id), patientId: rocky.id });
  // Vertebrae of 50 px: axes of 250 and 200 px are 9.00 v, of 280 and 205 px 9.70 v.
  const edges = Array.from({ length: 9 }, (_, index) => ({ x: 200 + 50 * index, y: 150 }));
  const measure = async (index: number, long: number, short: number) => {
    const heart = {
      heart_top: { x: 400, y: 300 },
      heart_bottom: { x: 400, y: 300 + long },
      heart_right: { x: 400 - short / 2, y: 420 },
      heart_left: { x: 400 + short / 2, y: 420 },
      VLAS: null,
    };
    const geometry = { ...films[index]!.picture, heart, edges };
    await saveReading(page, films[index]!.id, { verdict: "by_hand", geometry });
  };
  for (const [index, { id: filmId }] of films.entries())
    await ask(page, "films.edit", { filmId, takenAt: new Date(Date.UTC(2026, index * 3, 5, 12)).toISOString() });
  const inRow = page.locator(`[data-film="${films[1]!.id}"]`).getByTestId("change-since-visit");
  await measure(0, 250, 200);
  await measure(1, 325, 225);
  await expect.poll(() => inRow.innerText()).toMatch(/^\+2\.0\sv, beyond noise$/);
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Rocky/ }).click();
  // Above the range of dogs, which ends at 10.5 v.
  const above = page.locator(".chart-area .point.filled");
  await expect.poll(() => above.count()).toBe(1);
  await measure(1, 280, 205);
  await expect.poll(() => above.count()).toBe(0);
  const change = page.getByTestId("last-change");
  await expect
    .poll(() => change.allInnerTexts())
    .toEqual([expect.stringMatching(/^Since 05\/01\/2026: \+0\.7\sv, within noise of ±0\.9\sv$/)]);
  expect(await page.getByText("needs at least three films from two visits").count()).toBeGreaterThan(0);
  const newest = page.getByRole("row").nth(1);
  expect(await newest.innerText()).toMatch(/9\.7[\s\S]*Reader, Dr Weber/);
  expect(await newest.locator("s").first().innerText()).toBe(shownScore(films[1]!.reading!.vhs!).toFixed(1));
  const download = await downloadBy(page, () => page.getByRole("button", { name: "Save as CSV" }).click());
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines[0]).toBe(
    "date,vhs,vlas,confidence,source,signed_by,original_vhs,original_vlas,pack,pack_version,pack_released_by,pack_publisher",
  );
  expect(lines[2]).toMatch(/^2026-04-05T12:00:00.000Z,9\.7,,,person,Dr Weber,[\d.]+,[\d.]+,[^,]*,[^,]*,,$/);
  await page.keyboard.press("Alt+1");
  await expect.poll(() => inRow.innerText()).toMatch(/^\+0\.7\sv, within noise$/);
  await page.locator(`[data-film="${films[1]!.id}"] .film-open`).click();
  await expect
    .poll(() => page.locator(".panel").getByTestId("change-since-visit").innerText())
    .toMatch(/^VHS since 05\/01\/2026: \+0\.7\sv, within noise of ±0\.9\sv$/);
  await page.keyboard.press("Shift+B");
  await expect.poll(() => page.getByTestId("differences").innerText()).toMatch(/9\.0 → 9\.7/);
  await page.keyboard.press("Escape");
  await page.getByTestId("differences").waitFor({ state: "detached" });
  // Chromium may not start a drag whose only mouse move arrives while it is busy, so the events are dispatched.
  const thumbnail = page.locator(`[data-film="${films[0]!.id}"] .thumbnail`);
  expect(await thumbnail.getAttribute("draggable")).toBe("true");
  const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
  await thumbnail.dispatchEvent("dragstart", { dataTransfer });
  await page.locator(".stage-area").dispatchEvent("drop", { dataTransfer });
  await expect.poll(() => page.getByTestId("differences").innerText()).toMatch(/9\.0 → 9\.7/);
  await page.keyboard.press("Escape");
  await page.getByTestId("differences").waitFor({ state: "detached" });
  await page.locator(".panel").getByTestId("change-since-visit").waitFor();
  await page.keyboard.press("Alt+2");
});

test("zooms and windows two compared films together", async ({ page }) => {
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  const ofPixels = /\/(pixels|rectified)(\?|$)/;
  await page.route(ofPixels, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("button", { name: "Compare films" }).click();
  const stages = page.locator(".compared-stage");
  await expect.poll(() => stages.getByText("The file of this film is missing").count()).toBe(2);
  await page.unroute(ofPixels);
  const again = stages.getByRole("button", { name: "Try again" });
  await again.first().click();
  await expect.poll(() => again.count()).toBe(1);
  await again.click();
  await expect.poll(() => stages.locator(".landmark").count()).toBe(8);
  // The apex of each film moves away from the middle by the same factor.
  const apexes = async () =>
    Promise.all(
      (await stages.all()).map(async (stage) => {
        const box = (await stage.boundingBox())!;
        const apex = (await stage.locator(".landmark.heart_bottom").boundingBox())!;
        return {
          x: apex.x + apex.width / 2 - box.x - box.width / 2,
          y: apex.y + apex.height / 2 - box.y - box.height / 2,
        };
      }),
    );
  const before = await apexes();
  const first = (await stages.first().boundingBox())!;
  await page.mouse.move(first.x + first.width / 2, first.y + first.height / 2);
  await page.mouse.wheel(0, -300);
  await expect
    .poll(async () => (await apexes()).map(({ y }, index) => Math.round((y / before[index]!.y) * 10) / 10))
    .toEqual([1.6, 1.6]);
  // The point under the pointer stays there.
  const apexOfFirst = async () => (await stages.first().locator(".landmark.heart_bottom").boundingBox())!;
  const apex = await apexOfFirst();
  const [, ofSecond] = await apexes();
  await page.mouse.move(apex.x + apex.width / 2, apex.y + apex.height / 2);
  await page.mouse.wheel(0, -300);
  await expect.poll(async () => (await apexes())[1]).not.toEqual(ofSecond);
  const zoomed = await apexOfFirst();
  expect([zoomed.x - apex.x, zoomed.y - apex.y].map(Math.round)).toEqual([0, 0]);
  // The viewer's shortcuts rotate and mirror both films.
  const angles = async () => (await apexes()).map(({ x, y }) => Math.round((Math.atan2(y, x) * 180) / Math.PI));
  await page.keyboard.press("f");
  const upright = await angles();
  const within = (degrees: readonly number[], wanted: (angle: number) => number) =>
    degrees.every((angle, index) => Math.abs(Math.sin(((angle - wanted(upright[index]!)) * Math.PI) / 180)) < 0.03);
  await page.keyboard.press("r");
  await expect.poll(async () => within(await angles(), (angle) => angle + 90)).toBe(true);
  await page.keyboard.press("g");
  await expect.poll(async () => within(await angles(), (angle) => angle + 91)).toBe(true);
  await page.getByRole("button", { name: "Rotate left" }).click();
  await page.keyboard.press("d");
  await page.keyboard.press("m");
  await expect.poll(async () => within(await angles(), (angle) => 180 - angle)).toBe(true);
  // A decision made elsewhere appears here, and the view stays unchanged.
  const turned = await angles();
  const [later] = (await ask(page, "films.list", { search: "Rocky", order: "takenNewest" })).films;
  await saveReading(page, later!.id, { verdict: "accepted", who: "Dr Sommer" });
  await page.locator("figcaption").filter({ hasText: "Accepted (Dr Sommer)" }).waitFor();
  expect(await angles()).toEqual(turned);
  // The films stay visible below a fault, which disappears after the next successful response.
  await refuse(page, "films.get", "INTERNAL");
  await ask(page, "films.edit", { filmId: later!.id, takenAt: "2026-12-24T12:00:00.000Z" });
  const fault = page.locator(".comparison").getByRole("alert").filter({ hasText: "Something went wrong in Corvet." });
  await fault.waitFor();
  expect(await stages.count()).toBe(2);
  await page.unroute("**/app/call/films.get");
  await ask(page, "films.edit", { filmId: later!.id, takenAt: later!.takenAt });
  await fault.waitFor({ state: "detached" });
});

test("applies window presets and the magnifier to compared films", async ({ page }) => {
  const stages = page.locator(".compared-stage");
  await page.keyboard.press("o");
  const canvases = page.locator(".compared-stage canvas:not(.loupe canvas)");
  const brightness = async () => Promise.all((await canvases.all()).map(brightnessOf));
  const before = await brightness();
  await page.getByRole("button", { name: "Window presets" }).click();
  // The films may come from different devices, so their windows cannot be saved as one.
  expect(await page.getByRole("menuitem", { name: "Save as my window" }).count()).toBe(0);
  await page.getByRole("menuitemcheckbox", { name: "Bone" }).click();
  await expect
    .poll(async () => (await brightness()).map((bright, film) => Math.abs(bright - before[film]!) > 5))
    .toEqual([true, true]);
  await page.keyboard.press("o");
  await page.keyboard.press("z");
  const { x, y, width, height } = (await stages.nth(1).boundingBox())!;
  await page.mouse.move(x + width * 0.4, y + height * 0.6);
  await stages.nth(1).getByTestId("loupe").waitFor();
  expect(await page.getByTestId("loupe").count()).toBe(1);
  await page.keyboard.press("z");
  // A film rejected in the meantime is removed from the comparison and the table.
  const [later] = (await ask(page, "films.list", { search: "Rocky", order: "takenNewest" })).films;
  await saveReading(page, later!.id, { verdict: "rejected" });
  await page.getByTestId("differences").waitFor({ state: "detached" });
  await page.getByText("Select two to four films in the table").waitFor();
  expect(await page.locator("tbody tr").count()).toBe(1);
});

test("opens the film of a point in the chart", async ({ page }) => {
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bella/ }).click();
  await page
    .getByRole("button", { name: /^VHS .* open film$/ })
    .first()
    .click();
  await page.getByRole("region", { name: "Worklist" }).waitFor();
  await page.getByTestId("vhs").locator("small").waitFor();
});

test("shows the trend of the open film's patient", async ({ page }) => {
  await page.keyboard.press("Alt+1");
  await openRow(page, "Rocky");
  await page.keyboard.press("Alt+2");
  await page.getByRole("heading", { name: "Rocky" }).waitFor();
  // The newest film of a patient selected here opens in the worklist.
  const newest = page.waitForResponse((response) => /"limit":1\b/.test(response.request().postData() ?? ""));
  await page.getByRole("button", { name: /Bella/ }).first().click();
  await page.getByRole("heading", { name: "Bella" }).waitFor();
  // Leaving before the response would open nothing.
  await newest;
  await nextFrame(page);
  await page.keyboard.press("Alt+1");
  await expect.poll(() => page.locator(".panel-head h2").innerText()).toBe("Bella");
  const bellas = (await ask(page, "films.list", { search: "bella-7", order: "takenNewest" })).films;
  await page.locator(`.film-row.open[data-film="${bellas[0]!.id}"]`).waitFor();
});

test("screens five values, with units, translated warnings, and signed and sorted contributions", async ({ page }) => {
  const cat = await createPatient(page, "Minka", { species: "cat", owner: "A. Koch" });
  expect(cat.species).toBe("cat");
  await page.keyboard.press("Alt+3");
  await page.getByRole("button", { name: "Choose a cat" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /Minka/ }).click();
  await page.getByLabel("BUN", { exact: true }).fill("41");
  await page.getByLabel("Creatinine", { exact: true }).fill("212");
  const ofCreatinine = page.locator(".value-field").filter({ hasText: "Creatinine" }).getByRole("status");
  await ofCreatinine.getByText("interpreted as µmol/L: 2.4 mg/dL").waitFor();
  await page.getByLabel("Haemoglobin", { exact: true }).fill("9,8");
  await page.getByLabel("Lymphocytes, absolute", { exact: true }).fill("1400");
  await page.getByLabel("Age", { exact: true }).fill("145");
  await page.getByText("= 12 years 1 month").waitFor();
  await page.getByLabel("Age", { exact: true }).press("Backspace");
  await page.getByText("14 years or 14 months?").waitFor();
  expect(await page.getByRole("button", { name: "Run screening", exact: true }).isDisabled()).toBe(true);
  await page.getByLabel("Unit of Age").selectOption("1");
  await page.getByText("= 14 years").waitFor();
  await page.getByRole("button", { name: "Run screening", exact: true }).press("Enter");
  await page.getByTestId("probability").waitFor();
  // The button keeps the focus while the screening is in progress.
  expect(await focusedText(page)).toBe("Run screening");
  await page.getByText("Creatinine: 212 was interpreted as µmol/L, that is 2.4 mg/dL").waitFor();
  await ask(page, "settings.save", { language: "de" });
  await page.getByText("Kreatinin: 212 wurde als µmol/l interpretiert, das sind 2,4 mg/dl").waitFor();
  await ask(page, "settings.save", { language: "en" });
  await page.getByText("Creatinine: 212 was interpreted as µmol/L, that is 2.4 mg/dL").waitFor();
  const bars = await page.getByTestId("shap").allInnerTexts();
  expect(bars).toHaveLength(5);
  const sizes = bars.map((bar) => Math.abs(Number(/[+−±]([\d.]+)\s*$/.exec(bar)![1])));
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  expect(bars.join(" ")).toMatch(/(raises|lowers) the risk by [\d.]+ percentage points/);
  expect(bars.join(" ")).toMatch(/Creatinine 212\sµmol\/L/);
  await page.getByText("Log-odds of the model").click();
  await page.getByText(/· base value/).waitFor();
  await page.getByText("Creatinine by IRIS stage").click();
  await page.getByText("Only after diagnosis, in stable, hydrated cats.").waitFor();
  await ask(page, "settings.save", { clinicName: "Sommer Practice" });
  await page.emulateMedia({ media: "print" });
  // Printed on white paper, without the surrounding interface.
  for (const printed of ["Sommer Practice", /Minka · .*A\. Koch/, "Veterinarian"])
    await page.locator(".print-only").getByText(printed).waitFor();
  expect(await page.locator(".rail").isVisible()).toBe(false);
  expect(await page.getByTestId("probability").isVisible()).toBe(true);
  expect(await page.getByText("Not clinically validated").first().isVisible()).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  for (const bar of [".probability-bar .fill", ".shap-bar"])
    expect(
      await page
        .locator(bar)
        .first()
        .evaluate((element) => getComputedStyle(element).printColorAdjust),
    ).toBe("exact");
  await page.emulateMedia({ media: null });
  await ask(page, "settings.save", { clinicName: "" });
});

test("shows a cat's screenings over time with the model's threshold, and opens one from its point", async ({
  page,
}) => {
  const { patients } = await ask(page, "patients.list", { search: "Minka" });
  const features = { BUN: 22, CREATININE: 1.3, HGB: 13, "ABSOLUTE LYMPHOCYTES": 2400, age_months: 60 };
  const rows = page.getByRole("region", { name: "Previous screenings" }).getByRole("row");
  await rows.first().waitFor();
  const before = await rows.count();
  await ask(page, "usg.screen", { features, patientId: patients[0]!.id });
  // Appears without a reload, like one from another window.
  await expect.poll(() => rows.count()).toBe(before + 1);
  const chart = page.getByRole("group", { name: "Screenings over time" });
  await chart.waitFor();
  await page.getByText(/^Dotted line: from \d+\s%/).waitFor();
  const point = chart.getByRole("button");
  await point.focus();
  await page.keyboard.press("Home");
  const [shown] = /^[\d.]+/.exec((await point.getAttribute("aria-label")) ?? "") ?? [];
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByTestId("probability").innerText()).toContain(shown!);
  // The result states the time of the screening, also on paper.
  const screenedAt = page.getByRole("region", { name: "Previous screenings" }).getByRole("row").last().locator("td");
  expect(await page.getByRole("region", { name: "Result" }).innerText()).toContain(
    await screenedAt.first().innerText(),
  );
});

test("computes what-if results by sliders without storing them", async ({ page }) => {
  const before = await page.getByTestId("probability").innerText();
  const slider = page.getByRole("slider", { name: "Creatinine" });
  await slider.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => page.getByTestId("probability").innerText()).not.toBe(before);
  await page.getByRole("button", { name: "Reset to the measured values" }).click();
  await expect.poll(() => page.getByTestId("probability").innerText()).toBe(before);
  // A what-if result is not printed, as it could be mistaken for a measured one.
  await slider.press("End");
  await expect.poll(() => page.getByTestId("probability").innerText()).not.toBe(before);
  const printed = await page.evaluate(() => {
    globalThis.dispatchEvent(new Event("beforeprint"));
    return document.querySelector("[data-testid=probability]")?.textContent;
  });
  expect(printed).toBe(before);
  await expect.poll(() => page.getByRole("region", { name: "Previous screenings" }).getByRole("row").count()).toBe(3);
});

test("reads a pasted laboratory report, and reports an implausible value", async ({ page }) => {
  const field = page.getByLabel("Paste lab results");
  const names = ["BUN", "Creatinine", "Haemoglobin", "Lymphocytes, absolute", "Age"];
  await page.getByRole("button", { name: "Clear" }).click();
  await field.fill("Age 60; LYM: 3100 /uL; HGB: 12.5 g/dL; Creatinine: 1.1 mg/dL; BUN: 19 mg/dL");
  await field.blur();
  await expect
    .poll(() => Promise.all(names.map((name) => page.getByLabel(name, { exact: true }).inputValue())))
    .toEqual(["19", "1.1", "12.5", "3100", "60"]);
  await page.getByLabel("BUN", { exact: true }).fill("900");
  await page.getByText("Implausible: expected 1–300 mg/dL").waitFor();
  expect(await page.getByRole("button", { name: "Run screening", exact: true }).isDisabled()).toBe(true);
});

test("opens the previous visit once next to an undecided film, if the practice has chosen so", async ({ page }) => {
  const { films } = await ask(page, "films.list", {});
  const film = films.find(({ vhsChange, reading }) => vhsChange && reading?.verdict === null)!;
  const first = films.find(({ vhsChange }) => !vhsChange)!;
  await ask(page, "settings.save", { opensVisitBefore: true });
  await page.reload();
  const open = (id: string) => page.locator(`[data-film="${id}"] .film-open`).click();
  await open(first.id);
  await open(film.id);
  await page.getByTestId("differences").waitFor();
  expect(await page.locator(".compared-film").count()).toBe(2);
  await page.keyboard.press("Escape");
  await page.locator(".panel").waitFor();
  await open(first.id);
  await open(film.id);
  await page.locator(".panel").getByTestId("change-since-visit").waitFor();
  expect(await page.getByTestId("differences").count()).toBe(0);
});
