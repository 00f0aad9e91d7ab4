import { describe, expect, it } from "vitest";
import { comparedIdentifier, faultOfIdentifier, identifier } from "../../core/identifiers.ts";

describe("an identifier", () => {
  it.each(["x", " ", "Bärli 7", "😺".repeat(200), "e\u0301", "\ufffd"])("may be %j", (text) => {
    expect([faultOfIdentifier(text), identifier.parse(text)]).toEqual([null, text]);
  });

  it.each([
    ["", "must not be empty"],
    ["x".repeat(201), "must have at most 200 characters"],
    ["rex \ud83d", "must be well-formed Unicode"],
    ["\udc3erex", "must be well-formed Unicode"],
    ["rex\u0000", "must not contain control characters"],
    ["rex\u007f", "must not contain control characters"],
    ["rex\u009f", "must not contain control characters"],
  ])("may not be %j", (text, fault) => {
    expect([faultOfIdentifier(text), identifier.safeParse(text).success]).toEqual([fault, false]);
  });

  it("is normalised to NFC for comparison", () => {
    expect(["Zoe\u0308", "Zoë", "ﬁ"].map((text) => comparedIdentifier(text))).toEqual(["Zoë", "Zoë", "ﬁ"]);
    expect(comparedIdentifier(null)).toBeNull();
  });
});
