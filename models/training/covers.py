"""Covers parts of a film: painted areas and similar lines, a scapula, a border that cuts the column."""

import math

import cv2
import numpy as np

from .names import FIRST_EDGE, VERTEBRAE

PAINTED_LEAST = 0.04
"""Least painted share of a warped pixel that counts as painted."""
LAST_CUT = VERTEBRAE.index("T5")


def cover_painted(
    rng: np.random.Generator, image: np.ndarray, painted: np.ndarray | None, strength: float
) -> np.ndarray:
    """Replaces painted areas, and random lines like them, by noise, so that nothing is learned from the paint."""
    hidden = np.zeros(image.shape, np.uint8)
    if painted is not None:
        hidden |= painted
    if rng.random() < (0.6 if painted is not None else 0.25 * strength):
        side = image.shape[0]
        for _ in range(rng.integers(1, 6)):
            start, turn = rng.uniform(0, side, 2), rng.uniform(0, 2 * math.pi)
            end = start + rng.uniform(0.03, 0.5) * side * np.array([math.cos(turn), math.sin(turn)])
            places = [tuple(int(value) for value in place) for place in (start, end)]
            cv2.line(hidden, *places, 1, int(rng.integers(1, 6)))
    if not hidden.any():
        return image
    around = cv2.GaussianBlur(image, (0, 0), rng.uniform(2, 6))
    grain = rng.standard_normal(image.shape).astype(np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.4, 1.2)) * rng.uniform(0.01, 0.12)
    soft = cv2.GaussianBlur(hidden.astype(np.float32), (0, 0), rng.uniform(0.3, 1.2))
    return image + np.clip(1.5 * soft, 0, 1) * (around + grain - image)


def blade_over_column(rng: np.random.Generator, image: np.ndarray, points: np.ndarray, vertebra: float) -> np.ndarray:
    """A scapula over T2 to T6: a soft plate with a brighter rim."""
    edges = points[FIRST_EDGE + VERTEBRAE.index("T1") : FIRST_EDGE + VERTEBRAE.index("T7")]
    edges = edges[np.isfinite(edges).all(1)]
    if not len(edges):
        return image
    tip = edges[rng.integers(len(edges))] + rng.normal(0, 0.6 * vertebra, 2)
    turn = rng.uniform(0, 2 * math.pi)
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    plain = np.array([[0.2, -1.4], [0.2, 1.2], [-4.5, 0.4], [-4.5, -0.4]]) + rng.normal(0, 0.3, (4, 2))
    outline = tip + plain @ turned.T * vertebra
    mask = np.zeros(image.shape, np.uint8)
    fixed = [np.round(np.clip(outline, -4000, 4000)).astype(np.int32)]
    cv2.fillPoly(mask, fixed, 255, cv2.LINE_AA)
    plate = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 3)).astype(np.float32) / 255
    rim = cv2.polylines(np.zeros(image.shape, np.uint8), fixed, True, 255, max(1, round(0.12 * vertebra)), cv2.LINE_AA)
    rim = cv2.GaussianBlur(rim, (0, 0), rng.uniform(0.5, 1.5)).astype(np.float32) / 255
    return image + (1 - np.clip(image, 0, 1)) * (plate * rng.uniform(0.05, 0.35) + rim * rng.uniform(0.0, 0.4))


def cut_cranially(rng: np.random.Generator, image: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cuts the film at a random level between C7 and T5: the rest is black, and its points are unknown."""
    edges = points[FIRST_EDGE:]
    known = np.flatnonzero(np.isfinite(edges).all(1))
    known = known[known <= LAST_CUT]
    if len(known) < 2:
        return image, points
    last = int(rng.choice(known[:-1]))
    caudal = edges[known[-1]] - edges[known[0]]
    place = edges[last] + rng.uniform(-0.4, 0.6) * caudal / (known[-1] - known[0])
    normal = caudal / np.linalg.norm(caudal)
    ys, xs = np.mgrid[0 : image.shape[0], 0 : image.shape[1]].astype(np.float32)
    beyond = (xs - place[0]) * normal[0] + (ys - place[1]) * normal[1] < 0
    value = 0.0 if rng.random() < 0.85 else 1.0
    with np.errstate(invalid="ignore"):
        hidden = (points - place) @ normal < 0
    return np.where(beyond, np.float32(value), image), np.where(hidden[:, None], np.nan, points)
