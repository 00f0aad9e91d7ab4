"""Visibility of the border between a displayed film and the viewer around it."""

import math

import cv2
import numpy as np

STEP_LEVELS = 6
LEAST_SHARE = 0.2


def visible_share(picture: np.ndarray, corners: np.ndarray) -> float:
    """Share of the film's least visible side along which the grey level steps by more than STEP_LEVELS."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.5)
    reach = 0.008 * math.hypot(*grey.shape[:2])
    centre, along = corners.mean(0), np.linspace(0.04, 0.96, 40)[:, None]
    shares = []
    for start, end in zip(corners, np.roll(corners, -1, 0)):
        inward = np.array([-(end - start)[1], (end - start)[0]]) / max(1e-6, float(np.linalg.norm(end - start)))
        inward = inward * (1 if (centre - start) @ inward > 0 else -1) * reach
        line = start + (end - start) * along
        inside, outside = (
            cv2.remap(grey, at[:, :1].astype(np.float32), at[:, 1:].astype(np.float32), cv2.INTER_LINEAR)
            for at in (line + inward, line - inward)
        )
        shares.append(float((np.abs(inside - outside) > STEP_LEVELS).mean()))
    return min(shares)


def has_visible_border(picture: np.ndarray, corners: np.ndarray) -> bool:
    return visible_share(picture, np.asarray(corners)) >= LEAST_SHARE
