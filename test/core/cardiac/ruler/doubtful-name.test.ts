import { describe, expect, it } from "vitest";
import { doubtfulDirection } from "../../../../core/cardiac/ruler/doubtful-name.ts";

const certain = { cranial: -3, caudal: -3 };

describe("doubtfulDirection", () => {
  it.each([
    ["nobody speaks for another name", certain, null, null],
    ["the column agrees with the chain", certain, { cranial: -0.4, caudal: -2 }, null],
    ["the chain hesitates", { cranial: -3, caudal: -1 }, null, "caudal"],
    ["the chain hesitates, though the column does not", { cranial: -1, caudal: -3 }, certain, "cranial"],
    ["the column would name another vertebra T4", certain, { cranial: 0.3, caudal: -2 }, "cranial"],
    ["both hesitate: more speaks for caudal", { cranial: -1, caudal: -1.5 }, { cranial: -2, caudal: 1 }, "caudal"],
  ] as const)("%s", (_, chain, column, direction) => {
    expect(doubtfulDirection(chain, column)).toBe(direction);
  });
});
