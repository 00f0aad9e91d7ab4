"""A smooth field that makes the heart alone larger or smaller: hearts of every size out of few real films."""

import math

import cv2
import numpy as np

from .names import FIRST_EDGE
from .outlines import resampled

LARGE_VHS, LARGEST_VHS = 10.5, 14.5
"""Half of the hearts are drawn uniformly from this range [v], whatever the size on the film."""
USUAL_VHS, USUAL_SPREAD = 9.3, 0.9
LEAST_FACTOR, MOST_FACTOR = 0.74, 1.5
REACH = 1.2
"""Range of the deformation beyond the larger outline [radii of the heart]."""
CLEAR_OF_COLUMN, RAMP = 0.3, 2.0
"""Distance from the column's line, ventrally, at which the field begins, and length of its ramp [v]; the ruler does not
change."""
DIRECTIONS = 72
COARSE = 4


def growth_field(
    rng: np.random.Generator,
    points: np.ndarray,
    outline: np.ndarray | None,
    vertebra: float,
    side: int,
    strength: float,
) -> np.ndarray:
    """Displacement [side, side, 2]: the warped picture shows at p what the film shows at p + field(p) [network px].

    strength: share of the way to the drawn size by which the heart is changed.
    """
    border = _border(points, outline)
    centre = border.mean(0)
    factor = _factor(rng, points, vertebra) ** strength
    angles, radii = _polar(border, centre)
    growth = factor * _shape(rng, angles, points[4] - centre, strength)
    step = np.arange(side // COARSE) * COARSE + (COARSE - 1) / 2
    dx, dy = np.meshgrid(step - centre[0], step - centre[1])
    distance, direction = np.hypot(dx, dy) + 1e-6, np.arctan2(dy, dx)
    radius = np.interp(direction, angles, radii, period=2 * math.pi)
    grown = np.interp(direction, angles, growth, period=2 * math.pi)
    source = _source_radius(distance / radius, grown) * radius
    away = (source - distance) / distance * _clear_of_column(points, centre, vertebra, step)
    coarse = np.stack([away * dx, away * dy], -1).astype(np.float32)
    return cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)


def _border(points: np.ndarray, outline: np.ndarray | None) -> np.ndarray:
    """The outline, or an ellipse over the axes if none was drawn."""
    if outline is not None:
        return resampled(outline)
    top, bottom, right, left = points[:4]
    turn = np.linspace(0, 2 * math.pi, DIRECTIONS, endpoint=False)[:, None]
    return 0.25 * (top + bottom + right + left) + 0.5 * (np.cos(turn) * (bottom - top) + np.sin(turn) * (left - right))


def _factor(rng: np.random.Generator, points: np.ndarray, vertebra: float) -> float:
    size = (np.linalg.norm(points[0] - points[1]) + np.linalg.norm(points[2] - points[3])) / vertebra
    wanted = rng.uniform(LARGE_VHS, LARGEST_VHS) if rng.random() < 0.5 else rng.normal(USUAL_VHS, USUAL_SPREAD)
    return float(np.clip(wanted / size, LEAST_FACTOR, MOST_FACTOR))


def _polar(border: np.ndarray, centre: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Outermost radius of the border in each of DIRECTIONS directions around the centre."""
    from_centre = border - centre
    angle = np.arctan2(from_centre[:, 1], from_centre[:, 0])
    order = np.argsort(angle)
    wanted = np.linspace(-math.pi, math.pi, DIRECTIONS, endpoint=False)
    radii = np.interp(wanted, angle[order], np.hypot(*from_centre[order].T), period=2 * math.pi)
    around = np.pad(radii, 2, mode="wrap")
    return wanted, np.convolve(around, np.ones(5) / 5, mode="valid")


def _shape(rng: np.random.Generator, angles: np.ndarray, to_atrium: np.ndarray, strength: float) -> np.ndarray:
    """Growth by direction: longer or rounder, and sometimes with a bulging left atrium."""
    growth = 1 + strength * rng.normal(0, 0.08) * np.cos(2 * (angles - rng.uniform(0, math.pi)))
    if np.isfinite(to_atrium).all() and rng.random() < 0.35:
        apart = np.angle(np.exp(1j * (angles - math.atan2(to_atrium[1], to_atrium[0]))))
        growth += strength * rng.uniform(0, 0.22) * np.exp(-((apart / rng.uniform(0.35, 0.6)) ** 2))
    return growth


def _source_radius(radius: np.ndarray, growth: np.ndarray) -> np.ndarray:
    """Source of each radius [radii of the heart]: uniform inside, compressed outside, unchanged beyond REACH."""
    end = np.maximum(growth, 1) + REACH
    outside = 1 + (radius - growth) * (end - 1) / (end - growth)
    return np.where(radius < growth, radius / growth, np.where(radius < end, outside, radius))


def _clear_of_column(points: np.ndarray, heart: np.ndarray, vertebra: float, step: np.ndarray) -> np.ndarray:
    """0 on and dorsal of the column's line, 1 well ventral of it, smooth between."""
    edges = points[FIRST_EDGE:]
    edges = edges[np.isfinite(edges).all(1)]
    middle = edges.mean(0)
    along = np.linalg.svd(edges - middle)[2][0]
    across = np.array([-along[1], along[0]])
    if across @ (heart - middle) < 0:
        across = -across
    distance = ((step[None] - middle[0]) * across[0] + (step[:, None] - middle[1]) * across[1]) / vertebra
    share = np.clip((distance - CLEAR_OF_COLUMN) / RAMP, 0, 1)
    return share * share * (3 - 2 * share)
