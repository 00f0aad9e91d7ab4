import { expect, test } from "vitest";
import { openRow } from "../actions.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";

const { window } = startJourney(openBella);

const bar = () => window().page.locator(".reference").first();
const openRanges = async () => {
  await window().page.getByRole("button", { name: "Settings", exact: true }).click();
  await window().page.getByRole("tab", { name: "Reference ranges" }).click();
};
const openFilm = async () => {
  await window().page.keyboard.press("Alt+1");
  await openRow(window().page, "Bella");
};

test("a range is added with its source; missing fields are reported at the field", async () => {
  const { page } = window();
  await openRow(page, "Bella");
  expect(await bar().innerText()).toContain("VHS 9.0–11.2 v");
  await openRanges();
  const form = page.getByRole("region", { name: "Add a range" });
  await form.getByLabel("Breed").fill("CKCS");
  await form.getByLabel("Lower limit (v)").fill("9.1");
  await form.getByLabel("Upper limit (v)").fill("8.8");
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByRole("alert").getByText("Lower limit: it must be less than the upper limit").waitFor();
  await form.getByLabel("Upper limit (v)").fill("10.8");
  await form.getByRole("alert").getByText("Source: state the reference for the limits").waitFor();
  await form.getByLabel("Source").fill("Our own 40 healthy dogs");
  // What is typed waits while another page is shown.
  await page.getByRole("tab", { name: "Folders" }).click();
  await openRanges();
  expect([await form.getByLabel("Breed").inputValue(), await form.getByLabel("Upper limit (v)").inputValue()]).toEqual([
    "CKCS",
    "10.8",
  ]);
  await form.getByLabel("Source").press("Enter");
  await page.getByTestId("own-range").getByText("Our own 40 healthy dogs").waitFor();
  expect(await form.getByLabel("Breed").inputValue()).toBe("");
});

test("it takes the place of the published one, marked as the clinic's with its source", async () => {
  await openFilm();
  await expect.poll(() => bar().innerText()).toContain("VHS 9.1–10.8 v");
  expect(await bar().innerText()).toContain(
    "Cavalier King Charles Spaniel, limits of this clinic\u00a0· Our own 40 healthy dogs",
  );
});

test("it is changed, and once it is removed the published one counts again", async () => {
  const { page } = window();
  await openRanges();
  await page.getByRole("button", { name: "Edit VHS, CKCS" }).click();
  const form = page.getByRole("region", { name: "Edit the range" });
  expect(await form.getByLabel("Upper limit (v)").inputValue()).toBe("10.8");
  await form.getByLabel("Upper limit (v)").fill("10,9");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByTestId("own-range").getByText("9.1–10.9 v").waitFor();
  await page.getByRole("button", { name: "Remove VHS, CKCS" }).click();
  await page.getByText("Only published ranges are used").waitFor();
  await openFilm();
  await expect.poll(() => bar().innerText()).toContain("VHS 9.0–11.2 v");
});
