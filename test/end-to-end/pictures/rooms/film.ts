import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import { phantomFromJpeg } from "../../../main/dicom/phantom-film.ts";
import { text } from "../../../main/dicom/dicom-writer.ts";
import { floats, foreignPresentation, graphic } from "../../../main/dicom/presentation/foreign-presentation.ts";
import { drag, middleOf, openFilms, openRow } from "../../actions.ts";
import { openBella } from "../../prepared.ts";
import { ask, phantom } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { answer, withProgram } from "./with-program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "corvet-pictures-"));

/** An open film: proposal, doubts, tools, correction, findings, what leaves with it. */
export async function roomOfFilm(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page) => {
    await openBella(page);
    await openFilms(page, ["dog-06.jpg", "dog-07.jpg", "dog-08.jpg", "cat-01.jpg"].map(phantom));
    await openRow(page, "Bella");
    await camera.take(page, "film-proposal");
    await menus(camera, page);
    await doubts(camera, page);
    await correction(camera, page);
    await findings(camera, page);
    await drawings(camera, page);
    await leaving(camera, page);
    await otherFilms(camera, page);
  });
}

async function menus(camera: Camera, page: Page): Promise<void> {
  for (const [name, button] of [
    ["film-window-menu", "Window presets"],
    ["film-overlay", "Overlay"],
    ["film-turn-menu", "Turn by degrees"],
    ["film-share-menu", "Share"],
  ] as const) {
    await page.getByRole("button", { name: button, exact: true }).click();
    await camera.take(page, name);
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("p");
  await camera.take(page, "film-crosshair");
  await page.keyboard.press("p");
  await page.getByTestId("crosshair").waitFor({ state: "detached" });
  await page.keyboard.press("z");
  await camera.take(page, "film-magnifier", { before: () => page.getByTestId("stage").hover() });
  await page.keyboard.press("z");
  await camera.take(page, "film-tooltip", {
    before: async () => {
      await page.getByTestId("vhs-interval").hover();
      await page.locator(".tooltip").waitFor();
    },
  });
  await page.keyboard.press("v");
  await camera.take(page, "film-votes");
  await page.keyboard.press("v");
  await page.keyboard.press("?");
  await camera.take(page, "film-keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F1");
  await page.getByRole("dialog").waitFor();
  await camera.take(page, "film-manual");
  await page.keyboard.press("Escape");
}

/** The film with the most reasons for a review, and one whose interval crosses the limit. */
async function doubts(camera: Camera, page: Page): Promise<void> {
  const { films } = await ask(page, "films.list", {});
  const details = await Promise.all(films.map(({ id }) => ask(page, "films.get", { filmId: id })));
  const reasons = (index: number) => details[index]!.readings.at(-1)?.reviewReasons.length ?? 0;
  const most = films.map((_, index) => index).sort((a, b) => reasons(b) - reasons(a))[0]!;
  await page.locator(`[data-film="${films[most]!.id}"]`).getByRole("button").first().click();
  await page.locator(".panel[aria-busy=false]").waitFor();
  await camera.take(page, "film-review-reasons");
  for (const film of films) {
    await page.locator(`[data-film="${film.id}"]`).getByRole("button").first().click();
    await page.locator(".panel[aria-busy=false]").waitFor();
    if ((await page.getByText("borderline", { exact: false }).count()) === 0) continue;
    await camera.take(page, "film-borderline");
    break;
  }
}

/** The rest of what a measurement says, where the panel is scrolled to its end. */
async function wholePanel(camera: Camera, page: Page): Promise<void> {
  const end = () => page.getByTestId("version").last().scrollIntoViewIfNeeded();
  await camera.take(page, "film-versions", { before: end });
}

async function correction(camera: Camera, page: Page): Promise<void> {
  await openRow(page, "dog-03.jpg");
  await page.keyboard.press("c");
  const apex = await middleOf(page, "[data-handle=heart_bottom]");
  await drag(page, apex, { x: apex.x + 14, y: apex.y + 10 });
  await camera.take(page, "film-correction");
  await page.keyboard.press("Alt+2");
  await page.getByRole("alertdialog").waitFor();
  await camera.take(page, "film-unsaved");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Save reading" }).click();
  await page.getByText("Readings are signed").waitFor();
  await camera.take(page, "film-unsigned");
  await page.getByLabel("Signed by").fill("Dr Weber");
  await page.getByLabel("Findings").fill("Apex was too high");
  await page.getByRole("button", { name: "Save reading" }).click();
  await page.getByTestId("version").nth(1).waitFor();
  await page.keyboard.press("Shift+O");
  await camera.take(page, "film-original-and-corrected");
  await wholePanel(camera, page);
  await page.keyboard.press("Shift+O");
  await openRow(page, "dog-04.jpg");
  await page.keyboard.press("h");
  await page.getByText("Click: Base of the heart").waitFor();
  await camera.take(page, "film-by-hand");
  await page.keyboard.press("Escape");
}

async function findings(camera: Camera, page: Page): Promise<void> {
  await openRow(page, "Bella");
  const insert = page.getByRole("button", { name: "Insert…" });
  await insert.click();
  await camera.take(page, "film-findings-menu");
  await page.getByRole("menuitem", { name: "All building blocks" }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
  await camera.take(page, "film-findings");
  await insert.click();
  await page.getByRole("menuitem", { name: /^ACVIM 2019/ }).click();
  const dialog = page.getByRole("dialog");
  await camera.take(page, "film-stage-b2-empty");
  await dialog.getByLabel(/^Murmur/).fill("4/6");
  await dialog.getByLabel(/^LA:Ao/).fill("9");
  await camera.take(page, "film-stage-b2");
  await page.keyboard.press("Escape");
}

async function drawings(camera: Camera, page: Page): Promise<void> {
  await openRow(page, "dog-05.jpg");
  const box = (await page.getByTestId("stage").boundingBox())!;
  const click = (x: number, y: number) => page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  const draw = async (key: string, points: readonly (readonly [number, number])[]) => {
    await page.keyboard.press(key);
    for (const [x, y] of points) await click(x, y);
  };
  await page.keyboard.press("2");
  await camera.take(page, "film-tool-length");
  await draw("8", [
    [0.3, 0.8],
    [0.6, 0.8],
  ]);
  await page.getByLabel("Known length in mm").waitFor();
  await camera.take(page, "film-calibration");
  await page.getByLabel("Known length in mm").fill("60");
  await page.keyboard.press("Enter");
  await draw("2", [
    [0.3, 0.85],
    [0.6, 0.85],
  ]);
  await draw("3", [
    [0.2, 0.2],
    [0.2, 0.4],
    [0.35, 0.4],
  ]);
  await draw("4", [
    [0.6, 0.15],
    [0.75, 0.15],
    [0.675, 0.22],
  ]);
  await draw("5", [
    [0.8, 0.5],
    [0.9, 0.5],
    [0.9, 0.65],
  ]);
  await page.keyboard.press("Enter");
  await draw("6", [[0.3, 0.6]]);
  await page.getByLabel("Text on the film").fill("Gas in the oesophagus");
  await page.keyboard.press("Enter");
  await camera.take(page, "film-drawings");
  await page.getByRole("button", { name: "Versions of the drawings" }).click();
  await camera.take(page, "film-drawing-versions");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

async function leaving(camera: Camera, page: Page): Promise<void> {
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("menuitem", { name: "Export without names…" }).click();
  await page.getByRole("dialog").getByTestId("blanking").waitFor();
  await page.getByRole("button", { name: "Add a frame" }).click();
  await camera.take(page, "film-without-names");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Open films" }).click();
  await page.getByRole("menuitem", { name: "Export corrected films…" }).click();
  await camera.take(page, "film-names-question");
  await page.keyboard.press("Escape");
}

/** No chest film, another view, and the marks of another program. */
async function otherFilms(camera: Camera, page: Page): Promise<void> {
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
  const label = [
    text("00700004", "CS", "PIXEL"),
    text("00700006", "ST", "Effusion?"),
    floats("00700014", 300, 200),
    text("00700015", "CS", "N"),
  ];
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

/** Two lists: films that are here, and some that an archive still has. */
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
