import { expect, test } from "vitest";
import { axisLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import { heartPointNames, placedHeart } from "../../../../core/cardiac/measures/placed-heart.ts";

const point = (name: string) => ({ x: heartPointNames.findIndex((known) => known === name), y: 7 });

test("contains every placed point", () =>
  expect(placedHeart(point)).toEqual(Object.fromEntries(heartPointNames.map((name) => [name, point(name)]))));

test.each(axisLandmarkNames)("returns null without %s", (missing) =>
  expect(placedHeart((name) => (name === missing ? null : point(name)))).toBeNull(),
);
