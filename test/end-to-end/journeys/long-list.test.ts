import Database from "better-sqlite3";
import path from "node:path";
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

test(
  "50,000 films scroll by the rows that are seen, down to the oldest, and nothing is cut",
  { timeout: 300_000 },
  async () => {
    const { page } = window();
    fillStore(program().dataDir);
    expect((await ask(page, "films.list", { limit: 1 })).total).toBe(films + 5);
    const reloadedMs = Date.now();
    await page.reload();
    await page.getByTestId("film").first().waitFor();
    const firstRowsMs = Date.now() - reloadedMs;
    const frames = await page.evaluate(async () => {
      const list = document.querySelector(".worklist-body")!;
      const spans: number[] = [];
      let before = performance.now();
      for (let frame = 0; frame < 120; frame++) {
        list.scrollTop += 90;
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        spans.push(now - before);
        before = now;
      }
      return spans.sort((a, b) => a - b);
    });
    const drawn = await page.getByTestId("film").count();
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThan(100);
    const leaptMs = Date.now();
    await page.evaluate(() => {
      const list = document.querySelector(".worklist-body")!;
      list.scrollTop = list.scrollHeight;
    });
    await expect
      .poll(
        () =>
          page.evaluate(() => {
            const list = document.querySelector(".worklist-body")!;
            list.scrollTop = list.scrollHeight;
            return document.querySelector("[data-film='copy-50000']") !== null;
          }),
        { timeout: 240_000, interval: 250 },
      )
      .toBe(true);
    const [median, slowest] = [frames[60]!, frames.at(-1)!];
    console.log(
      `${films + 5} films: first rows after ${firstRowsMs} ms; frame ${median.toFixed(1)} ms in the median, ${slowest.toFixed(1)} ms at most; ` +
        `${drawn} rows drawn; the oldest film ${Date.now() - leaptMs} ms after a leap to the end`,
    );
  },
);
