"""Augmentation: one film in, one training picture out, its points carried along exactly."""

import math

import cv2
import numpy as np

from .frames import CROP_VERTEBRAE, Frame, around, thorax_frame, upright_pose
from .names import FIRST_EDGE, HEART_POINTS

LOCATE, MEASURE = "locate", "measure"
"""What a network is for: finding the thorax on any whole film, or measuring it in the upright frame."""
FIXED_POINT_STEPS = 8


def training_picture(rng, film, side, purpose, strength=1.0):
    """Warped film [side, side] float32 0-1 with points [k, 2] (network px, NaN where unknown) and weights [k].

    strength: 1 for films that are few; below 1 the warps are gentler and that share of the pictures is degraded, the others are left as they are.
    """
    frame = _frame(rng, film, side, purpose, strength)
    field = _displacement(rng, frame.to_network(film.points), side, strength)
    image = _resample(film.image, frame, field, rng)
    points = _carry(frame.to_network(film.points), field)
    weights = film.weights * _inside(points, side)
    if rng.random() < strength:
        image = _degrade(rng, image, strength)
    return image, points.astype(np.float32), weights.astype(np.float32)


def _frame(rng, film, side, purpose, strength):
    pose = upright_pose(film.points)
    if purpose == MEASURE:
        return _measuring_frame(rng, pose, side, strength)
    return _locating_frame(rng, film, pose, side)


def _measuring_frame(rng, pose, side, strength):
    """The upright frame as a locating pass would give it: about right, now and then far off."""
    t8, vertebra, angle, mirrored = pose
    far = 2.0 if rng.random() < 0.15 else 1.0
    spread = CROP_VERTEBRAE * math.exp(rng.normal(0, 0.13 * far))
    base = thorax_frame((t8, vertebra, angle, mirrored), side, spread)
    turn = rng.normal(0, math.radians(5.0 * far))
    anisotropy = math.exp(rng.normal(0, 0.08 * strength))
    shift = rng.normal(0, 0.7 * far, 2) * side / spread
    jitter = around([side / 2 - 0.5] * 2, 1.0, turn, False, side, anisotropy)
    return Frame(jitter.matrix @ base.matrix, jitter.matrix @ base.offset + jitter.offset + shift)


def _locating_frame(rng, film, pose, side):
    """The whole film, or any part of it, either way round, turned to any side now and then."""
    t8, vertebra, angle, mirrored = pose
    spread = math.exp(rng.uniform(math.log(13), math.log(46)))
    turn = rng.normal(0, math.radians(16)) if rng.random() < 0.9 else rng.uniform(-math.pi, math.pi)
    flip = bool(rng.random() < 0.5)
    anisotropy = math.exp(rng.normal(0, 0.08))
    frame = around(t8, side / (spread * vertebra), angle, mirrored, side)
    frame.offset[1] -= 3.5 * side / spread
    jitter = around([side / 2 - 0.5] * 2, 1.0, turn, flip, side, anisotropy)
    room = max(0.08, 0.5 - 7 / spread)
    shift = rng.uniform(-room, room, 2) * side
    return Frame(jitter.matrix @ frame.matrix, jitter.matrix @ frame.offset + jitter.offset + shift)


def _displacement(rng, points, side, strength):
    """Smooth random field plus a swelling or shrinking of the heart [px], so that heart and column vary apart."""
    cells = int(rng.integers(3, 7))
    amplitude = rng.uniform(0, 0.022) * side * strength
    coarse = (rng.standard_normal((2, cells, cells)) * amplitude).astype(np.float32)
    field = np.stack([cv2.resize(part, (side, side), interpolation=cv2.INTER_CUBIC) for part in coarse], -1)
    heart = points[: len(HEART_POINTS)]
    if np.isfinite(heart[:4]).all() and rng.random() < 0.75:
        field += _heart_swelling(rng, heart, side, strength)
    return field


def _heart_swelling(rng, heart, side, strength):
    """Displacement that makes the heart larger (more often) or smaller, and wider in one direction, often that of its short axis.

    Negative values magnify: the field says where each place takes its grey from.
    """
    centre = heart[:4].mean(0) + rng.normal(0, 0.1, 2) * np.linalg.norm(heart[0] - heart[1])
    reach = 0.75 * np.linalg.norm(heart[0] - heart[1])
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    dx, dy = xs - centre[0], ys - centre[1]
    near = np.exp(-(dx**2 + dy**2) / (reach**2 + 1e-6))
    even = strength * np.clip(rng.normal(-0.10, 0.20), -0.45, 0.3)
    if rng.random() < 0.5:
        cos, sin = (heart[3] - heart[2]) / max(np.linalg.norm(heart[3] - heart[2]), 1e-6)
        stretch = rng.uniform(-0.38, 0.12) * strength
    else:
        direction = rng.uniform(0, math.pi)
        cos, sin, stretch = math.cos(direction), math.sin(direction), rng.normal(0, 0.10 * strength)
    lengthwise = stretch * (dx * cos + dy * sin)
    return np.stack([near * (even * dx + lengthwise * cos), near * (even * dy + lengthwise * sin)], -1).astype(np.float32)


