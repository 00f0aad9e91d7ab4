import { expect } from "vitest";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";
import { chooseInMenu, createPatient, openFilms, openRow } from "../actions.ts";
import { openBella } from "../prepared.ts";
import { ask, phantom, refuse } from "../program.ts";
import { startJourney } from "../journey.ts";

const { window, test } = startJourney(openBella);

const focusedRow = () =>
  window().page.evaluate(() => document.activeElement?.closest("[data-film]")?.getAttribute("data-film") ?? null);
const rows = () => window().page.getByTestId("film");
const filmAt = (index: number) => rows().nth(index).locator(".film-open");
const idOf = (index: number) => rows().nth(index).getAttribute("data-film");
const noteOf = (said: string) => window().page.locator(".toast").filter({ hasText: said }).last();
/** Hovers a note, which keeps it and its action available. */
const keepNote = (said: string) => noteOf(said).hover();
const undo = (said: string) => noteOf(said).getByRole("button", { name: "Undo" }).click();

test("focuses each row by Tab and arrow keys, and accepts a film in at most four presses", async ({ page }) => {
  await ask(page, "settings.save", { userName: "Dr Weber" });
  await filmAt(0).focus();
  await page.keyboard.press("Tab");
  expect(await focusedRow()).toBe(await idOf(1));
  await page.keyboard.press("ArrowDown");
  expect(await focusedRow()).toBe(await idOf(2));
  await page.keyboard.press("Enter");
  await page
    .locator(".film-row.open")
    .filter({ has: page.locator(":focus") })
    .waitFor();
  await page.locator(".panel[aria-busy=false]").waitFor();
  const name = await page.locator(".panel-head h2").innerText();
  await page.keyboard.press("y");
  await rows().filter({ hasText: name }).filter({ hasText: "Accepted" }).waitFor();
  expect(await focusedRow()).toBe(await idOf(2));
});

test("selects films with Shift, Ctrl and Ctrl+A, and assigns them together once confirmed", async ({ page }) => {
  const several = page.locator(".selection-bar strong");
  await filmAt(0).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  expect(await several.innerText()).toBe("3 films selected");
  await filmAt(4).click({ modifiers: ["Control"] });
  expect(await several.innerText()).toBe("4 films selected");
  await page.keyboard.press("Control+a");
  expect(await several.innerText()).toBe("5 films selected");
  await filmAt(1).click();
  expect(await several.count()).toBe(0);
  await filmAt(3).click({ modifiers: ["Shift"] });
  expect(await several.innerText()).toBe("3 films selected");
  // The menu returns the focus to its button, but the dialog keeps it.
  await chooseInMenu(page, rows().nth(2), "Patient…");
  await page.getByRole("dialog").locator(".patient-row:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog", { name: "Patient of 3 films" });
  await dialog.locator(".patient-row:focus").waitFor();
  expect(await dialog.getByRole("button", { name: "Assign" }).isDisabled()).toBe(true);
  await page.keyboard.press("Enter");
  await dialog.locator(".patient-row[aria-pressed=true]").waitFor();
  expect((await ask(page, "films.list", { search: "bella-7" })).total).toBeLessThan(3);
  await dialog.locator(".primary:focus").waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(async () => (await ask(page, "films.list", { search: "bella-7" })).total).toBeGreaterThan(2);
});

test("opens the row's menu by a right click and the menu key", async ({ page }) => {
  await rows().nth(0).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Measure again" }).waitFor();
  await page.keyboard.press("Escape");
  // A closed menu returns the focus a moment later; only then may another row receive it.
  await rows().nth(0).locator(".film-menu:focus").waitFor();
  await filmAt(1).focus();
  await page.keyboard.press("ContextMenu");
  await page.getByRole("menuitem", { name: "Remove from worklist" }).waitFor();
  await page.keyboard.press("Escape");
  await rows().nth(1).locator(".film-menu:focus").waitFor();
});

test("removes the selection with Delete, and restores it with Undo", async ({ page }) => {
  const before = await rows().count();
  await filmAt(0).click();
  await filmAt(1).click({ modifiers: ["Shift"] });
  await page.keyboard.press("Delete");
  await keepNote("2 films removed");
  await expect.poll(() => rows().count()).toBe(before - 2);
  await undo("2 films removed");
  await expect.poll(() => rows().count()).toBe(before);
  // Undo by its shortcut restores one removal after the other.
  await page.keyboard.press("Delete");
  await keepNote("2 films removed");
  await expect.poll(() => rows().count()).toBe(before - 2);
  await filmAt(0).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Delete");
  await keepNote("1 film removed");
  await expect.poll(() => rows().count()).toBe(before - 3);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(() => rows().count()).toBe(before);
  await page.mouse.move(2, 2);
  await expect.poll(() => page.locator(".toast").filter({ hasText: "removed" }).count()).toBe(0);
  expect((await ask(page, "films.list", {})).total).toBe(before);
  // After all films were removed and restored, the open film is open again.
  const opened = await page.locator(".panel-head h2").innerText();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await keepNote(`${before} films removed`);
  await page.locator(".viewer-empty").waitFor();
  await undo(`${before} films removed`);
  await expect.poll(() => page.locator(".panel-head h2").allInnerTexts()).toEqual([opened]);
});

