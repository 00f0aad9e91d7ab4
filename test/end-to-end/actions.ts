import axe from "axe-core";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Download, Locator, Page } from "playwright-core";
import type { DesktopRequest } from "../../core/contract/desktop.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import type { Language } from "../../core/language/languages.ts";
import { waitUntil } from "../fixtures/patience.ts";
import { ask } from "./program.ts";

export async function openFilms(page: Page, files: readonly string[]): Promise<readonly Film[]> {
  await page.getByTestId("files").setInputFiles([...files]);
  const names = files.map((file) => path.basename(file));
  return waitForFilms(page, names);
}

/** State of a film. After "Measure again" it stays the previous one until the service has received the request. */
export async function stateOf(page: Page, fileName: string): Promise<Film["state"] | null> {
  const { films } = await ask(page, "films.list", { search: fileName });
  return films.find((film) => film.fileName === fileName)?.state ?? null;
}

/** Waits until every named film has been measured, has failed, or was cancelled because it is not to be measured. */
export async function waitForFilms(page: Page, names: readonly string[]): Promise<readonly Film[]> {
  const ended = async () => {
    const { films } = await ask(page, "films.list", {});
    const wanted = names.map((name) => films.find((film) => film.fileName === name));
    return wanted.every((film) => film && film.state !== "queued" && film.state !== "measuring") && (wanted as Film[]);
  };
  return await waitUntil(ended, `measured: ${names.join(", ")}`);
}

export async function dropFiles(page: Page, files: readonly string[]): Promise<void> {
  await dispatch(page, "drop", files);
}

export async function pasteFiles(page: Page, files: readonly string[]): Promise<void> {
  await dispatch(page, "paste", files);
}

async function dispatch(page: Page, kind: "drop" | "paste", files: readonly string[]): Promise<void> {
  const contents = files.map((file) => ({ name: path.basename(file), base64: readFileSync(file).toString("base64") }));
  await page.evaluate(
    ([name, items]) => {
      const transfer = new DataTransfer();
      for (const item of items) {
        const bytes = Uint8Array.from(atob(item.base64), (char) => char.charCodeAt(0));
        transfer.items.add(
          new File([bytes], item.name, { type: item.name.endsWith(".png") ? "image/png" : "image/jpeg" }),
        );
      }
      const event =
        name === "drop"
          ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
          : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    },
    [kind, contents] as const,
  );
}

export const placeKeys = ["Alt+1", "Alt+2", "Alt+3", "Alt+4", "Alt+5", "Alt+6", "Alt+7"] as const;
type PlaceKeys = (typeof placeKeys)[number];

/** Opens a screen by its shortcut, in any language, and waits until its content has loaded. */
export async function goTo(page: Page, keys: PlaceKeys): Promise<void> {
  await page.keyboard.press(keys);
  await page.locator(`.rail .place:nth-child(${placeKeys.indexOf(keys) + 1})[aria-current=page]`).waitFor();
  await arrived(page);
}

export async function arrived(page: Page): Promise<void> {
  await page.locator(".screen > *").first().waitFor();
  await page.locator(".screen .empty .spinner").first().waitFor({ state: "detached" });
}

export async function openSettings(page: Page, tab: string): Promise<void> {
  await page.keyboard.press("Alt+7");
  await page.getByRole("tab", { name: tab }).click();
}

/** Creates a patient by a call, a dog unless the facts state another species. */
export function createPatient(
  page: Page,
  name: string,
  facts: Partial<DesktopRequest<"patients.create">> = {},
): Promise<Patient> {
  return ask(page, "patients.create", { name, species: "dog", breed: "", owner: "", uuid: null, ...facts });
}

/** Saves another version of a film's newest reading by a call, as Dr Weber unless the facts state another name. */
export async function saveReading(
  page: Page,
  filmId: string,
  facts: Pick<DesktopRequest<"readings.save">, "verdict"> & Partial<DesktopRequest<"readings.save">>,
): Promise<void> {
  const basedOn = (await ask(page, "films.get", { filmId })).readings.at(-1)!.id;
  await ask(page, "readings.save", { filmId, basedOn, who: "Dr Weber", geometry: null, ...facts });
}

