import { expect, test } from "vitest";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import {
  beginningOf,
  missingIn,
  offsetOf,
  withoutFilms,
  withPart,
  type Listed,
} from "../../../../renderer/state/films/listed-gaps.ts";
import { layRows } from "../../../../renderer/worklist/list/list-rows.ts";
import { groupFilms } from "../../../../renderer/worklist/study-groups.ts";

const films = (...ids: readonly string[]) => ids.map((id) => ({ id, dicom: null, reading: null }) as unknown as Film);
const shown = ({ films: listed, gaps }: Listed) => {
  const rows = layRows({ films: listed, gaps }, groupFilms(listed));
  return Array.from({ length: rows.count }, (_, row) => {
    const at = rows.at(row);
    return at?.kind === "missing" ? "." : at?.films[0]?.id;
  }).join("");
};
const asked = (listed: Listed, row: number, part: string, total: number): Listed => {
  const at = layRows(listed, groupFilms(listed.films)).at(row);
  if (at?.kind !== "missing") throw new Error("the row is already loaded");
  expect(offsetOf(listed, at.gap, new Set()) + at.skipped).toBe(row);
  return withPart(listed, at.gap, { skipped: at.skipped, asked: part.length, part: films(...part), total });
};

test("inserts parts of a long list at their positions, in any order, until the list is complete", () => {
  let listed = beginningOf(films("a", "b"), 9);
  expect(shown(listed)).toBe("ab.......");
  listed = asked(listed, 7, "hi", 9);
  expect(shown(listed)).toBe("ab.....hi");
  listed = asked(listed, 4, "e", 9);
  expect(shown(listed)).toBe("ab..e..hi");
  listed = asked(listed, 2, "cd", 9);
  listed = asked(listed, 5, "fg", 9);
  expect({ rows: shown(listed), gaps: listed.gaps }).toEqual({ rows: "abcdefghi", gaps: [] });
});

test("moves the gap behind a removed film to the film before it", () => {
  const listed = asked(beginningOf(films("a", "b"), 6), 4, "e", 6);
  expect(shown(listed)).toBe("ab..e.");
  expect(shown(withoutFilms(listed, new Set(["b", "e"]), 4))).toBe("a...");
  expect(shown(withoutFilms(listed, new Set(["a", "b"]), 4))).toBe("..e.");
});

test("adjusts the total at the end of the list, and lists no film twice", () => {
  const listed = asked(beginningOf(films("a", "b"), 5), 2, "bc", 6);
  expect({ rows: shown(listed), missing: missingIn(listed.gaps) }).toEqual({ rows: "abc...", missing: 3 });
  expect(shown(asked(listed, 3, "", 3))).toBe("abc");
});

test("maps rows to films and to gaps between them", () => {
  const listed = asked(beginningOf(films("a", "b"), 6), 4, "e", 6);
  const rows = layRows(listed, groupFilms(listed.films));
  expect(["a", "b", "e", "elsewhere"].map((id) => rows.rowOf(id))).toEqual([0, 1, 4, -1]);
  expect([
    rows.missingBetween("a", "b"),
    rows.missingBetween("a", "e")?.skipped,
    rows.missingBetween("e", "b")?.skipped,
  ]).toEqual([null, 0, 1]);
});
