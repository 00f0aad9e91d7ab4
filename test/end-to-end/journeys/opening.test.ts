import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { chooseInMenu, dropFiles, openFilms, openRow, pasteFiles, waitForFilms } from "../actions.ts";
import { answer, ask, hold, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";
import { folderForTest } from "../../fixtures/folders.ts";

const { program, test } = startJourney();

test("explains how to start in an empty worklist", async ({ page }) => {
  await page.getByRole("heading", { name: "Drop a radiograph anywhere" }).waitFor();
  await page.getByText("No films yet").waitFor();
});

test("measures several chosen files and pasted pictures, and does not add a file twice", async ({ page }) => {
  await openFilms(page, ["dog-01.jpg", "dog-02.jpg", "dog-03.jpg", "dog-04.jpg"].map(phantom));
  await pasteFiles(page, [phantom("dog-05.jpg")]);
  await waitForFilms(page, ["dog-05.jpg"]);
  await expect.poll(() => page.getByTestId("film").count()).toBe(5);
  await dropFiles(page, [phantom("dog-01.jpg")]);
  await page.getByText("Already in the worklist").waitFor();
  expect(await page.getByTestId("film").count()).toBe(5);
});

test("lists other files of a folder with their reasons", async ({ page }) => {
  const folder = folderForTest();
  mkdirSync(path.join(folder, "letters"));
  writeFileSync(path.join(folder, ".hidden"), "system");
  writeFileSync(path.join(folder, "letters", "owner.txt"), "Dear Mrs Sommer");
  writeFileSync(path.join(folder, "report.pdf"), "%PDF-1.7");
  writeFileSync(path.join(folder, "broken.jpg"), "this is not a picture");
  copyFileSync(phantom("dog-06.jpg"), path.join(folder, "dog-06.jpg"));
  await page.getByTestId("folder").setInputFiles(folder);
  await waitForFilms(page, ["dog-06.jpg"]);
  const note = page.getByTestId("left-alone");
  await note.getByText("4 files were not opened").waitFor();
  await note.getByRole("button", { name: "Show details" }).click();
  const listed = await page.getByRole("dialog").locator(".left-alone-files > div").allInnerTexts();
  const name = path.basename(folder);
  expect(listed.map((line) => line.replaceAll(`${name}/`, "").replace("\n", ": ")).sort()).toEqual([
    ".hidden: Hidden system file",
    "broken.jpg: Films are JPEG, PNG or DICOM; this file is none of them",
    "letters/owner.txt: A file ending in .txt is not a film",
    "report.pdf: This is a PDF; films are JPEG, PNG or DICOM. Export the film itself from the X-ray program.",
  ]);
  await page.keyboard.press("Escape");
  await note.getByRole("button", { name: "Close" }).click();
  await note.waitFor({ state: "detached" });
  await page.locator(".toast.fault").first().getByRole("button", { name: "Close" }).click();
  await ask(page, "films.remove", {
    filmIds: (await ask(page, "films.list", { search: "dog-06" })).films.map(({ id }) => id),
  });
});

test("assigns a new patient to a film, and finds it by owner", async ({ page }) => {
  const row = page.getByTestId("film").filter({ hasText: "dog-01.jpg" });
  await row.hover();
  await row.getByRole("button", { name: /More actions for/ }).click();
  await page.getByRole("menuitem", { name: "Patient…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Assign" }).click();
  await dialog.getByText("Enter a name").waitFor();
  await dialog.getByLabel("Name").fill("Bella");
  await dialog.getByLabel("Breed").fill("Cavalier King Charles Spaniel");
  await dialog.getByLabel("Owner").fill("M. Sommer");
  await dialog.getByLabel("Identifier (UUID)").fill("bella-7");
  await dialog.getByLabel("Taken on").fill("2026-02-03");
  await dialog.getByRole("button", { name: "Assign" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByTestId("film").filter({ hasText: "Bella" }).waitFor();

  const search = page.getByRole("searchbox", { name: "Search films, patients, owners" });
  await page.keyboard.press("/");
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  await search.fill("sommer");
  await expect.poll(() => page.getByTestId("film").count()).toBe(1);
  await search.fill("nobody has this name");
  await page.getByText("No matching film").waitFor();
  // Films are queued, although the search lists none of them.
  await answer(page, "films.queue", { filmIds: ["one", "another"] });
  const { films } = await ask(page, "films.list", {});
  const measureAgain = () => ask(page, "films.retry", { filmIds: [films[0]!.id] });
  await measureAgain();
  await page.getByText("2 waiting, 0 in progress").waitFor();
  await page.unroute("**/app/call/films.queue");
  await measureAgain();
  await page.getByText("Queue empty").waitFor();
  await search.fill("");
  await expect.poll(() => page.getByTestId("film").count()).toBe(5);
});

test("lists a film that arrives during filtering only if it matches the filter", async ({ page }) => {
  const filter = page.getByRole("combobox", { name: "Status" });
  await filter.selectOption("undecided");
  await page
    .getByText(/^\d+ films?/)
    .first()
    .waitFor();
  await dropFiles(page, [phantom("dog-06.jpg")]);
  await page
    .getByTestId("film")
    .filter({ hasText: "dog-06.jpg" })
    .filter({ hasText: /\d\.\d/ })
    .waitFor();
  await filter.selectOption("decided");
  await page.getByText("No matching film").waitFor();
  await dropFiles(page, [phantom("dog-07.jpg")]);
  await waitForFilms(page, ["dog-07.jpg"]);
  await page.getByText("No matching film").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByTestId("film").filter({ hasText: "dog-07.jpg" }).waitFor();
});

test("never shows a film that is being opened or measured again as not measured", async ({ page }) => {
  await page.evaluate(() => {
    const said: string[] = [];
    const look = () => {
      const words = document.querySelector(".panel")?.textContent ?? "";
      if (words.includes("Not measured")) said.push(words);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { said });
  });
  const release = await hold(page, "films.get");
  const [film] = (await ask(page, "films.list", { search: "dog-03" })).films;
  const row = page.locator(`[data-film="${film!.id}"]`);
  await row.getByRole("button").first().click();
  await page.locator(".panel[aria-busy=true]").waitFor();
  release();
  await page.locator(".panel[aria-busy=false]").waitFor();
  await chooseInMenu(page, row, "Measure again");
  await expect
    .poll(async () => (await ask(page, "films.get", { filmId: film!.id })).readings.length)
    .toBeGreaterThan(film!.reading!.version);
  await expect.poll(() => page.getByTestId("version").count()).toBe(film!.reading!.version + 1);
  expect(await page.evaluate(() => (globalThis as unknown as { said: string[] }).said)).toEqual([]);
});

test("shows why a film's file is missing, and does not let it be accepted", async ({ page }) => {
  const [film] = (await ask(page, "films.list", { search: "dog-05" })).films;
  await openRow(page, "dog-04.jpg");
  const file = path.join(program().dataDir, "films", film!.sha256);
  rmSync(file);
  await page.getByTestId("film").filter({ hasText: "dog-05.jpg" }).getByRole("button").first().click();
  await page.getByRole("heading", { name: "The file of this film is missing" }).waitFor();
  await page.getByText("Open the film again").waitFor();
  const accept = page.locator(".panel").getByRole("button", { name: "Accept", exact: true });
  expect(await accept.isDisabled()).toBe(true);
  await dropFiles(page, [phantom("dog-05.jpg")]);
  await expect.poll(() => existsSync(file)).toBe(true);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => accept.isEnabled()).toBe(true);
});
