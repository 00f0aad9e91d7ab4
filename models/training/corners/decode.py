"""Decodes the maps of one pass corner by corner, for reports during training; the program decodes the corners jointly,
with a second pass and refinement at the border.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..gate.letterbox import letterbox, to_planes
from .network import CORNERS, SIDE, STRIDE

DECODING = {
    "stridePx": STRIDE,
    "refineCells": 3,
    "minimumEvidence": 0.53,
    "minimumAreaFraction": 0.02,
    "secondLookFill": 0.75,
}


def peak(values: np.ndarray, radius: int) -> tuple[np.ndarray, float]:
    """Weighted mean around the highest cell [cells], and its value."""
    row, column = divmod(int(values.argmax()), values.shape[1])
    top, left = max(0, row - radius), max(0, column - radius)
    window = values[top : row + radius + 1, left : column + radius + 1]
    ys, xs = np.mgrid[top : top + window.shape[0], left : left + window.shape[1]]
    total = max(float(window.sum()), 1e-9)
    return np.array([(window * xs).sum() / total, (window * ys).sum() / total]), float(values[row, column])


def glance(
    picture: np.ndarray, run: Callable[..., Any], decoding: dict[str, float] = DECODING
) -> tuple[np.ndarray, float]:
    """Corners [4, 2] of a BGR picture, and the weakest of the four peaks; `run` maps planes [3, SIDE, SIDE] to maps
    [8, S, S].
    """
    square, (scale, left, top) = letterbox(picture, SIDE)
    peaks = [peak(values, int(decoding["refineCells"])) for values in run(to_planes(square))[: len(CORNERS)]]
    corners = np.array([((at + 0.5) * decoding["stridePx"] - [left, top]) / scale - 0.5 for at, _ in peaks])
    return corners, min(value for _, value in peaks)


def error_of_diagonal(found: np.ndarray, truth: np.ndarray, size: tuple[int, int]) -> float:
    """Mean distance of the four corners in parts of the picture's diagonal."""
    return float(np.linalg.norm(found - truth, axis=1).mean() / math.hypot(*size))
