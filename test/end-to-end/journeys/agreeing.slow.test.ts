import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import {
  axeFaults,
  axeFaultsInBothThemes,
  downloadBy,
  openRow,
  placesOfMarks,
  saveReading,
  waitForOpenFilm,
} from "../actions.ts";
import { startJourney } from "../journey.ts";
import { drifted, openBella } from "../prepared.ts";
import { answer, ask, hold } from "../program.ts";

const { test } = startJourney(openBella);

test("hides the result of a film in reader mode everywhere until it is measured", async ({ page }) => {
  const panel = page.getByRole("complementary", { name: "Result" });
  await page.keyboard.press("Alt+5");
  await page.getByTestId("blind-films").getByRole("button").first().click();
  await panel.getByText("The networks’ result is hidden.").waitFor();
  expect(await panel.getByTestId("verdict").count()).toBe(0);
  expect(await panel.getByTestId("version").count()).toBe(0);
  expect(await panel.getByLabel("Findings").count()).toBe(0);
  expect(await page.locator("[data-testid=marks]").count()).toBe(0);
  expect(await panel.getByRole("button", { name: /^Accept/ }).isDisabled()).toBe(true);
  expect(await page.locator(".film-row.open .outcome").innerText()).toBe("Not yet read");
  const choices = page.locator(".filter-bar option");
  const byResult = choices.filter({ hasText: /^(Reliable|Usable|Check|Do not use|Needs review first)$/ });
  expect(await choices.count()).toBeGreaterThan(0);
  expect(await byResult.count()).toBe(0);
  const filmId = (await page.locator(".film-row.open").getAttribute("data-film"))!;
  const { patients } = await ask(page, "patients.list", {});
  await ask(page, "films.assignPatient", { filmIds: [filmId], patientId: patients[0]!.id });
  await panel.getByRole("button", { name: "Compare with the film from the previous visit" }).click();
  const compared = page.locator(".compared-film");
  await expect.poll(() => compared.count()).toBe(2);
  expect((await compared.locator("figcaption .data").allInnerTexts()).join(" ")).not.toMatch(/\d/);
  expect((await page.locator(".difference").allInnerTexts()).join(" ")).not.toMatch(/\d/);
  expect(await compared.locator(".landmark").count()).toBe(0);
  await page.keyboard.press("Escape");
  await panel.waitFor();
  await page.keyboard.press("Alt+2");
  await page.getByText("Reader mode hides 2 films that you have not measured yet.").waitFor();
  expect(await page.getByRole("main").getByText(/VHS/).count()).toBe(0);
  await page.keyboard.press("Alt+1");
  expect(await page.getByTestId("change-since-visit").count()).toBe(0);
  await page.getByRole("button", { name: "Share" }).click();
  expect(await page.getByRole("menuitem", { name: "Handout (PDF)" }).getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
  await ask(page, "films.assignPatient", { filmIds: [filmId], patientId: null });
  await panel.getByRole("button", { name: "Leave reader mode" }).click();
  await panel.getByTestId("verdict").waitFor();
  await panel.getByLabel("Findings").waitFor();
  expect(await byResult.count()).toBe(5);
});

test("rejects a film with its reason in reader mode, which then shows its versions", async ({ page }) => {
  const panel = page.getByRole("complementary", { name: "Result" });
  const readNext = async () => {
    await page.keyboard.press("Alt+5");
    await page.getByTestId("blind-films").getByRole("button").first().click();
    await panel.getByText("The networks’ result is hidden.").waitFor();
  };
  await readNext();
  await panel.getByLabel("Signed by").fill("Dr. Roth");
  expect(await panel.getByRole("button", { name: /^Accept/ }).isDisabled()).toBe(true);
  await panel.getByRole("button", { name: /^Reject/ }).click();
  await page.getByRole("menuitem", { name: "Not a lateral view" }).click();
  await page.locator(".film-row.open").filter({ hasText: "Rejected" }).waitFor();
  await expect.poll(() => panel.getByTestId("version").count()).toBe(2);
  await readNext();
  await panel.getByRole("button", { name: "Leave reader mode" }).click();
});

test("offers a film for reader mode without readings, and shows the networks' marks once it is measured", async ({
  page,
}) => {
  const panel = page.getByRole("complementary", { name: "Result" });
  await page.keyboard.press("Alt+5");
  await page.getByRole("heading", { name: "Nothing to compare yet" }).waitFor();
  const offered = page.getByTestId("blind-films").getByRole("button").first();
  const [name] = (await offered.innerText()).split(",");
  await page.keyboard.press("Alt+1");
  await openRow(page, name!);
  const { heart, edges } = await placesOfMarks(page);
  await page.keyboard.press("Alt+5");
  await offered.click();
  await panel.getByText("The networks’ result is hidden.").waitFor();
  await waitForOpenFilm(page);
  await page.keyboard.press("h");
  await page.getByText("Click: Base of the heart").waitFor();
  const shownPoints = page.locator("svg.overlay .landmark");
  const ofNetworks = page.locator("svg.overlay").locator(".heart-outline, .ghost, .votes");
  for (const [placed, { x, y }] of [...heart, ...edges].entries()) {
    const shown = async () => [await shownPoints.count(), await ofNetworks.count()];
    await expect.poll(shown).toEqual([Math.min(placed, heart.length), 0]);
    await page.mouse.click(x, y);
  }
  expect(await page.locator(".film-row.open .outcome").innerText()).toBe("Not yet read");
  await page.getByRole("button", { name: "Save reading" }).click();
  await page.locator(".film-row.open").filter({ hasText: "Measured manually" }).waitFor();
  const versions = panel.getByTestId("version");
  await expect
    .poll(() => versions.allInnerTexts())
    .toEqual([expect.stringMatching(/^Measured manually/), expect.stringMatching(/^Measured by the networks/)]);
  await page.keyboard.press("Shift+O");
  await page.getByTestId("original-marks").waitFor();
  await page.keyboard.press("Shift+O");
  await page.getByRole("button", { name: "Overlay", exact: true }).click();
  await page.getByRole("switch", { name: /^Reader mode/ }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+5");
  await page.getByText("1 reading as a table").click();
  await page.getByRole("cell", { name: "Independent" }).waitFor();
});

test("draws few readings without limits of agreement", async ({ page }) => {
  const { films } = await ask(page, "films.list", {});
  const measured = films.filter((film) => film.reading?.vhs);
  expect(measured.length).toBeGreaterThanOrEqual(3);
  for (const { id } of measured.filter(({ reading }) => reading?.source === "model"))
    await saveReading(page, id, { verdict: "accepted", who: "Dr. Roth" });
  await page.keyboard.press("Alt+1");
  await page.keyboard.press("Alt+5");
  await page.getByText("Independent readings: 1; at least 50 are needed.").waitFor();
  await page.getByText("1 independent reading is too few for bias and limits of agreement.").waitFor();
  await page.getByText(new RegExp(`\\(${measured.length - 1} of ${measured.length}\\)`)).waitFor();
  // Accepted readings have no difference by definition, so they are listed but not drawn.
  const point = page.getByRole("group", { name: /^VHS: difference/ }).getByRole("button");
  await point.focus();
  await page.keyboard.press("End");
  expect(await page.locator(".chart-tip").innerText()).toContain("difference");
  const download = await downloadBy(page, () => page.getByRole("button", { name: "Save as CSV" }).click());
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(measured.length + 1);
  expect(lines[0]).toContain("network,person,difference");
  // The print shows the figures without the surrounding interface.
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".rail").isVisible()).toBe(false);
  expect(await page.locator(".chart").isVisible()).toBe(true);
  await page.emulateMedia({ media: "screen" });
  await page.getByLabel("Species").selectOption("cat");
  await page.getByRole("heading", { name: "No reading matches these filters" }).waitFor();
  await page.getByTestId("same-day").waitFor();
  await page.getByRole("button", { name: "Show all readings" }).click();
  await point.waitFor();
  // Until the response arrives, results of the previous selection are hidden.
  const release = await hold(page, "agreement.get");
  await page.getByLabel("Measurement").selectOption("vlas");
  await page.getByRole("group", { name: /: difference/ }).waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Save as CSV" }).isDisabled()).toBe(true);
  release();
  await page.getByRole("group", { name: /^VLAS: difference/ }).waitFor();
  await page.getByLabel("Measurement").selectOption("vhs");
  await point.waitFor();
  // Each filter keeps matching readings: one film has a patient, all are of one pack and were decided today.
  const count = () => page.getByText(/^\d+ readings? as a table$/).innerText();
  const all = await count();
  await page.getByLabel("Species").selectOption("dog");
  await expect.poll(count).toBe("1 reading as a table");
  await page.getByLabel("Species").selectOption("");
  await page.getByLabel("Read by").selectOption({ index: 1 });
  await expect.poll(count).toMatch(/^\d+ reading/);
  await page.getByLabel("Read by").selectOption("");
  await page.getByLabel("Pack").selectOption({ index: 1 });
  await page.getByLabel("Decided").selectOption("30");
  await expect.poll(count).toBe(all);
  const proposals = await Promise.all(
    measured.map(async ({ id }) => (await ask(page, "films.get", { filmId: id })).readings[0]!),
  );
  const tiers = proposals.map(({ tier }) => tier);
  await page.getByLabel("Reliability").selectOption(tiers[0]!);
  await expect.poll(count).toMatch(new RegExp(`^${tiers.filter((tier) => tier === tiers[0]).length} reading`));
  await page.getByLabel("Reliability").selectOption("");
  await point.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Result" }).or(page.locator(".stage")).first().waitFor();
  const byHand = page.getByTestId("version").filter({ hasText: "Measured manually" });
  await byHand.getByText(/^[+−±]\d\.\d\sv from the networks’ proposal/).waitFor();
});