test("keeps the open film during a search", async ({ page }) => {
  await openRow(page, /Bella/);
  const name = await page.locator(".panel-head h2").innerText();
  await page.getByRole("searchbox").fill("nobody has this name");
  await page.getByText("No matching film").waitFor();
  expect(await page.locator(".panel-head h2").innerText()).toBe(name);
  await page.getByTestId("marks").waitFor();
  await page.getByRole("searchbox").fill("");
});

test("moves to the results of a search by key at any typing speed", async ({ page }) => {
  await page.getByRole("searchbox").press("Control+a");
  await page.keyboard.type("Bella");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focusedRow).not.toBeNull();
  expect(await focusedRow()).toBe(await idOf(0));
  expect(await rows().filter({ hasNotText: "Bella" }).count()).toBe(0);
  await page.getByRole("searchbox").fill("");
});

test("filters the list by verdict, day and patient, and orders it by date", async ({ page }) => {
  const shown = async () => Promise.all((await rows().all()).map((row) => row.getAttribute("data-film")));
  const lists = async (query: DesktopRequest<"films.list">, least: number) => {
    const { films } = await ask(page, "films.list", query);
    expect(films.length).toBeGreaterThanOrEqual(least);
    await expect.poll(shown).toEqual(films.map(({ id }) => id));
  };
  const choose = (field: string, option: string) => page.getByRole("combobox", { name: field }).selectOption(option);
  const showAll = () => page.getByRole("button", { name: "Show all" }).click();
  const grades = ["reliable", "usable", "check", "unusable"] as const;
  for (const grade of grades) {
    await choose("Status", grade);
    await lists({ grade }, 0);
    for (const mark of await rows().getByTestId("verdict").all())
      expect(await mark.getAttribute("class")).toBe(`tier ${grade}`);
  }
  await showAll();
  // Dates far from today, as midnight may pass between the requests of the page and of this test.
  const { films } = await ask(page, "films.list", {});
  for (const [index, { id }] of films.entries())
    await ask(page, "films.edit", { filmId: id, takenAt: `${index < 2 ? 2100 : 2026}-02-0${index + 1}T12:00:00Z` });
  await choose("Taken", "1");
  await lists({ takenFrom: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() }, 2);
  await showAll();
  await choose("Order", "takenOldest");
  await lists({ order: "takenOldest" }, 4);
  await choose("Order", "added");
  await chooseInMenu(page, rows().filter({ hasText: "Bella" }).first(), "Show only Bella");
  const { patients } = await ask(page, "patients.list", { search: "Bella" });
  await lists({ patientId: patients[0]!.id }, 1);
  await showAll();
  await lists({}, 4);
});

test("moves the focus from a removed row to its neighbour", async ({ page }) => {
  const before = await rows().count();
  await openRow(page, /Bella/);
  const [focused, next] = [await idOf(1), await idOf(2)];
  await filmAt(1).focus();
  await page.keyboard.press("Delete");
  await keepNote("1 film removed");
  await expect.poll(() => rows().count()).toBe(before - 1);
  await expect.poll(focusedRow).toBe(next);
  await undo("1 film removed");
  await expect.poll(() => idOf(1)).toBe(focused);
});

test("removes the picked film by the bar, whichever film is open", async ({ page }) => {
  await filmAt(0).click();
  const [open, picked] = [await idOf(0), await idOf(2)];
  await chooseInMenu(page, rows().nth(2), "Select multiple");
  await page.locator(".selection-bar").getByRole("button", { name: "Remove from worklist" }).click();
  await keepNote("1 film removed");
  await expect.poll(() => page.locator(`[data-film="${picked}"]`).count()).toBe(0);
  expect(await page.locator(`.film-row.open[data-film="${open}"]`).count()).toBe(1);
  await undo("1 film removed");
  await expect.poll(() => idOf(2)).toBe(picked);
  await page.getByRole("button", { name: "Done" }).click();
});

