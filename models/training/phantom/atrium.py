"""Gives a simulated animal a left atrium of a chosen size: its border, the lifted carina, the main bronchi."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..names import HEART_POINTS
from ..outlines import axes_of, chord, crossing_level
from .curves import along, spline, turned, unit

if TYPE_CHECKING:
    from .anatomy import Animal

RLAD_RANGE = (1.2, 3.2)
"""RLAD from normal to severe [v]; above 1.8 v the atrium is probably enlarged (Sánchez Salguero et al. 2018)."""
RLAD_OF_HALF_AXES = (0.78, 1.4)
"""Least and greatest RLAD relative to the mean of the two half-axes beside it: no severe atrium on a small heart."""
FEWER_LARGE = 1.5
"""Exponent of the uniform share of that range, so that a third of the atria are normal."""
FIRST_LIFTED, FULLY_LIFTED = 1.7, 3.0
"""RLAD from which the atrium lifts the carina and parts the bronchi, and at which it compresses the left one [v]."""
SECTOR, FADES = (-0.2, 1.9), 0.3
"""Part of the outline that is the atrium, seen from the crossing as the bulge is, and its transitions [rad]."""
SPREAD_DORSAL, SPREAD_CAUDAL = (0.4, 0.55), (0.65, 0.95)
"""Spread of the bulge about the bisector, seen from the crossing of the axes [rad]."""
HIGHEST_CARINA = 0.95
"""Least distance of the carina from the middle of the column [v]."""
CLEARANCE = 0.12
"""Least distance of the atrium from the vertebral bodies [v]."""
LIFTED_ABOUT = 0.9
"""Radius of the heart's base that moves with the carina [v]."""

Move = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class View:
    """The heart seen from the crossing of its axes; dorsal, caudal: unit vectors of the half-axes."""

    crossing: np.ndarray
    dorsal: np.ndarray
    caudal: np.ndarray
    half_axes: tuple[float, float]

    def direction(self, angle: float) -> np.ndarray:
        """angle: from the dorsal (0) towards the caudal half-axis (pi / 2)."""
        return np.cos(angle) * self.dorsal + np.sin(angle) * self.caudal

    def reach(self, outline: np.ndarray, angle: float) -> float:
        """Distance of the outline from the crossing."""
        ends = chord(outline, self.crossing, self.direction(angle))
        assert ends is not None, "the axes cross inside the outline"
        return float((ends[1] - self.crossing) @ self.direction(angle))


def view_of(animal: Animal) -> View:
    top, bottom, right, left = heart = _axis_ends(animal)
    crossing = top + crossing_level(heart) * (bottom - top)
    half_axes = float(np.linalg.norm(top - crossing)), float(np.linalg.norm(left - crossing))
    return View(crossing, unit(top - bottom), unit(left - right), half_axes)


def _axis_ends(animal: Animal) -> np.ndarray:
    return np.array([animal.points[name] for name in HEART_POINTS[:4]])


def draw_atrium(rng: np.random.Generator, animal: Animal) -> float:
    """Changes the heart's caudodorsal outline. Returns the enlargement: 0 (normal) to 1 (severe)."""
    least, most = np.clip(np.array(RLAD_OF_HALF_AXES) * np.mean(view_of(animal).half_axes), *RLAD_RANGE)
    rlad = float(least + (most - least) * rng.random() ** FEWER_LARGE)
    enlarged = float(np.clip((rlad - FIRST_LIFTED) / (FULLY_LIFTED - FIRST_LIFTED), 0, 1))
    _lift_carina(animal, enlarged * rng.uniform(0.3, 0.9))
    border = _border(rng, view_of(animal), animal.heart, rlad)
    _place(animal, border(animal.heart), animal.points["heart_top"], border(animal.points["VLAS"][None])[0])
    _lower(animal)
    return enlarged


