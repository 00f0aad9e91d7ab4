import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { shownScore } from "../../../core/cardiac/shown-score.ts";
import { chooseInMenu, openRow, stateOf, waitForFilms } from "../actions.ts";
import { ask, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";
import { writeLuna, writeMio } from "../prepared.ts";

const { window, test } = startJourney();

const inStudy = () => window().page.locator(".film-row.of-study");

let folder: string;
let files: Record<string, Buffer>;

test("groups a dropped folder as a study, measures laterals only, and reports a damaged file", async ({ page }) => {
  ({ folder, files } = await writeLuna());
  writeFileSync(path.join(folder, "IMG", "broken.dcm"), files["IMG/I0001"]!.subarray(0, 5000));
  writeFileSync(path.join(folder, "LIESMICH"), "the practice's CD");
  await dropPath(page, folder);
  const measured = await waitForFilms(page, ["I0001", "I0002", "I0003", "I0004"]);
  const states = ["done", "done", "cancelled", "cancelled"];
  expect(measured.map((film) => [film.state, film.patient?.name, film.patient?.owner])).toEqual(
    states.map((state) => [state, "Luna", "Selin Aydın"]),
  );
  const [one, two] = measured.map((film) => film.reading?.vhs ?? 0);
  const group = page.getByTestId("study").filter({ hasText: "Luna" });
  await group.getByText("4 films").waitFor();
  await page.locator(".series-name").filter({ hasText: "Series 2" }).waitFor();
  await expect
    .poll(() => group.getByTestId("study-vhs").innerText())
    .toBe(`${shownScore((one! + two!) / 2).toFixed(1)} v`);
  await group.getByText("median of 2").waitFor();
  expect(await group.getByTestId("verdict").innerText()).toMatch(/^(Reliable|Usable|Check)$/);
  expect(await inStudy().filter({ hasText: "Best film" }).count()).toBe(1);
  const other = inStudy().filter({ hasText: "I0003" });
  await other.getByText("Not measured").waitFor();
  const fault = page.locator(".toast.fault").filter({ hasText: "broken.dcm: The DICOM file is truncated" });
  await fault.waitFor();
  await fault.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
});

test("shows why another view was not measured, and offers to measure it", async ({ page }) => {
  await inStudy().filter({ hasText: "I0004" }).getByRole("button").first().click();
  const result = page.getByRole("complementary", { name: "Result" });
  await result.getByText("Not measured: view DV").waitFor();
  expect(await result.getByRole("button", { name: "Measure anyway" }).isEnabled()).toBe(true);
  expect(await result.locator(".reference").count()).toBe(0);
});

test("undoes the rejection of an unmeasured film, and keeps both versions", async ({ page }) => {
  const result = page.getByRole("complementary", { name: "Result" });
  await result.getByLabel("Signed by").fill("Dr. Roth");
  await result.getByRole("button", { name: /^Reject/ }).click();
  await page.getByRole("menuitem", { name: "Not a lateral view" }).click();
  await result.getByText("Rejected by Dr. Roth: Not a lateral view").waitFor();
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await result.getByText("Not measured: view DV").waitFor();
  const versions = await result.getByTestId("version").allInnerTexts();
  expect(versions).toHaveLength(2);
  expect(versions[0]).toMatch(/Rejection undone[\s\S]*Dr\. Roth/);
  expect(versions[1]).toMatch(/Rejected[\s\S]*Dr\. Roth[\s\S]*Not a lateral view/);
  const { films } = await ask(page, "films.list", { standing: "undecided" });
  expect(films.map(({ fileName }) => fileName)).toContain("I0004");
  await inStudy().filter({ hasText: "I0004" }).getByText("Not measured").waitFor();
});

test("shows progress while opening many files, and can be stopped", async ({ page }) => {
  const before = (await ask(page, "films.list", {})).total;
  await page.route("**/app/films?*", () => undefined);
  await page
    .getByTestId("files")
    .setInputFiles(["dog-01.jpg", "dog-02.jpg", "dog-03.jpg", "dog-04.jpg", "dog-05.jpg"].map(phantom));
  await page.getByText("Opening 1 of 5…").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped: 5 files were not opened").waitFor();
  await page.unroute("**/app/films?*");
  expect(await page.locator(".under-way").count()).toBe(0);
  expect((await ask(page, "films.list", {})).total).toBe(before);
});

test("opens a film of another animal from a folder, and offers the frames of a file", async ({ page }) => {
  await page.getByTestId("folder").setInputFiles(writeMio());
  await waitForFilms(page, ["LOOP"]);
  const row = page.getByTestId("film").filter({ hasText: "Mio" });
  await row.getByText("Frame 1 of 3").waitFor();
  await chooseInMenu(page, row, "Choose a frame…");
  await page.getByRole("button", { name: "Frame 3 of 3" }).click();
  await page.getByTestId("study").filter({ hasText: "Mio" }).waitFor();
  await inStudy().filter({ hasText: "Frame 3 of 3" }).waitFor();
  expect((await ask(page, "films.list", { search: "Mio" })).films.map((film) => film.frameIndex).toSorted()).toEqual([
    0, 2,
  ]);
});

test("shows the file's attributes, and measures another view anyway", async ({ page }) => {
  const row = inStudy().filter({ hasText: "I0003" });
  await chooseInMenu(page, row, "File details…");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("P-2041 (Praxis am See)").waitFor();
  await dialog.getByText("1.2.276.77.1.3", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await stateOf(page, "I0003")).toBe("cancelled");
  await chooseInMenu(page, row, "Measure anyway");
  await expect.poll(() => stateOf(page, "I0003")).toBe("done");
  await openRow(page, "RL");
});

async function dropPath(page: Page, dropped: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = { x: 700, y: 450, data: { items: [], files: [dropped], dragOperationsMask: 1 } };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await devtools.send("Input.dispatchDragEvent", { type, ...at });
  await devtools.detach();
}
