"""Augmentation: makes a training picture from a film and transforms its points exactly."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from .covers import PAINTED_LEAST, blade_over_column, cover_painted, cut_cranially
from .films import Film, vertebra_px
from .frames import CROP_VERTEBRAE, Frame, around, shrink_of, smoothed, thorax_frame, upright_pose
from .growth import growth_field
from .names import FIRST_EDGE, HEART_POINTS
from .outlines import LEVEL_SPREAD, axes_of, crossing_level, squared

LOCATE, MEASURE = "locate", "measure"
"""Purpose of a network: finding the thorax on a whole film, or measuring it in the upright frame."""
FIXED_POINT_STEPS = 8
INVERTED_SHARE = {LOCATE: 0.35, MEASURE: 0.04}
"""Share of negatives; the program inverts them once the locator has found the thorax."""
UNKNOWN_FROM = 0.4
"""Distance from an annotated edge beyond which unannotated discs may lie [v]."""
TONE_STEPS = 5
ANY_TURN_SHARE = 0.22
"""Share of whole films at a random angle."""


@dataclass
class Picture:
    """A warped film [side, side] float32 0-1 with its annotation [network px].

    Unknown points are NaN with weight 0.
    """

    image: np.ndarray
    points: np.ndarray
    weights: np.ndarray
    outline: np.ndarray | None
    painted: np.ndarray | None


def training_picture(rng: np.random.Generator, film: Film, side: int, purpose: str, strength: float = 1.0) -> Picture:
    """One picture from a film.

    strength: 1 for the few real films; below 1, warps are gentler and only this share of the pictures is degraded.
    """
    frame = _frame(rng, film, side, purpose, strength)
    points = frame.to_network(film.points)
    outline = None if film.outline is None else frame.to_network(film.outline)
    field = displacement(rng, points, outline, side, strength)
    image = resample(film.image, frame, field, rng)
    painted = None if film.painted is None else _painted(film.painted, frame, field)
    points = carry(points, field)
    outline = None if outline is None else carry(outline, field)
    points = by_definition(points, outline)
    image = cover_painted(rng, image, painted, strength)
    if rng.random() < 0.12 * strength:
        image = blade_over_column(rng, image, points, vertebra_px(points))
    if rng.random() < 0.10 * strength:
        image, points = cut_cranially(rng, image, points)
    weights = film.weights * inside(points, side)
    if rng.random() < strength:
        image = degrade(rng, image, strength, INVERTED_SHARE[purpose])
    return Picture(image.astype(np.float32), points.astype(np.float32), weights.astype(np.float32), outline, painted)


def by_definition(points: np.ndarray, outline: np.ndarray | None) -> np.ndarray:
    """The transformed points with perpendicular axes, derived from the transformed outline if there is one."""
    heart = squared(points[: len(HEART_POINTS)])
    if outline is not None and np.isfinite(heart[:4]).all():
        level = float(np.clip(crossing_level(heart), *LEVEL_SPREAD))
        axes = axes_of(outline, heart[0], level, heart[2] - heart[3])
        if axes:
            heart = np.concatenate([[axes[name] for name in HEART_POINTS[:4]], heart[4:]])
    return np.concatenate([heart, points[len(HEART_POINTS) :]])


def _painted(painted: np.ndarray, frame: Frame, field: np.ndarray) -> np.ndarray:
    """1 where the warped picture shows painted areas."""
    map_x, map_y = _source(frame, field)
    share = cv2.remap(painted, map_x, map_y, cv2.INTER_LINEAR).astype(np.float32) / 255
    return cv2.dilate((share > PAINTED_LEAST).astype(np.uint8), np.ones((3, 3), np.uint8))


def _frame(rng: np.random.Generator, film: Film, side: int, purpose: str, strength: float) -> Frame:
    pose = upright_pose(film.points)
    if purpose == MEASURE:
        return _measuring_frame(rng, pose, side, strength)
    return _locating_frame(rng, film, pose, side)


def _measuring_frame(
    rng: np.random.Generator, pose: tuple[np.ndarray, float, float, bool], side: int, strength: float
) -> Frame:
    """The upright frame with errors like those of the locator: small as a rule, sometimes large."""
    t8, vertebra, angle, mirrored = pose
    far = 2.0 if rng.random() < 0.15 else 1.0
    spread = CROP_VERTEBRAE * math.exp(rng.normal(0, 0.13 * far))
    base = thorax_frame((t8, vertebra, angle, mirrored), side, spread)
    turn = rng.normal(0, math.radians(5.0 * far))
    anisotropy = math.exp(rng.normal(0, 0.08 * strength))
    shift = rng.normal(0, 0.7 * far, 2) * side / spread
    jitter = around([side / 2 - 0.5] * 2, 1.0, turn, False, side, anisotropy)
    return Frame(jitter.matrix @ base.matrix, jitter.matrix @ base.offset + jitter.offset + shift)


def _locating_frame(
    rng: np.random.Generator, film: Film, pose: tuple[np.ndarray, float, float, bool], side: int
) -> Frame:
    """The whole film or a part of it, facing either side, sometimes rotated by a random angle."""
    t8, vertebra, angle, mirrored = pose
    spread = math.exp(rng.uniform(math.log(13), math.log(46)))
    turn = rng.uniform(-math.pi, math.pi) if rng.random() < ANY_TURN_SHARE else rng.normal(0, math.radians(16))
    flip = bool(rng.random() < 0.5)
    anisotropy = math.exp(rng.normal(0, 0.08))
    frame = around(t8, side / (spread * vertebra), angle, mirrored, side)
    frame.offset[1] -= 3.5 * side / spread
    jitter = around([side / 2 - 0.5] * 2, 1.0, turn, flip, side, anisotropy)
    room = max(0.08, 0.5 - 7 / spread)
    shift = rng.uniform(-room, room, 2) * side
    return Frame(jitter.matrix @ frame.matrix, jitter.matrix @ frame.offset + jitter.offset + shift)


def displacement(
    rng: np.random.Generator, points: np.ndarray, outline: np.ndarray | None, side: int, strength: float
) -> np.ndarray:
    """Smooth random field plus a heart that grows or shrinks [px], so that heart and column vary apart."""
    cells = int(rng.integers(3, 7))
    amplitude = rng.uniform(0, 0.022) * side * strength
    coarse = (rng.standard_normal((2, cells, cells)) * amplitude).astype(np.float32)
    field = np.stack([cv2.resize(part, (side, side), interpolation=cv2.INTER_CUBIC) for part in coarse], -1)
    if np.isfinite(points[:4]).all() and rng.random() < 0.85:
        field += growth_field(rng, points, outline, vertebra_px(points), side, strength)
    return field


def _source(frame: Frame, field: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where on the film each pixel of the warped picture comes from: x and y [film px]."""
    side = field.shape[0]
    inverse = np.linalg.inv(frame.matrix)
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    x = xs + field[..., 0] - frame.offset[0]
    y = ys + field[..., 1] - frame.offset[1]
    map_x = (inverse[0, 0] * x + inverse[0, 1] * y).astype(np.float32)
    map_y = (inverse[1, 0] * x + inverse[1, 1] * y).astype(np.float32)
    return map_x, map_y


