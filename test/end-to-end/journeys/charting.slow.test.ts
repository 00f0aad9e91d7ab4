import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { openFilms } from "../actions.ts";
import { ask, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";

let films: readonly Film[];
let zora: Patient;

/** Two films of a dog without a range of its breed: VHS up to 10.5 v. */
const { window, program } = startJourney(async (page) => {
  films = await openFilms(page, ["dog-01.jpg", "dog-02.jpg"].map(phantom));
  zora = await ask(page, "patients.create", { name: "Zora", species: "dog", breed: "", owner: "", uuid: "zora-1" });
  await ask(page, "films.assignPatient", { filmIds: films.map(({ id }) => id), patientId: zora.id });
  for (const [index, { id }] of films.entries())
    await ask(page, "films.edit", { filmId: id, takenAt: new Date(Date.UTC(2026, 3 * index, 5, 12)).toISOString() });
});

const latestReading = async (filmId: string) => (await ask(window().page, "films.get", { filmId })).readings.at(-1)!.id;

/** Saves a heart of the given VHS, on vertebrae of 50 px. */
async function measure(film: Film, vhs: number): Promise<void> {
  const shortPx = 200;
  const heart = {
    heart_top: { x: 400, y: 300 },
    heart_bottom: { x: 400, y: 300 + 50 * vhs - shortPx },
    heart_right: { x: 400 - shortPx / 2, y: 420 },
    heart_left: { x: 400 + shortPx / 2, y: 420 },
    VLAS: null,
  };
  const edges = Array.from({ length: 9 }, (_, index) => ({ x: 200 + 50 * index, y: 150 }));
  await ask(window().page, "readings.save", {
    filmId: film.id,
    basedOn: await latestReading(film.id),
    verdict: "by_hand",
    who: "Dr Weber",
    geometry: { ...film.picture, heart, edges },
  });
}

const chart = () => window().page.getByRole("group", { name: /VHS/ }).first();
const rows = () => window().page.locator("tbody tr").count();

test("a value that is printed as the limit is drawn as inside the band, the next one as above it", async () => {
  const { page } = window();
  await measure(films[0]!, 10.54);
  await measure(films[1]!, 10.3);
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Zora/ }).click();
  await expect.poll(() => page.getByRole("row").last().innerText()).toContain("10.5");
  const filled = chart().locator(".chart-area .point.filled");
  expect(await chart().locator(".chart-area .point").count()).toBeGreaterThan(0);
  expect(await filled.count()).toBe(0);
  await measure(films[0]!, 10.56);
  await expect.poll(() => page.getByRole("row").last().innerText()).toContain("10.6");
  await expect.poll(() => filled.count()).toBe(1);
});

test("a rejected film leaves table, chart and change at once", async () => {
  const { page } = window();
  const change = page.getByTestId("last-change");
  await change.first().waitFor();
  expect(await rows()).toBe(2);
  await ask(page, "readings.save", {
    filmId: films[1]!.id,
    basedOn: await latestReading(films[1]!.id),
    verdict: "rejected",
    who: "Dr Weber",
    geometry: null,
  });
  await expect.poll(rows).toBe(1);
  expect(await change.count()).toBe(0);
  expect(await page.locator("tbody").innerText()).not.toContain("10.3");
});

test("an image that is measured twice through the API is listed once", async () => {
  const { page, context } = window();
  const { key } = await ask(page, "keys.create", { accountName: "Practice software", name: "" });
  const predict = async (name: string) => {
    const image = readFileSync(phantom(name)).toString("base64");
    const headers = { "x-api-key": key };
    const response = await context.request.post(`${program().origin}/v3/predict`, {
      headers,
      data: { image, uuid: "zora-1" },
    });
    expect(response.status()).toBe(200);
  };
  const ofApi = () => page.locator("tbody tr").filter({ hasText: "API" }).count();
  await predict("dog-03.jpg");
  await predict("dog-03.jpg");
  await predict("dog-04.jpg");
  await page.reload();
  await page.locator(".rail").waitFor();
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Zora/ }).click();
  await expect.poll(ofApi).toBe(2);
});
