import { describe, expect, it } from "vitest";
import { repeatErrorsOf, type Repeatability } from "../../../../core/cardiac/agreement/repeatability.ts";

const repeatability: Repeatability = {
  errors: [
    { kind: "direct", widthUpToPx: 200, tier: null, vhsError: 0.4, vlasError: 0.2 },
    { kind: "direct", widthUpToPx: null, tier: "optimal", vhsError: 0.1, vlasError: 0.05 },
    { kind: "direct", widthUpToPx: null, tier: null, vhsError: 0.3, vlasError: 0.15 },
  ],
};

describe("repeatErrorsOf", () => {
  it.each([
    ["a small film", { kind: "direct", widthPx: 200, tier: "optimal" }, { vhs: 0.4, vlas: 0.2 }],
    ["a film of a tier with a row", { kind: "direct", widthPx: 201, tier: "optimal" }, { vhs: 0.1, vlas: 0.05 }],
    ["a film of another tier", { kind: "direct", widthPx: 800, tier: "review" }, { vhs: 0.3, vlas: 0.15 }],
    ["a kind without a row", { kind: "photograph", widthPx: 800, tier: "good" }, null],
  ] as const)("uses the first matching row for %s", (_, film, errors) =>
    expect(repeatErrorsOf(repeatability, film)).toEqual(errors),
  );

  it.each([null, undefined])("returns null for a pack without errors (%s)", (none) =>
    expect(repeatErrorsOf(none, { kind: "direct", widthPx: 800, tier: "good" })).toBeNull(),
  );
});
