import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../fixtures/postgres/temporary-database.ts";
import { drag, middleOf, openFilms, openRow, shownScore } from "../actions.ts";
import { openProgram } from "../open-program.ts";
import { ask, closeWindows, openWindow, phantom, sharedBrowser, type Program, type Window } from "../program.ts";
import { keepOrder } from "../../fixtures/keep-order.ts";

keepOrder();

describe.runIf(hasPostgres)("two workstations on one database", () => {
  let database: TemporaryDatabase;
  const programs: Program[] = [];
  const windows: Window[] = [];
  beforeAll(async () => {
    database = await temporaryDatabase();
    for (let number = 0; number < 2; number += 1) {
      const program = await openProgram({ database: database.url });
      programs.push(program);
      windows.push(await openWindow(await sharedBrowser(), program.pageUrl));
    }
  });
  afterAll(async () => {
    await closeWindows();
    for (const program of programs) await program.stop();
    await database?.remove();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail")
      for (const [number, { page }] of windows.entries())
        await page.screenshot({ path: path.join(tmpdir(), `corvet-side-by-side-${number}.png`) });
    expect(windows.flatMap(({ complaints }) => complaints.splice(0))).toEqual([]);
  });
  const pages = () => windows.map(({ page }) => page) as [Window["page"], Window["page"]];

  test("shows a film dropped on one workstation, and its measurement, on the other without a reload", async () => {
    const [reception, surgery] = pages();
    await ask(reception, "settings.save", { userName: "Dr Weber" });
    await ask(surgery, "settings.save", { userName: "Dr Sommer" });
    const row = surgery.getByTestId("film").filter({ hasText: "dog-06.jpg" });
    await openFilms(reception, [phantom("dog-06.jpg")]);
    await row.locator(".outcome-score").waitFor();
    await openRow(surgery, "dog-06.jpg");
    await surgery.locator(".stage canvas").first().waitFor();
    expect(await shownScore(surgery, "vhs")).toBe(await shownScore(reception, "vhs"));
  });

  test("shows in each window who else has the film open, in its row and next to its name", async () => {
    const [reception, surgery] = pages();
    const notes = surgery.getByTestId("also-open").filter({ hasText: `Also open: Dr Weber at ${hostname()}` });
    await expect.poll(() => notes.count()).toBe(2);
    await reception.getByTestId("also-open").filter({ hasText: "Dr Sommer" }).first().waitFor();
    await reception.keyboard.press("Alt+2");
    await expect.poll(() => notes.count()).toBe(0);
    await reception.keyboard.press("Alt+1");
    await expect.poll(() => notes.count()).toBe(2);
  });

  test("reports a conflict for the second of two corrections, keeps its points, and stores both readings", async () => {
    const [reception, surgery] = pages();
    for (const page of [reception, surgery]) {
      await page.keyboard.press("c");
      await page.getByRole("toolbar", { name: "Correction" }).waitFor();
      const apex = await middleOf(page, "[data-handle=heart_bottom] .ring");
      const by = page === reception ? 15 : 30;
      await drag(page, apex, { x: apex.x + by, y: apex.y + by });
    }
    await reception.keyboard.press("Control+s");
    await reception.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
    // The other reading has arrived before this one is saved.
    await surgery.getByTestId("film").getByText("Corrected").waitFor();
    const points = await shownScore(surgery, "vhs");
    await surgery.keyboard.press("Control+s");
    await surgery
      .locator(".toast.fault")
      .getByText("Another reading of this film has been saved in the meantime. Save again to keep both.")
      .waitFor();
    await surgery.getByRole("toolbar", { name: "Correction" }).waitFor();
    expect(await shownScore(surgery, "vhs")).toBe(points);
    await surgery.keyboard.press("Control+s");
    await surgery.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
    for (const page of [reception, surgery])
      await expect.poll(() => page.getByTestId("version").filter({ hasText: "Corrected" }).count()).toBe(2);
    const { films } = await ask(surgery, "films.list", {});
    const { readings } = await ask(surgery, "films.get", { filmId: films[0]!.id });
    expect(readings.map(({ who }) => who)).toEqual([null, "Dr Weber", "Dr Sommer"]);
  });
});
