import { beforeEach, expect, test } from "vitest";
import { useTrends } from "../../../renderer/trends/trends-slice.ts";

const trends = () => useTrends.getState();
beforeEach(() => {
  useTrends.setState(useTrends.getInitialState());
  for (const filmId of ["a", "b", "c"]) trends().mark(filmId);
  trends().compare(true);
});

test("a film that the course lists no more is compared no longer, and fewer than two are no comparison", () => {
  trends().unmarkOthers(["a", "b"]);
  expect([trends().marked, trends().isComparing]).toEqual([["a", "b"], true]);
  trends().unmarkOthers(["a", "c"]);
  expect([trends().marked, trends().isComparing]).toEqual([["a"], false]);
});

test("the comparison is kept while the trend contains its films", () => {
  const before = trends();
  trends().unmarkOthers(["c", "b", "a", "new"]);
  expect(trends()).toBe(before);
});
