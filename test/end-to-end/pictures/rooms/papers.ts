import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { languages } from "../../../../core/language/languages.ts";
import { openRow } from "../../actions.ts";
import { openBella } from "../../prepared.ts";
import { ask, phantom } from "../../program.ts";
import { openFilms } from "../../actions.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

/** The hand-out, page by page, with long findings, so that there is a second one. Needs poppler-utils. */
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
    await openRow(page, /dog-01/);
    const insert = page.getByRole("button", { name: "Insert…" });
    for (let times = 0; times < 4; times++) {
      await insert.click();
      await page.getByRole("menuitem", { name: "All building blocks" }).click();
      await page.getByRole("menu").waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: /^Accept/ }).click();
    await page.getByTestId("version").nth(1).waitFor();
    for (const language of camera.shoot.languages) {
      await page.getByRole("button", { name: "Share" }).click();
      const entry = language === "en" ? "Handout (PDF)" : `Handout, ${languages[language].name} (PDF)`;
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: entry }).click(),
      ]);
      const pdf = path.join(mkdtempSync(path.join(tmpdir(), "corvet-paper-")), "handout.pdf");
      await file.saveAs(pdf);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      execFileSync("pdftoppm", ["-r", "90", "-png", pdf, path.join(camera.shoot.folder, `paper-${language}`)]);
    }
  });
}