def resample(image: np.ndarray, frame: Frame, field: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    map_x, map_y = _source(frame, field)
    interpolation = cv2.INTER_CUBIC if shrink_of(frame) < 1 and rng.random() < 0.5 else cv2.INTER_LINEAR
    border = 0 if rng.random() < 0.85 else int(rng.integers(0, 256))
    return cv2.remap(smoothed(image, frame), map_x, map_y, interpolation, borderValue=border).astype(np.float32) / 255


def carry(targets: np.ndarray, field: np.ndarray) -> np.ndarray:
    """Positions p with p + field(p) = target, at which the warped picture shows each point."""
    side = field.shape[0]
    places = np.where(np.isfinite(targets), targets, 0.0)
    start = places.copy()
    for _ in range(FIXED_POINT_STEPS):
        at = np.clip(np.round(places).astype(int), 0, side - 1)
        places = start - field[at[:, 1], at[:, 0]]
    return np.where(np.isfinite(targets), places, np.nan)


def inside(points: np.ndarray, side: int) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return ((points > 1) & (points < side - 2)).all(1)


def degrade(rng: np.random.Generator, image: np.ndarray, strength: float, inverted_share: float) -> np.ndarray:
    """Exposure, film processing, a low-resolution copy, noise, occlusions, collimation: [h, w] float32, 0-1."""
    if rng.random() < 0.5:
        image = _thumbnail(rng, image)
    if rng.random() < 0.3:
        grey = (np.clip(image, 0, 1) * 255).astype(np.uint8)
        image = cv2.createCLAHE(rng.uniform(1, 4), (8, 8)).apply(grey).astype(np.float32) / 255
    if rng.random() < inverted_share:
        image = 1 - image
    if rng.random() < 0.35:
        image = _clipped(rng, image)
    if rng.random() < 0.35:
        image = _toned(rng, image)
    image = np.clip(image, 0, 1) ** math.exp(rng.uniform(-0.6, 0.6) * strength)
    low, high = rng.uniform(-0.1, 0.15), rng.uniform(0.8, 1.15)
    image = low + image * (high - low)
    if rng.random() < 0.4:
        rough = cv2.GaussianBlur(image, (0, 0), rng.uniform(2, 14))
        image = image + (image - rough) * rng.uniform(-0.4, 0.8)
    if rng.random() < 0.3:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.8))
    if rng.random() < 0.4:
        image = image + rng.standard_normal(image.shape).astype(np.float32) * rng.uniform(0, 0.04)
    if rng.random() < 0.3:
        _occlude(rng, image)
    if rng.random() < 0.3:
        _collimate(rng, image)
    return np.clip(image, 0, 1).astype(np.float32)


