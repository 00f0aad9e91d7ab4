import { expect, test } from "vitest";
import { middleOf, openFilms, openRow, waitForFilms, waitForOpenFilm } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { ask, fixture, phantom } from "../program.ts";

const journey = startJourney((page) => openFilms(page, [phantom("dog-01.jpg")]));

const page = () => journey.window().page;
/** Position on the stage, in fractions of its width and height. */
async function at(x: number, y: number): Promise<[number, number]> {
  const box = (await page().getByTestId("stage").boundingBox())!;
  return [box.x + box.width * x, box.y + box.height * y];
}
const click = async (x: number, y: number) => page().mouse.click(...(await at(x, y)));
const kept = async () => {
  const { films } = await ask(page(), "films.list", {});
  return (await ask(page(), "annotations.list", { filmId: films[0]!.id })).versions;
};
const lengths = () => page().getByTestId("annotation-length").count();
const labels = () => page().getByTestId("annotations").locator(".mark-label").allTextContents();

test("draws a length by two clicks, shows it in pixels, and stores it as a version", async () => {
  await openRow(page(), "dog-01.jpg");
  await page().getByTestId("marks").waitFor();
  await page().keyboard.press("Shift+D");
  await page()
    .getByText(/Click both ends/)
    .waitFor();
  await click(0.3, 0.8);
  await click(0.6, 0.8);
  await expect.poll(lengths).toBe(1);
  expect((await labels())[0]).toMatch(/^[\d,]+ px$/);
  await expect.poll(async () => (await kept()).length).toBe(1);
  // The point placed last has the focus, and arrow keys move it.
  const before = (await kept())[0]!.set.annotations[0]!.points[1]!;
  await page().keyboard.press("ArrowRight");
  await page().keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (await kept()).at(-1)!.set.annotations[0]!.points[1]!.x).toBeCloseTo(before.x + 11, 3);
});

test("undoes and redoes steps, also with Ctrl+Y, and stores each as a version", async () => {
  const count = (await kept()).length;
  await page().keyboard.press("Control+z");
  await page().keyboard.press("Control+z");
  await page().keyboard.press("Control+z");
  await expect.poll(lengths).toBe(0);
  await page().keyboard.press("Control+y");
  await expect.poll(lengths).toBe(1);
  await page().keyboard.press("Control+Shift+Z");
  await expect.poll(async () => (await kept()).length).toBeGreaterThan(count);
  await expect.poll(async () => (await kept()).at(-1)!.set.annotations.length).toBe(1);
});

test("shows the length in millimetres after a calibration", async () => {
  await page().keyboard.press("Shift+C");
  await click(0.3, 0.8);
  await click(0.6, 0.8);
  await page().getByLabel("Known length in mm").fill("nothing");
  await page().keyboard.press("Enter");
  await page().getByText("Enter a length above 0 mm").waitFor();
  await page().getByLabel("Known length in mm").fill("60");
  await page().keyboard.press("Enter");
  await expect.poll(async () => (await labels())[0]).toMatch(/mm$/);
  expect(Number.parseFloat((await labels())[0]!)).toBeGreaterThan(59.9);
  expect(await page().getByTestId("scale-bar").innerText()).toMatch(/mm[^]*calibrated by hand/);
});

test("draws angle, ellipse, polygon, text and arrow by their shortcuts", async () => {
  await page().keyboard.press("Shift+A");
  await click(0.2, 0.2);
  await click(0.2, 0.4);
  await click(0.35, 0.4);
  await expect.poll(labels).toContainEqual(expect.stringMatching(/^90\.\d°$|^89\.\d°$/));
  await page().keyboard.press("Shift+E");
  await click(0.6, 0.15);
  await click(0.75, 0.15);
  await click(0.675, 0.22);
  await page().getByTestId("annotation-ellipse").waitFor();
  await page().keyboard.press("Shift+P");
  for (const [x, y] of [
    [0.8, 0.5],
    [0.9, 0.5],
    [0.9, 0.65],
    [0.8, 0.65],
  ] as const)
    await click(x, y);
  await page().keyboard.press("Enter");
  await page().getByTestId("annotation-polygon").waitFor();
  expect((await labels()).filter((label) => label.endsWith("mm²"))).toHaveLength(2);
  await page().keyboard.press("Shift+T");
  await click(0.3, 0.6);
  await page().getByLabel("Text on the film").fill("Gas in the oesophagus");
  await page().keyboard.press("Enter");
  await page().keyboard.press("Shift+V");
  await click(0.15, 0.85);
  await click(0.25, 0.7);
  await page().keyboard.press("Enter");
  await page().getByTestId("annotation-arrow").waitFor();
  await expect.poll(async () => (await kept()).at(-1)!.set.annotations.length).toBe(6);
  expect(await labels()).toContain("Gas in the oesophagus");
  // Leaving the field saves its text; an empty one leaves no annotation.
  for (const words of ["Spondylosis", ""]) {
    await page().keyboard.press("Shift+T");
    await click(0.5, 0.9);
    await page().getByLabel("Text on the film").fill(words);
    await page().locator(".panel-head").click();
    await page().getByLabel("Text on the film").waitFor({ state: "detached" });
  }
  await expect
    .poll(async () => (await kept()).at(-1)!.set.annotations.map(({ text }) => text))
    .toContain("Spondylosis");
  expect(await page().getByTestId("annotation-note").count()).toBe(2);
  await page().keyboard.press("Control+z");
  await page().keyboard.press("Control+z");
  await expect.poll(async () => (await kept()).at(-1)!.set.annotations.length).toBe(6);
});

