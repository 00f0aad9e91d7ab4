import { expect, test } from "vitest";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { emptyDraft } from "../../../../renderer/film/draft/draft.ts";
import { lineLengths, spacingOf, type Spacing } from "../../../../renderer/film/spacing/spacing.ts";
import { heartAt } from "../../../fixtures/heart-at.ts";

const spacing: Spacing = { columnMm: 0.1, rowMm: 0.2, kind: "imager" };
const filmWith = (said: Spacing | null, rectified: string | null = null) =>
  ({ widthPx: 2000, heightPx: 1000, dicom: { spacing: said }, urls: { rectified } }) as unknown as Film;
const heart = heartAt([100, 50], [100, 250], [50, 150], [130, 150], [130, 90]);
const frame = { widthPx: 1000, heightPx: 500 };

test("measures lengths on the whole film, with the spacing of each direction", () => {
  expect(lineLengths(heart, frame, filmWith(spacing))).toEqual({
    spacing,
    longMm: 80,
    shortMm: 16,
    measuresMm: { vlas: Math.hypot(6, 16) },
  });
});

test("returns null for a line with a missing end", () => {
  const placed = { ...emptyDraft.heart, heart_top: heart.heart_top, heart_bottom: heart.heart_bottom };
  expect(lineLengths(placed, frame, filmWith(spacing))).toEqual({ spacing, longMm: 80, shortMm: null, measuresMm: {} });
});

test("returns no millimetres without spacing or for a rectified photograph", () => {
  expect(
    [filmWith(null), filmWith(spacing, "/app/films/1/rectified"), { ...filmWith(null), dicom: null }].map((film) => [
      spacingOf(film),
      lineLengths(heart, frame, film),
    ]),
  ).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
});
