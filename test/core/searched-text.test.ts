import { expect, test } from "vitest";
import { searchedText } from "../../core/searched-text.ts";

test("normalises all spellings of a name to the same text", () => {
  for (const names of [
    ["Müller", "MÜLLER", "Mueller", "MUELLER", "muller", "Mu\u0308ller"],
    ["Schröder", "Schroeder", "Schroder"],
    ["Groß", "GROSS", "gross"],
    ["Éléonore", "eleonore"],
    ["Łukasz", "lukasz"],
  ])
    expect([...new Set(names.map(searchedText))]).toHaveLength(1);
});

test("matches partial names", () => {
  for (const typed of ["mull", "MUE", "mü", "ller"]) expect(searchedText("Müller")).toContain(searchedText(typed));
});

test("keeps digits and punctuation", () => {
  expect(searchedText("P-4711 / 276 09%")).toBe("p-4711 / 276 09%");
});
