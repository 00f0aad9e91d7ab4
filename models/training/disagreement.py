"""Fits the error expected by the networks' disagreement: `training.disagreement` of a pack, from which its tiers follow
(core/cardiac/disagreement.ts).

  python3 -m training.disagreement --pack packs/landmarks-corvet --simulated runs/simulated.jsonl \
      --check runs/left-out.jsonl --write

Records come from `training.evaluate --records` on simulated films, of which there are many and whose truth is exact.
`spread` follows the rule, so measure the films again afterwards. For --check, only the area under the risk-coverage
curve is printed, with three bounds: no order (the mean error), the best order that a prediction could give
(`predictable_area`), and the order by the errors themselves (ideal).
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize, nnls
from scipy.stats import norm

from .calibrate import errors_of, read_records
from .figures import risk_coverage_area

FIGURES = ("votes_apart", "looks_apart")
GOOD_FROM, REVIEW_FROM = 0.75, 0.97
"""Shares of the simulated films below the limits of the tiers. Real films disagree more."""


def figures_of(records: list[dict[str, Any]]) -> np.ndarray:
    """A constant and FIGURES of every record [n, 3]; NaN where too few networks had a score."""
    return np.array([[1.0, *(record.get(name) for name in FIGURES)] for record in records], dtype=float)


def known_errors(records: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], np.ndarray]:
    """Records with an error and all of FIGURES, and their errors [v]."""
    pairs = [
        (record, error)
        for record, error in errors_of(records, "vhs")
        if all(record.get(name) is not None for name in FIGURES)
    ]
    return [record for record, _ in pairs], np.array([error for _, error in pairs])


def fitted(records: list[dict[str, Any]]) -> dict[str, float]:
    """Rule by non-negative least squares, and its limits [v]."""
    known, errors = known_errors(records)
    figures = figures_of(known)
    weights, _ = nnls(figures, errors)
    good, review = np.quantile(figures @ weights, (GOOD_FROM, REVIEW_FROM))
    rule = {name: round(float(weight), 3) for name, weight in zip(("atRest", "votes", "looks"), weights)}
    return {**rule, "goodFrom": round(float(good), 2), "reviewFrom": round(float(review), 2)}


def expected_errors(rule: dict[str, float], records: list[dict[str, Any]]) -> np.ndarray:
    return figures_of(records) @ np.array([rule[name] for name in ("atRest", "votes", "looks")])


def predictable_area(errors: np.ndarray, draws: int = 200_000) -> float:
    """Area under the risk-coverage curve [v] if the scale of each film's error were known, but not the error itself.

    Errors are modelled as normal with log-normally distributed scales, fitted by maximum likelihood. No prediction from
    the picture can do better than order the films by these scales.
    """
    steps = np.linspace(-4, 4, 81)
    weights = norm.pdf(steps) / norm.pdf(steps).sum()

    def surprise(parameters: np.ndarray) -> float:
        scales = np.exp(parameters[0] + abs(parameters[1]) * steps)
        density = (2 * norm.pdf(errors[:, None] / scales) / scales) @ weights
        return -float(np.log(density).mean())

    start = [np.log(errors.mean()), 0.5]
    centre, width = minimize(surprise, start, method="Nelder-Mead").x
    rng = np.random.default_rng(0)
    scales = np.exp(centre + width * rng.normal(size=draws))
    return risk_coverage_area(np.abs(rng.normal(size=draws)) * scales, scales)


def area_text(rule: dict[str, float], records: list[dict[str, Any]]) -> str:
    known, errors = known_errors(records)
    expected = expected_errors(rule, known)
    area, ideal = risk_coverage_area(errors, expected), risk_coverage_area(errors, errors)
    share = float(np.mean(expected >= rule["reviewFrom"]))
    bounds = f"ideal {ideal:.3f}, predictable {predictable_area(errors):.3f}, mean error {errors.mean():.3f}"
    unknown = len(errors_of(records, "vhs")) - len(errors)
    return f"{len(errors)} films ({unknown} without figures): area {area:.3f} v ({bounds}), review {share:.0%}"


def fit(a: argparse.Namespace) -> None:
    simulated = read_records(a.simulated)
    rule = fitted(simulated)
    print(json.dumps(rule))
    print("simulated,", area_text(rule, simulated))
    for path in a.check:
        print(f"{Path(path).name},", area_text(rule, read_records([path])))
    if a.write:
        path = Path(a.pack) / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["calibration"]["disagreement"] = rule
        path.write_text(json.dumps(manifest, indent=2) + "\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.disagreement", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", help="pack whose manifest --write fills; it has intervals already")
    parser.add_argument("--simulated", nargs="+", required=True, help="records of simulated films, never trained on")
    parser.add_argument("--check", nargs="*", default=[], help="records of other films")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    fit(parse())
