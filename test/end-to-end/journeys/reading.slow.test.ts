import { expect, test } from "vitest";
import type { PlainKey } from "../../../core/language/catalogue.ts";
import type { Language } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { dropFiles, middleOf, openRow, shownScore, waitForFilms } from "../actions.ts";
import { openBella } from "../prepared.ts";
import { ask, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";

/** A film read without a mouse: certainty as it is shown, and one key for each thing that is done with it. */
const { window } = startJourney(openBella);

test("a score is shown with its interval, also on the scale; it is borderline if the interval contains a limit", async () => {
  const { page } = window();
  await openRow(page, "Bella");
  const score = await shownScore(page, "vhs");
  const [low, high] = (await page.getByTestId("vhs-interval").innerText()).split(" ")[0]!.split("–").map(Number) as [
    number,
    number,
  ];
  expect(low).toBeLessThan(score);
  expect(high).toBeGreaterThan(score);
  expect(await page.locator(".reference .interval-band").count()).toBe(3);
  const limits = /VHS (\d+\.\d)–(\d+\.\d) v/.exec(await page.locator(".reference").first().innerText())!;
  const isCrossed = [Number(limits[1]), Number(limits[2])].some((limit) => low <= limit && limit <= high);
  expect(await page.getByTestId("vhs-borderline").count()).toBe(isCrossed ? 1 : 0);
});

test("both axes as printed add up to the score as printed", async () => {
  const { page } = window();
  const facts = await page.locator(".facts").first().innerText();
  const axis = (name: string) => Number(new RegExp(`${name}\\s+(\\d+\\.\\d) v`).exec(facts)![1]);
  expect((axis("Long axis") + axis("Short axis")).toFixed(1)).toBe((await shownScore(page, "vhs")).toFixed(1));
});

test("one key moves the ruler by a vertebra either way, one goes to the next point, one puts a moved point back", async () => {
  const { page } = window();
  await page.keyboard.press("e");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  expect(await page.locator(".ruler-tools").innerText()).toMatch(/^Q\s+Ruler\s+E$/);
  const caudal = await middleOf(page, "[data-handle='0'] .ring");
  await page.keyboard.press("q");
  expect((await middleOf(page, "[data-handle='0'] .ring")).x).not.toBeCloseTo(caudal.x, 0);
  await page.keyboard.press("x");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-handle"));
  expect(await focused()).toBe("heart_top");
  await page.keyboard.press("x");
  expect(await focused()).toBe("heart_bottom");
  await page.keyboard.press("Shift+X");
  expect(await focused()).toBe("heart_top");
  const proposed = await middleOf(page, "[data-handle=heart_top] .ring");
  await page.keyboard.press("Shift+ArrowRight");
  expect((await middleOf(page, "[data-handle=heart_top] .ring")).x).toBeGreaterThan(proposed.x + 1);
  await page.keyboard.press("b");
  expect((await middleOf(page, "[data-handle=heart_top] .ring")).x).toBeCloseTo(proposed.x, 1);
  expect(await focused()).toBe("heart_top");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
});

const signature = () => window().page.getByLabel("Signed by");
const isInSignature = () => signature().evaluate((field) => field === document.activeElement);

test("a correction that is left unsigned asks for the name in place, is saved with it, and is left then", async () => {
  const { page } = window();
  await page.keyboard.press("c");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Alt+2");
  await page.getByRole("alertdialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Readings are signed").waitFor();
  await expect.poll(isInSignature).toBe(true);
  await page.keyboard.type("Dr Roth");
  await page.keyboard.press("Enter");
  await page.locator(".trends").waitFor();
  await page.keyboard.press("Alt+1");
  await page.getByTestId("film").filter({ hasText: "Bella" }).filter({ hasText: "Corrected" }).waitFor();
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
  await ask(page, "settings.save", { userName: "" });
  await expect.poll(() => signature().inputValue()).toBe("");
});

test("accepting asks for a missing name in place, then continues", async () => {
  const { page } = window();
  await page.keyboard.press("y");
  await page.getByText("Readings are signed").waitFor();
  expect(await isInSignature()).toBe(true);
  await page.keyboard.type("Dr Weber");
  await page.keyboard.press("Enter");
  await page.getByTestId("film").filter({ hasText: "Bella" }).filter({ hasText: "Accepted" }).waitFor();
});

test("the next film is one key, its rejection one key and a reason", async () => {
  const { page } = window();
  const heading = page.locator(".panel-head h2");
  await page.getByTestId("film").first().click();
  const first = await page.getByTestId("film").first().innerText();
  await expect.poll(async () => first.includes(await heading.innerText())).toBe(true);
  await page.keyboard.press("j");
  await expect.poll(async () => first.includes(await heading.innerText())).toBe(false);
  await page.locator(".panel[aria-busy=false]").waitFor();
  const name = await heading.innerText();
  await page.keyboard.press("n");
  await page.getByRole("menuitem", { name: "Measurement not usable" }).press("Enter");
  await page.getByTestId("film").filter({ hasText: name }).filter({ hasText: "Rejected" }).waitFor();
});

const onFilm = [
  ...[["result.accept", "Y"] as const, ["result.reject", "N"] as const, ["result.correct", "C"] as const],
  ...[["result.byHand", "H"] as const, ["shortcuts.nextFilm", "J"] as const, ["shortcuts.previousFilm", "K"] as const],
  ["films.assignPatient", "T"],
] as const;
const onPoints = [["viewer.nextPoint", "X"] as const, ["viewer.restorePoint", "B"] as const] as const;

test("accepting, rejecting, the next film and point, and the patient show their shortcuts in each language", async () => {
  const { page } = window();
  const saysKeys = async (language: Language, [message, keys]: readonly [message: PlainKey, keys: string]) => {
    const name = sayIn(language)(message);
    await page.getByRole("button", { name, exact: true }).focus();
    await expect.poll(() => page.locator(".tooltip").innerText()).toBe(`${name}\n${keys}`);
  };
  await openRow(page, "Bella");
  for (const language of ["de", "fr", "en"] as const) {
    await ask(page, "settings.save", { language });
    await page.locator(`html[lang=${language}]`).waitFor();
    for (const button of onFilm) await saysKeys(language, button);
    await page.keyboard.press("c");
    await page.keyboard.press("x");
    for (const button of onPoints) await saysKeys(language, button);
    await saysKeys(language, ["viewer.leaveCorrection", language === "fr" ? "Échap" : "Esc"]);
    await page.keyboard.press("Escape");
    await page.locator(".correction-bar").waitFor({ state: "detached" });
  }
  await openRow(page, "dog-04.jpg");
  await page.getByRole("button", { name: "No patient…" }).focus();
  await expect.poll(() => page.locator(".tooltip").innerText()).toBe("Patient…\nT");
});

test("a double press acts once", async () => {
  const { page } = window();
  await page.getByRole("button", { name: "Accept", exact: true }).dblclick();
  await page.getByTestId("film").filter({ hasText: "dog-04.jpg" }).filter({ hasText: "Accepted" }).waitFor();
  await expect.poll(() => page.getByTestId("version").count()).toBe(2);
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
});

test("a film that comes during a correction waits in the list, and findings wait at their film", async () => {
  const { page } = window();
  const heading = page.locator(".panel-head h2");
  const findings = page.getByLabel("Findings");
  await page.keyboard.press("c");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowRight");
  await dropFiles(page, [phantom("dog-06.jpg")]);
  await waitForFilms(page, ["dog-06.jpg"]);
  await page.getByTestId("film").filter({ hasText: "dog-06.jpg" }).waitFor();
  expect(await heading.innerText()).toBe("dog-04.jpg");
  expect(await page.getByRole("alertdialog").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await openRow(page, "dog-03.jpg");
  await findings.fill("Half a sentence");
  await dropFiles(page, [phantom("dog-07.jpg")]);
  await waitForFilms(page, ["dog-07.jpg"]);
  await page.getByTestId("film").filter({ hasText: "dog-07.jpg" }).waitFor();
  expect(await heading.innerText()).toBe("dog-03.jpg");
  // The keys of the other pages hold in a field, too.
  await findings.press("Alt+2");
  await page.locator(".trends").waitFor();
  await page.keyboard.press("Alt+1");
  await openRow(page, "dog-07.jpg");
  expect(await findings.inputValue()).toBe("");
  await openRow(page, "dog-03.jpg");
  expect(await findings.inputValue()).toBe("Half a sentence");
  await findings.fill("");
});

test("a review reason shows advice and shortcuts; a limit in the interval is borderline", async () => {
  const { page } = window();
  await page.route("**/app/call/films.get", async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { value: DesktopResponse<"films.get"> };
    const doubt = { resultCode: 3, tier: "review", reviewReasons: [{ kind: "short_ruler", value: 5, limit: 5.19 }] };
    // Dogs in general: VHS up to 10.5 v.
    const interval = { low: 10.2, high: 10.8 };
    const readings = told.value.readings.map((reading) => ({
      ...reading,
      ...doubt,
      score: { ...reading.score, vhs: 10.4 },
      intervals: { coverage: 0.8, vhs: interval, vlas: null },
      source: "model",
    }));
    await route.fulfill({ response: answer, json: { ...told, value: { ...told.value, readings } } });
  });
  await openRow(page, "dog-05.jpg");
  await expect
    .poll(() => page.getByTestId("review-reasons").innerText())
    .toBe(
      "The ruler from A to B (5\u00a0v) is no longer than the short axis (5.19\u00a0v). " +
        "The ruler may have skipped a vertebra: check the marks, or press H to redraw it.",
    );
  expect(await page.getByTestId("vhs-interval").innerText()).toMatch(/^10\.2–10\.8 \(80\s%\)$/);
  expect(await page.getByTestId("vhs-borderline").innerText()).toBe("borderline, within the range");
  await page.unroute("**/app/call/films.get");
});

test("an uneven vertebra is a reason to check, with its length and source, and is drawn on the film", async () => {
  const { page } = window();
  await page.route("**/app/call/films.get", async (route) => {
    const answer = await route.fetch();
    const { value, ...told } = (await answer.json()) as { value: DesktopResponse<"films.get"> };
    const readings = value.readings.map((reading) => {
      const [, , from, to] = reading.ruler!.edges;
      return { ...reading, uneven: [{ index: 2, from: from!, to: to!, share: 0.8 }] };
    });
    await route.fulfill({ response: answer, json: { ...told, value: { ...value, readings } } });
  });
  await openRow(page, "Bella");
  await openRow(page, "dog-05.jpg");
  const panel = page.getByRole("complementary", { name: "Result" });
  await expect.poll(() => panel.getByTestId("verdict").innerText()).toMatch(/^Check T6/);
  expect(await page.getByTestId("uneven-vertebra").innerText()).toMatch(/T6.*80\s?%.*Jepsen-Grant/);
  const [mark, stage] = [page.getByTestId("uneven-vertebrae").locator("line"), page.getByTestId("stage")];
  expect(await mark.count()).toBe(1);
  const [drawn, film] = [(await mark.boundingBox())!, (await stage.boundingBox())!];
  expect(drawn.width).toBeGreaterThan(10);
  expect(drawn.x > film.x && drawn.x + drawn.width < film.x + film.width).toBe(true);
  await page.unroute("**/app/call/films.get");
});
