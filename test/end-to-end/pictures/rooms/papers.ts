import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { languages } from "../../../../core/language/languages.ts";
import type { Page } from "playwright-core";
import { downloadBy, openFilms } from "../../actions.ts";
import { openBella } from "../../prepared.ts";
import { ask, phantom } from "../../program.ts";
import { dress, type Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

/**
 * Printed pages: handouts for veterinarians (with long findings on a second page) and for owners, and the printed trend
 * of a patient. Needs poppler-utils.
 */
export async function roomOfPapers(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page) => {
    await openBella(page);
    await openFilms(page, ["dog-06.jpg", "dog-07.jpg"].map(phantom));
    const { films } = await ask(page, "films.list", {});
    const bella = films.find(({ patient }) => patient)!;
    const measured = films.filter((film) => film.reading?.vhs && !film.patient);
    for (const [index, film] of measured.entries()) {
      await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: bella.patient!.id });
      await ask(page, "films.edit", { filmId: film.id, takenAt: new Date(Date.UTC(2025, index * 2, 5)).toISOString() });
    }
    const address = "12 Pond Street\n91054 Erlangen";
    await ask(page, "settings.save", { userName: "Dr Weber", clinicName: "Sommer clinic", clinicAddress: address });
    await page.locator(`[data-film="${bella.id}"]`).getByRole("button").first().click();
    await page.locator(".panel[aria-busy=false]").waitFor();
    const insert = page.getByRole("button", { name: "Insert…" });
    for (let times = 0; times < 4; times++) {
      await insert.click();
      await page.getByRole("menuitem", { name: "All text blocks" }).click();
      await page.getByRole("menu").waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: /^Accept/ }).click();
    await page.getByTestId("version").nth(1).waitFor();
    for (const language of camera.shoot.languages) {
      const name = languages[language].name;
      const entries = {
        handout: language === "en" ? "Handout (PDF)" : `Handout, ${name} (PDF)`,
        owner: language === "en" ? "Handout for the owner (PDF)" : `Handout for the owner, ${name} (PDF)`,
      };
      for (const [sheet, entry] of Object.entries(entries)) {
        await page.getByRole("button", { name: "Share" }).click();
        if (language !== "en") await page.getByRole("menuitem", { name: "In another language" }).press("ArrowRight");
        const file = await downloadBy(page, () =>
          page.getByRole("menuitem", { name: entry, exact: true }).press("Enter"),
        );
        const pdf = path.join(folder, `${sheet}.pdf`);
        await file.saveAs(pdf);
        await page.getByRole("dialog").waitFor({ state: "detached" });
        drawPages(pdf, path.join(camera.shoot.folder, `paper-${sheet}-${language}`));
      }
    }
    await printed(camera, page);
  });
}

const folder = mkdtempSync(path.join(tmpdir(), "corvet-paper-"));

function drawPages(pdf: string, pictures: string): void {
  execFileSync("pdftoppm", ["-r", "90", "-png", pdf, pictures]);
}

async function printed(camera: Camera, page: Page): Promise<void> {
  await page.keyboard.press("Alt+2");
  await page.getByRole("table").waitFor();
  for (const language of camera.shoot.languages) {
    await dress(page, "dark", language);
    const pdf = path.join(folder, "printed.pdf");
    await page.pdf({ path: pdf, format: "A4", margin: { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" } });
    drawPages(pdf, path.join(camera.shoot.folder, `paper-course-${language}`));
  }
}
