"""Films derived from lateral films that no longer show a lateral thorax.

They have the texture of real films, so that a network cannot distinguish the kinds by their grain alone.
"""

import cv2
import numpy as np


def without_thorax(film: np.ndarray, thorax: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, str] | None:
    """A film without a whole lateral thorax, and its class; None if the film has no suitable part.

    `film` uint8 [H, W], the animal facing left; `thorax` (left, top, right, bottom) of heart, T4 and T10 in its pixels.
    """
    way, taken_for = WAYS[rng.choice(len(WAYS), p=WAY_SHARES)]
    found = way(film, thorax, rng)
    return found if found is None else (found, taken_for)


def caudal_part(film: np.ndarray, thorax: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """The abdomen, with or without the hind quarters and a little of the lungs."""
    height, width = film.shape
    left, _, right, _ = thorax
    return cut_within(film, (right - 0.15 * (right - left), 0, width, height), rng)


def other_part(film: np.ndarray, thorax: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """The neck or the limbs: a cut that leaves the heart out."""
    height, width = film.shape
    left, top, right, bottom = thorax
    room = (
        (0, 0, left + 0.15 * (right - left), height)
        if rng.random() < 0.65
        else (0, bottom - 0.25 * (bottom - top), width, height)
    )
    return cut_within(film, room, rng)


def cut_within(
    film: np.ndarray, room: tuple[float, float, float, float], rng: np.random.Generator
) -> np.ndarray | None:
    height, width = film.shape
    x0, y0, x1, y1 = room
    if min(x1 - x0, y1 - y0) < 0.16 * max(height, width):
        return None
    size = np.array([x1 - x0, y1 - y0]) * rng.uniform(0.6, 1, 2)
    at = np.array([x0, y0]) + rng.uniform(0, 1, 2) * (np.array([x1 - x0, y1 - y0]) - size)
    (x, y), (w, h) = np.maximum(0, at).astype(int), size.astype(int)
    return film[y : y + h, x : x + w].copy()


def frontal_fold(film: np.ndarray, thorax: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """Resembles a frontal view: the film turned upright and mirrored along its spine."""
    left, top, right, bottom = (int(v) for v in thorax)
    height, width = film.shape
    span = right - left
    x0, x1 = max(0, left - int(span * rng.uniform(0.1, 0.5))), min(width, right + int(span * rng.uniform(0.1, 1.0)))
    half = film[
        max(0, top + int((bottom - top) * rng.uniform(-0.12, 0.1))) : min(height, bottom + int(span * 0.3)), x0:x1
    ]
    if min(half.shape) < 24:
        return None
    other = cv2.resize(half, None, fx=1, fy=rng.uniform(0.8, 1.2))
    joined = np.vstack([other[::-1], half])
    upright = cv2.rotate(joined, cv2.ROTATE_90_CLOCKWISE if rng.random() < 0.75 else cv2.ROTATE_90_COUNTERCLOCKWISE)
    return upright if rng.random() < 0.85 else joined


def close_up(film: np.ndarray, thorax: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """A view so close that neither heart nor column can be seen whole."""
    height, width = film.shape
    size = (np.array([thorax[2] - thorax[0], thorax[3] - thorax[1]]) * rng.uniform(0.2, 0.38, 2)).astype(int)
    if size.min() < 20:
        return None
    x, y = (rng.uniform(0, 1, 2) * (np.array([width, height]) - size)).astype(int)
    return film[y : y + size[1], x : x + size[0]].copy()


def shuffled(film: np.ndarray, _thorax: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Tiles of the film in the wrong order."""
    count = int(rng.integers(3, 6))
    side = np.array(film.shape) // count
    tiles = [
        film[r * side[0] : (r + 1) * side[0], c * side[1] : (c + 1) * side[1]]
        for r in range(count)
        for c in range(count)
    ]
    tiles = [np.rot90(tiles[i], 2 * rng.integers(2)) for i in rng.permutation(len(tiles))]
    return np.vstack([np.hstack(tiles[r * count : (r + 1) * count]) for r in range(count)])


WAYS = (
    (caudal_part, "abdomen"),
    (other_part, "other_radiograph"),
    (frontal_fold, "frontal_chest"),
    (close_up, "other_radiograph"),
    (shuffled, "other_radiograph"),
)
WAY_SHARES = (0.38, 0.15, 0.27, 0.1, 0.1)
