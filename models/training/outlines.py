"""The outline of the heart: reads it for real films, measures the axes, and draws the target of the map."""

import json
import math
from pathlib import Path

import cv2
import numpy as np

OUTLINES = Path(__file__).parent / "outlines.json"
"""Outlines drawn on the public training films: polygon [px of the film] by file name."""
OUTLINE_POINTS = 128
LEVEL, LEVEL_SPREAD = 0.32, (0.28, 0.37)
"""Level of the short axis along the long one [share from the carina]: that of the caudal vena cava."""
SUBPIXEL_BITS = 4
LIMIT_PX = 8000
FINER = 4
"""Oversampling of masks relative to the network's input, because filling includes all pixels touched by the border."""


def read_outlines(path: Path = OUTLINES) -> dict[str, np.ndarray]:
    """Polygons [n, 2] by file name; empty if none were drawn."""
    if not path.is_file():
        return {}
    outlines = json.loads(path.read_text())["outlines"]
    return {name: np.array(polygon, np.float32) for name, polygon in outlines.items()}


def resampled(polygon: np.ndarray, count: int = OUTLINE_POINTS) -> np.ndarray:
    """The closed polygon resampled to `count` equidistant points."""
    closed = np.concatenate([polygon, polygon[:1]]).astype(float)
    reached = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0, reached[-1], count, endpoint=False)
    return np.stack([np.interp(at, reached, closed[:, axis]) for axis in (0, 1)], -1)


def widened(polygon: np.ndarray, reach: float) -> np.ndarray:
    """The closed polygon with its border moved outwards by `reach`."""
    border = resampled(polygon, 2 * OUTLINE_POINTS)
    along = np.roll(border, -2, axis=0) - np.roll(border, 2, axis=0)
    normal = np.stack([along[:, 1], -along[:, 0]], -1) / np.linalg.norm(along, axis=1, keepdims=True)
    doubled = float(np.sum(border[:, 0] * np.roll(border[:, 1], -1) - np.roll(border[:, 0], -1) * border[:, 1]))
    return border + math.copysign(reach, doubled) * normal


def most_distant(outline: np.ndarray, place: np.ndarray) -> np.ndarray:
    return outline[np.argmax(np.linalg.norm(outline - place, axis=1))]


def chord(outline: np.ndarray, through: np.ndarray, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Outermost intersections of the outline with a line through a point: (against, along) its direction, or None."""
    direction = direction / np.linalg.norm(direction)
    start, end = outline, np.roll(outline, -1, axis=0)

    def side(places: np.ndarray) -> np.ndarray:
        return (places - through) @ np.array([-direction[1], direction[0]])

    before, after = side(start), side(end)
    crossing = np.flatnonzero((before < 0) != (after < 0))
    if len(crossing) < 2:
        return None
    share = before[crossing] / (before[crossing] - after[crossing])
    along = (start[crossing] + share[:, None] * (end[crossing] - start[crossing]) - through) @ direction
    return through + along.min() * direction, through + along.max() * direction


def axes_of(outline: np.ndarray, top: np.ndarray, level: float, cranial: np.ndarray) -> dict[str, np.ndarray] | None:
    """The axes by definition: from the ventral border of the carina to the most distant point, and the perpendicular
    from border to border.

    cranial: any cranial direction; it determines which end of the short axis is heart_right.
    """
    bottom = most_distant(outline, top)
    axis = bottom - top
    across = np.array([axis[1], -axis[0]])
    if across @ cranial > 0:
        across = -across
    ends = chord(outline, top + level * axis, across)
    if ends is None:
        return None
    return {"heart_top": top, "heart_bottom": bottom, "heart_right": ends[0], "heart_left": ends[1]}


def squared(heart: np.ndarray) -> np.ndarray:
    """Heart points (top, bottom, right, left first) with the short axis rotated about the intersection to be
    perpendicular.

    A warp that is not a similarity tilts the axes; a few degrees hardly change the width of the smooth outline.
    """
    top, bottom = heart[:2]
    if not np.isfinite(heart[:4]).all() or np.linalg.norm(bottom - top) < 1e-6:
        return heart
    middle = top + crossing_level(heart) * (bottom - top)
    across = np.array([top[1] - bottom[1], bottom[0] - top[0]]) / np.linalg.norm(bottom - top)
    other = heart.copy()
    for index in (2, 3):
        from_middle = heart[index] - middle
        other[index] = middle + across * math.copysign(np.linalg.norm(from_middle), from_middle @ across)
    return other


def crossing_level(heart: np.ndarray) -> float:
    """Level at which the short axis crosses the long one [share]; midway between the projections of its ends if it does
    not.
    """
    top, bottom, right, left = heart[:4]
    axis = bottom - top
    ends = np.array([right - top, left - top])
    along, across = ends @ axis / (axis @ axis), ends @ np.array([-axis[1], axis[0]])
    if across[0] * across[1] >= 0:
        return float(along.mean())
    return float(along[0] + across[0] / (across[0] - across[1]) * (along[1] - along[0]))


def silhouette_target(outline: np.ndarray | None, side: int, cells: int) -> np.ndarray:
    """Share of every map cell that lies inside the outline [network px]: [cells, cells] float32."""
    mask = np.zeros((side * FINER, side * FINER), np.uint8)
    if outline is not None:
        fine = np.clip((outline + 0.5) * FINER - 0.5, -LIMIT_PX, LIMIT_PX)
        cv2.fillPoly(mask, [np.round(fine * 2**SUBPIXEL_BITS).astype(np.int32)], 255, cv2.LINE_8, SUBPIXEL_BITS)
    return cv2.resize(mask, (cells, cells), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