test("selects an annotation by Tab, moves it by arrow keys, and removes it by Delete", async () => {
  await page().getByTestId("annotation-angle").focus();
  const before = (await kept()).at(-1)!.set.annotations.find(({ tool }) => tool === "angle")!;
  await page().keyboard.press("ArrowDown");
  await expect
    .poll(async () => (await kept()).at(-1)!.set.annotations.find(({ tool }) => tool === "angle")!.points[1]!.y)
    .toBeCloseTo(before.points[1]!.y + 1, 3);
  await page().keyboard.press("Tab");
  expect(await page().evaluate(() => document.activeElement?.getAttribute("data-point"))).toBe("0");
  await page().keyboard.press("Delete");
  await expect.poll(() => page().getByTestId("annotation-angle").count()).toBe(0);
  expect((await ask(page(), "films.list", {})).total).toBe(1);
});

test("cancels a half-drawn length, then the tool, with Delete, and keeps the film", async () => {
  await page().keyboard.press("Shift+D");
  await click(0.4, 0.7);
  await expect.poll(() => page().locator(".placed-point").count()).toBe(1);
  await page().keyboard.press("Delete");
  await expect.poll(() => page().locator(".placed-point").count()).toBe(0);
  await page().keyboard.press("Delete");
  await page().locator(".drawing-hint").waitFor({ state: "detached" });
  expect(await page().getByTestId("film").count()).toBe(1);
});

type Place = { readonly x: number; readonly y: number };
const distance = (one: Place, other: Place) => Math.hypot(one.x - other.x, one.y - other.y);

const placesOnScreen = async (): Promise<readonly Place[]> => [
  await middleOf(page(), ".landmark.heart_top"),
  await middleOf(page(), ".landmark.heart_left"),
  ...(await page()
    .locator("[data-testid=annotation-length] .hit")
    .evaluate((element) => {
      const line = element as SVGPolylineElement;
      return Array.from(line.points, (point) => {
        const { x, y } = point.matrixTransform(line.getScreenCTM()!);
        return { x, y };
      });
    })),
];

/** Distance of each end of the length from each landmark, relative to theirs, which no rotation changes. */
async function lengthOnFilm(): Promise<number[]> {
  const [one, other, ...ends] = (await placesOnScreen()) as [Place, Place, ...Place[]];
  return ends.flatMap((end) => [one, other].map((landmark) => distance(end, landmark) / distance(one, other)));
}

test("keeps annotations in place on the film when it is rotated by a degree or a quarter, or mirrored", async () => {
  const before = { labels: await labels(), places: await placesOnScreen(), onFilm: await lengthOnFilm() };
  await page().keyboard.press("g");
  await page().keyboard.press("Shift+R");
  await page().keyboard.press("m");
  // A quarter turn moves everything outside the centre.
  await expect.poll(async () => distance((await placesOnScreen())[0]!, before.places[0]!)).toBeGreaterThan(50);
  for (const [index, share] of before.onFilm.entries())
    await expect.poll(async () => (await lengthOnFilm())[index]).toBeCloseTo(share, 2);
  expect(await labels()).toEqual(before.labels);
  await page().keyboard.press("m");
  await page().keyboard.press("r");
  await page().keyboard.press("d");
});

test("moves the magnifier with the pointer", async () => {
  await page().keyboard.press("z");
  await page().mouse.move(...(await at(0.5, 0.5)));
  await page().getByTestId("loupe").waitFor();
  await page().keyboard.press("z");
  await page().getByTestId("loupe").waitFor({ state: "detached" });
});

test("draws a length with the crosshair, without a mouse", async () => {
  await page().keyboard.press("Shift+D");
  await page().keyboard.press("p");
  await page().getByTestId("crosshair").waitFor();
  await page().keyboard.press("Enter");
  for (let steps = 0; steps < 5; steps++) await page().keyboard.press("Shift+ArrowRight");
  await page().keyboard.press("Enter");
  await expect.poll(lengths).toBe(2);
  await page().keyboard.press("Escape");
});

