import { beforeEach, expect, it } from "vitest";
import { compiledOnce, insertRow } from "../../../../main/store/engines/compiled-queries.ts";
import { transaction } from "../../../../main/store/engines/engine.ts";
import { openStoreForTest, useStore } from "../../../fixtures/use-store.ts";

const store = useStore();
let built = 0;
beforeEach(() => void (built = 0));

const valueOf = compiledOnce<{ readonly key: string }, { key: string; value: string }>((db, place) => {
  built += 1;
  return db.selectFrom("settings").select(["key", "value"]).where("key", "=", place("key"));
});

it("compiles a query once and runs it with different values", async () => {
  for (const key of ["a", "b"]) await insertRow(store.db, "settings", { key, value: `"${key}"` });
  expect([await valueOf(store.db, { key: "a" }), await valueOf(store.db, { key: "b" })]).toEqual([
    [{ key: "a", value: '"a"' }],
    [{ key: "b", value: '"b"' }],
  ]);
  expect([await valueOf(store.db, { key: "c" }), built]).toEqual([[], 1]);
});

it("compiles a query once per store", async () => {
  const other = await openStoreForTest();
  await insertRow(other.db, "settings", { key: "a", value: "1" });
  expect([await valueOf(store.db, { key: "a" }), await valueOf(other.db, { key: "a" })]).toEqual([
    [],
    [{ key: "a", value: "1" }],
  ]);
  expect(built).toBe(2);
});

it("runs a query within the surrounding transaction", async () => {
  await expect(
    transaction(store.db, async () => {
      await insertRow(store.db, "settings", { key: "a", value: "1" });
      expect(await valueOf(store.db, { key: "a" })).toHaveLength(1);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await valueOf(store.db, { key: "a" })).toEqual([]);
});

it("inserts rows with different columns into one table", async () => {
  const [name, nameNfc] = ["Clinic", "Clinic"];
  await insertRow(store.db, "accounts", { id: "x", name, nameNfc, createdAtMs: 1 });
  await insertRow(store.db, "accounts", { createdAtMs: 2, nameNfc: "Other", name: "Other", id: "y" });
  const rows = await store.db.selectFrom("accounts").select(["id", "name", "createdAtMs"]).orderBy("id").execute();
  expect(rows.filter(({ id }) => id === "x" || id === "y")).toEqual([
    { id: "x", name, createdAtMs: 1 },
    { id: "y", name: "Other", createdAtMs: 2 },
  ]);
});
