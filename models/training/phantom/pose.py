"""Changes the pose of an animal: rotation about its long axis, expiration, cardiac phase."""

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..outlines import axes_of
from .anatomy import Animal
from .curves import unit

HEART_DEPTH = 0.85
"""Depth of the heart from left to right, relative to its height on a lateral film."""
HALF_CHEST = 2.2
"""Distance from the midline to the ribs at the widest part of the chest [v]."""
EXPIRATION_SHIFT = 1.6
"""Cranial movement of the diaphragm from full inspiration to expiration [v]."""
EXPIRATION_AIR = 0.35
"""Share of the air that is exhaled."""
PHASE_GROWTH = 0.018
"""Relative change of the heart's length at the end of diastole (longer) and systole (shorter): VHS changes by 0.36 v at
10 v, as measured by Brown et al. in 49 dogs under fluoroscopy.
"""

Move = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Pose:
    """turned_deg: about the body's long axis; expired: 0 (inspiration) to 1; phase: -1 (systole) to 1 (diastole)."""

    turned_deg: float = 0.0
    expired: float = 0.0
    phase: float = 0.0


def posed(animal: Animal, pose: Pose) -> Animal:
    """The animal in a pose; the one given is unchanged. Its axes follow from the new silhouette by definition."""
    other = copy.deepcopy(animal)
    _beat(other, 1 + PHASE_GROWTH * pose.phase)
    _expire(other, pose.expired)
    _turn(other, np.radians(pose.turned_deg))
    return other


def _place_heart(animal: Animal, move: Move) -> None:
    """Moves silhouette and landmarks; the short axis keeps its level on the long one."""
    points = animal.points
    axis = points["heart_bottom"] - points["heart_top"]
    across = points["heart_right"] - points["heart_left"]
    level = float((points["heart_right"] - points["heart_top"]) @ axis / (axis @ axis))
    animal.heart = move(animal.heart)
    top = move(points["heart_top"])
    axes = axes_of(animal.heart, top, level, across)
    assert axes is not None, "the axis stays inside the outline that moves with it"
    animal.points = {**axes, "VLAS": move(points["VLAS"])}
    animal.heart_axis = unit(axes["heart_bottom"] - top)


def _beat(animal: Animal, growth: float) -> None:
    """The heart grows about its base; the left atrium, at which VLAS ends, does not move (Brown et al.: VLAS is
    constant).
    """
    top, atrium = animal.points["heart_top"], animal.points["VLAS"]
    _place_heart(animal, lambda places: top + growth * (places - top))
    animal.points["VLAS"] = atrium


def _expire(animal: Animal, share: float) -> None:
    """The diaphragm moves cranially, most at its dome; the lungs hold less air."""
    start = animal.points["heart_top"][0]
    reach = max(1.0, float(animal.diaphragm[:, 0].max()) - start)

    def cranially(places: np.ndarray) -> np.ndarray:
        shift = EXPIRATION_SHIFT * share * np.clip((places[:, 0] - start) / reach, 0, 1)
        return places - np.stack([shift, np.zeros_like(shift)], -1)

    animal.diaphragm, animal.crus, animal.lung = map(cranially, (animal.diaphragm, animal.crus, animal.lung))
    animal.vena_cava = cranially(animal.vena_cava)
    animal.vessels = [(cranially(path), width) for path, width in animal.vessels]
    animal.aeration *= 1 - EXPIRATION_AIR * share


def _turn(animal: Animal, angle: float) -> None:
    """Heights above and below the column shorten, the ribs of both sides separate, the heart shows more depth."""

    def turned(places: np.ndarray) -> np.ndarray:
        flat = np.atleast_2d(places)
        column = np.interp(flat[:, 0], animal.edges[:, 0], animal.edges[:, 1])
        height = column + (flat[:, 1] - column) * np.cos(angle)
        return np.stack([flat[:, 0], height], -1).reshape(places.shape)

    middle = animal.heart.mean(0)
    shown = np.array([1, np.hypot(np.cos(angle), HEART_DEPTH * np.sin(angle))])
    _place_heart(animal, lambda places: turned(middle) + shown * (places - middle))
    for name in ("sternum", "diaphragm", "crus", "lung", "inlet", "dorsal_skin", "ventral_skin", "trachea", "aorta"):
        setattr(animal, name, turned(getattr(animal, name)))
    animal.vena_cava = turned(animal.vena_cava)
    animal.bronchi = [(turned(path), width) for path, width in animal.bronchi]
    animal.vessels = [(turned(path), width) for path, width in animal.vessels]
    half = len(animal.ribs) // 2
    animal.ribs = [_parted(turned(rib), angle if index < half else -angle) for index, rib in enumerate(animal.ribs)]
    animal.cartilages = [turned(cartilage) for cartilage in animal.cartilages]


def _parted(rib: np.ndarray, angle: float) -> np.ndarray:
    """A rib whose middle, which is farthest from the midline, moves up or down with the rotation."""
    bulge = np.sin(np.pi * np.linspace(0, 1, len(rib)))
    return rib + np.stack([np.zeros(len(rib)), HALF_CHEST * np.sin(angle) * bulge], -1)
