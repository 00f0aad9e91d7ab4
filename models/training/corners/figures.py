"""Errors of the corners on photographs of screens, and the share of photographs without corners."""

import math
from typing import Any

import cv2
import numpy as np

from ..shares import median_of, share_of
from .decode import error_of_diagonal
from .visibility import has_visible_border

CREDIBLE_ERROR = 0.03
"""Largest error of usable corners [parts of the diagonal]."""


def corners_on_made(program_corners: dict[str, Any], rows: list[dict[str, Any]], label: str) -> dict[str, Any]:
    """Errors on photographs of held-out films in parts of the diagonal, and false detections on pictures without a
    film.

    program_corners: corners found by the program, by file name (`screens.program`).
    """
    errors, false, visible = [], [], []
    for row in rows:
        corners = program_corners[row["file"]]
        if row["kind"] != "pop":
            false.append(corners is not None)
            continue
        picture, truth = cv2.imread(str(row["path"])), np.array(row["corners"])
        size = picture.shape[1::-1]
        if not ((truth > -0.5) & (truth < np.array(size) - 0.5)).all():
            continue
        errors.append(math.inf if corners is None else error_of_diagonal(corners, truth, size))
        visible.append(has_visible_border(picture, truth))
    figures = {}
    for name, chosen in ((f"{label}, border visible", np.array(visible)), (label, np.full(len(visible), True))):
        figures.update(corner_figures(name, np.array(errors)[chosen]))
    return (
        {**figures, "pictures without a film: no corners": share_of([not flag for flag in false])} if false else figures
    )


def corner_figures(name: str, errors: np.ndarray) -> dict[str, Any]:
    found = np.isfinite(errors)
    where_found = errors[found]
    return {
        f"{name}: corners found": share_of(found),
        f"{name}: found and within {CREDIBLE_ERROR:.0%} of the diagonal": share_of(errors < CREDIBLE_ERROR),
        f"{name}: median of the four corners' mean error where found, parts of the diagonal": median_of(where_found),
        f"{name}: 90th percentile of that error": round(float(np.percentile(where_found, 90)), 5),
    }
