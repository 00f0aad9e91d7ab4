import { expect } from "vitest";
import { createPatient, middleOf, openFilms, openRow } from "./actions.ts";
import { startJourney } from "./journey.ts";
import { ask, phantom } from "./program.ts";

const { window, test } = startJourney((page) => openFilms(page, [phantom("dog-01.jpg")]));

const shownRlad = async () => Number.parseFloat(await window().page.getByTestId("rlad").innerText());

test("proposes, removes, draws, undoes, redoes, saves and follows an optional measure", async ({ page }) => {
  await openRow(page, "dog-01.jpg");
  await page.getByTestId("marks").waitFor();
  await page.getByTestId("rlad").waitFor();
  const proposed = await shownRlad();
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Remove RLAD" }).click();
  await page.getByRole("button", { name: "Add RLAD" }).click();
  await page.getByText("along the dotted line").waitFor();
  // A measure that has not been drawn cannot be saved.
  expect(await page.getByRole("button", { name: "Save reading" }).isDisabled()).toBe(true);
  expect(await page.getByTestId("rlad").count()).toBe(0);

  const start = await middleOf(page, "[data-handle=RLAD] .ring");
  const guide = page.locator(".guide line");
  const [x1, y1, x2, y2] = await Promise.all(
    ["x1", "y1", "x2", "y2"].map(async (name) => Number(await guide.getAttribute(name))),
  );
  const to = { x: start.x + (x2! - x1!) * 0.7, y: start.y + (y2! - y1!) * 0.7 };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(to.x + 6, to.y + 6, { steps: 6 });
  await page.mouse.up();
  const drawn = await shownRlad();
  expect(drawn).toBeGreaterThan(1);
  expect(drawn).not.toBe(proposed);
  await page.getByRole("button", { name: "Remove RLAD" }).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByTestId("rlad").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Shift+Z");
  expect(await shownRlad()).toBe(drawn);

  await page.getByLabel("Signed by").fill("Dr Weber");
  await page.getByRole("button", { name: "Save reading" }).click();
  await expect.poll(() => page.getByTestId("version").count()).toBe(2);
  expect(await page.getByTestId("version").first().innerText()).toMatch(/Dr Weber/);
  expect(await shownRlad()).toBe(drawn);
  const panel = page.getByRole("complementary", { name: "Result" });
  expect(await panel.innerText()).toContain("Sánchez Salguero et al. 2018");

  const { films } = await ask(page, "films.list", {});
  expect(films[0]!.reading!.rlad!).toBeCloseTo(drawn, 1);
  const patient = await createPatient(page, "Rex");
  await ask(page, "films.assignPatient", { filmIds: [films[0]!.id], patientId: patient.id });
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Rex/ }).first().click();
  await page.getByRole("columnheader", { name: "RLAD" }).waitFor();
});