test("reports a drift with bias, limits and intervals, accessible in both themes", async ({ page }) => {
  await answer(page, "agreement.get", drifted);
  await answer(page, "agreement.drift", { drifts: [{ measure: "vhs", count: 30, bias: 0.45 }] });
  // The drift is refetched after each decision and links to the comparison.
  const { films } = await ask(page, "films.list", {});
  const [film] = films.filter(({ reading }) => reading?.vhs);
  await page.keyboard.press("Alt+1");
  await saveReading(page, film!.id, { verdict: "accepted", who: "Dr. Roth" });
  await page.getByRole("button", { name: "VHS: networks 0.45 v high" }).click();
  await page.unroute("**/app/call/agreement.drift");
  await page
    .getByText(/In the last 30 of these independent readings the networks measure the VHS 0\.\d\d\sv higher/)
    .waitFor();
  expect(await page.getByText(/^95\s% interval [+−±]\d/).count()).toBe(3);
  expect(await page.locator(".chart .band.interval").count()).toBe(3);
  await page.getByText("60 readings as a table").click();
  await expect.poll(() => page.getByRole("row").count()).toBe(61);
  await page.getByText("60 readings as a table").click();
  expect(await axeFaultsInBothThemes(page)).toEqual([]);
  await page.unroute("**/app/call/agreement.get");
});