def _resample(image, frame, field, rng):
    side = field.shape[0]
    inverse = np.linalg.inv(frame.matrix)
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    x = xs + field[..., 0] - frame.offset[0]
    y = ys + field[..., 1] - frame.offset[1]
    map_x = (inverse[0, 0] * x + inverse[0, 1] * y).astype(np.float32)
    map_y = (inverse[1, 0] * x + inverse[1, 1] * y).astype(np.float32)
    shrink = 1 / math.sqrt(abs(np.linalg.det(frame.matrix)))
    if shrink < 1 and rng.random() < 0.5:
        interpolation = cv2.INTER_CUBIC
    else:
        interpolation = cv2.INTER_LINEAR
    source = image if shrink < 1.6 else cv2.GaussianBlur(image, (0, 0), 0.4 * shrink)
    border = 0 if rng.random() < 0.85 else int(rng.integers(0, 256))
    return cv2.remap(source, map_x, map_y, interpolation, borderValue=border).astype(np.float32) / 255


def _carry(targets, field):
    """Places p with p + field(p) = target: where the warped picture shows each point."""
    side = field.shape[0]
    places = np.where(np.isfinite(targets), targets, 0.0)
    start = places.copy()
    for _ in range(FIXED_POINT_STEPS):
        at = np.clip(np.round(places).astype(int), 0, side - 1)
        places = start - field[at[:, 1], at[:, 0]]
    return np.where(np.isfinite(targets), places, np.nan)


def _inside(points, side):
    with np.errstate(invalid="ignore"):
        return ((points > 1) & (points < side - 2)).all(1)


def _degrade(rng, image, strength):
    """Exposure, film processing, a low-resolution copy, noise, occlusions, collimation."""
    side = image.shape[0]
    if rng.random() < 0.35:
        image = _thumbnail(rng, image)
    if rng.random() < 0.3:
        grey = (np.clip(image, 0, 1) * 255).astype(np.uint8)
        image = cv2.createCLAHE(rng.uniform(1, 4), (8, 8)).apply(grey).astype(np.float32) / 255
    if rng.random() < 0.04:
        image = 1 - image
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
        _collimate(rng, image, side)
    return np.clip(image, 0, 1).astype(np.float32)


def _thumbnail(rng, image):
    """As if the film had come as a small JPEG and been enlarged."""
    side = image.shape[0]
    small_side = int(side * rng.uniform(0.25, 0.8))
    small = cv2.resize(np.clip(image, 0, 1), (small_side, small_side), interpolation=cv2.INTER_AREA)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))]
    small = cv2.imdecode(cv2.imencode(".jpg", (small * 255).astype(np.uint8), quality)[1], cv2.IMREAD_GRAYSCALE)
    mode = cv2.INTER_CUBIC if rng.random() < 0.4 else cv2.INTER_LINEAR
    return cv2.resize(small, (side, side), interpolation=mode).astype(np.float32) / 255


def _occlude(rng, image):
    side = image.shape[0]
    for _ in range(rng.integers(1, 4)):
        x, y = rng.integers(0, side, 2)
        width, height = rng.integers(side // 20, side // 5, 2)
        image[y : y + height, x : x + width] = rng.uniform(0, 1)


def _collimate(rng, image, side):
    top, bottom, left, right = (int(rng.uniform(0, 0.1) * side) for _ in range(4))
    value = 0.0 if rng.random() < 0.8 else 1.0
    image[:top] = value
    image[side - bottom :] = value
    image[:, :left] = value
    image[:, side - right :] = value


def disc_target(points, cells, side):
    """Map of every known disc [cells, cells], 0-1, and the mask of places where discs are known to be or not to be."""
    edges = points[FIRST_EDGE:]
    known = np.flatnonzero(np.isfinite(edges).all(1))
    places = (edges[known] + 0.5) * cells / side - 0.5
    axis = np.arange(cells, dtype=np.float32)
    gx = np.exp(-0.5 * ((axis[None] - places[:, :1]) / 1.1) ** 2)
    gy = np.exp(-0.5 * ((axis[None] - places[:, 1:]) / 1.1) ** 2)
    target = (gy[:, :, None] * gx[:, None, :]).max(0)
    return target.astype(np.float32), _known_column(places, cells, axis)


def _known_column(places, cells, axis):
    """1 everywhere but on the column beyond the annotated edges, where unannotated discs may lie."""
    first, last = places[0], places[-1]
    direction = (last - first) / max(np.linalg.norm(last - first), 1e-6)
    vertebra = np.linalg.norm(last - first) / max(len(places) - 1, 1)
    xs, ys = np.meshgrid(axis, axis)
    along = (xs - first[0]) * direction[0] + (ys - first[1]) * direction[1]
    across = -(xs - first[0]) * direction[1] + (ys - first[1]) * direction[0]
    beyond = (along < -0.4 * vertebra) | (along > np.linalg.norm(last - first) + 0.4 * vertebra)
    return (~(beyond & (np.abs(across) < 5 * vertebra))).astype(np.float32)
