"""Input of the column network: the straightened column, cranial on the left, the thorax below.

main/inference/views/column-strip.ts makes the same strip in the program, along the chain of discs found by the landmark
networks; here it follows the annotated edges, with errors like those of that chain.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from ..covers import PAINTED_LEAST, blade_over_column, cover_painted, cut_cranially
from ..films import Film
from ..frames import upright_pose
from ..names import FIRST_EDGE, POINTS, VERTEBRAE
from ..warping import degrade

WIDTH, HEIGHT = 512, 96
"""Size of the strip [px]."""
VERTEBRA_PX = 32.0
"""Length of an average vertebra on the strip [px]."""
CELL = 4
CELLS = WIDTH // CELL
"""Number of output cells along the strip."""
T8 = VERTEBRAE.index("T8")
CURVE_DEGREE = 3
LINE_STEP = 0.05
"""Distance between points of the line [v]."""
BEYOND = 14.0
"""Straight extension of the line beyond the known edges [v]."""
BLURRED_FROM = 1.25
"""Film pixels per strip pixel above which the film is low-pass filtered against aliasing."""
TANGENT_PX = 31
"""Length over which the direction of the line is taken, about a vertebra [px of the strip]."""
BLADE_SHARE, CUT_SHARE = 0.3, 0.15
INVERTED_SHARE = 0.04


@dataclass
class Strip:
    """Network input, float32 [HEIGHT, WIDTH], 0-1, and the position of each vertebra's cranial edge along it [px].

    NaN if an edge is unknown or outside. is_named: whether the names of the vertebrae are certain.
    """

    image: np.ndarray
    places: np.ndarray
    is_named: bool = True


@dataclass
class Line:
    """Points along the column, and their distances from the first one along it [px of the film]."""

    places: np.ndarray
    along: np.ndarray

    def nearest(self, point: np.ndarray) -> float:
        return float(self.along[((self.places - point) ** 2).sum(1).argmin()])


def column_line(numbers: np.ndarray, edges: np.ndarray, vertebra: float) -> Line:
    """A smooth line through edges [n, 2], n >= 2, with these numbers, extended straight."""
    degree = min(CURVE_DEGREE, len(numbers) - 1)
    curves = [np.polyfit(numbers - T8, edges[:, axis], degree) for axis in (0, 1)]
    steps = np.arange(numbers[0], numbers[-1] + 1e-6, LINE_STEP) - T8
    places = np.stack([np.polyval(curve, steps) for curve in curves], 1)
    over = max(1, min(len(places) - 1, round(0.3 / LINE_STEP)))
    first, last = places[over] - places[0], places[-1] - places[-1 - over]
    beyond = np.arange(LINE_STEP, BEYOND, LINE_STEP)[:, None] * vertebra
    places = np.concatenate(
        [
            places[0] - beyond[::-1] * first / np.linalg.norm(first),
            places,
            places[-1] + beyond * last / np.linalg.norm(last),
        ]
    )
    steps_px = np.linalg.norm(np.diff(places, axis=0), axis=1)
    return Line(places, np.concatenate([[0.0], np.cumsum(steps_px)]))


def training_strip(rng: np.random.Generator, film: Film, strength: float) -> Strip | None:
    """One strip from a film; None if it misses the film.

    strength: 1 for the few real films; below 1, only this share of the strips is degraded.
    """
    _, vertebra, _, mirrored = upright_pose(film.points)
    image, painted, edges = film.image, film.painted, film.points[FIRST_EDGE:].astype(float)
    if mirrored:
        edges = np.stack([image.shape[1] - 1 - edges[:, 0], edges[:, 1]], 1)
        image, painted = image[:, ::-1], None if painted is None else painted[:, ::-1]
    known = np.flatnonzero(np.isfinite(edges).all(1))
    line = column_line(known, edges[known], vertebra)
    along = np.array([line.nearest(edge) for edge in edges[known]])
    map_x, map_y, seen = _laid(rng, line, _at_t8(known, along, vertebra), vertebra, strength)
    picture = _sampled(image, map_x, map_y, vertebra)
    if picture is None:
        return None
    hidden = None
    if painted is not None:
        hidden = (_remapped(painted, map_x, map_y) > 255 * PAINTED_LEAST).astype(np.uint8)
    points = np.full((len(POINTS), 2), np.nan)
    points[FIRST_EDGE + known, 0] = np.interp(along, seen, np.arange(WIDTH), left=np.nan, right=np.nan)
    points[FIRST_EDGE + known, 1] = HEIGHT / 2 - 0.5
    picture = cover_painted(rng, picture, hidden, strength)
    if rng.random() < BLADE_SHARE * strength:
        picture = blade_over_column(rng, picture, points, VERTEBRA_PX)
    if rng.random() < CUT_SHARE * strength:
        picture, points = cut_cranially(rng, picture, points)
    if rng.random() < strength:
        picture = degrade(rng, picture, strength, INVERTED_SHARE)
    is_named = bool((film.weights[FIRST_EDGE + known] > 0).all())
    return Strip(picture.astype(np.float32), points[FIRST_EDGE:, 0].astype(np.float32), is_named)


def _at_t8(known: np.ndarray, along: np.ndarray, vertebra: float) -> float:
    """Position of T8 along the line, extrapolated beyond the known edges if necessary."""
    if known[0] > T8:
        return float(along[0] - (known[0] - T8) * vertebra)
    if known[-1] < T8:
        return float(along[-1] + (T8 - known[-1]) * vertebra)
    return float(np.interp(T8, known, along))


def _laid(
    rng: np.random.Generator, line: Line, middle: float, vertebra: float, strength: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Source of each pixel of the strip, x and y [HEIGHT, WIDTH], and the position of its columns along the line: with
    errors that are small as a rule and sometimes large, and stretched and compressed along the column.
    """
    far = 2.0 if rng.random() < 0.15 else 1.0
    scale = math.exp(rng.normal(0, 0.08 * far))
    beside, slope, bend = rng.normal(0, (0.10 * far, 0.02 * far, 0.12 * far))
    height, shear = math.exp(rng.normal(0, 0.08)), rng.normal(0, 0.08 * far)
    middle = middle + rng.normal(0, 0.8 * far) * vertebra
    columns = (np.arange(WIDTH) - (WIDTH / 2 - 0.5)) / VERTEBRA_PX
    along = np.maximum.accumulate(middle + (columns + _stretch(rng, strength)) * vertebra * scale)
    x, y = (np.interp(along, line.along, line.places[:, axis]) for axis in (0, 1))
    towards = np.stack([_smoothed(np.gradient(x)), _smoothed(np.gradient(y))])
    towards /= np.linalg.norm(towards, axis=0) + 1e-9
    rows = (np.arange(HEIGHT)[:, None] - (HEIGHT / 2 - 0.5)) / VERTEBRA_PX * vertebra * scale * height
    down = rows + (beside + slope * columns + bend * (columns**2 - 10) / 32) * vertebra
    map_x = x - towards[1] * down + towards[0] * shear * rows
    map_y = y + towards[0] * down + towards[1] * shear * rows
    return map_x.astype(np.float32), map_y.astype(np.float32), along


