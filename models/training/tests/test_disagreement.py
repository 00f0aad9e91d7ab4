"""The expected error by disagreement, and the area under the risk-coverage curve."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from training import disagreement
from training.figures import describe, risk_coverage_area, table_rows


def drawn(seed: int, count: int) -> list[dict]:
    """Films with a mean error of 0.05 v plus twice the deviation of votes plus a fifth of that of looks."""
    rng = np.random.default_rng(seed)
    apart = rng.exponential((0.04, 0.3), (count, 2))
    scale = 0.05 + apart @ [2.0, 0.2]
    errors = rng.exponential(scale) * rng.choice([-1, 1], count)
    return [
        {"vhs": 10 + error, "vhs_truth": 10.0, "votes_apart": votes, "looks_apart": looks}
        for error, (votes, looks) in zip(errors, apart)
    ]


class Disagreement(unittest.TestCase):
    def test_recovers_the_rule_behind_the_errors(self) -> None:
        rule = disagreement.fitted(drawn(1, 20_000))
        self.assertAlmostEqual(rule["atRest"], 0.05, delta=0.01)
        self.assertAlmostEqual(rule["votes"], 2.0, delta=0.15)
        self.assertAlmostEqual(rule["looks"], 0.2, delta=0.02)

    def test_limits_are_shares_of_the_simulated_films(self) -> None:
        films = drawn(2, 4_000)
        rule = disagreement.fitted(films)
        expected = disagreement.expected_errors(rule, films)
        self.assertAlmostEqual(float(np.mean(expected < rule["goodFrom"])), disagreement.GOOD_FROM, delta=0.02)
        self.assertAlmostEqual(float(np.mean(expected < rule["reviewFrom"])), disagreement.REVIEW_FROM, delta=0.01)

    def test_gives_no_figure_a_negative_weight(self) -> None:
        films = [{**film, "looks_apart": 1 / (0.1 + abs(film["vhs"] - 10))} for film in drawn(3, 500)]
        self.assertEqual(disagreement.fitted(films)["looks"], 0)

    def test_a_film_without_votes_has_no_expected_error(self) -> None:
        rule = {"atRest": 0.1, "votes": 2.0, "looks": 0.5}
        records = [{"votes_apart": None, "looks_apart": 0.2}, {"votes_apart": 0.1, "looks_apart": 0.2}]
        np.testing.assert_allclose(disagreement.expected_errors(rule, records), [np.nan, 0.4])

    def test_films_without_votes_count_neither_in_the_rule_nor_in_the_area(self) -> None:
        films = drawn(5, 400)
        silent = {"vhs": 15.0, "vhs_truth": 10.0, "votes_apart": None, "looks_apart": 0.1}
        rule = disagreement.fitted(films)
        self.assertEqual(disagreement.fitted([*films, silent]), rule)
        area = disagreement.area_text(rule, films)
        expected = area.replace("(0 without figures)", "(1 without figures)")
        self.assertEqual(disagreement.area_text(rule, [*films, silent]), expected)

    def test_estimates_the_best_area_that_a_prediction_could_reach(self) -> None:
        rng = np.random.default_rng(6)
        scales = np.exp(-1.7 + 0.5 * rng.normal(size=20_000))
        errors = np.abs(rng.normal(size=len(scales))) * scales
        known = risk_coverage_area(errors, scales)
        self.assertAlmostEqual(disagreement.predictable_area(errors), known, delta=0.02 * known)
        even = np.abs(rng.normal(size=20_000)) * 0.2
        self.assertAlmostEqual(disagreement.predictable_area(even), even.mean(), delta=0.03 * even.mean())

    def test_writes_the_rule_into_the_calibration(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            records, manifest = Path(folder) / "films.jsonl", Path(folder) / "manifest.json"
            films = drawn(4, 200)
            records.write_text("".join(json.dumps(film) + "\n" for film in films))
            manifest.write_text(json.dumps({"calibration": {"coverage": 0.8}}))
            disagreement.fit(
                disagreement.parse(["--pack", folder, "--simulated", str(records), "--check", str(records), "--write"])
            )
            written = json.loads(manifest.read_text())["calibration"]
        self.assertEqual(written, {"coverage": 0.8, "disagreement": disagreement.fitted(films)})


class RiskCoverage(unittest.TestCase):
    errors = np.array([0.1, 0.2, 0.6])

    def test_is_the_mean_risk_over_all_shares(self) -> None:
        self.assertAlmostEqual(risk_coverage_area(self.errors, np.array([1, 2, 3])), (0.1 + 0.15 + 0.3) / 3)
        self.assertAlmostEqual(risk_coverage_area(self.errors, np.array([3, 2, 1])), (0.6 + 0.4 + 0.3) / 3)

    def test_is_the_mean_error_without_information(self) -> None:
        self.assertAlmostEqual(risk_coverage_area(self.errors, np.zeros(3)), self.errors.mean())

    def test_is_a_row_of_the_table(self) -> None:
        films = [
            {"file": str(spread), "width": 600, "tier": "good", "vhs": 10 + error, "vhs_truth": 10.0, "vlas": None,
             "spread": spread}
            for spread, error in zip((0.001, 0.002, 0.003), self.errors)
        ]  # fmt: skip
        rows = dict(table_rows(describe(films)))
        name = "area under the risk-coverage curve by spread (no information, ideal) [v]"
        self.assertEqual(rows[name], "0.183 (0.300, 0.183)")
        photographs = describe([{**film, "spread": None} for film in films])
        self.assertNotIn(name, dict(table_rows(photographs)))


class SlopeOfVlas(unittest.TestCase):
    def test_is_below_one_where_scores_shrink_to_the_mean(self) -> None:
        truths = np.linspace(1.0, 4.0, 31)
        films = [
            {"file": str(truth), "width": 600, "tier": "good", "vhs": 10.0, "vhs_truth": 10.0, "spread": 0.003,
             "vlas": 2 + 0.5 * (truth - 2) if 1.2 <= truth <= 3.6 else truth, "vlas_truth": truth}
            for truth in truths
        ]  # fmt: skip
        self.assertAlmostEqual(describe(films)["vlas_slope"]["value"], 0.5)
        self.assertNotIn("vlas_slope", describe(films[:9]))


if __name__ == "__main__":
    unittest.main()