test("counts pairs of accepted films of one animal and day until they suffice for figures", async ({ page }) => {
  const { films } = await ask(page, "films.list", {});
  const accepted = films.filter(({ patient, reading }) => !patient && reading?.verdict === "accepted");
  await page.keyboard.press("Alt+1");
  await page.keyboard.press("Alt+5");
  const sameDay = page.getByTestId("same-day");
  await sameDay.getByText("No pairs yet.").waitFor();
  const { patients } = await ask(page, "patients.list", {});
  const filmIds = accepted.slice(0, 2).map(({ id }) => id);
  await ask(page, "films.assignPatient", { filmIds, patientId: patients[0]!.id });
  await sameDay.getByText("1 pair so far. Statistics are shown from 10 pairs on.").waitFor();
  let count = 9;
  await page.route("**/app/call/agreement.sameDay", (route) => {
    const at = new Date(Date.UTC(2026, 5, 1)).toISOString();
    const pairs: DesktopResponse<"agreement.sameDay">["pairs"] = Array.from({ length: count }, (_, index) => [
      { filmId: `first-${index}`, at, value: 10 },
      { filmId: `second-${index}`, at, value: 10.4 },
    ]);
    return route.fulfill({ json: { ok: true, value: { pairs, deviation: 0.283, expected: 0.2 } } });
  });
  await page.getByLabel("Measurement").selectOption("vlas");
  await sameDay.getByText("9 pairs so far. Statistics are shown from 10 pairs on.").waitFor();
  count = 10;
  await page.getByLabel("Measurement").selectOption("vhs");
  await expect
    .poll(async () => (await sameDay.locator("dl > div").allInnerTexts()).map((words) => words.replaceAll(/\s+/g, " ")))
    .toEqual([
      "Pairs 10",
      "Standard deviation within pairs 0.28 v",
      "Expected from the films’ standard errors 0.20 v",
      "Smallest change beyond noise (95 %) ±0.78 v",
    ]);
  await sameDay.getByText("10 pairs as a table").click();
  expect(await sameDay.getByRole("row").count()).toBe(11);
  expect(await axeFaults(page)).toEqual([]);
  await page.unroute("**/app/call/agreement.sameDay");
});
