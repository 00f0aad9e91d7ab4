import type { Page } from "playwright-core";
import { createPatient, drag, middleOf, openFilms, openRow } from "../../actions.ts";
import { openBella } from "../../prepared.ts";
import { answer, ask, phantom } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { otherFilms } from "./other-films.ts";
import { withProgram } from "./with-program.ts";

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
    await readerMode(camera, page);
    await unevenVertebra(camera, page);
    await blurredPhotograph(camera, page);
    await drawings(camera, page);
    await leaving(camera, page);
    await otherFilms(camera, page);
  });
}

async function menus(camera: Camera, page: Page): Promise<void> {
  for (const [name, button] of [
    ["film-window-menu", "Window presets"],
    ["film-overlay", "Overlay"],
    ["film-turn-menu", "Rotate by degrees"],
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
  await page.getByRole("menuitem", { name: "All text blocks" }).click();
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
  await openRow(page, "cat-01.jpg");
  await assignTo(page, "cat-01.jpg", "cat");
  await insert.click();
  await page.getByRole("menuitem", { name: "Cat in respiratory distress…" }).click();
  await dialog.waitFor();
  await camera.take(page, "film-cat-aid");
  await page.keyboard.press("Escape");
}

async function assignTo(page: Page, fileName: string, species: "dog" | "cat"): Promise<void> {
  const { films } = await ask(page, "films.list", {});
  const film = films.find((each) => each.fileName === fileName)!;
  const { id } = await createPatient(page, "Mio", { species, owner: "A. Kern" });
  await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: id });
  await openRow(page, "Mio");
}

async function readerMode(camera: Camera, page: Page): Promise<void> {
  await openRow(page, "Bella");
  await page.getByRole("button", { name: "Overlay", exact: true }).click();
  await page.getByRole("switch", { name: /^Reader mode/ }).click();
  await page.keyboard.press("Escape");
  await camera.take(page, "film-reader-mode");
  await page.keyboard.press("Alt+2");
  await page.getByText(/^Reader mode hides/).waitFor();
  await camera.take(page, "film-reader-mode-trend");
  await page.getByRole("button", { name: "Leave reader mode" }).click();
  await page.keyboard.press("Alt+1");
}

/** A vertebra that differs from its neighbours, in a response like the program's. */
async function unevenVertebra(camera: Camera, page: Page): Promise<void> {
  const { films } = await ask(page, "films.list", {});
  const film = films.find((each) => each.fileName === "dog-05.jpg")!;
  const detail = await ask(page, "films.get", { filmId: film.id });
  const reading = detail.readings.at(-1)!;
  const [from, to] = [reading.ruler!.edges[2]!, reading.ruler!.edges[3]!];
  const readings = [{ ...reading, uneven: [{ index: 2, from, to, share: 0.8 }] }];
  await answer(page, "films.get", { ...detail, readings });
  await openRow(page, "dog-05.jpg");
  await page.getByTestId("uneven-vertebrae").waitFor();
  await camera.take(page, "film-uneven-vertebra");
  await page.unroute("**/app/call/films.get");
}

async function blurredPhotograph(camera: Camera, page: Page): Promise<void> {
  const { films } = await ask(page, "films.list", {});
  const film = films.find((each) => each.fileName === "dog-04.jpg")!;
  const detail = await ask(page, "films.get", { filmId: film.id });
  const blurred = { kind: "blurred", value: 0.231, limit: 0.17 } as const;
  const photograph = {
    popDetected: true,
    spread: null,
    tier: "review",
    resultCode: 3,
    reviewReasons: [blurred],
  } as const;
  await answer(page, "films.get", { ...detail, readings: [{ ...detail.readings.at(-1)!, ...photograph }] });
  await openRow(page, "dog-04.jpg");
  await page.getByTestId("review-reasons").waitFor();
  await camera.take(page, "film-blurred-photograph");
  await page.unroute("**/app/call/films.get");
}

async function drawings(camera: Camera, page: Page): Promise<void> {
  await openRow(page, "dog-05.jpg");
  const box = (await page.getByTestId("stage").boundingBox())!;
  const click = (x: number, y: number) => page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  const draw = async (key: string, points: readonly (readonly [number, number])[]) => {
    await page.keyboard.press(key);
    for (const [x, y] of points) await click(x, y);
  };
  await page.keyboard.press("Shift+D");
  await camera.take(page, "film-tool-length");
  await draw("Shift+C", [
    [0.3, 0.8],
    [0.6, 0.8],
  ]);
  await page.getByLabel("Known length in mm").waitFor();
  await camera.take(page, "film-calibration");
  await page.getByLabel("Known length in mm").fill("60");
  await page.keyboard.press("Enter");
  await draw("Shift+D", [
    [0.3, 0.85],
    [0.6, 0.85],
  ]);
  await draw("Shift+A", [
    [0.2, 0.2],
    [0.2, 0.4],
    [0.35, 0.4],
  ]);
  await draw("Shift+E", [
    [0.6, 0.15],
    [0.75, 0.15],
    [0.675, 0.22],
  ]);
  await draw("Shift+P", [
    [0.8, 0.5],
    [0.9, 0.5],
    [0.9, 0.65],
  ]);
  await page.keyboard.press("Enter");
  await draw("Shift+T", [[0.3, 0.6]]);
  await page.getByLabel("Text on the film").fill("Gas in the oesophagus");
  await page.keyboard.press("Enter");
  await camera.take(page, "film-drawings");
  await page.getByRole("button", { name: "Versions of the annotations" }).click();
  await camera.take(page, "film-drawing-versions");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

async function leaving(camera: Camera, page: Page): Promise<void> {
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("menuitem", { name: "Export without names…" }).click();
  await page.getByRole("dialog").getByTestId("blanking").waitFor();
  await page.getByRole("button", { name: "Add a box" }).click();
  await camera.take(page, "film-without-names");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Open films" }).click();
  await page.getByRole("menuitem", { name: "Export corrected films…" }).click();
  await camera.take(page, "film-names-question");
  await page.keyboard.press("Escape");
}
