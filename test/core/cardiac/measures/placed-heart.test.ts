import { expect, test } from "vitest";
import { axisLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import { heartPointNames, placedHeart } from "../../../../core/cardiac/measures/placed-heart.ts";

const point = (name: string) => ({ x: heartPointNames.findIndex((known) => known === name), y: 7 });

test("a heart has every point that is placed", () =>
  expect(placedHeart(point)).toEqual(Object.fromEntries(heartPointNames.map((name) => [name, point(name)]))));

test.each(axisLandmarkNames)("there is no heart without %s", (missing) =>
  expect(placedHeart((name) => (name === missing ? null : point(name)))).toBeNull(),
);