export async function setLanguage(page: Page, language: Language): Promise<void> {
  await ask(page, "settings.save", { language });
  await page.locator(`html[lang=${language}]`).waitFor();
}

export async function downloadBy(page: Page, act: () => Promise<unknown>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return download;
}

export async function openRow(page: Page, name: string | RegExp): Promise<void> {
  await page.getByTestId("film").filter({ hasText: name }).getByRole("button").first().click();
  await waitForOpenFilm(page);
}

/** Waits until the pixels and readings of the open film are loaded; a cover catches clicks on the film before. */
export async function waitForOpenFilm(page: Page): Promise<void> {
  await page.locator(".panel[aria-busy=false]").waitFor();
  await page.locator(".stage-cover").waitFor({ state: "detached" });
}

export async function chooseInMenu(page: Page, row: Locator, entry: string): Promise<void> {
  await row.getByRole("button", { name: /More actions for/ }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

export async function shownScore(page: Page, score: "vhs" | "vlas"): Promise<number> {
  const text = await page.getByTestId(score).innerText();
  return Number(text.replace(/[^\d.]/g, ""));
}

/** Mean brightness 0–255 of the open film's canvas on the screen. */
export async function stageBrightness(page: Page): Promise<number> {
  return brightnessOf(page.locator(".stage canvas"));
}

export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

export async function brightnessOf(canvas: Locator): Promise<number> {
  const page = canvas.page();
  await nextFrame(page);
  // JPEG is encoded and decoded faster than PNG.
  const picture = await canvas.screenshot({ type: "jpeg" });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let sum = 0;
    for (let index = 0; index < data.length; index += 4) sum += data[index]!;
    return sum / (data.length / 4);
  }, picture.toString("base64"));
}

/** Violations that axe finds on the current page, by rule and element; by default of all rules. */
export async function axeFaults(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await nextFrame(page);
  // Shortened inside the page, as the whole result has several megabytes.
  return page.evaluate(
    async (runOnly) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const options: axe.RunOptions = { resultTypes: ["violations"], ...(runOnly.length > 0 && { runOnly }) };
      const { violations } = await run(document, options);
      return violations.map(({ id, nodes }) => {
        const elements = nodes.slice(0, 2).map(({ html }) => html);
        return `${id}: ${elements.join(" ")}`;
      });
    },
    [...rules],
  );
}

/**
 * Violations that axe finds in the light theme in German, and in the colours of the dark theme in English. Also reports
 * running animations, which users may have disabled and during which axe would read intermediate colours.
 */
export async function axeFaultsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  // The themes differ only in their colours.
  for (const [theme, language, rules] of [
    ["light", "de", []],
    ["dark", "en", ["color-contrast"]],
  ] as const) {
    await ask(page, "settings.save", { theme, language });
    await page.locator(`html[data-theme=${theme}][lang=${language}]`).waitFor();
    if (await page.evaluate(() => document.getAnimations().length > 0)) found.push(`${theme} ${language}: moves`);
    const faults = await axeFaults(page, rules);
    found.push(...faults.map((fault) => `${theme} ${language}: ${fault}`));
  }
  return found;
}

export async function middleOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Screen positions of the open film's marks: the five heart points in click order, and the ruler's edges. */
export async function placesOfMarks(page: Page) {
  const names = ["heart_top", "heart_bottom", "heart_right", "heart_left", "VLAS"];
  const heart = await Promise.all(names.map((name) => middleOf(page, `.landmark.${name}`)));
  const stage = (await page.locator(".stage").boundingBox())!;
  const points = await page.locator(".mark.ruler polyline:not(.halo)").first().getAttribute("points");
  const edges = points!
    .split(" ")
    .map((pair) => pair.split(",").map(Number))
    .map(([x, y]) => ({ x: stage.x + x!, y: stage.y + y! }));
  return { heart, edges };
}

export async function drag(
  page: Page,
  from: { x: number; y: number },
  to: { x: number; y: number },
  button: "left" | "middle" = "left",
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up({ button });
}

/** Whether the element is fully visible: no other element is in front of any of its corners. */
export function isUncovered(shown: Locator): Promise<boolean> {
  return shown.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [left + 1, right - 1].every((x) =>
      [top + 1, bottom - 1].every((y) => element.contains(document.elementFromPoint(x, y))),
    );
  });
}
