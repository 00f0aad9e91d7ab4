import { describe, expect, it } from "vitest";
import { doubtfulDirection } from "../../../../core/cardiac/ruler/doubtful-name.ts";

const certain = { cranial: -3, caudal: -3 };

describe("doubtfulDirection", () => {
  it.each([
    ["returns null without evidence for another name", certain, null, null],
    ["returns null if the column network agrees with the chain", certain, { cranial: -0.4, caudal: -2 }, null],
    ["returns the direction in which the chain is uncertain", { cranial: -3, caudal: -1 }, null, "caudal"],
    ["returns it although the column network is certain", { cranial: -1, caudal: -3 }, certain, "cranial"],
    ["returns the direction in which the column network shifts T4", certain, { cranial: 0.3, caudal: -2 }, "cranial"],
    ["adds the evidence if both are uncertain", { cranial: -1, caudal: -1.5 }, { cranial: -2, caudal: 1 }, "caudal"],
  ] as const)("%s", (_, chain, column, direction) => {
    expect(doubtfulDirection(chain, column)).toBe(direction);
  });
});
