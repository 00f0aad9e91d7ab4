"""Trains the urine screening pack on simulated cats and writes models/packs/usg-corvet.

    OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive /usr/bin/python3 -m training.usg.train

Fit on one cohort, calibrate on a second, evaluate on a third; nothing is chosen on the third. The same seeds give the
same file.
"""

import argparse
import hashlib
import json
from datetime import date
from pathlib import Path

import numpy as np
import xgboost

from .card import write_card
from .cohort import FEATURES, RANGES, SG_CUTOFF, Cohort, simulate
from .evaluation import calibration_plot, evaluate

MODEL_VERSION = "1.5a-corvet.1"
PACK_VERSION = "2026.11.1"
# The service's published decision threshold.
THRESHOLD_IMPAIRED = 0.3496
COHORTS = {"fit": (40_000, 101), "calibrate": (8_000, 202), "evaluate": (20_000, 303)}
# Monotone: BUN, creatinine and age raise the risk, haemoglobin lowers it; lymphocytes are unconstrained.
MONOTONE = (1, 1, -1, 0, 1)
PARAMETERS = {
    "objective": "binary:logistic",
    "base_score": 0.5,
    "tree_method": "hist",
    "max_depth": 3,
    "eta": 0.03,
    "subsample": 0.7,
    "min_child_weight": 40,
    "monotone_constraints": str(MONOTONE),
    "nthread": 1,
    "seed": 7,
}
ROUNDS = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pack", type=Path, default=Path("models/packs/usg-corvet"))
    parser.add_argument("--vectors", type=Path, default=Path("test/models/usg/xgboost-vectors.json"))
    options = parser.parse_args()

    fitted = fit(simulate(*COHORTS["fit"]))
    slope, intercept = calibration(fitted, simulate(*COHORTS["calibrate"]))
    folded = fold(json.loads(fitted.save_raw("json")), slope, intercept)
    options.pack.mkdir(parents=True, exist_ok=True)
    model_file = options.pack / "model.json"
    model_file.write_text(json.dumps(folded, separators=(",", ":")) + "\n")

    booster = xgboost.Booster(model_file=str(model_file))
    held_out = simulate(*COHORTS["evaluate"])
    probability = booster.predict(matrix(held_out.rows)).astype(float)
    figures = evaluate(held_out, probability, THRESHOLD_IMPAIRED) | {
        "calibrationSlope": round(slope, 4),
        "calibrationIntercept": round(intercept, 4),
    }
    calibration_plot(held_out.impaired, probability, THRESHOLD_IMPAIRED, options.pack / "calibration.png")
    write_manifest(options.pack, figures, held_out.rows, booster)
    write_card(options.pack / "CARD.md", figures)
    write_vectors(options.vectors, booster, held_out.rows)
    print(json.dumps(figures, indent=2))


def matrix(rows: np.ndarray, labels: np.ndarray | None = None) -> xgboost.DMatrix:
    return xgboost.DMatrix(rows, label=labels, feature_names=FEATURES, nthread=1)


def fit(cohort: Cohort) -> xgboost.Booster:
    return xgboost.train(PARAMETERS, matrix(cohort.rows, cohort.impaired), num_boost_round=ROUNDS)


def calibration(booster: xgboost.Booster, cohort: Cohort) -> tuple[float, float]:
    """Slope and intercept that calibrate the log-odds on cats not used for the trees: logistic regression on one
    variable, by Newton's method.
    """
    margin = booster.predict(matrix(cohort.rows), output_margin=True).astype(float)
    design = np.column_stack([margin, np.ones(len(margin))])
    weights = np.array([1.0, 0.0])
    for _ in range(25):
        probability = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (cohort.impaired - probability)
        curvature = (design * (probability * (1 - probability))[:, None]).T @ design
        weights = weights + np.linalg.solve(curvature, gradient)
    if weights[0] <= 0:
        raise ValueError("calibration would invert the model")
    return float(weights[0]), float(weights[1])


def fold(document: dict, slope: float, intercept: float) -> dict:
    """Folds the affine calibration of log-odds into the trees: scales the leaves and moves the base score, so that
    programs that read the model need no calibration.
    """
    parameters = document["learner"]["learner_model_param"]
    base = float(parameters["base_score"])
    moved = 1 / (1 + np.exp(-(slope * np.log(base / (1 - base)) + intercept)))
    parameters["base_score"] = f"{np.float32(moved):.9g}"
    for tree in document["learner"]["gradient_booster"]["model"]["trees"]:
        for node, left in enumerate(tree["left_children"]):
            tree["base_weights"][node] = single(tree["base_weights"][node] * slope)
            if left == -1:
                tree["split_conditions"][node] = single(tree["split_conditions"][node] * slope)
    return document


def single(value: float) -> float:
    """The shortest number that reads back as the same float32."""
    return float(str(np.float32(value)))


def write_manifest(pack: Path, figures: dict, rows: np.ndarray, booster: xgboost.Booster) -> None:
    golden = rows[:8]
    manifest = {
        "format": 1,
        "kind": "usg",
        "name": "usg-corvet",
        "version": PACK_VERSION,
        "modelVersion": MODEL_VERSION,
        "members": [{"file": "model.json", "sha256": hashlib.sha256((pack / "model.json").read_bytes()).hexdigest()}],
        "input": {"name": "row", "dtype": "float32", "shape": [1, len(FEATURES)]},
        "outputs": [{"name": "log_odds", "dtype": "float32", "shape": [1]}],
        "decoding": {"features": FEATURES, "thresholdImpaired": THRESHOLD_IMPAIRED, "sgCutoff": SG_CUTOFF},
        "golden": {
            "rows": golden.tolist(),
            "logOdds": [round(float(value), 6) for value in booster.predict(matrix(golden), output_margin=True)],
            "tolerance": 1e-4,
        },
        "training": {
            "statement": "Fitted, calibrated and evaluated on simulated cats only; no real cat was involved.",
            "data": [f"simulated cohort, {count} cats ({part})" for part, (count, _) in COHORTS.items()],
            "seeds": [seed for _, seed in COHORTS.values()] + [PARAMETERS["seed"]],
            "date": date.today().isoformat(),
            "machine": "1 CPU core",
            "code": "models/training/usg",
        },
        "evaluation": figures,
        "licence": "MIT",
        "clinicallyValidated": False,
    }
    (pack / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def write_vectors(path: Path, booster: xgboost.Booster, rows: np.ndarray) -> None:
    """Rows with XGBoost's log-odds and contributions (bias last), some with missing values, for the tests."""
    sample = rows[:300].copy()
    missing = np.random.default_rng(5).random(sample.shape) < np.where(np.arange(len(sample)) < 200, 0.0, 0.3)[:, None]
    sample[missing] = np.nan
    # Rows exactly on a threshold show that values are compared in single precision.
    splits = [
        (tree["split_indices"][0], tree["split_conditions"][0])
        for tree in json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"][:40]
    ]
    for row, (feature, threshold) in enumerate(splits):
        sample[row, feature] = threshold
    contributions = booster.predict(matrix(sample), pred_contribs=True)
    log_odds = booster.predict(matrix(sample), output_margin=True)
    vectors = {
        "xgboost": xgboost.__version__,
        "features": FEATURES,
        "rows": [[None if np.isnan(value) else value for value in row] for row in sample.tolist()],
        "logOdds": [float(f"{value:.9g}") for value in log_odds],
        "contributions": [[float(f"{value:.9g}") for value in row] for row in contributions],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(vectors, separators=(",", ":")) + "\n")


assert len(MONOTONE) == len(FEATURES) == len(RANGES)

if __name__ == "__main__":
    main()
