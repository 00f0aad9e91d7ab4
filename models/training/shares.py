"""Shares and medians with 95 % intervals, and how they are printed."""

import math
from typing import Any

import numpy as np


def wilson(hits: int, count: int) -> dict[str, Any] | None:
    """Share with its 95 % interval (Wilson)."""
    if count == 0:
        return None
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return {
        "n": count,
        "share": round(share, 4),
        "interval": [round(max(0, middle - half), 4), round(min(1, middle + half), 4)],
    }


def share_of(flags: list[bool] | np.ndarray) -> dict[str, Any] | None:
    return wilson(int(np.sum(flags)), len(flags))


def median_of(values: np.ndarray, seed: int = 0) -> dict[str, Any] | None:
    """Median with its 95 % bootstrap interval."""
    rng, values = np.random.default_rng(seed), np.array(values)
    medians = [np.median(rng.choice(values, len(values))) for _ in range(1000)]
    return {
        "n": len(values),
        "median": round(float(np.median(values)), 5),
        "interval": [round(float(np.percentile(medians, q)), 5) for q in (2.5, 97.5)],
    }


def show(title: str, figures: dict[str, Any]) -> None:
    print(f"\n{title}")
    for name, figure in figures.items():
        if isinstance(figure, dict):
            low, high = figure["interval"]
            value = next(figure[key] for key in ("share", "median", "vertebrae") if key in figure)
            print(f"  {name:95s} {value:8.4f}  [{low:.4f}, {high:.4f}]  n = {figure['n']}")
        else:
            print(f"  {name:95s} {figure}")
