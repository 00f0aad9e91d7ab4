import { describe, expect, it } from "vitest";
import type { Corners } from "../../../../core/cardiac/points.ts";
import { filmOnScreen } from "../../../../main/inference/screens/film-on-screen.ts";

const [widthPx, heightPx] = [1000, 600];
const screen = { grey: new Uint8Array(widthPx * heightPx).fill(90), widthPx, heightPx };

const corners = (...places: readonly (readonly [number, number])[]) =>
  places.map(([x, y]) => ({ x, y })) as unknown as Corners;
const upright = corners([200, 100], [799, 100], [799, 499], [200, 499]);

describe("a film on a screen", () => {
  it("is extracted, and the picture around it is black", () => {
    const { film, alone } = filmOnScreen(screen, upright)!;
    expect(film).toMatchObject({ widthPx: 600, heightPx: 400, begins: { x: 200, y: 100 } });
    expect(film.grey.every((level) => level === 90)).toBe(true);
    const at = (x: number, y: number) => alone.grey[y * widthPx + x];
    expect([at(200, 100), at(799, 499), at(199, 100), at(200, 99), at(800, 499), at(799, 500)]).toEqual([
      90, 90, 0, 0, 0, 0,
    ]);
    expect(screen.grey[0]).toBe(90);
  });

  it.each([
    ["one oblique side", corners([200, 100], [799, 160], [799, 499], [200, 499])],
    ["the animal upside down", corners([799, 499], [200, 499], [200, 100], [799, 100])],
    ["corners slightly outside the picture", corners([-2, 100], [1002, 100], [1002, 601], [-2, 601])],
  ])("is extracted with %s, in the extent of its corners", (_, found) => {
    const { film } = filmOnScreen(screen, found)!;
    const [xs, ys] = [found.map(({ x }) => x), found.map(({ y }) => y)];
    expect([film.widthPx, film.heightPx]).toEqual([
      Math.min(Math.max(...xs), widthPx - 1) - Math.max(Math.min(...xs), 0) + 1,
      Math.min(Math.max(...ys), heightPx - 1) - Math.max(Math.min(...ys), 0) + 1,
    ]);
  });

  it.each([
    ["slightly rotated", corners([200, 110], [795, 100], [799, 490], [204, 499])],
    ["seen from below", corners([220, 100], [780, 100], [799, 499], [200, 499])],
    ["on its side", corners([200, 499], [200, 100], [799, 100], [799, 499])],
  ])("is not extracted if it is %s, as in a photograph", (_, found) => {
    expect(filmOnScreen(screen, found)).toBeNull();
  });
});
