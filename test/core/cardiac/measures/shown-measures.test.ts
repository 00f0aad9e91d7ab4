import { expect, test } from "vitest";
import type { MeasureValues } from "../../../../core/cardiac/measures/measures.ts";
import { shownMeasures } from "../../../../core/cardiac/measures/read-measures.ts";

test("shows measures of the networks always, others if a reading has them", () => {
  const names = (...readings: Partial<MeasureValues>[]) => shownMeasures(...readings).map(({ name }) => name);
  expect(names()).toEqual(["vhs", "vlas"]);
  expect(names({ vhs: 10, rlad: null })).toEqual(["vhs", "vlas"]);
  expect(names({ vhs: 10 }, { rlad: 1.8 })).toEqual(["vhs", "vlas", "rlad"]);
});
