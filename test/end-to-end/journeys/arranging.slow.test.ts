import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Language } from "../../../core/language/languages.ts";
import { arrived, axeFaults, drag, goTo, nextFrame, openRow, placeKeys, saveReading, setLanguage } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { cutTexts } from "../pictures/cut-texts.ts";
import { openBella } from "../prepared.ts";
import { ask, openWindow } from "../program.ts";

const { browser, program, window, test } = startJourney((page) => openBella(page, 2));

async function widthOf(page: Page, selector: string): Promise<number> {
  return Math.round((await page.locator(selector).boundingBox())!.width);
}

const separator = (page: Page, name: string) => page.getByRole("separator", { name });

/** Sizes of a narrow or zoomed window: 683 x 384 is a screen of 1366 x 768 at 200 %. */
const sizes = [
  { width: 683, height: 384 },
  { width: 500, height: 800 },
] as const;

test.each(sizes)("keeps the film measurable and the result within reach at $width x $height", async (size) => {
  const { page } = window();
  await openRow(page, "Bella");
  await page.setViewportSize(size);
  const box = (await page.locator(".stage").boundingBox())!;
  expect(box.width).toBeGreaterThanOrEqual(300);
  expect(box.height).toBeGreaterThanOrEqual(240);
  const accept = page.getByRole("button", { name: "Accept" });
  await accept.scrollIntoViewIfNeeded();
  expect((await accept.boundingBox())!.y).toBeLessThan(size.height);
  await page.locator(".viewer").evaluate((viewer) => viewer.scrollTo(0, 0));
  await page.keyboard.press("c");
  const tools = page.getByRole("toolbar", { name: "Correction" });
  await tools.waitFor();
  for (const button of await tools.getByRole("button").all()) {
    const { x, y, width, height } = (await button.boundingBox())!;
    expect(x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height).toBe(true);
  }
  await page.keyboard.press("Escape");
  await tools.waitFor({ state: "detached" });
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("resizes panes by mouse and keyboard, and exposes their width", async ({ page }) => {
  await openRow(page, "Bella");
  const [list, panel] = [await widthOf(page, ".worklist"), await widthOf(page, ".panel")];
  const edge = (await separator(page, "Worklist: width").boundingBox())!;
  const at = { x: edge.x + edge.width / 2, y: edge.y + 300 };
  await drag(page, at, { x: at.x + 70, y: at.y });
  expect(await widthOf(page, ".worklist")).toBe(list + 70);
  await separator(page, "Result: width").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  expect(await widthOf(page, ".panel")).toBe(panel + 80);
  await expect.poll(() => separator(page, "Result: width").getAttribute("aria-valuenow")).toBe(String(panel + 80));
  // The film takes the remaining width and is fitted again.
  const stage = await widthOf(page, ".stage");
  await page.keyboard.press("Home");
  expect(await widthOf(page, ".panel")).toBe(240);
  expect(await widthOf(page, ".stage")).toBe(stage + panel + 80 - 240);
  await page.keyboard.press("Enter");
  expect(await widthOf(page, ".panel")).toBe(panel);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Alt+2");
  const patients = await widthOf(page, ".trends-patients");
  await separator(page, "Patients: width").focus();
  await page.keyboard.press("Shift+ArrowRight");
  expect(await widthOf(page, ".trends-patients")).toBe(patients + 64);
  expect(await axeFaults(page, ["aria-valid-attr-value", "aria-required-attr", "aria-allowed-attr"])).toEqual([]);
});

test("resizes charts above their table, and keeps heights and widths on this workstation only", async ({ page }) => {
  const openCharts = async () => {
    await page.keyboard.press("Alt+2");
    await page.getByRole("button", { name: /Bella/ }).first().click();
    await chart.waitFor();
  };
  const chart = page.locator(".chart-area > svg").first();
  const heightPx = async () => Math.round((await chart.boundingBox())!.height);
  const widths = async () => [await widthOf(page, ".worklist"), await widthOf(page, ".panel")];
  await page.keyboard.press("Alt+1");
  await page.locator(".panel").waitFor();
  const set = await widths();
  await openCharts();
  const [usual, table] = [await heightPx(), (await page.getByRole("table").boundingBox())!.y];
  const edge = (await separator(page, "Charts: height").boundingBox())!;
  const at = { x: edge.x + edge.width / 2, y: edge.y + edge.height / 2 };
  await drag(page, at, { x: at.x, y: at.y - 60 });
  expect(await heightPx()).toBe(usual - 60);
  expect(Math.round((await page.getByRole("table").boundingBox())!.y)).toBe(Math.round(table) - 60);
  await separator(page, "Charts: height").focus();
  await page.keyboard.press("ArrowDown");
  expect(await heightPx()).toBe(usual - 44);
  await page.reload();
  await page.locator(".panel").waitFor();
  expect(await widths()).toEqual(set);
  await openCharts();
  expect(await heightPx()).toBe(usual - 44);
  await separator(page, "Charts: height").dblclick();
  expect(await heightPx()).toBe(usual);
  const other = await openWindow(browser(), await program().newAddress());
  await other.page.locator(".panel").waitFor();
  expect(await widthOf(other.page, ".worklist")).not.toBe(set[0]);
  await other.context.close();
  await page.keyboard.press("Alt+1");
});

test("keeps space for the film, complete dates and a single row of tools in a window of 1024 x 700", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  for (const name of ["Worklist: width", "Result: width"]) {
    await separator(page, name).focus();
    await page.keyboard.press("End");
  }
  expect(await widthOf(page, ".stage-area")).toBeGreaterThan(120);
  for (const name of ["Worklist: width", "Result: width"]) {
    await separator(page, name).focus();
    await page.keyboard.press("Enter");
  }
  const tops = await page
    .locator(".toolbar > button")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll(".film-more")].flatMap((words) => {
      const [date] = /^[\d./-]+/.exec(words.textContent ?? "") ?? [];
      if (!date || !words.firstChild) return [];
      const range = document.createRange();
      range.setStart(words.firstChild, 0);
      range.setEnd(words.firstChild, date.length);
      return range.getClientRects().length > 1 ? [date] : [];
    }),
  );
  expect(broken).toEqual([]);
});

