import fc from "fast-check";
import { expect, it } from "vitest";
import { compareVersions, isVersion } from "../../../core/updates/version.ts";

/** Ascending order according to semver.org. */
const ordered = [
  "0.9.9",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.1",
  "1.2.0",
  "1.10.0",
  "2.0.0",
];

it("ignores build metadata", () => {
  expect(compareVersions("1.0.0+a", "1.0.0+b")).toBe(0);
});

it("orders versions according to the standard", () => {
  const version = fc.constantFrom(...ordered);
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(ordered.indexOf(a) - ordered.indexOf(b)));
      expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
    }),
  );
});

it.each(["", "1", "1.0", "v1.0.0", "1.0.0-", "1.0.0.0", "1.0.0 ", "a.b.c"])("rejects %j", (text) => {
  expect(isVersion(text)).toBe(false);
  expect(() => compareVersions(text, "1.0.0")).toThrow(RangeError);
});
