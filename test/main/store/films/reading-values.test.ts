// Runs once: tests the file of SQLite (format, migrations, encryption).
import { describe, expect, it } from "vitest";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { listReadingValues } from "../../../../main/store/films/reading-values.ts";
import { openStoreForTest } from "../../../fixtures/use-store.ts";

describe("values of readings", () => {
  it("skips unknown measures of a later version, and refuses to change or delete a value", async () => {
    const { db } = await openStoreForTest();
    sqliteFileOf(db).exec(
      `INSERT INTO films (id, file_name, sha256, origin, added_at_ms, taken_at_ms, state, width_px, height_px, has_image)
       VALUES ('film', 'a.png', '${"0".repeat(64)}', 'file', 1, 1, 'done', 10, 10, 1)`,
    );
    sqliteFileOf(db).exec(
      `INSERT INTO readings (id, film_id, version, source, at_ms, remark, result_code, detail)
       VALUES ('later', 'film', 1, 'model', 1, '', 1, '{}');
       INSERT INTO reading_values VALUES ('later', 'vhs', 9), ('later', 'measure_of_tomorrow', 3)`,
    );
    expect((await listReadingValues(db, ["later"]))("later")).toEqual({ vhs: 9, vlas: null });
    expect(() => sqliteFileOf(db).exec("UPDATE reading_values SET value = 8")).toThrow(/never change/);
    expect(() => sqliteFileOf(db).exec("DELETE FROM reading_values")).toThrow(/never go/);
  });
});
