"""The simulated cats have the published statistics, and folding the calibration changes only the scale of the log-odds.

OMP_NUM_THREADS=1 /usr/bin/python3 -m unittest training.tests.test_usg
"""

import json
import tempfile
import unittest

import numpy as np
import xgboost
from training.usg import cohort as cats
from training.usg.evaluation import area_under_curve
from training.usg.train import PARAMETERS, fold, matrix


class CohortTest(unittest.TestCase):
    cohort = cats.simulate(40_000, 77)

    def test_healthy_cats_concentrate_as_published(self) -> None:
        young = self.cohort.is_healthy & (self.cohort.rows[:, 4] < 120)
        self.assertAlmostEqual(float(self.cohort.usg[young].mean()), 1.049, delta=0.0006)
        self.assertAlmostEqual(float((self.cohort.usg[young] > 1.035).mean()), 0.88, delta=0.01)

    def test_prevalence_is_that_of_tested_cats(self) -> None:
        self.assertTrue(0.45 <= self.cohort.impaired.mean() <= 0.50)

    def test_usg_falls_with_age(self) -> None:
        years = self.cohort.rows[:, 4] / 12
        means = [self.cohort.usg[(years >= low) & (years < high)].mean() for low, high in [(0, 10), (11, 15), (15, 23)]]
        self.assertTrue(means[0] > means[1] > means[2])

    def test_kidney_disease_raises_blood_values_and_lowers_haemoglobin(self) -> None:
        sick, well = (
            self.cohort.rows[self.cohort.has_ckd].mean(axis=0),
            self.cohort.rows[self.cohort.is_healthy].mean(axis=0),
        )
        self.assertTrue(sick[0] > well[0] and sick[1] > well[1] and sick[2] < well[2] and sick[3] < well[3])
        self.assertAlmostEqual(float(well[1]), 1.22, delta=0.15)

    def test_every_value_is_plausible(self) -> None:
        self.assertTrue(np.all((self.cohort.rows >= cats.RANGES[:, 0]) & (self.cohort.rows <= cats.RANGES[:, 1])))

    def test_same_seed_same_cats(self) -> None:
        self.assertTrue(np.array_equal(cats.simulate(100, 5).rows, cats.simulate(100, 5).rows))


class FoldTest(unittest.TestCase):
    def test_folded_log_odds_are_the_affine_of_the_fitted_ones(self) -> None:
        cohort = cats.simulate(2_000, 3)
        fitted = xgboost.train(PARAMETERS, matrix(cohort.rows, cohort.impaired), num_boost_round=30)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(fold(json.loads(fitted.save_raw("json")), 0.9, -0.2), file)
            file.flush()
            folded = xgboost.Booster(model_file=file.name)
        rows = matrix(cohort.rows)
        expected = 0.9 * fitted.predict(rows, output_margin=True) - 0.2
        self.assertLess(float(np.abs(folded.predict(rows, output_margin=True) - expected).max()), 1e-5)


class AreaTest(unittest.TestCase):
    def test_ties_count_half(self) -> None:
        self.assertEqual(area_under_curve(np.array([True, True, False, False]), np.array([0.9, 0.5, 0.5, 0.1])), 0.875)


if __name__ == "__main__":
    unittest.main()
