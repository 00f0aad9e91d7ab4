import { expect, test } from "vitest";
import { keepUnits } from "../../../core/language/keep-units.ts";

test("joins a number and its unit without a line break, and keeps other spaces", () => {
  expect(keepUnits("scatter by 0.24 v (SD), above 0.19 v.")).toBe("scatter by 0.24\u00a0v (SD), above 0.19\u00a0v.");
  expect(keepUnits("plausibel: 1–300 mg/dL, 95 % von 12 mm²")).toBe(
    "plausibel: 1–300\u00a0mg/dL, 95\u00a0% von 12\u00a0mm²",
  );
  expect(keepUnits("moyenne ± 2 ET")).toBe("moyenne ± 2\u00a0ET");
  expect(keepUnits("2 vertebrae, 3 secrets, T4 via v 5")).toBe("2 vertebrae, 3 secrets, T4 via v 5");
});
