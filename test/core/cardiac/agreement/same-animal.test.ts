import { expect, test } from "vitest";
import { filmOfOtherAnimal, heartPlace } from "../../../../core/cardiac/agreement/same-animal.ts";
import { movedHeart } from "../../../fixtures/heart-at.ts";

const hourMs = 3_600_000;
const takenMs = Date.UTC(2026, 10, 20, 9);
const place = { direction: 30, depth: 4 };
const film = { filmId: "a", atMs: takenMs, vhs: 9, place };

test.each([
  [12, 1, "b"],
  [5.96, 23, "b"],
  [11.9, 1, null],
  [14, 24, null],
])("doubts a second film of %f v taken %i h later: %s", (vhs, hours, doubted) => {
  const other = { ...film, filmId: "b", atMs: takenMs + hours * hourMs, vhs };
  expect(filmOfOtherAnimal(film, [film, other], [])?.film.filmId ?? null).toBe(doubted);
  expect(filmOfOtherAnimal(other, [film, other], [])?.film.filmId ?? null).toBe(doubted && "a");
});

test.each([
  [9, { direction: 49.5, depth: 4 }, { trait: "direction", here: 30, there: 49.5 }],
  [9, { direction: 49.4, depth: 4.94 }, null],
  [9, { direction: 30, depth: 4.95 }, { trait: "depth", here: 4, there: 4.95 }],
  [12, { direction: 0, depth: 5 }, { trait: "vhs", here: 9, there: 12 }],
  [9, null, null],
])("doubts a film of %f v with the heart at %o because of %o", (vhs, ofOther, difference) => {
  const other = { filmId: "b", atMs: takenMs + hourMs, vhs, place: ofOther };
  expect(filmOfOtherAnimal(film, [film, other], [])).toEqual(difference && { film: other, ...difference });
});

test("skips a confirmed pair in either order, but still doubts a third film", () => {
  const [other, third] = [
    { ...film, filmId: "b", atMs: takenMs + hourMs, vhs: 12.5 },
    { ...film, filmId: "c", atMs: takenMs + hourMs, vhs: 13 },
  ];
  for (const pair of [
    { filmId: "a", otherId: "b" },
    { filmId: "b", otherId: "a" },
  ])
    expect([
      filmOfOtherAnimal(film, [film, other], [pair]),
      filmOfOtherAnimal(film, [film, other, third], [pair])?.film,
    ]).toEqual([null, third]);
});

test("computes direction and depth independent of facing, rotation and size", () => {
  const ruler = Array.from({ length: 8 }, (_, index) => ({ x: 100 + 20 * index, y: 50 }));
  // Base 60 px below the column; the apex 100 px further down and 100 px caudal.
  const heart = {
    heart_top: { x: 120, y: 110 },
    heart_bottom: { x: 220, y: 210 },
    heart_right: { x: 130, y: 180 },
    heart_left: { x: 190, y: 120 },
  };
  const expected = { direction: expect.closeTo(45, 9) as number, depth: expect.closeTo(100 / 20, 9) as number };
  const changes = {
    "as it is": ({ x, y }: { x: number; y: number }) => ({ x, y }),
    mirrored: ({ x, y }: { x: number; y: number }) => ({ x: -x, y }),
    turned: ({ x, y }: { x: number; y: number }) => ({ x: -y, y: x }),
    "upside down": ({ x, y }: { x: number; y: number }) => ({ x, y: -y }),
    larger: ({ x, y }: { x: number; y: number }) => ({ x: 3 * x, y: 3 * y }),
  };
  for (const change of Object.values(changes)) {
    expect(heartPlace(movedHeart(heart, change), ruler.map(change))).toEqual(expected);
  }
  expect(heartPlace(heart, [])).toBeNull();
  expect(heartPlace(heart, [ruler[0]!, ruler[0]!])).toBeNull();
});
