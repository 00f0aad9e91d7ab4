import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { chooseInMenu, dropFiles, openFilms, openRow, waitForFilms } from "../../actions.ts";
import { openLunaAndMio } from "../../prepared.ts";
import { ask, phantom } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

const names = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `dog-0${number}.jpg`);

export async function roomOfWorklist(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page) => {
    await camera.take(page, "worklist-empty");
    await loading(camera, page);
    await openFilms(page, [...names, "cat-01.jpg"].map(phantom));
    await openLunaAndMio(page);
    await decide(page);
    await openRow(page, "dog-02.jpg");
    await camera.take(page, "worklist-full");
    await deciding(camera, page);
    await selected(camera, page);
    await dialogs(camera, page);
    await mixedFolder(camera, page);
    await page.getByRole("searchbox").first().fill("nobody has this name");
    await page.getByText("No matching film").waitFor();
    await camera.take(page, "worklist-nothing-found");
  });
}

async function loading(camera: Camera, page: Page): Promise<void> {
  await page.route("**/app/call/films.list", () => undefined);
  await page.reload();
  await camera.take(page, "worklist-loading");
  await page.unroute("**/app/call/films.list");
  await page.reload();
  await page.getByText("No films yet").waitFor();
}

async function decide(page: Page): Promise<void> {
  const { films } = await ask(page, "films.list", {});
  const measured = films.filter(({ reading }) => reading?.vhs);
  const bella = { name: "Bella", species: "dog", breed: "Cavalier King Charles Spaniel", owner: "M. Sommer" } as const;
  const { id } = await ask(page, "patients.create", { ...bella, uuid: "P-4711" });
  await ask(page, "films.assignPatient", { filmIds: [measured[0]!.id, measured[1]!.id], patientId: id });
  for (const [index, verdict] of (["accepted", "rejected", "accepted"] as const).entries()) {
    const film = measured[index]!;
    const reading = { filmId: film.id, basedOn: film.reading!.readingId, who: "Dr Weber", geometry: null };
    const rejectionReason = verdict === "rejected" ? ("quality" as const) : undefined;
    await ask(page, "readings.save", { ...reading, verdict, ...(rejectionReason && { rejectionReason }) });
  }
}

async function deciding(camera: Camera, page: Page): Promise<void> {
  const status = page.getByRole("combobox", { name: "Status" });
  await status.selectOption("undecided");
  await openRow(page, "dog-04.jpg");
  await page.getByText("Awaiting decision: 1 of").waitFor();
  await page.keyboard.press("n");
  await page.getByRole("menu").waitFor();
  await camera.take(page, "worklist-rejecting");
  await page.keyboard.press("Escape");
  await status.selectOption("");
  await openRow(page, "dog-02.jpg");
}

async function selected(camera: Camera, page: Page): Promise<void> {
  const rows = page.getByTestId("film");
  await rows.nth(1).locator(".film-open").click();
  await rows
    .nth(4)
    .locator(".film-open")
    .click({ modifiers: ["Shift"] });
  await camera.take(page, "worklist-selected");
  await rows.nth(3).click({ button: "right" });
  await page.getByRole("menu").waitFor();
  await camera.take(page, "worklist-selected-menu");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.getByRole("dialog").waitFor();
  await camera.take(page, "worklist-assign-many");
  await page.keyboard.press("Escape");
  await rows.nth(1).locator(".film-open").click();
  await rows.nth(1).click({ button: "right" });
  await camera.take(page, "worklist-row-menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Open films" }).click();
  await camera.take(page, "worklist-open-menu");
  await page.keyboard.press("Escape");
}

async function dialogs(camera: Camera, page: Page): Promise<void> {
  const row = page.getByTestId("film").filter({ hasText: "dog-05.jpg" });
  await chooseInMenu(page, row, "Patient…");
  await camera.take(page, "worklist-patient-dialog");
  await page.keyboard.press("Escape");
  const view = page.getByTestId("film").filter({ hasText: "VD" }).first();
  await chooseInMenu(page, view, "File details…");
  await page.getByRole("dialog").locator("dd, td").first().waitFor();
  await camera.take(page, "worklist-file-details");
  await page.keyboard.press("Escape");
  await chooseInMenu(page, page.getByTestId("film").filter({ hasText: "Frame 1 of 3" }), "Choose a frame…");
  await page.getByRole("dialog").waitFor();
  await camera.take(page, "worklist-frames");
  await page.keyboard.press("Escape");
}

async function mixedFolder(camera: Camera, page: Page): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-mixed-"));
  mkdirSync(path.join(folder, "letters"));
  for (const [name, content] of [
    [".hidden", "system"],
    ["letters/owner.txt", "Dear Mrs Sommer"],
    ["report.pdf", "%PDF-1.7"],
  ] as const)
    writeFileSync(path.join(folder, name), content);
  await page.getByTestId("folder").setInputFiles(folder);
  const note = page.getByTestId("left-alone");
  await note.waitFor();
  await camera.take(page, "worklist-left-alone");
  await note.getByRole("button", { name: "Show details" }).click();
  await camera.take(page, "worklist-left-alone-list");
  await page.keyboard.press("Escape");
  const bad = path.join(folder, "broken.jpg");
  writeFileSync(bad, "this is not a picture");
  const toast = page.locator(".toast.fault").first();
  // Dropped once per language and theme, so that the message appears in each.
  await camera.take(page, "worklist-fault", {
    enter: async () => {
      await dropFiles(page, [bad]);
      await toast.waitFor();
    },
    leave: () => toast.getByRole("button").last().click(),
  });
  await waitForFilms(page, names);
}