test("keeps annotations after a reload", async () => {
  await expect.poll(async () => (await kept()).at(-1)!.set.annotations.length).toBe(6);
  const before = await labels();
  await page().reload();
  await openRow(page(), "dog-01.jpg");
  await expect.poll(labels).toEqual(before);
});

test("lists versions with author and time, and restores an earlier one as a new version", async () => {
  const versions = await kept();
  await page().getByRole("button", { name: "Versions of the annotations" }).click();
  await page()
    .getByRole("menuitem", { name: /^Remove all annotations/ })
    .click();
  await expect.poll(labels).toEqual([]);
  await expect.poll(async () => (await kept()).length).toBe(versions.length + 1);
  await page().getByRole("button", { name: "Versions of the annotations" }).click();
  await page()
    .getByText(new RegExp(`^Version ${versions.length}: unsigned`))
    .click();
  await expect.poll(async () => (await kept()).at(-1)!.set).toEqual(versions.at(-1)!.set);
  expect((await kept()).length).toBe(versions.length + 2);
});

test("removes the selected annotation with Delete, even after the row of another film has changed", async () => {
  await openFilms(page(), [phantom("dog-02.jpg")]);
  const { films, total } = await ask(page(), "films.list", {});
  const rowOf = (name: string) =>
    page().locator(`[data-film="${films.find(({ fileName }) => fileName === name)!.id}"]`);
  await rowOf("dog-01.jpg").locator(".film-open").click();
  await waitForOpenFilm(page());
  await page().getByTestId("marks").waitFor();
  const before = await lengths();
  await page().keyboard.press("Shift+D");
  await click(0.3, 0.6);
  await click(0.6, 0.6);
  await expect.poll(lengths).toBe(before + 1);
  // The film takes the focus, and the line stays selected.
  await click(0.2, 0.3);
  const row = rowOf("dog-02.jpg");
  const said = await row.innerText();
  const filmId = (await row.getAttribute("data-film"))!;
  await ask(page(), "films.edit", { filmId, takenAt: "2025-03-03T12:00:00.000Z" });
  await expect.poll(() => row.innerText()).not.toBe(said);
  await page().keyboard.press("Delete");
  await expect.poll(lengths).toBe(before);
  expect(await page().getByTestId("film").count()).toBe(total);
});

test("does not apply Delete to a hidden annotation", async () => {
  const before = await lengths();
  const filmId = await page().locator(".film-row.open").getAttribute("data-film");
  await page().keyboard.press("Shift+D");
  await click(0.3, 0.6);
  await click(0.6, 0.6);
  await expect.poll(lengths).toBe(before + 1);
  await click(0.2, 0.3);
  await page().keyboard.press("o");
  await expect.poll(lengths).toBe(0);
  await page().keyboard.press("Delete");
  const toast = page().locator(".toast").filter({ hasText: "removed" });
  await toast.getByRole("button", { name: "Undo" }).click();
  await page().locator(`[data-film="${filmId}"] .film-open`).click();
  await page().keyboard.press("o");
  await expect.poll(lengths).toBe(before + 1);
});

test("moves annotations of a photograph to the rectified film, without earlier versions", async (context) => {
  const { page } = journey.window();
  const name = "screen-01.jpg";
  const health = await ask(page, "app.health", {});
  if (!health.isPopEnabled) context.skip("no pack for photographs of screens is loaded");
  await ask(page, "settings.save", { measuresOnArrival: false });
  await page.getByTestId("files").setInputFiles([fixture(`screens/${name}`)]);
  const [film] = await waitForFilms(page, [name]);
  await openRow(page, name);
  const stage = page.getByTestId("stage");
  const { x, y, width, height } = (await stage.boundingBox())!;
  await page.keyboard.press("Shift+D");
  for (const share of [0.4, 0.6]) await page.mouse.click(x + width * share, y + height * 0.5);
  const kept = async () => (await ask(page, "annotations.list", { filmId: film!.id })).versions;
  await expect.poll(async () => (await kept()).length).toBe(1);
  await ask(page, "films.retry", { filmIds: [film!.id] });
  await expect.poll(async () => (await kept()).length).toBe(2);
  const [measured] = await waitForFilms(page, [name]);
  expect((await kept()).map(({ set }) => set.corners)).toEqual([null, measured!.picture.corners]);
  await page.getByTestId("annotation-length").waitFor();
  await page.getByRole("button", { name: "Versions of the annotations" }).click();
  const item = (version: number) => page.getByRole("menuitemcheckbox", { name: new RegExp(`^Version ${version}:`) });
  await item(2).waitFor();
  expect([await item(1).isDisabled(), await item(2).isDisabled()]).toEqual([true, false]);
  await item(2).click();
  await expect.poll(async () => (await kept()).length).toBe(3);
});
