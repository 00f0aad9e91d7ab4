import { expect, test } from "vitest";
import { axisLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import { heartPointNames, placedHeart } from "../../../../core/cardiac/measures/placed-heart.ts";

const point = (name: string) => ({ x: heartPointNames.findIndex((known) => known === name), y: 7 });

test("contains every placed point", () =>
  expect(placedHeart(point)).toEqual(Object.fromEntries(heartPointNames.map((name) => [name, point(name)]))));

test.each(axisLandmarkNames)("returns null without %s", (missing) =>
  expect(placedHeart((name) => (name === missing ? null : point(name)))).toBeNull(),
);

test("has null for a missing point of the networks, and omits a missing one of a person", () => {
  const axes = Object.fromEntries(axisLandmarkNames.map((name) => [name, point(name)]));
  expect(placedHeart((name) => axes[name])).toStrictEqual({ ...axes, VLAS: null });
});
