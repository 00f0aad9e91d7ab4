import { expect, test } from "vitest";
import { filmOfOtherAnimal } from "../../../../core/cardiac/agreement/same-animal.ts";

const hourMs = 3_600_000;
const takenMs = Date.UTC(2026, 10, 20, 9);
const film = { filmId: "a", atMs: takenMs, vhs: 9 };

test.each([
  [12, 1, "b"],
  [5.96, 23, "b"],
  [11.9, 1, null],
  [14, 24, null],
])("another film of %f v taken %i h later is doubted: %s", (vhs, hours, doubted) => {
  const other = { filmId: "b", atMs: takenMs + hours * hourMs, vhs };
  expect(filmOfOtherAnimal(film, [film, other], [])?.filmId ?? null).toBe(doubted);
  expect(filmOfOtherAnimal(other, [film, other], [])?.filmId ?? null).toBe(doubted && "a");
});

test("a confirmed pair is not doubted again, in either order; a third film still is", () => {
  const [other, third] = [
    { filmId: "b", atMs: takenMs + hourMs, vhs: 12.5 },
    { filmId: "c", atMs: takenMs + hourMs, vhs: 13 },
  ];
  for (const pair of [
    { filmId: "a", otherId: "b" },
    { filmId: "b", otherId: "a" },
  ])
    expect([
      filmOfOtherAnimal(film, [film, other], [pair]),
      filmOfOtherAnimal(film, [film, other, third], [pair]),
    ]).toEqual([null, third]);
});
