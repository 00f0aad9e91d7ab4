import { expect, test } from "vitest";
import { failureText } from "../../../renderer/state/faults.ts";

test("a failure is said in the language of the interface and keeps what it names", () => {
  expect(failureText({ code: "INVALID_IMAGE", message: "Image could not be decoded" }, "de")).toBe(
    "Das Bild ist beschädigt und lässt sich nicht lesen",
  );
  expect(failureText({ code: "INVALID_FIELD", message: "Invalid field: takenAt" }, "de")).toBe(
    "Eine Angabe ist ungültig: takenAt",
  );
  expect(failureText({ code: "CONFLICT", message: "Reading 7 is newer" }, "de")).toBe(
    "Inzwischen von jemand anderem geändert (Reading 7 is newer)",
  );
  expect(failureText({ code: "INVALID_IMAGE", message: "Image could not be decoded" }, "en")).toBe(
    "Image could not be decoded",
  );
  expect(failureText({ code: "SOMETHING_NEW", message: "As it comes" }, "de")).toBe("As it comes");
});
