"""Figures of a held-out simulated cohort, with 95 % bootstrap intervals over cats."""

from pathlib import Path

import numpy as np

from .cohort import Cohort

RESAMPLES = 1000


def area_under_curve(impaired: np.ndarray, probability: np.ndarray) -> float:
    """Probability that an impaired cat scores above an adequate one; ties count half."""
    _, inverse, counts = np.unique(probability, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    positives = int(impaired.sum())
    negatives = len(impaired) - positives
    return float((rank[impaired].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def figures_of(impaired: np.ndarray, probability: np.ndarray, threshold: float) -> dict:
    called = probability >= threshold
    return {
        "auc": area_under_curve(impaired, probability),
        "sensitivity": float(called[impaired].mean()),
        "specificity": float((~called[~impaired]).mean()),
        "brier": float(np.mean((probability - impaired) ** 2)),
    }


def evaluate(cohort: Cohort, probability: np.ndarray, threshold: float) -> dict:
    """Every figure with its interval, and its range for samples as small as the published one."""
    impaired = cohort.impaired
    rng = np.random.default_rng(11)
    draws = [rng.integers(0, len(impaired), len(impaired)) for _ in range(RESAMPLES)]
    resampled = [figures_of(impaired[draw], probability[draw], threshold) for draw in draws]
    small = [figures_of(impaired[draw[:248]], probability[draw[:248]], threshold) for draw in draws]
    report: dict = {"n": len(impaired), "prevalence": round(float(impaired.mean()), 4), "threshold": threshold}
    for name, value in figures_of(impaired, probability, threshold).items():
        report[name] = {
            "value": round(value, 4),
            "interval95": _interval(resampled, name),
            "spreadAtN248": _interval(small, name),
        }
    edges = np.linspace(0, 1, 11)
    tenth = np.clip(np.digitize(probability, edges) - 1, 0, 9)
    report["calibration"] = [
        {
            "from": round(float(edges[k]), 1),
            "n": int((tenth == k).sum()),
            "predicted": round(float(probability[tenth == k].mean()), 4),
            "observed": round(float(impaired[tenth == k].mean()), 4),
        }
        for k in range(10)
        if (tenth == k).any()
    ]
    report["healthyAbove1035"] = round(float(1 - impaired[cohort.is_healthy].mean()), 4)
    report["belowThreshold"] = {
        "share": round(float((probability < threshold).mean()), 4),
        "meanProbability": round(float(probability[probability < threshold].mean()), 4),
    }
    return report


def _interval(samples: list[dict], name: str) -> list[float]:
    return [round(float(value), 4) for value in np.percentile([sample[name] for sample in samples], [2.5, 97.5])]


def calibration_plot(impaired: np.ndarray, probability: np.ndarray, threshold: float, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    order = np.array_split(np.argsort(probability), 20)
    predicted = np.array([probability[part].mean() for part in order])
    observed = np.array([impaired[part].mean() for part in order])
    error = 1.96 * np.sqrt(observed * (1 - observed) / np.array([len(part) for part in order]))
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(5, 6.4), sharex=True, height_ratios=[3, 1])
    above.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    above.errorbar(predicted, observed, error, fmt="o", color="#1f5f8b", markersize=4, linewidth=1)
    above.set(
        ylabel="observed share impaired", title="Simulated cats, held out: calibration in twentieths", ylim=(0, 1)
    )
    below.hist(probability, bins=50, range=(0, 1), color="#1f5f8b")
    below.set(xlabel="predicted probability of impaired", ylabel="cats", xlim=(0, 1))
    for axis in (above, below):
        axis.axvline(threshold, color="#b0413e", linewidth=1, linestyle="--")
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})
