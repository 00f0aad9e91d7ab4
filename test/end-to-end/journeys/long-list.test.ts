import Database from "better-sqlite3";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openBella } from "../prepared.ts";
import { ask } from "../program.ts";
import { startJourney } from "../journey.ts";

/** A worklist of 50,000 films. */
const films = 50_000;
const { window, program } = startJourney(openBella);

/** Copies of the last film, a minute older each, in the store of the running program. */
function fillStore(dataDir: string): void {
  const store = new Database(path.join(dataDir, "corvet.db"));
  const columns = store
    .prepare("SELECT name FROM pragma_table_info('films')")
    .pluck()
    .all()
    .map(String)
    .map((name) => ({
      name,
      value:
        { id: "'copy-' || value", added_at_ms: "added_at_ms - value * 60000", frame_index: "value", place: "0" }[
          name
        ] ?? name,
    }));
  store
    .prepare(
      `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < ?)
       INSERT INTO films (${columns.map(({ name }) => name).join(", ")})
       SELECT ${columns.map(({ value }) => value).join(", ")} FROM (SELECT * FROM films ORDER BY rowid DESC LIMIT 1), numbers`,
    )
    .run(films);
  store.close();
}

/** What the page's own thread spent [ms of processor time]: drawing and other threads apart, other programs left out. */
async function spentBy(page: Page): Promise<() => Promise<{ script: number; layout: number; rest: number }>> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
  const totals = async () => {
    const { metrics } = await devTools.send("Performance.getMetrics");
    const ms = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
    const [script, layout] = [ms("ScriptDuration"), ms("LayoutDuration") + ms("RecalcStyleDuration")];
    return { script, layout, rest: ms("TaskDuration") - script - layout };
  };
  let before = await totals();
  return async () => {
    const now = await totals();
    const { script, layout, rest } = before;
    before = now;
    return { script: now.script - script, layout: now.layout - layout, rest: now.rest - rest };
  };
}

/** Scrolls by one and a half rows and waits for the frame. */
const scrollOn = () =>
  new Promise((resolve) => {
    document.querySelector(".worklist-body")!.scrollTop += 90;
    requestAnimationFrame(() => setTimeout(resolve));
  });

test(
  "50,000 films scroll by the rows that are seen: what a frame costs the page fits into it, with rows ahead",
  { timeout: 300_000 },
  async () => {
    const { page } = window();
    fillStore(program().dataDir);
    expect((await ask(page, "films.list", { limit: 1 })).total).toBe(films + 5);
    const reloadedMs = Date.now();
    await page.reload();
    await page.getByTestId("film").first().waitFor();
    const firstRowsMs = Date.now() - reloadedMs;
    const spent = await spentBy(page);
    const frames: Awaited<ReturnType<typeof spent>>[] = [];
    for (let frame = 0; frame < 60; frame++) {
      await page.evaluate(scrollOn);
      frames.push(await spent());
    }
    const median = (of: (frame: (typeof frames)[number]) => number) => frames.map(of).sort((a, b) => a - b)[30] ?? 0;
    const drawn = await page.getByTestId("film").count();
    console.log(
      `${films + 5} films: first rows after ${firstRowsMs} ms; ${drawn} rows drawn; a frame takes the page's thread ` +
        `${median(({ script }) => script).toFixed(1)} ms of script, ${median(({ layout }) => layout).toFixed(1)} ms of ` +
        `style and layout, ${median(({ rest }) => rest).toFixed(1)} ms of painting and others, in the median`,
    );
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThan(100);
    expect(median(({ script, layout }) => script + layout)).toBeLessThan(16);
  },
);

test("a leap to the end shows the oldest films, on grounds until they are there, and those between later", async () => {
  const { page } = window();
  const films = page.getByTestId("film");
  const leap = (to: "start" | "end") =>
    page.evaluate((place) => {
      const list = document.querySelector(".worklist-body")!;
      list.scrollTop = place === "start" ? 0 : list.scrollHeight;
    }, to);
  const answer = Promise.withResolvers<undefined>();
  await page.route("**/app/call/films.list", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await leap("end");
  await expect.poll(() => page.locator(".film-missing").count()).toBeGreaterThan(5);
  await page.screenshot({ path: path.join(tmpdir(), "corvet-long-list-grounds.png") });
  const leaptMs = Date.now();
  answer.resolve(undefined);
  await page.locator("[data-film='copy-50000']").waitFor();
  console.log(`the oldest film ${Date.now() - leaptMs} ms after a leap to the end`);
  await page.unroute("**/app/call/films.list");
  await expect.poll(() => page.locator(".film-missing").count()).toBe(0);
  expect(await films.count()).toBeLessThan(100);
  await leap("start");
  await films.first().waitFor();
});

test("what is selected from the newest to the oldest film is all of them", { timeout: 300_000 }, async () => {
  const { page } = window();
  await page.getByTestId("film").first().locator(".film-open").click();
  await page.evaluate(() => {
    const list = document.querySelector(".worklist-body")!;
    list.scrollTop = list.scrollHeight;
  });
  await page.locator("[data-film='copy-50000'] .film-open").click({ modifiers: ["Shift"] });
  const selected = page.locator(".selection-bar [role='status']");
  await expect.poll(() => selected.textContent(), { timeout: 240_000 }).toContain("50,005");
});
