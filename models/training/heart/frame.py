"""Input of the heart network: a close-up with the carina at the top, the apex below, the cranial border on the left.

main/inference/views/heart-frame.ts computes the same frame in the program, from the heart that the landmark networks
found; here it has errors like theirs. A close-up is scaled to the size of the heart, so that each of the few real films
also teaches large hearts.
"""

import math

import cv2
import numpy as np

from ..covers import PAINTED_LEAST, cover_painted
from ..films import Film
from ..frames import SIDE as THORAX_SIDE
from ..frames import Frame, around, smoothed, thorax_frame, upright_pose
from ..names import HEART_POINTS
from ..warping import Picture, by_definition, carry, degrade, displacement, inside

SIDE = 256
"""Side of the close-up [px]."""
HEART_SHARE = 0.5
"""Mean length of both axes in shares of the side."""
INVERTED_SHARE = 0.04


def heart_frame(heart: np.ndarray) -> Frame:
    """The frame around a heart: points [>= 4, 2] in the order of HEART_POINTS, the axes not parallel."""
    top, bottom, right, left = heart[:4]
    long = np.linalg.norm(bottom - top)
    scale = HEART_SHARE * SIDE / ((long + np.linalg.norm(right - left)) / 2)
    down = (bottom - top) / long
    aside = np.array([down[1], -down[0]])
    caudal = aside if aside @ (left - right) > 0 else -aside
    matrix = scale * np.stack([caudal, down])
    return Frame(matrix, _middle(SIDE) - matrix @ heart[:4].mean(0))


def _middle(side: int) -> np.ndarray:
    return np.array([side / 2 - 0.5] * 2)


def training_close_up(rng: np.random.Generator, film: Film, strength: float) -> Picture | None:
    """One close-up from a film, with only the points of the heart; None if an end of an axis is unknown.

    strength: 1 for the few real films; below 1, warps are gentler and only this share of the close-ups is degraded.
    """
    if not np.isfinite(film.points[:4]).all():
        return None
    thorax = _thorax(rng, film, strength)
    points = thorax.to_network(film.points)
    outline = None if film.outline is None else thorax.to_network(film.outline)
    field = displacement(rng, points, outline, THORAX_SIDE, strength).astype(np.float32)
    points = carry(points, field)
    outline = None if outline is None else carry(outline, field)
    heart = by_definition(points, outline)[: len(HEART_POINTS)]
    frame = _about(rng, heart_frame(heart))
    map_x, map_y = _source(thorax, field, frame)
    border = 0 if rng.random() < 0.85 else int(rng.integers(0, 256))
    image = cv2.remap(smoothed(film.image, _after(thorax, frame)), map_x, map_y, cv2.INTER_LINEAR, borderValue=border)
    painted = None
    if film.painted is not None:
        hidden = cv2.remap(film.painted, map_x, map_y, cv2.INTER_LINEAR)
        painted = (hidden > 255 * PAINTED_LEAST).astype(np.uint8)
    picture = cover_painted(rng, image.astype(np.float32) / 255, painted, strength)
    if rng.random() < strength:
        picture = degrade(rng, picture, strength, INVERTED_SHARE)
    places = frame.to_network(heart)
    weights = film.weights[: len(HEART_POINTS)] * inside(places, SIDE)
    outline = None if outline is None else frame.to_network(outline)
    return Picture(picture.astype(np.float32), places.astype(np.float32), weights.astype(np.float32), outline, painted)


def _thorax(rng: np.random.Generator, film: Film, strength: float) -> Frame:
    """The upright thorax, slightly rotated and stretched; the heart grows and shrinks as for the other networks."""
    frame = thorax_frame(upright_pose(film.points), THORAX_SIDE)
    anisotropy = math.exp(rng.normal(0, 0.08 * strength))
    turn = rng.normal(0, math.radians(8))
    return _after(frame, around(_middle(THORAX_SIDE), 1.0, turn, False, THORAX_SIDE, anisotropy))


def _about(rng: np.random.Generator, frame: Frame) -> Frame:
    """The frame with errors like those of the landmark networks: small as a rule, sometimes large."""
    far = 2.0 if rng.random() < 0.15 else 1.0
    scale, turn = math.exp(rng.normal(0, 0.08 * far)), rng.normal(0, math.radians(5 * far))
    moved = _after(frame, around(_middle(SIDE), scale, turn, False, SIDE))
    moved.offset += rng.normal(0, 0.05 * far, 2) * SIDE * HEART_SHARE
    return moved


def _after(first: Frame, then: Frame) -> Frame:
    return Frame(then.matrix @ first.matrix, then.matrix @ first.offset + then.offset)


def _source(thorax: Frame, field: np.ndarray, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Source of each pixel of the close-up on the film, x and y [film px]."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    warped = frame.to_film(np.stack([columns, rows], -1)).astype(np.float32)
    moved = cv2.remap(
        field,
        np.ascontiguousarray(warped[..., 0]),
        np.ascontiguousarray(warped[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    places = thorax.to_film(warped + moved).astype(np.float32)
    return np.ascontiguousarray(places[..., 0]), np.ascontiguousarray(places[..., 1])
