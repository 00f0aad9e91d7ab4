"""Draws the anatomy of one animal, in vertebrae; origin at the cranial edge of T4, +x caudal, +y ventral."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..names import VERTEBRAE
from ..outlines import LEVEL, LEVEL_SPREAD, axes_of, widened
from .atrium import draw_atrium, part_bronchi
from .curves import spline, turned, unit

FIRST_LABEL, LAST_LABEL = -8, 20
"""Vertebrae that are drawn, counted from T4: C3 to slightly beyond L7."""
T4_INDEX = -FIRST_LABEL
NAMED = [T4_INDEX - 4 + index for index in range(len(VERTEBRAE))]
"""Index among the drawn edges of each named vertebra (C7 lies four before T4)."""


@dataclass
class Animal:
    """All structures that cast a shadow. Curves and outlines are [n, 2] in vertebrae."""

    species: str
    edges: np.ndarray
    heart: np.ndarray
    heart_axis: np.ndarray
    points: dict
    sternum: np.ndarray
    diaphragm: np.ndarray
    crus: np.ndarray
    lung: np.ndarray
    inlet: np.ndarray
    dorsal_skin: np.ndarray
    ventral_skin: np.ndarray
    trachea: np.ndarray
    trachea_width: float
    bronchi: list
    aorta: np.ndarray
    vena_cava: np.ndarray
    vessels: list
    ribs: list
    cartilages: list
    limbs: list = field(default_factory=list)
    body_half: float = 0.35
    is_large: bool = False
    apex_fat: float = 0.0
    aeration: float = 1.0
    """Air in the lungs, as a share of that at full inspiration."""
    border_softness: float = 0.0
    """Blur of the heart's border on the film [v], set when its shadow is drawn."""

    def column(self, label: float) -> np.ndarray:
        """A point on the column at a (fractional) vertebra, counted from T4."""
        at = np.arange(len(self.edges)) - T4_INDEX
        return np.array([np.interp(label, at, self.edges[:, 0]), np.interp(label, at, self.edges[:, 1])])


def draw_animal(
    rng: np.random.Generator, species: str | None = None, atrium: np.random.Generator | None = None
) -> Animal:
    """A random animal; dogs vary far more than cats.

    atrium: draws a left atrium from normal to severe (`atrium.py`); the rest of the animal is the same without it.
    """
    species = species or ("cat" if rng.random() < 0.2 else "dog")
    edges = _column(rng, species)
    undrawn: list[Any] = [None] * 18
    animal = Animal(species, edges, *undrawn)
    animal.limbs = []
    animal.body_half = rng.uniform(0.28, 0.42)
    _draw_heart(rng, animal)
    enlarged = draw_atrium(atrium, animal) if atrium else 0.0
    _draw_thorax(rng, animal)
    _draw_airways(rng, animal)
    if atrium:
        part_bronchi(atrium, animal, enlarged)
    _draw_vessels(rng, animal)
    _draw_ribs(rng, animal)
    draw_limbs(rng, animal)
    return animal


