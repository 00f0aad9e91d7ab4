import Database from "better-sqlite3";
import path from "node:path";
import { expect } from "vitest";
import { phantomFile } from "../../main/dicom/phantom-film.ts";
import { openFilms, waitForFilms } from "../actions.ts";
import { ask, hold, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";

const filmCount = 10_000;
const { program, test } = startJourney(async (page) => {
  await ask(page, "settings.save", { measuresOnArrival: false });
  await openFilms(page, [phantom("dog-01.jpg")]);
});

/** Copies the last film in the store of the running program, each a minute older; DICOM films within their study. */
function fillStore(dataDir: string, count: number): void {
  const store = new Database(path.join(dataDir, "corvet.db"));
  const columns = store
    .prepare("SELECT name FROM pragma_table_info('films')")
    .pluck()
    .all()
    .map(String)
    .map((name) => ({
      name,
      value:
        {
          id: `'copy-' || ${count === filmCount ? "" : "'of-study-' || "}value`,
          added_at_ms: "added_at_ms - value * 60000",
          frame_index: "value",
          place: "0",
        }[name] ?? name,
    }));
  store
    .prepare(
      `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < ?)
       INSERT INTO films (${columns.map(({ name }) => name).join(", ")})
       SELECT ${columns.map(({ value }) => value).join(", ")} FROM (SELECT * FROM films ORDER BY rowid DESC LIMIT 1), numbers`,
    )
    .run(count);
  store
    .prepare(
      `INSERT INTO dicom_instances (film_id, sop_instance_uid, study_instance_uid, series_instance_uid, facts, shape)
       SELECT copy.id, own.sop_instance_uid || '.' || copy.frame_index, own.study_instance_uid, own.series_instance_uid,
         own.facts, own.shape
       FROM dicom_instances AS own JOIN films ON films.id = own.film_id
       JOIN films AS copy ON copy.sha256 = films.sha256 AND copy.id <> films.id`,
    )
    .run();
  store.close();
}

const scrollOn = () =>
  new Promise((resolve) => {
    document.querySelector(".worklist-body")!.scrollTop += 90;
    requestAnimationFrame(() => setTimeout(resolve));
  });

test("renders only the visible rows of 10,000 films, and a few ahead, while scrolling", async ({ page }) => {
  fillStore(program().dataDir, filmCount);
  expect((await ask(page, "films.list", { limit: 1 })).total).toBe(filmCount + 1);
  await page.reload();
  await page.getByTestId("film").first().waitFor();
  for (let frame = 0; frame < 20; frame++) await page.evaluate(scrollOn);
  const drawn = await page.getByTestId("film").count();
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBeLessThan(100);
});

test("shows placeholders after a jump to the end, then the oldest films, and loads others later", async ({ page }) => {
  const films = page.getByTestId("film");
  const leap = (to: "start" | "end") =>
    page.evaluate((place) => {
      const list = document.querySelector(".worklist-body")!;
      list.scrollTop = place === "start" ? 0 : list.scrollHeight;
    }, to);
  const release = await hold(page, "films.list");
  await leap("end");
  await expect.poll(() => page.locator(".film-missing").count()).toBeGreaterThan(5);
  release();
  await page.locator(`[data-film='copy-${filmCount}']`).waitFor();
  await expect.poll(() => page.locator(".film-missing").count()).toBe(0);
  expect(await films.count()).toBeLessThan(100);
  await leap("start");
  await films.first().waitFor();
});

test("selects all films from the newest to the oldest", async ({ page }) => {
  await page.getByTestId("film").first().locator(".film-open").click();
  await page.evaluate(() => {
    const list = document.querySelector(".worklist-body")!;
    list.scrollTop = list.scrollHeight;
  });
  await page.locator(`[data-film='copy-${filmCount}'] .film-open`).click({ modifiers: ["Shift"] });
  const selected = page.locator(".selection-bar [role='status']");
  await expect.poll(() => selected.textContent()).toContain("10,001");
});

test("renders a few rows of a study of 200 films while stepping by keys, and keeps the open film visible", async ({
  page,
}) => {
  const file = { name: "loop.dcm", mimeType: "application/dicom", buffer: phantomFile({ instance: "1.2.3.4.5" }) };
  await page.getByTestId("files").setInputFiles([file]);
  await waitForFilms(page, [file.name]);
  fillStore(program().dataDir, 199);
  await page.reload();
  await page.getByRole("searchbox").fill(file.name);
  await page.locator(".film-row.of-study .film-open").first().click();
  await page.keyboard.press("Control+a");
  await page.getByTestId("study").getByText("200 films").waitFor();
  const open = page.locator(".film-row.open");
  for (let pressed = 0; pressed < 20; pressed++) await page.keyboard.press("j");
  await expect.poll(() => open.getAttribute("aria-posinset")).toBe("22");
  expect(await open.getAttribute("aria-setsize")).toBe("201");
  expect(await page.getByTestId("film").count()).toBeLessThan(60);
  await expect.poll(() => open.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
});
