import { beforeEach, expect, test, vi } from "vitest";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { compareFilms } from "../../../renderer/app/compare-films.ts";
import { channelQuery, queryClient } from "../../../renderer/state/queries.ts";
import { useTrends } from "../../../renderer/trends/trends-slice.ts";

const trends = () => useTrends.getState();
beforeEach(() => {
  useTrends.setState(useTrends.getInitialState());
  for (const filmId of ["a", "b", "c"]) trends().mark(filmId);
  trends().compare(true);
});

test("deselects a film that has left the trend, and ends a comparison of fewer than two", () => {
  trends().unmarkOthers(["a", "b"]);
  expect([trends().marked, trends().isComparing]).toEqual([["a", "b"], true]);
  trends().unmarkOthers(["a", "c"]);
  expect([trends().marked, trends().isComparing]).toEqual([["a"], false]);
});

test("keeps the comparison while the trend contains its films", () => {
  const before = trends();
  trends().unmarkOthers(["c", "b", "a", "new"]);
  expect(trends()).toBe(before);
});

test("discards a cached trend that may lack a compared film", () => {
  vi.stubGlobal("document", { activeElement: null });
  vi.stubGlobal("HTMLElement", Object);
  const { queryKey } = channelQuery("trends.get", { patientId: "bella" });
  queryClient.setQueryData(queryKey, { points: [{ filmId: "before" }] } as never);
  compareFilms({ id: "bella" } as Patient, ["before", "new"]);
  expect(queryClient.getQueryData(queryKey)).toBeUndefined();
  expect([trends().marked, trends().isComparing]).toEqual([["before", "new"], true]);
});
