import { expect, test } from "vitest";
import { studentT975 } from "../../../../core/cardiac/agreement/student-t.ts";

// Quantiles of the t distribution, from SciPy 1 (scipy.stats.t.ppf).
test.each([
  [1, 12.706205],
  [2, 4.302653],
  [3, 3.182446],
  [4, 2.776445],
  [5, 2.570582],
  [6, 2.446912],
  [8, 2.306004],
  [10, 2.228139],
  [20, 2.085963],
  [60, 2.000298],
  [200, 1.971896],
])("returns the quantile for %i degrees of freedom: %f", (degrees, quantile) =>
  expect(Math.abs(studentT975(degrees) - quantile)).toBeLessThan(0.000005),
);
