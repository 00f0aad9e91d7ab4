import { describe, expect, it } from "vitest";
import { agreeOnOneHeart } from "../../../core/cardiac/ensemble.ts";

describe("agreeOnOneHeart", () => {
  it.each([
    ["with similar scores", [9, 9.2, 9.4, 8.9, 9.1]],
    ["if one of four is far off", [9, 14.5, 8.9, 9.1]],
    ["if one of five is far off", [9, 9.2, 14.5, 8.9, 9.1]],
    ["if two of five are far off on opposite sides", [9, 9.2, 14.5, 6.1, 9.1]],
    ["if three of five are within 1 v", [8, 9, 10, 12, 6]],
  ])("accepts members %s", (_, memberVhs) => {
    expect(agreeOnOneHeart(memberVhs)).toBe(true);
  });

  it.each([
    ["that found different hearts", [14.5, 13.6, 11, 7.7, 17.6]],
    ["if three of five are more than 1 v from the median", [7.9, 9, 10.1, 9, 12]],
    ["if two of four are more than 1 v from the median", [7.9, 9.4, 9.2, 11]],
  ])("rejects members %s", (_, memberVhs) => {
    expect(agreeOnOneHeart(memberVhs)).toBe(false);
  });

  it("counts a member without a score as far off", () => {
    expect(agreeOnOneHeart([9, null, 9.1, null, null])).toBe(false);
    expect(agreeOnOneHeart([9, null, 9.1, 9.2, null])).toBe(true);
  });

  it("accepts fewer than three members, and members without scores", () => {
    for (const members of [[9, 14], [9], [null, null, null]]) expect(agreeOnOneHeart(members)).toBe(true);
  });
});