def _column(rng: np.random.Generator, species: str) -> np.ndarray:
    """Cranial edges of all drawn vertebrae: lengths grow caudally, and the back bends smoothly."""
    labels = np.arange(FIRST_LABEL, LAST_LABEL)
    growth = rng.uniform(1.10, 1.35) if species == "dog" else rng.uniform(1.2, 1.5)
    cranial = rng.uniform(0.92, 1.08)
    lengths = np.interp(
        labels, [-8, -4, -3, 0, 5, 9, 14], [1.45, 1.1, cranial, 1, 1, growth, growth * rng.uniform(1.1, 1.35)]
    )
    lengths = lengths * (1 + rng.normal(0, 0.025, len(labels)))
    lengths /= lengths[T4_INDEX : T4_INDEX + 6].mean()
    cat = species == "cat"
    knots = [-8, -4.5, -2, 1, 4, 8, 12, 20]
    # Direction of the column, caudally [deg], positive = downwards: the neck descends, the thoracic spine rises.
    means = np.array([38, 12, 4, 1, -4, -15 if cat else -9, -8 if cat else -4, 8])
    angles = np.radians(means + rng.normal(0, [22, 12, 6, 5, 5, 8, 9, 12]))
    if rng.random() < 0.12:
        angles += np.radians(np.array([0, 0, -6, -10, 0, 10, 12, 10])) * rng.uniform(0.4, 1.6)
    bend = np.interp(labels + 0.5, knots, angles)
    bend = np.convolve(np.pad(bend, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    steps = lengths[:, None] * np.stack([np.cos(bend), np.sin(bend)], -1)
    edges = np.concatenate([[[0, 0]], np.cumsum(steps, 0)])
    return edges - edges[T4_INDEX]


LARGE_SHARE = 0.5
"""Share of large hearts (10.5 to 15 v) in dogs."""


def _heart_axes(rng: np.random.Generator, animal: Animal) -> tuple[float, float]:
    """Lengths of the long and the short axis [v]. Large hearts are rounder."""
    if animal.species == "cat":
        long_axis = np.clip(rng.normal(4.7, 0.5), 3.3, 7)
        return long_axis, long_axis * np.clip(rng.normal(0.68, 0.06), 0.5, 0.9)
    animal.is_large = bool(rng.random() < LARGE_SHARE)
    if animal.is_large:
        vhs, ratio = rng.uniform(10.5, 15), np.clip(rng.normal(0.92, 0.09), 0.72, 1.15)
    else:
        vhs, ratio = np.clip(rng.normal(9.3, 0.9), 7, 10.8), np.clip(rng.normal(0.82, 0.07), 0.62, 1.05)
    return vhs / (1 + ratio), vhs * ratio / (1 + ratio)


def _draw_heart(rng: np.random.Generator, animal: Animal) -> None:
    """The silhouette around its long axis, with points by definition (see `outlines.axes_of`)."""
    cat = animal.species == "cat"
    long_axis, short_axis = _heart_axes(rng, animal)
    tilt = np.radians(rng.uniform(25, 70) if cat else rng.uniform(12, 60))
    lifted = animal.is_large and rng.random() < 0.7
    top = animal.column(rng.uniform(0.8, 2.8)) + [0, rng.uniform(0.9, 2.1) if lifted else rng.uniform(1.7, 3.1)]
    axis = np.array([np.sin(tilt), np.cos(tilt)])
    caudal = np.array([np.cos(tilt), -np.sin(tilt)])
    t, cranial_half, caudal_half, level = _halves(rng, animal.is_large)
    at_level = np.interp(level, t, cranial_half + caudal_half)
    factor = short_axis / at_level
    cranial = top + np.outer(t * long_axis, axis) - np.outer(cranial_half * factor, caudal)
    caudal_side = top + np.outer(t * long_axis, axis) + np.outer(caudal_half * factor, caudal)
    animal.heart = np.concatenate([cranial, caudal_side[::-1]])
    points = axes_of(animal.heart, top, level, -caudal)
    assert points is not None, "the axis runs inside the outline that was drawn around it"
    animal.points = points
    apex = animal.points["heart_bottom"]
    animal.heart_axis = unit(apex - top)
    atrium = int(np.argmin(np.abs(t - (level - rng.uniform(0.02, 0.09)))))
    animal.points["VLAS"] = caudal_side[atrium]
    animal.apex_fat = rng.uniform(0.2, 0.75) if rng.random() < 0.35 else 0.0


VISIBLE_SPREADS = 0.67
"""Share of the shadow at the border marked by readers, who mark the end of a soft border, not its middle."""


def visible_heart(animal: Animal) -> tuple[np.ndarray, dict]:
    """The silhouette up to its visible border, and the heart's points on it, as a cardiologist would mark them."""
    reach = VISIBLE_SPREADS * animal.border_softness
    outline = widened(animal.heart, reach)
    points = animal.points
    top, middle = points["heart_top"], points["heart_bottom"] - points["heart_top"]
    across = points["heart_right"] - points["heart_left"]
    level = float((points["heart_right"] - top) @ middle / (middle @ middle))
    axes = axes_of(outline, top, level, across)
    assert axes is not None, "a wider outline still holds the axis"
    atrium = points["VLAS"]
    return outline, {**points, **axes, "VLAS": atrium - reach * unit(across)}


def _halves(rng: np.random.Generator, is_large: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Cranial and caudal half widths along the long axis (not to scale), and the level of the caudal vena cava."""
    bulge = max(0.0, rng.normal(0.0, 0.10)) if rng.random() < 0.6 else rng.uniform(0.05, 0.25)
    if is_large and rng.random() < 0.5:
        bulge += rng.uniform(0.08, 0.28)
    ts = np.array([-0.06, 0.03, 0.14, 0.28, 0.42, 0.6, 0.8, 0.94, 1.0])
    shape = rng.uniform(0.8, 1.25) * (rng.uniform(1.0, 1.7) if is_large and rng.random() < 0.4 else 1.0)
    widest_at = rng.uniform(0.30, 0.46)
    slope = np.where(ts < widest_at, widest_at + 0.2, 1.04 - widest_at)
    base = np.clip(1 - np.abs((ts - widest_at) / slope) ** (2.2 * shape), 0.02, None) ** 0.62
    base[0] *= 0.5

    def wobble() -> np.ndarray:
        return 1 + rng.normal(0, 0.035, len(ts))

    share = rng.uniform(0.5, 0.68)
    cranial_half = base * wobble() * share
    cranial_half += max(0, rng.normal(0, 0.06 if is_large else 0.04)) * np.exp(-(((ts - 0.25) / 0.12) ** 2))
    caudal_half = base * wobble() * (1 - share)
    caudal_half += bulge * np.exp(-(((ts - rng.uniform(0.12, 0.25)) / rng.uniform(0.09, 0.15)) ** 2))
    cranial_half[-1] = caudal_half[-1] = 0
    fine = np.linspace(0, 1, 97)
    cranial_half, caudal_half = (_smooth(ts, half, fine) for half in (cranial_half, caudal_half))
    level = float(np.clip(rng.normal(LEVEL, 0.02), *LEVEL_SPREAD))
    return ts[0] + fine * (ts[-1] - ts[0]), cranial_half, caudal_half, level


def _smooth(ts: np.ndarray, values: np.ndarray, fine: np.ndarray) -> np.ndarray:
    curve = spline(np.stack([ts, values], -1), 16)
    at = ts[0] + fine * (ts[-1] - ts[0])
    return np.interp(at, curve[:, 0], curve[:, 1]).clip(0)


def _draw_thorax(rng: np.random.Generator, animal: Animal) -> None:
    heart, apex = animal.heart, animal.points["heart_bottom"]
    slope, bow = rng.uniform(-0.12, 0.16), rng.uniform(0.0, 0.06)
    depth = apex[1] + rng.uniform(0.1, 0.9)

    def line(x: npt.ArrayLike) -> np.ndarray:
        ventral = np.asarray(x) - apex[0]
        return depth + slope * ventral - bow * np.maximum(0, -ventral) ** 1.6

    touches = animal.is_large and rng.random() < 0.6
    sunk = rng.uniform(-0.35, 0.05) if touches else rng.uniform(-0.05, 0.4)
    clearance = (heart[:, 1] - line(heart[:, 0])).max() + sunk
    depth += clearance if touches else max(0.0, clearance)
    front = rng.uniform(-4.4, -2.2)
    back = apex[0] + rng.uniform(0.8, 2.6)
    xs = np.linspace(front - 0.8, back + 0.4, 24)
    animal.sternum = np.stack([xs, line(xs)], -1)
    dorsal_end = animal.column(rng.uniform(8.0, 10.6)) + [0, 0.4]
    ventral_end = np.array([max(back - 0.4, apex[0] + 0.2), line(back) - 0.1])
    dome = rng.uniform(0.2, 1.8)
    lower = ventral_end + 0.35 * (dorsal_end - ventral_end) + [-0.7 * dome, -0.1]
    upper = ventral_end + 0.68 * (dorsal_end - ventral_end) + [-dome * 0.8, rng.uniform(-0.2, 0.5)]
    overlap = heart[:, 0].max() - 0.5 * (lower[0] + upper[0])
    shift = max(0.0, overlap + (rng.uniform(-1.6, -0.2) if touches else rng.uniform(-1.0, 0.4)))
    lower[0] += shift
    upper[0] += 0.7 * shift
    animal.diaphragm = spline([ventral_end, lower, upper, dorsal_end], 14)
    animal.crus = animal.diaphragm + [rng.uniform(-0.6, 0.6), rng.uniform(-0.2, 0.2)]
    inlet_top = animal.column(-3.2 + rng.uniform(-0.3, 0.3)) + [0, 0.45]
    inlet_bottom = np.array([front, line(front) - 0.3])
    middle = 0.5 * (inlet_top + inlet_bottom) + [rng.uniform(0.0, 1.0), rng.uniform(-0.4, 0.4)]
    animal.inlet = spline([inlet_bottom, middle, inlet_top], 8)
    roof = np.stack(
        [
            animal.column(label) + [0, 0.38]
            for label in np.linspace(-3.0, 8.5, 24)
            if animal.column(label)[0] < dorsal_end[0]
        ]
    )
    floor = animal.sternum[(animal.sternum[:, 0] < ventral_end[0]) & (animal.sternum[:, 0] > front)][::-1] - [0, 0.15]
    animal.lung = np.concatenate([roof, animal.diaphragm[::-1], floor, animal.inlet])
    _draw_skin(rng, animal, line)


def _draw_skin(rng: np.random.Generator, animal: Animal, line: Callable[..., Any]) -> None:
    fat = rng.uniform(0.3, 1.9)
    hump = rng.uniform(1.8, 3.2)
    back = np.stack(
        [
            animal.column(label) - [0, np.interp(label, [-8, -3, 2, 8, 20], [1.7, hump, hump, 1.9, 1.7]) + 0.35 * fat]
            for label in (-8, -5, -3, -1, 2, 5, 8, 12, 16, 20)
        ]
    )
    animal.dorsal_skin = spline(back + rng.normal(0, 0.12, back.shape), 8)  # type: ignore[operator]
    xs = np.array([-14, -9, -6, -4.5, -2, 0, 3, 6, 9, 12, 16, 22.0])
    above: np.ndarray = np.maximum(0, -3.5 - xs)
    neck = line(-3.0) - 0.6 * above ** rng.uniform(0.8, 1.1)
    tuck = rng.uniform(-0.25, 0.2)
    belly = line(7.0) - tuck * np.maximum(0, xs - 7)
    ys = np.where(xs < -3, neck, np.where(xs > 7, belly, line(xs))) + 0.5 + 0.6 * fat
    animal.ventral_skin = spline(np.stack([xs, ys + rng.normal(0, 0.12, len(xs))], -1), 6)


def _draw_airways(rng: np.random.Generator, animal: Animal) -> None:
    top = animal.points["heart_top"]
    width = rng.uniform(0.42, 0.8)
    carina = top - animal.heart_axis * width * 0.55 + rng.normal(0, 0.05, 2)
    inlet = animal.column(-3.3) + [0, rng.uniform(1.0, 2.0)]
    halfway = 0.5 * (inlet + carina) + [0, rng.uniform(-0.5, 0.25)]
    neck = [animal.column(label) + [0, rng.uniform(1.4, 2.4)] for label in (-8, -5.5)]
    animal.trachea = spline([*neck, inlet, halfway, carina], 10)
    animal.trachea_width = width
    heading = np.arctan2(*(carina - halfway)[::-1])
    animal.bronchi = []
    for low, high, size in ((0.15, 0.5, 0.6), (0.45, 0.9, 0.55), (1.0, 1.7, 0.35)):
        direction = turned([1, 0], heading + rng.uniform(low, high))
        reach = rng.uniform(0.8, 2.0)
        end = carina + reach * direction
        animal.bronchi.append((np.stack([carina, 0.5 * (carina + end) + rng.normal(0, 0.05, 2), end]), width * size))


def _draw_vessels(rng: np.random.Generator, animal: Animal) -> None:
    top, atrium = animal.points["heart_top"], animal.points["VLAS"]
    arch = [top + [-0.7, 0.6], top + [-0.6, -0.5], top + [0.4, -1.1]]
    back = [animal.column(label) + [0, rng.uniform(0.75, 1.2)] for label in (4.5, 7, 9.5)]
    animal.aorta = spline([*arch, *[p for p in back if p[0] > top[0] + 1]], 8)
    entry = atrium + [0, rng.uniform(0.25, 0.45)]
    meeting = animal.diaphragm[np.argmin(np.abs(animal.diaphragm[:, 1] - (entry[1] - rng.uniform(-0.3, 0.8))))]
    animal.vena_cava = spline([entry - [0.8, -0.1], entry, 0.5 * (entry + meeting), meeting + [0.5, -0.1]], 8)
    hilus = top + 0.12 * (animal.points["heart_bottom"] - top) + [0.2, 0]
    animal.vessels = []
    for angle in (-0.55, -0.2, 0.1, 0.35, 0.65, 0.95, 2.3, 2.65, 3.0, 3.4, 2.0):
        _branch(
            rng,
            hilus + rng.normal(0, 0.2, 2),
            angle + rng.normal(0, 0.12),
            rng.uniform(1.2, 2.2),
            rng.uniform(0.12, 0.26),
            4,
            animal.vessels,
        )


def _branch(
    rng: np.random.Generator,
    start: np.ndarray,
    angle: float,
    length: float,
    width: float,
    generations: int,
    out: list[tuple[np.ndarray, float]],
) -> None:
    """Vessels fork and taper from the hilus outwards."""
    if generations == 0:
        return
    angles = angle + np.cumsum(rng.normal(0, 0.08, 4))
    steps = length / 4 * np.stack([np.cos(angles), np.sin(angles)], -1)
    path = np.concatenate([[start], start + np.cumsum(steps, 0)])
    out.append((path, width))
    for side in (1, -1):
        if rng.random() < 0.85:
            _branch(
                rng,
                path[-1],
                angles[-1] + side * rng.uniform(0.1, 0.5),
                length * rng.uniform(0.6, 0.9),
                width * rng.uniform(0.55, 0.8),
                generations - 1,
                out,
            )


def _draw_ribs(rng: np.random.Generator, animal: Animal) -> None:
    """13 pairs: from the disc between two bodies, dorsally over the column's edge, then ventrally and caudally to the
    sternum.
    """
    animal.ribs, animal.cartilages = [], []
    lean = rng.uniform(0.05, 0.5)
    for side in (0, 1):
        offset = np.array([rng.uniform(-0.35, 0.35), rng.uniform(-0.2, 0.2)]) * side
        for number in range(13):
            head = animal.edges[T4_INDEX - 3 + number] + [0.05, -0.05]
            floor = np.interp(head[0] + 1.5, animal.sternum[:, 0], animal.sternum[:, 1])
            reach = (
                np.interp(number, [0, 2, 6, 9, 12], [0.55, 0.78, 0.86, 0.8, 0.5])
                * rng.uniform(0.96, 1.03)
                * (floor - head[1])
            )
            slant = np.interp(number, [0, 3, 8, 12], [-0.05, 0.05, 0.3, 0.6]) * lean * 2 + rng.normal(0, 0.02)
            knee = head + [0.3, -0.28]
            shoulder = head + [0.75 + 0.1 * number / 12, 0.25] + offset * 0.6
            belly = head + [0.9 + slant * reach * 0.45, reach * 0.5] + offset
            end = head + [0.6 + slant * reach, reach] + offset
            animal.ribs.append(spline([head, knee, shoulder, belly, end], 7))
            animal.cartilages.append(_cartilage(rng, animal, number, end, offset))


def _cartilage(
    rng: np.random.Generator, animal: Animal, number: int, end: np.ndarray, offset: np.ndarray
) -> np.ndarray:
    if number > 8:
        return spline([end, end + [0.1, 0.6], end + [-0.7, 1.2]], 5)
    share = np.interp(number, [0, 8], [0.12, 0.92])
    goal = animal.sternum[int(share * (len(animal.sternum) - 1))] + offset * 0.3
    sag = 0.5 * (end + goal) + [rng.uniform(0.0, 0.4), rng.uniform(0.1, 0.5)]
    return spline([end, end + [0.1, 0.35], sag, goal], 5)


def draw_limbs(rng: np.random.Generator, animal: Animal) -> None:
    """Forelegs pulled forward, or not far enough, so that scapula and humerus lie over the cranial thorax."""
    if rng.random() < 0.05:
        return
    drawn_back, over_column = rng.uniform(0, 1), rng.random() < 0.3
    for _ in range(2):
        shoulder = np.array([-6.2 + 4.0 * drawn_back, 4.6]) + rng.normal(0, 0.6, 2)
        elbow = shoulder + [rng.uniform(-3.2, 1.0), rng.uniform(2.6, 4.2)]
        blade = shoulder + [rng.uniform(1.0, 3.4), rng.uniform(-6.0, -4.2)]
        if over_column:
            blade = animal.column(rng.uniform(-2.5, 2.5)) + [0, rng.uniform(-1.2, 0.8)]
        hand = elbow + [rng.uniform(-4.0, -1.0), rng.uniform(-0.5, 4.0)]
        animal.limbs.append(
            {
                "shoulder": shoulder,
                "elbow": elbow,
                "blade": blade,
                "hand": hand,
                "across": unit(turned(blade - shoulder, np.pi / 2)),
            }
        )