test.each([
  { width: 1440, height: 900, leastPx: 200 },
  { width: 2560, height: 1440, leastPx: 250 },
])("shortens no filter in the narrowest worklist of $width px, in any language", async ({ leastPx, ...size }) => {
  const { page } = window();
  await page.setViewportSize(size);
  await page.keyboard.press("Alt+1");
  for (const language of ["fr", "de", "en"] as const) {
    await setLanguage(page, language);
    await page.getByRole("separator").first().focus();
    await page.keyboard.press("Home");
    expect(await widthOf(page, ".worklist")).toBe(leastPx);
    const cut = (await cutTexts(page)).filter((fault) => fault.startsWith("select"));
    expect(cut).toEqual([]);
  }
  await page.keyboard.press("Enter");
});

const lackOfValidation = {
  de: /nicht klinisch validiert/i,
  en: /not clinically validated/i,
  fr: /non validé cliniquement/i,
};

/** Texts that do not fit, and a lack of validation that is not stated exactly once. */
async function faultsOf(page: Page, language: Language): Promise<string[]> {
  await nextFrame(page);
  const stated = await page.getByText(lackOfValidation[language]).filter({ visible: true }).count();
  return [...(await cutTexts(page)), ...(stated === 1 ? [] : [`states the lack of validation ${stated} times`])];
}

// These languages have long words.
test.each(["de", "fr"] as const)("cuts no text in any page of a narrow window (%s)", async (language) => {
  const { page } = window();
  const faults: string[] = [];
  const look = async (where: string) => {
    for (const fault of await faultsOf(page, language)) faults.push(`${where}: ${fault}`);
  };
  await page.setViewportSize({ width: 1024, height: 700 });
  await setLanguage(page, language);
  for (const place of placeKeys) {
    await goTo(page, place);
    await look(place);
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await page.getByRole("tabpanel").locator("*").first().waitFor();
      await arrived(page);
      await look(`${place} ${await tab.innerText()}`);
    }
  }
  await goTo(page, "Alt+1");
  await page.keyboard.press("t");
  await page.getByRole("dialog").waitFor();
  await look("patient of the film");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(faults).toEqual([]);
});

test("uses the width of a display of 2560 x 1440, and cuts none of its larger text", async ({ page }) => {
  const size = { width: 2560, height: 1440 };
  await page.setViewportSize(size);
  await setLanguage(page, "fr");
  const faults: string[] = [];
  for (const place of placeKeys) {
    await goTo(page, place);
    for (const fault of await faultsOf(page, "fr")) faults.push(`${place}: ${fault}`);
  }
  expect(faults).toEqual([]);
  for (const place of ["Alt+2", "Alt+3", "Alt+6", "Alt+7", "Alt+5"] as const) {
    await page.keyboard.press(place);
    const rightEdge = () =>
      page.locator(".page > *").evaluateAll((parts) => Math.max(...parts.map((e) => e.getBoundingClientRect().right)));
    await expect.poll(rightEdge, { message: place }).toBeGreaterThan(size.width * 0.97);
  }
});

test("cuts no text and states the lack of validation once where values are shown, also on paper", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await setLanguage(page, "en");
  const { films } = await ask(page, "films.list", { search: "Bella" });
  await saveReading(page, films[0]!.id, { verdict: "accepted" });
  const faults: string[] = [];
  const look = async (where: string) => {
    for (const fault of await faultsOf(page, "en")) faults.push(`${where}: ${fault}`);
  };
  const lookAndPrint = async (where: string) => {
    await look(where);
    await page.emulateMedia({ media: "print" });
    const printed = await page.getByText(lackOfValidation.en).filter({ visible: true }).count();
    if (printed !== 1) faults.push(`${where}: prints the lack of validation ${printed} times`);
    await page.emulateMedia({ media: "screen" });
  };
  await goTo(page, "Alt+1");
  await openRow(page, "Bella");
  await lookAndPrint("film");
  await page.keyboard.press("c");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  await look("correction");
  await page.keyboard.press("Escape");
  await goTo(page, "Alt+2");
  await page.locator(".trends-patients .patient-row").filter({ hasText: "M. Sommer" }).click();
  await page.getByRole("table").waitFor();
  await lookAndPrint("trend");
  await goTo(page, "Alt+5");
  await page.getByText("1 reading as a table").waitFor();
  await lookAndPrint("agreement");
  await goTo(page, "Alt+3");
  const pasted = page.getByLabel("Paste lab results");
  await pasted.fill("BUN 41 mg/dL  CREA 2.4 mg/dL  HGB 13.8 g/dL  LYM 1400 /uL  Age 168");
  await pasted.blur();
  await page.getByRole("button", { name: "Run screening", exact: true }).click();
  await page.getByTestId("probability").waitFor();
  await lookAndPrint("screening");
  for (const place of ["Alt+4", "Alt+6", "Alt+7"] as const) {
    await goTo(page, place);
    await look(place);
  }
  expect(faults).toEqual([]);
});
