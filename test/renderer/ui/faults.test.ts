import { expect, test } from "vitest";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import { faultInWords } from "../../../core/language/failure-in-words.ts";
import { sayIn } from "../../../core/language/say.ts";
import { failureText } from "../../../renderer/state/faults.ts";

const cutOff = failureOf(new AppError("INVALID_DICOM", because("dicomCutOff", { element: "(7FE0,0010)" })));

test("describes a failure by its reason, in each language", () => {
  expect(failureText(cutOff, "en")).toBe("The DICOM file is truncated: element (7FE0,0010) runs past its end");
  expect(failureText(cutOff, "de")).toBe(
    "Die DICOM-Datei ist abgeschnitten: Element (7FE0,0010) reicht über ihr Ende hinaus",
  );
  expect(failureText(failureOf(new AppError("NOT_FOUND", because("packNotFound", { name: "gate-x" }))), "en")).toBe(
    "There is no pack named gate-x",
  );
});

test("names the file before its fault", () => {
  expect(faultInWords({ ...cutOff, name: "b.dcm" }, sayIn("de"))).toBe(
    "b.dcm: Die DICOM-Datei ist abgeschnitten: Element (7FE0,0010) reicht über ihr Ende hinaus",
  );
});

test("never shows the English message of a failure", () => {
  const validator = failureOf(new AppError("INVALID_FIELD", "Invalid field: takenAt (expected string, received null)"));
  expect([failureText(validator, "en"), failureText(validator, "de")]).toEqual([
    "A value is not valid",
    "Eine Angabe ist ungültig",
  ]);
  expect(failureText(failureOf(new AppError("INTERNAL")), "en")).toBe(
    "Something went wrong in Corvet. The details are in the log.",
  );
  expect(failureText({ code: "SOMETHING_NEW", message: "As it comes" }, "en")).toBe(
    "Something went wrong. If it happens again, restart Corvet.",
  );
});

test("keeps the messages of the API specification", () => {
  expect(new AppError("INTERNAL").message).toBe("Internal server error");
  expect(new AppError("MISSING_FIELD", "Missing required field: image").message).toBe("Missing required field: image");
});
