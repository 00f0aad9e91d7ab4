import { expect, test } from "vitest";
import { resultCodeOf, tierOfCode } from "../../../core/cardiac/result-codes.ts";

test.each([
  [1, "optimal"],
  [2, "good"],
  [3, "review"],
  [4, "review"],
  [null, "review"],
] as const)("maps code %s to tier %s", (code, tier) => expect(tierOfCode(code)).toBe(tier));

test.each(["optimal", "good", "review"] as const)("maps the code of a measured film back to tier %s", (tier) =>
  expect(tierOfCode(resultCodeOf(10, 2, tier))).toBe(tier),
);