def _stretch(rng: np.random.Generator, strength: float) -> np.ndarray:
    """A smooth random shift along the strip [v], so that lengths vary from one vertebra to the next."""
    knots = int(rng.integers(3, 9))
    shift = np.interp(np.linspace(0, knots - 1, WIDTH), np.arange(knots), rng.standard_normal(knots))
    shift = cv2.GaussianBlur(shift[None].astype(np.float32), (0, 0), WIDTH / knots / 2.5)[0]
    return shift * rng.uniform(0, 1.6) * strength / knots


def _smoothed(values: np.ndarray) -> np.ndarray:
    return np.convolve(np.pad(values, TANGENT_PX // 2, "edge"), np.full(TANGENT_PX, 1 / TANGENT_PX), "valid")


def _sampled(image: np.ndarray, map_x: np.ndarray, map_y: np.ndarray, vertebra: float) -> np.ndarray | None:
    """The strip [HEIGHT, WIDTH], 0-1, filtered against aliasing; None if it lies outside the film."""
    margin = 8
    top, bottom = max(0, int(map_y.min()) - margin), min(image.shape[0], int(map_y.max()) + margin + 1)
    left, right = max(0, int(map_x.min()) - margin), min(image.shape[1], int(map_x.max()) + margin + 1)
    if bottom - top < margin or right - left < margin:
        return None
    part = image[top:bottom, left:right]
    shrink = vertebra / VERTEBRA_PX
    if shrink > BLURRED_FROM:
        part = cv2.GaussianBlur(part, (0, 0), 0.4 * shrink)
    return _remapped(part, map_x - left, map_y - top).astype(np.float32) / 255


def _remapped(image: np.ndarray, map_x: np.ndarray, map_y: np.ndarray) -> np.ndarray:
    return cv2.remap(np.ascontiguousarray(image), map_x, map_y, cv2.INTER_LINEAR, borderValue=0)
