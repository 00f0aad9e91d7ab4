"""How far the corners are off on photographs of screens, and how often none are found."""
import math

import cv2
import numpy as np

from ..shares import median_of, share_of
from .decode import error_of_diagonal, find
from .refine import refine
from .visibility import has_visible_border

CREDIBLE_ERROR = 0.03
"""Of the diagonal; corners that are further off spoil the measurement."""


def corners_on_made(pack, rows, label):
    """Errors of photographs of held-out films in parts of the diagonal; false finds where there is no film."""
    errors, found, false, visible = [], [], [], []
    for row in rows:
        picture = cv2.imread(str(row["path"]))
        corners, _, is_found = find(picture, pack.run, pack.decoding)
        corners = refine(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), corners) if is_found else corners
        if row["kind"] != "pop":
            false.append(is_found)
            continue
        size = picture.shape[1::-1]
        truth = np.array(row["corners"])
        if not ((truth > -0.5) & (truth < np.array(size) - 0.5)).all():
            continue
        errors.append(error_of_diagonal(corners, truth, size) if is_found else math.inf)
        found.append(is_found)
        visible.append(has_visible_border(picture, truth))
    figures = {}
    for name, chosen in ((f"{label}, border visible", np.array(visible)), (label, np.full(len(visible), True))):
        figures.update(corner_figures(name, np.array(errors)[chosen], np.array(found)[chosen]))
    return {**figures, "pictures without a film: no corners": share_of([not flag for flag in false])} if false else figures


def corner_figures(name, errors, found):
    where_found = errors[np.isfinite(errors)]
    return {
        f"{name}: corners found": share_of(found),
        f"{name}: found and within {CREDIBLE_ERROR:.0%} of the diagonal": share_of(errors < CREDIBLE_ERROR),
        f"{name}: median of the four corners' mean error where found, parts of the diagonal": median_of(where_found),
        f"{name}: 90th percentile of that error": round(float(np.percentile(where_found, 90)), 5),
    }
