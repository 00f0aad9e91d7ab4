import { expect, test } from "vitest";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { mergeInPlace, nearestTo } from "../../../../renderer/state/films/listed-films.ts";

const films = (...ids: readonly string[]) => ids.map((id) => ({ id, fileName: id }) as Film);
const kept = (before: readonly string[], answer: readonly string[], ...ids: readonly string[]) =>
  mergeInPlace(films(...before), films(...answer), new Set(ids)).map(({ id }) => id);

test("keeps a film in use behind its predecessor, listed or not", () => {
  expect(kept(["a", "b", "c"], ["a", "c"], "b")).toEqual(["a", "b", "c"]);
  expect(kept(["a", "b", "c"], ["b", "c", "a"], "a")).toEqual(["a", "b", "c"]);
  expect(kept(["a", "b", "c", "d"], ["a", "new", "d"], "b", "c")).toEqual(["a", "b", "c", "new", "d"]);
});

test("keeps a film in use without predecessors; other films follow the response", () => {
  expect(kept(["a", "b", "c"], ["c"], "b")).toEqual(["b", "c"]);
  expect(kept(["a", "b", "c"], ["c", "a"])).toEqual(["c", "a"]);
  expect(kept([], ["a"], "a")).toEqual(["a"]);
});

test("selects the next row below a removed row, else above", () => {
  const nearest = (id: string, ...gone: readonly string[]) => nearestTo(id, ["a", "b", "c"], new Set(gone));
  expect([nearest("b", "b"), nearest("b", "b", "c"), nearest("c", "c"), nearest("a", "a", "b", "c")]).toEqual([
    "c",
    "a",
    "b",
    null,
  ]);
  // A film excluded by a search has no neighbours.
  expect(nearest("other", "other")).toBe("a");
});
