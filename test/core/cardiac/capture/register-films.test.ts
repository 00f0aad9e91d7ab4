import { describe, expect, it } from "vitest";
import { registerFilms, type FilmView } from "../../../../core/cardiac/capture/register-films.ts";
import { reducedPicture } from "../../../../core/cardiac/capture/small-picture.ts";
import type { Point } from "../../../../core/cardiac/points.ts";
import { texturedFilm } from "../../../fixtures/textured-film.ts";

const size = { widthPx: 400, heightPx: 320 };
const places = [0.3, 0.4, 0.5, 0.6, 0.7].flatMap((x) => [0.3, 0.6].map((y): Point => ({ x, y })));

type Crop = { readonly left: number; readonly top: number; readonly size: number; readonly tilt: number };
const toFilm =
  ({ left, top, size: part, tilt }: Crop) =>
  ({ x, y }: Point): Point => {
    const w = 1 + tilt * (x - 0.5);
    return { x: left + (part * x) / w, y: top + (part * y) / w };
  };
const toCrop =
  (crop: Crop) =>
  (place: Point): Point => {
    // Inverts x / w and y / w, where w depends on x only.
    const [u, v] = [(place.x - crop.left) / crop.size, (place.y - crop.top) / crop.size];
    const x = (u * (1 - crop.tilt / 2)) / (1 - crop.tilt * u);
    return { x, y: v * (1 + crop.tilt * (x - 0.5)) };
  };
const inPx = ({ x, y }: Point): Point => ({ x: x * size.widthPx - 0.5, y: y * size.heightPx - 0.5 });

function view(film: number, crop: Crop, change: (level: number, index: number) => number = (level) => level): FilmView {
  const grey = texturedFilm(film, size, toFilm(crop)).map(change);
  const points = places.map(toCrop(crop)).map(inPx);
  const beside = points.map(({ x, y }, index) => ({ x: x + 4 * Math.sin(index), y: y + 4 * Math.cos(3 * index) }));
  return { picture: reducedPicture(grey, size), size, points: beside };
}

const whole: Crop = { left: 0, top: 0, size: 1, tilt: 0 };
const original = view(1, whole);

describe("registering two pictures of a film", () => {
  it.each<[string, number, Crop, (level: number, index: number) => number]>([
    ["an identical crop", 0.01, whole, (level) => level],
    ["a darker crop with more contrast", 0.05, whole, (level) => Math.max(0, 1.3 * level - 60)],
    ["a crop without a tenth at each side", 1, { left: 0.1, top: 0.1, size: 0.8, tilt: 0 }, (level) => level],
    ["a crop beyond the film", 0.3, { left: -0.06, top: -0.04, size: 1.1, tilt: 0 }, (level) => level],
    ["a crop in perspective", 1.25, { left: 0.02, top: 0.05, size: 0.9, tilt: 0.12 }, (level) => level],
    [
      "a crop with glare and noise",
      0.5,
      whole,
      (level, index) => Math.min(255, level + (index % 400) / 5 + ((index * 7919) % 17)),
    ],
  ])("maps points of the whole film to %s within %d px", (_, limitPx, crop, change) => {
    const map = registerFilms(original, view(1, crop, change));
    for (const place of places) {
      const [found, truth] = [map?.(inPx(place)), inPx(toCrop(crop)(place))];
      expect(Math.hypot((found?.x ?? NaN) - truth.x, (found?.y ?? NaN) - truth.y)).toBeLessThan(limitPx);
    }
  });

  it("rejects another film with identical landmarks, a black film and a mirrored film", () => {
    const { widthPx } = original.picture;
    const levels = original.picture.levels.map(
      (_, at, all) => all[at - (at % widthPx) + widthPx - 1 - (at % widthPx)] ?? 0,
    );
    for (const other of [
      view(2, whole),
      view(3, { ...whole, left: 0.1, size: 0.8 }),
      view(1, whole, () => 0),
      { ...original, picture: { ...original.picture, levels } },
    ])
      expect(registerFilms(original, other)).toBeNull();
  });

  it("registers pictures of the same crop without landmarks", () => {
    const map = registerFilms({ ...original, points: [] }, { ...original, points: [] });
    expect(map?.({ x: 100, y: 50 })).toEqual({ x: expect.closeTo(100, 0), y: expect.closeTo(50, 0) });
  });

  it("requires half of the film in both pictures", () => {
    const shared = [0.55, 0.45].map((part) => view(1, { ...whole, left: 1 - part }));
    expect(shared.map((part) => registerFilms(original, part) !== null)).toEqual([true, false]);
    expect(shared.map((part) => registerFilms(part, original) !== null)).toEqual([true, false]);
  });
});