def _border(rng: np.random.Generator, view: View, outline: np.ndarray, rlad: float) -> Move:
    """Moves the caudodorsal outline onto an arc with a bulge, which the bisector of the half-axes meets at `rlad`."""
    peak, dorsal, caudal = rng.uniform(0.75, 1.1), rng.uniform(*SPREAD_DORSAL), rng.uniform(*SPREAD_CAUDAL)
    ends = [view.reach(outline, angle) for angle in SECTOR]
    edges = [edge + fade for edge in SECTOR for fade in (-FADES, FADES)]

    def bulge(angle: np.ndarray) -> np.ndarray:
        off = angle - peak
        return np.exp(-((off / np.where(off < 0, dorsal, caudal)) ** 2))

    middle = np.array(np.pi / 4)
    missing = (rlad - np.interp(middle, SECTOR, ends)) / bulge(middle)

    def move(places: np.ndarray) -> np.ndarray:
        away = places - view.crossing
        angle, reach = np.arctan2(away @ view.caudal, away @ view.dorsal), np.linalg.norm(away, axis=1)
        inside = np.interp(angle, edges, [0, 1, 1, 0])
        share = inside**2 * (3 - 2 * inside)
        other = reach + share * (np.interp(angle, SECTOR, ends) + missing * bulge(angle) - reach)
        return view.crossing + away * (other / reach)[:, None]

    return move


def _lift_carina(animal: Animal, lift: float) -> None:
    """Moves the carina and the heart's base beside it dorsally, along the long axis."""
    top = animal.points["heart_top"]
    room = top[1] - np.interp(top[0], animal.edges[:, 0], animal.edges[:, 1]) - HIGHEST_CARINA
    by = -min(lift, max(0.0, room)) * animal.heart_axis
    share = np.exp(-((np.linalg.norm(animal.heart - top, axis=1) / LIFTED_ABOUT) ** 2))
    _place(animal, animal.heart + share[:, None] * by, top + by, animal.points["VLAS"])


def _place(animal: Animal, outline: np.ndarray, top: np.ndarray, atrium: np.ndarray) -> None:
    """Sets outline and points; the short axis keeps its level on the long one."""
    heart = _axis_ends(animal)
    axes = axes_of(outline, top, crossing_level(heart), heart[2] - heart[3])
    assert axes is not None, "the axes stay inside the outline"
    animal.heart, animal.points = outline, {**axes, "VLAS": atrium}
    animal.heart_axis = unit(axes["heart_bottom"] - top)


def _lower(animal: Animal) -> None:
    """Moves a heart whose atrium would reach the vertebrae ventrally."""
    bodies = np.interp(animal.heart[:, 0], animal.edges[:, 0], animal.edges[:, 1]) + animal.body_half
    beyond = max(0.0, float((bodies + CLEARANCE - animal.heart[:, 1]).max()))
    animal.heart = animal.heart + [0, beyond]
    animal.points = {name: place + [0, beyond] for name, place in animal.points.items()}


def part_bronchi(rng: np.random.Generator, animal: Animal, enlarged: float) -> None:
    """Splays the main bronchi: the left one runs over the atrium and is compressed, the right one stays ventral."""
    (left, left_width), (right, right_width), *others = animal.bronchi
    carina, view = left[0], view_of(animal)
    narrowed = left_width * (1 - enlarged * rng.uniform(0.4, 0.8))
    over = [
        view.crossing + (view.reach(animal.heart, angle) + 0.3 * narrowed) * view.direction(angle)
        for angle in (0.35, 0.6, 0.9, 1.2)
    ]
    shares = np.linspace(0, 1, 12)
    lifted = along(spline([carina, *over]), shares)
    path = (1 - enlarged) * along(left, shares) + enlarged * lifted
    down = enlarged * rng.uniform(0.1, 0.35)
    ventral = carina + np.array([turned(place, down) for place in right - carina])
    # The part at the carina keeps its width.
    animal.bronchi = [(path[:3], left_width), (path[2:], narrowed), (ventral, right_width), *others]
