import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import { phantomFromJpeg } from "../../../main/dicom/phantom-film.ts";
import { foreignPresentation, graphic, labelAt } from "../../../main/dicom/presentation/foreign-presentation.ts";
import { openFilms, openRow } from "../../actions.ts";
import { answer, ask, phantom } from "../../program.ts";
import type { Camera } from "../camera.ts";

const folder = mkdtempSync(path.join(tmpdir(), "corvet-pictures-"));

export async function otherFilms(camera: Camera, page: Page): Promise<void> {
  const lines = Array.from({ length: 30 }, (_, line) => `<text x="60" y="${80 + line * 28}">Dear Mrs Sommer.</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="960"><rect width="800" height="960" fill="#fff"/>${lines.join("")}</svg>`;
  const put = (name: string, bytes: Buffer) => {
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  const facts = { study: "1.2.276.99.2", instance: "1.2.276.99.2.1", patientId: "P-902", patientName: "Berg^Emma" };
  const dorsal = { ...facts, instance: "1.2.276.99.2.2", view: "VD" };
  await openFilms(page, [
    put("letter.png", await sharp(Buffer.from(svg)).png().toBuffer()),
    put("emma.dcm", await phantomFromJpeg(phantom("dog-06.jpg"), facts)),
    put("dorsal.dcm", await phantomFromJpeg(phantom("dog-02.jpg"), dorsal)),
  ]);
  await openRow(page, "letter.png");
  await camera.take(page, "film-no-chest");
  await openRow(page, "VD");
  await camera.take(page, "film-other-view");
  const label = labelAt(300, 200, "Effusion?");
  const about = { study: facts.study, series: `${facts.study}.1`, film: facts.instance };
  const marks = foreignPresentation([graphic("CIRCLE", "PIXEL", 400, 300, 460, 300)], [label], [], about);
  await page.getByTestId("files").setInputFiles(put("marks.dcm", marks));
  await openRow(page, "emma.dcm");
  await page.getByTestId("foreign-marks").getByText("Effusion?").waitFor();
  await camera.take(page, "film-foreign-marks");
  await answer(page, "keyFilms.list", keyFilmsOf((await ask(page, "films.list", {})).films[0]!.id));
  await page.getByRole("button", { name: "Open films" }).click();
  await page.getByRole("menuitem", { name: /key films/i }).click();
  await page.getByRole("dialog").waitFor();
  await camera.take(page, "film-key-films");
  await page.keyboard.press("Escape");
}

function keyFilmsOf(filmId: string): DesktopResponse<"keyFilms.list"> {
  const film = (number: number, at: string | null) => ({
    studyInstanceUid: "1.2.276.99.2",
    seriesInstanceUid: "1.2.276.99.2.1",
    sopInstanceUid: `1.2.276.99.2.${number}`,
    filmId: at,
  });
  const list = (number: number, films: ReturnType<typeof film>[], description: string | null) => ({
    sopInstanceUid: `1.2.276.99.9.${number}`,
    title: number === 1 ? "For Referring Provider" : "For Surgery",
    description,
    at: new Date(Date.UTC(2026, 10, 20 - number, 9)).toISOString(),
    patientName: number === 1 ? "Emma" : "Nala",
    patientId: `P-90${number}`,
    films,
  });
  const many = Array.from({ length: 7 }, (_, index) => film(20 + index, null));
  return {
    lists: [
      list(1, [film(1, filmId), film(2, filmId), film(3, null)], "Left atrium and caudal lobar vessels"),
      list(2, many, null),
    ],
  };
}