test("does not show transfers and marks of one film with another while that one loads", async ({ page }) => {
  const first = (await idOf(0))!;
  const at = new Date().toISOString();
  const mark = { points: [{ x: 500, y: 400 }], text: "seen elsewhere" };
  const answers = {
    "dicom.sendings": { sendings: [{ id: first, node: "Archive", at, objects: 2, commitment: null }] },
    "marks.list": {
      frame: { widthPx: 1080, heightPx: 900 },
      sets: [{ sopInstanceUid: "1.2.3", label: "", at: null, marks: [mark] }],
    },
  };
  const { promise: isSeen, resolve: release } = Promise.withResolvers<undefined>();
  for (const [channel, value] of Object.entries(answers))
    await page.route(`**/app/call/${channel}`, async (route) => {
      const { filmId } = route.request().postDataJSON() as { readonly filmId: string };
      if (filmId === first) return route.fulfill({ json: { ok: true, value } });
      await isSeen;
      await route.continue();
    });
  // Reopened, so that its data are requested through the routes.
  await filmAt(1).click();
  await filmAt(0).click();
  const shown = [page.getByRole("region", { name: "Sent" }), page.getByTestId("foreign-marks")];
  for (const each of shown) await each.waitFor();
  await filmAt(1).click();
  await page.locator(`.film-row.open[data-film="${await idOf(1)}"]`).waitFor();
  await page.getByTestId("marks").waitFor();
  expect(await Promise.all(shown.map((each) => each.count()))).toEqual([0, 0]);
  release(undefined);
  for (const channel of Object.keys(answers)) await page.unroute(`**/app/call/${channel}`);
});

test("shows the reason for a dialog's failed first request, retries it, and can be closed", async ({ page }) => {
  const dialogs = [
    ["Search a PACS…", "Search a PACS", "dicom.nodes"],
    ["Key films…", "Key films", "keyFilms.list"],
  ] as const;
  for (const [entry, title, channel] of dialogs) {
    await refuse(page, channel, "INTERNAL");
    await page.getByRole("button", { name: "Open films" }).click();
    await page.getByRole("menuitem", { name: entry }).click();
    const dialog = page.getByRole("dialog", { name: title });
    const fault = dialog.getByText("Something went wrong in Corvet.");
    await fault.waitFor();
    await page.unroute(`**/app/call/${channel}`);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await fault.waitFor({ state: "detached" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
});

test("ends a hovered note after a dialog covered it, and applies the removal", async ({ page }) => {
  const before = await rows().count();
  await page.clock.install();
  await filmAt(0).click();
  await page.keyboard.press("Delete");
  const note = page.locator(".toast").filter({ hasText: "removed" });
  await note.hover();
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.mouse.move(2, 2);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.clock.fastForward(6000);
  await expect.poll(async () => (await ask(page, "films.list", {})).total).toBe(before - 1);
  expect(await rows().count()).toBe(before - 1);
  await note.waitFor({ state: "detached" });
});

test("offers the last assigned patient as the default of the next assignment, after any search", async ({ page }) => {
  const { id } = await createPatient(page, "Yoko");
  await createPatient(page, "Zora");
  const { films } = await ask(page, "films.list", {});
  // No event reports this assignment, so the page's cached list begins with another patient.
  await ask(page, "films.assignPatient", { filmIds: [films.at(-1)!.id], patientId: id });
  await page.keyboard.press("Alt+2");
  await page.getByRole("searchbox", { name: "Search patients" }).fill("Zora");
  await page.getByRole("button", { name: /^Zora/ }).waitFor();
  await page.keyboard.press("Alt+1");
  await filmAt(0).click();
  await filmAt(1).click({ modifiers: ["Control"] });
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog", { name: "Patient of 2 films" });
  await dialog.locator(".patient-row:focus").waitFor();
  expect(await dialog.locator(".patient-row:focus").innerText()).toContain("Yoko");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await ask(page, "films.assignPatient", { filmIds: [films.at(-1)!.id], patientId: films.at(-1)!.patient?.id ?? null });
});

test("asks whether films of one patient and day with different scores show one animal, until answered", async ({
  page,
}) => {
  await page.getByRole("searchbox").fill("");
  const { id: patientId } = await createPatient(page, "Bruno");
  // Earlier steps may have removed these films.
  const films = await openFilms(page, ["dog-01.jpg", "dog-04.jpg"].map(phantom));
  for (const { id } of films) await ask(page, "films.edit", { filmId: id, takenAt: "2026-02-03T12:00:00Z" });
  await ask(page, "films.assignPatient", { filmIds: films.map(({ id }) => id), patientId });
  const rows = films.map(({ id }) => page.locator(`[data-film="${id}"]`));
  const asking = rows[0]!.or(rows[1]!).getByText("Same animal?");
  await expect.poll(() => asking.count()).toBe(2);
  await rows[1]!.locator(".film-open").click();
  const question = page
    .getByRole("complementary", { name: "Result" })
    .getByText("Do these films show the same animal?");
  await question.waitFor();
  await page
    .getByText(/VHS is [\d.]+\sv here and [\d.]+\sv on the film of .*: at least 3\sv apart on the same day/)
    .waitFor();
  await page.getByRole("button", { name: "Assign to another patient…" }).click();
  await page.getByRole("dialog", { name: "Patient of this film" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Same animal", exact: true }).click();
  await question.waitFor({ state: "detached" });
  await expect.poll(() => asking.count()).toBe(0);
});