def _thumbnail(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Simulates an enlarged small JPEG."""
    width, height = image.shape[::-1]
    share = rng.uniform(0.25, 0.85)
    small = cv2.resize(np.clip(image, 0, 1), (int(width * share), int(height * share)), interpolation=cv2.INTER_AREA)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 96))]
    small = cv2.imdecode(cv2.imencode(".jpg", (small * 255).astype(np.uint8), quality)[1], cv2.IMREAD_GRAYSCALE)
    mode = cv2.INTER_CUBIC if rng.random() < 0.4 else cv2.INTER_LINEAR
    return cv2.resize(small, (width, height), interpolation=mode).astype(np.float32) / 255


def _clipped(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Clips up to a tenth of the levels at either end."""
    low, high = np.quantile(image[::4, ::4], (rng.uniform(0, 0.1), rng.uniform(0.9, 1)))
    return np.clip((image - low) / max(float(high - low), 0.1), 0, 1).astype(np.float32)


def _toned(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Applies another tone curve, like a viewer's window, a look-up table or the toe and shoulder of a film."""
    steps = np.exp(rng.normal(0, 0.45, TONE_STEPS))
    curve = np.concatenate([[0], np.cumsum(steps) / steps.sum()])
    return np.interp(np.clip(image, 0, 1), np.linspace(0, 1, TONE_STEPS + 1), curve).astype(np.float32)


def _occlude(rng: np.random.Generator, image: np.ndarray) -> None:
    size = image.shape[::-1]
    for _ in range(rng.integers(1, 4)):
        x, y = (int(rng.integers(0, length)) for length in size)
        width, height = (int(rng.integers(length // 20, length // 5)) for length in size)
        image[y : y + height, x : x + width] = rng.uniform(0, 1)


def _collimate(rng: np.random.Generator, image: np.ndarray) -> None:
    height, width = image.shape
    top, bottom, left, right = (int(rng.uniform(0, 0.14) * length) for length in (height, height, width, width))
    value = 0.0 if rng.random() < 0.8 else 1.0
    image[:top] = value
    image[height - bottom :] = value
    image[:, :left] = value
    image[:, width - right :] = value


def disc_target(points: np.ndarray, cells: int, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Map of every known disc [cells, cells], 0-1, and the mask of cells in which the presence of a disc is known."""
    edges = points[FIRST_EDGE:]
    known = np.flatnonzero(np.isfinite(edges).all(1))
    places = (edges[known] + 0.5) * cells / side - 0.5
    axis = np.arange(cells, dtype=np.float32)
    gx = np.exp(-0.5 * ((axis[None] - places[:, :1]) / 1.1) ** 2)
    gy = np.exp(-0.5 * ((axis[None] - places[:, 1:]) / 1.1) ** 2)
    target = (gy[:, :, None] * gx[:, None, :]).max(0)
    return target.astype(np.float32), _known_column(known, places, axis)


def _known_column(numbers: np.ndarray, places: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """1 everywhere except on the column beyond and between the annotated edges, where unannotated discs may lie."""
    first, last = places[0], places[-1]
    direction = (last - first) / max(float(np.linalg.norm(last - first)), 1e-6)
    vertebra = np.linalg.norm(last - first) / max(int(numbers[-1] - numbers[0]), 1)
    xs, ys = np.meshgrid(axis, axis)
    along = (xs - first[0]) * direction[0] + (ys - first[1]) * direction[1]
    across = -(xs - first[0]) * direction[1] + (ys - first[1]) * direction[0]
    reach = UNKNOWN_FROM * vertebra
    unknown = (along < -reach) | (along > np.linalg.norm(last - first) + reach)
    seen = (places - first) @ direction
    for gap in np.flatnonzero(np.diff(numbers) > 1):
        unknown |= (along > seen[gap] + reach) & (along < seen[gap + 1] - reach)
    return (~(unknown & (np.abs(across) < 5 * vertebra))).astype(np.float32)
