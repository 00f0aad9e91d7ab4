"""Films made out of true lateral films that no longer show a lateral thorax.

They carry the texture of real films, so that a network cannot tell the kinds apart by their grain alone.
"""
import cv2
import numpy as np


def without_thorax(film, thorax, rng):
    """A film without a whole lateral thorax, or None where this film has no room for the drawn way.

    `film` uint8 [H, W]; `thorax` (left, top, right, bottom) of heart, T4 and T10 in its pixels.
    """
    ways = (beside_thorax, beside_thorax, frontal_fold, frontal_fold, close_up, shuffled)
    return ways[rng.integers(len(ways))](film, thorax, rng)


def beside_thorax(film, thorax, rng):
    """The abdomen, the hind quarters, the neck or the limbs: a cut that leaves the heart out."""
    height, width = film.shape
    left, _, right, bottom = thorax
    reach = 0.15 * (right - left)
    room = [(right - reach, 0, width, height), (0, 0, left + reach, height), (0, bottom - 0.25 * (bottom - thorax[1]), width, height)]
    x0, y0, x1, y1 = room[rng.choice(3, p=[0.55, 0.3, 0.15])]
    if min(x1 - x0, y1 - y0) < 0.16 * max(height, width):
        return None
    size = np.array([x1 - x0, y1 - y0]) * rng.uniform(0.6, 1, 2)
    at = np.array([x0, y0]) + rng.uniform(0, 1, 2) * (np.array([x1 - x0, y1 - y0]) - size)
    (x, y), (w, h) = np.maximum(0, at).astype(int), size.astype(int)
    return film[y:y + h, x:x + w].copy()


def frontal_fold(film, thorax, rng):
    """Something like a frontal view: the film turned upright and mirrored along its spine."""
    left, top, right, bottom = (int(v) for v in thorax)
    height, width = film.shape
    span = right - left
    x0, x1 = max(0, left - int(span * rng.uniform(0.1, 0.5))), min(width, right + int(span * rng.uniform(0.1, 1.0)))
    half = film[max(0, top + int((bottom - top) * rng.uniform(-0.12, 0.1))):min(height, bottom + int(span * 0.3)), x0:x1]
    if min(half.shape) < 24:
        return None
    other = cv2.resize(half, None, fx=1, fy=rng.uniform(0.8, 1.2))
    joined = np.vstack([other[::-1], half])
    upright = cv2.rotate(joined, cv2.ROTATE_90_CLOCKWISE if rng.random() < 0.75 else cv2.ROTATE_90_COUNTERCLOCKWISE)
    return upright if rng.random() < 0.85 else joined


def close_up(film, thorax, rng):
    """A view so close that neither heart nor column can be seen whole."""
    height, width = film.shape
    size = (np.array([thorax[2] - thorax[0], thorax[3] - thorax[1]]) * rng.uniform(0.2, 0.38, 2)).astype(int)
    if size.min() < 20:
        return None
    x, y = (rng.uniform(0, 1, 2) * (np.array([width, height]) - size)).astype(int)
    return film[y:y + size[1], x:x + size[0]].copy()


def shuffled(film, _thorax, rng):
    """Tiles of the film in the wrong order."""
    count = int(rng.integers(3, 6))
    side = np.array(film.shape) // count
    tiles = [film[r * side[0]:(r + 1) * side[0], c * side[1]:(c + 1) * side[1]] for r in range(count) for c in range(count)]
    tiles = [np.rot90(tiles[i], 2 * rng.integers(2)) for i in rng.permutation(len(tiles))]
    return np.vstack([np.hstack(tiles[r * count:(r + 1) * count]) for r in range(count)])
