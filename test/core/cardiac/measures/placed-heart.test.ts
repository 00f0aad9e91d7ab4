import { expect, test } from "vitest";
import { axisLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import type { MeasureValues } from "../../../../core/cardiac/measures/measures.ts";
import { heartPointNames, placedHeart } from "../../../../core/cardiac/measures/placed-heart.ts";
import { shownMeasures } from "../../../../core/cardiac/measures/read-measures.ts";

const point = (name: string) => ({ x: heartPointNames.findIndex((known) => known === name), y: 7 });

test("a heart has every point that is placed", () =>
  expect(placedHeart(point)).toEqual(Object.fromEntries(heartPointNames.map((name) => [name, point(name)]))));

test.each(axisLandmarkNames)("there is no heart without %s", (missing) =>
  expect(placedHeart((name) => (name === missing ? null : point(name)))).toBeNull(),
);

test("measures of the networks are always displayed, others where a reading has them", () => {
  const names = (...readings: Partial<MeasureValues>[]) => shownMeasures(...readings).map(({ name }) => name);
  expect(names()).toEqual(["vhs", "vlas"]);
  expect(names({ vhs: 10, rlad: null })).toEqual(["vhs", "vlas"]);
  expect(names({ vhs: 10 }, { rlad: 1.8 })).toEqual(["vhs", "vlas", "rlad"]);
});
