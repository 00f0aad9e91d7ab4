import { describe, expect, it } from "vitest";
import { seeOneHeart } from "../../../core/cardiac/ensemble.ts";

describe("seeOneHeart", () => {
  it.each([
    ["scores close together", [9, 9.2, 9.4, 8.9, 9.1], true],
    ["one member far off", [9, 9.2, 14.5, 8.9, 9.1], true],
    ["two far off, to either side", [9, 9.2, 14.5, 6.1, 9.1], true],
    ["half of them at most 1 v from the middle one", [8, 9, 10, 12, 6], true],
    ["every member another heart", [14.5, 13.6, 11, 7.7, 17.6], false],
    ["three far from the middle one", [7.9, 9, 10.1, 9, 12], false],
  ])("%s", (_, memberVhs, isOne) => {
    expect(seeOneHeart(memberVhs, 5)).toBe(isOne);
  });

  it("counts a member without a score as one that sees something else", () => {
    expect(seeOneHeart([9, 9.1], 5)).toBe(false);
    expect(seeOneHeart([9, 9.1, 9.2], 5)).toBe(true);
  });

  it("does not judge where nobody can be outvoted, or nobody has a score", () => {
    expect([seeOneHeart([9, 14], 2), seeOneHeart([9], 1), seeOneHeart([], 5)]).toEqual([true, true, true]);
  });
});
