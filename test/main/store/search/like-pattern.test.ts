// Runs once: uses no store.
import { expect, test } from "vitest";
import { likePattern } from "../../../../main/store/search/like-pattern.ts";

test("escapes wildcards", () => {
  expect(likePattern(" 50%_\\ Müller ")).toBe("%50\\%\\_\\\\ muller%");
});

test("matches every text for an empty search", () => {
  expect(likePattern("  ")).toBe("%%");
});
