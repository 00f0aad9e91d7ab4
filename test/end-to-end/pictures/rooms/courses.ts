import type { Page } from "playwright-core";
import { createPatient, openFilms } from "../../actions.ts";
import { drifted } from "../../prepared.ts";
import { answer, ask, phantom } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

export async function roomOfCourses(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page) => {
    await page.keyboard.press("Alt+2");
    await camera.take(page, "courses-nobody");
    await page.keyboard.press("Alt+5");
    await camera.take(page, "courses-agreement-empty");
    await prepare(page);
    await page.keyboard.press("Alt+2");
    await page.locator(".trends-patients .patient-row").filter({ hasText: "M. Sommer" }).click();
    await page.getByRole("table").waitFor();
    await camera.take(page, "courses-trend");
    await camera.take(page, "courses-trend-tooltip", { before: () => page.locator(".chart-cursor").last().focus() });
    await camera.take(page, "courses-trend-table", { before: () => scrollToEnd(page) });
    await compared(camera, page);
    await patientDialogs(camera, page);
    await longCourse(camera, page);
    await agreement(camera, page);
  });
}

function scrollToEnd(page: Page): Promise<void> {
  return page.locator(".page").evaluate((shown) => shown.scrollTo(0, shown.scrollHeight));
}

async function prepare(page: Page): Promise<void> {
  await page.keyboard.press("Alt+1");
  const films = await openFilms(page, ["dog-02.jpg", "dog-03.jpg", "dog-04.jpg", "dog-05.jpg"].map(phantom));
  const bella = { name: "Bella", species: "dog", breed: "Cavalier King Charles Spaniel", owner: "M. Sommer" } as const;
  const { id } = await ask(page, "patients.create", { ...bella, uuid: "P-4711" });
  await createPatient(page, "Bella S.", { uuid: "S-9" });
  for (const name of ["Aramis", "Luna", "Minka", "Rocky", "Nala"])
    await createPatient(page, name, { breed: "Boxer", owner: "J. Lindner" });
  await ask(page, "films.assignPatient", { filmIds: films.map((film) => film.id), patientId: id });
  const rising = [...films].sort((a, b) => (a.reading?.vhs ?? 0) - (b.reading?.vhs ?? 0));
  for (const [index, film] of rising.entries())
    await ask(page, "films.edit", { filmId: film.id, takenAt: new Date(Date.UTC(2026, index * 2, 5)).toISOString() });
}

async function longCourse(camera: Camera, page: Page): Promise<void> {
  const { patients } = await ask(page, "patients.list", { search: "Bella" });
  const trend = await ask(page, "trends.get", { patientId: patients.find(({ uuid }) => uuid === "P-4711")!.id });
  const last = trend.points.at(-1)!;
  const points = Array.from({ length: 32 }, (_, index) => ({
    ...last,
    at: new Date(Date.UTC(2021, 10 + index * 2, 3 + (index % 9))).toISOString(),
    vhs: 9.4 + index * 0.09 + Math.sin(index * 5) * 0.2,
    vlas: 1.9 + index * 0.03 + Math.sin(index * 3) * 0.1,
    source: index % 7 === 3 ? ("api" as const) : index % 5 === 2 ? ("person" as const) : ("model" as const),
    who: index % 5 === 2 ? "Dr Weber" : null,
  }));
  await answer(page, "trends.get", { ...trend, points });
  await page.locator(".trends-patients .patient-row").filter({ hasText: "Luna" }).click();
  await page.getByRole("row").nth(30).waitFor();
  await camera.take(page, "courses-trend-long");
  await page.unroute("**/app/call/trends.get");
}

async function compared(camera: Camera, page: Page): Promise<void> {
  const boxes = page.getByRole("checkbox");
  for (const count of [2, 3, 4]) {
    for (let index = 0; index < count; index++) await boxes.nth(index).check();
    await page.getByRole("button", { name: "Compare films" }).click();
    await page
      .locator(".compared-stage .landmark")
      .nth(5 * count - 1)
      .waitFor();
    await camera.take(page, `courses-compared-${count}`);
    await page.getByRole("region", { name: "Compare films" }).getByRole("button", { name: "Close" }).click();
  }
}

async function patientDialogs(camera: Camera, page: Page): Promise<void> {
  for (const [name, button] of [
    ["courses-edit", "Edit patient"],
    ["courses-merge", "Merge…"],
    ["courses-save-everything", "Export all data"],
    ["courses-erase", "Erase…"],
  ] as const) {
    await page.getByRole("button", { name: button }).click();
    await page.locator("[role=dialog], [role=alertdialog]").waitFor();
    await camera.take(page, name);
    await page.keyboard.press("Escape");
    await page.locator("[role=dialog], [role=alertdialog]").waitFor({ state: "detached" });
  }
}

async function agreement(camera: Camera, page: Page): Promise<void> {
  for (const [name, shown] of [
    ["courses-agreement-few", drifted.pairs.slice(0, 8)],
    ["courses-agreement", drifted.pairs],
  ] as const) {
    await answer(page, "agreement.get", { ...drifted, pairs: shown, total: shown.length });
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("Alt+5");
    await page.locator(".chart").first().waitFor();
    await camera.take(page, name);
    await camera.take(page, `${name}-below`, { before: () => scrollToEnd(page) });
    await page.unroute("**/app/call/agreement.get");
  }
}
