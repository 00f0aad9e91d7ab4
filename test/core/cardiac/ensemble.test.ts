import { describe, expect, it } from "vitest";
import { seeOneHeart } from "../../../core/cardiac/ensemble.ts";

describe("seeOneHeart", () => {
  it.each([
    ["whose scores lie close together", [9, 9.2, 9.4, 8.9, 9.1]],
    ["of whom one of four is far off", [9, 14.5, 8.9, 9.1]],
    ["of whom one is far off", [9, 9.2, 14.5, 8.9, 9.1]],
    ["of whom two are far off, to either side", [9, 9.2, 14.5, 6.1, 9.1]],
    ["of whom three lie within 1 v", [8, 9, 10, 12, 6]],
  ])("believes members %s", (_, memberVhs) => {
    expect(seeOneHeart(memberVhs)).toBe(true);
  });

  it.each([
    ["who each found another heart", [14.5, 13.6, 11, 7.7, 17.6]],
    ["of whom three lie more than 1 v from the middle one", [7.9, 9, 10.1, 9, 12]],
    ["of whom two of four do", [7.9, 9.4, 9.2, 11]],
  ])("does not believe members %s", (_, memberVhs) => {
    expect(seeOneHeart(memberVhs)).toBe(false);
  });

  it("counts a member without a score as one that sees something else", () => {
    expect(seeOneHeart([9, null, 9.1, null, null])).toBe(false);
    expect(seeOneHeart([9, null, 9.1, 9.2, null])).toBe(true);
  });

  it("accepts two members, and members without scores", () => {
    expect([seeOneHeart([9, 14]), seeOneHeart([9]), seeOneHeart([null, null, null])]).toEqual([true, true, true]);
  });
});
