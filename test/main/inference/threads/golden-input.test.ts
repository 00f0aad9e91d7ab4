import { expect, it } from "vitest";
import { goldenInput } from "../../../../main/inference/threads/golden-input.ts";

it("generates the same input as the training code", () => {
  // The first values from Python for seed 7 and rows of 4.
  const expected = [0.1193904, 0.5817466, 0.5562458, 0.8384907, 0.0246706, 0.5528918];
  goldenInput(7, [1, 1, 2, 4])
    .subarray(0, 6)
    .forEach((value, index) => expect(value).toBeCloseTo(expected[index] as number, 6));
  expect(goldenInput(7, [1, 1, 2, 4])).toHaveLength(8);
});
