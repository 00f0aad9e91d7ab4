import { expect, it } from "vitest";
import { edgeBlurPx } from "../../../../main/inference/landmarks/edge-blur.ts";

const side = 128;
const film = { widthPx: side, heightPx: side };
const wholeFilm = { matrix: [1, 0, 0, 1], offset: [0, 0] } as const;

/** Integral of the Gaussian up to x standard deviations (Bowling 2009, error at most 0.0002). */
const gaussianIntegral = (x: number) => 1 / (1 + Math.exp(-(1.5976 * x + 0.07056 * x ** 3)));

const disc = (blurPx: number, noise = 0) =>
  Float32Array.from({ length: side * side }, (_, at) => {
    const distance = 36 - Math.hypot((at % side) - 64, Math.floor(at / side) - 64);
    return 0.2 + 0.5 * gaussianIntegral(distance / blurPx) + noise * Math.sin(at * 12.9898 + (at % 7) * 78.233);
  });

it.each([1.5, 3, 5])("estimates a blur of %d px, to which the blur of the method itself adds", (blurPx) => {
  const measured = edgeBlurPx(disc(blurPx), side, wholeFilm, film);
  expect(Math.abs(measured / Math.hypot(blurPx, 0.8) - 1)).toBeLessThan(0.15);
});

it("increases with the blur despite noise", () => {
  const [sharp, soft, softest] = [1, 2.5, 4].map((blurPx) => edgeBlurPx(disc(blurPx, 0.01), side, wholeFilm, film));
  expect(soft).toBeGreaterThan(1.3 * (sharp as number));
  expect(softest).toBeGreaterThan(1.2 * (soft as number));
});

it("ignores the film's border, which is sharp even in a blurred photograph", () => {
  const widthPx = 120;
  const cut = disc(4).map((value, at) => (at % side < widthPx ? value : 0));
  expect(edgeBlurPx(cut, side, wholeFilm, { ...film, widthPx })).toBeCloseTo(
    edgeBlurPx(disc(4), side, wholeFilm, film),
    0,
  );
});

it("returns a large blur without edges, and without a film in the view", () => {
  const flat = new Float32Array(side * side).fill(0.5);
  for (const view of [flat, disc(2)])
    expect(edgeBlurPx(view, side, wholeFilm, { widthPx: view === flat ? side : 1, heightPx: side })).toBeGreaterThan(
      20,
    );
});
