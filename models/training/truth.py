"""Scores of annotated films, implemented independently of the program (core/cardiac/ruler/vertebral-ruler.ts)."""

from typing import Any

import numpy as np

from .films import vertebra_lengths
from .names import FIRST_EDGE, HEART_POINTS, T4, VERTEBRAE
from .outlines import chord, crossing_level, resampled
from .phantom.film import PhantomFilm


def vertebrae_spanned(length: float, edges: np.ndarray, numbers: np.ndarray | None = None) -> float:
    """Number of vertebrae spanned by a length laid along the edges [n, 2] from the first one.

    numbers: of the vertebrae to which the edges belong (default: consecutive).
    """
    counted = np.arange(len(edges)) if numbers is None else numbers - numbers[0]
    each = vertebra_lengths(counted, edges)
    reached = np.concatenate([[0], np.cumsum(each * np.diff(counted))])
    if length <= reached[-1]:
        return float(np.interp(length, reached, counted))
    return float(counted[-1] + (length - reached[-1]) / each[-1])


def scores(points: np.ndarray) -> tuple[float, float]:
    """(VHS, VLAS) of points [len(POINTS), 2] whose edges are known from T4 on; NaN if undefined."""
    numbers = np.flatnonzero(np.isfinite(points[T4:]).all(1))
    edges = points[T4:][numbers]
    if len(edges) < 2 or not np.isfinite(points[T4]).all():
        return float("nan"), float("nan")
    place = dict(zip(HEART_POINTS, points[:FIRST_EDGE]))

    def length(a: str, b: str) -> float:
        return float(np.linalg.norm(place[a] - place[b]))

    def spanned(value: float) -> float:
        return vertebrae_spanned(value, edges, numbers) if np.isfinite(value) else float("nan")

    vhs = spanned(length("heart_top", "heart_bottom")) + spanned(length("heart_right", "heart_left"))
    return vhs, spanned(length("heart_top", "VLAS"))


def rlad_of(points: np.ndarray, outline: np.ndarray) -> float:
    """RLAD [v]: from the crossing of the axes along their bisector to the outline. NaN if undefined, or if it ends
    beyond the column, which only a few simulated atria reach.
    """
    top, bottom, right, left = heart = points[:4].astype(float)
    numbers = np.flatnonzero(np.isfinite(points[T4:]).all(1))
    if not np.isfinite(heart).all() or len(numbers) < 2 or numbers[0] != 0:
        return float("nan")
    crossing = top + crossing_level(heart) * (bottom - top)
    dorsal, caudal = top - bottom, left - right
    bisector = dorsal / np.linalg.norm(dorsal) + caudal / np.linalg.norm(caudal)
    ends = chord(outline, crossing, bisector)
    edges = points[T4:][numbers]
    if ends is None or (ends[1] - crossing) @ bisector <= 0 or not _on_one_side(edges, bottom, ends[1]):
        return float("nan")
    return vertebrae_spanned(float(np.linalg.norm(ends[1] - crossing)), edges, numbers)


def _on_one_side(edges: np.ndarray, a: np.ndarray, b: np.ndarray) -> bool:
    """Whether both points are on the same side of the nearest part of the column."""

    def side(place: np.ndarray) -> float:
        nearest = int(np.argmin(np.linalg.norm(edges - place, axis=1)[:-1]))
        along, to = edges[nearest + 1] - edges[nearest], place - edges[nearest]
        return float(along[0] * to[1] - along[1] * to[0])

    return side(a) * side(b) > 0


def index_entry(file: str, film: PhantomFilm) -> dict[str, Any]:
    """Entry of index.json for a phantom film."""
    places = film.visible_points()
    height, width = film.image.shape

    def rounded(place: np.ndarray) -> list[float]:
        return [round(float(value), 2) for value in place]

    edges = [[name, rounded(place)] for name, place in zip(VERTEBRAE, places[FIRST_EDGE:]) if np.isfinite(place).all()]
    landmarks = {
        name: rounded(place) if np.isfinite(place).all() else None for name, place in zip(HEART_POINTS, places)
    }
    vhs, vlas = scores(film.points)
    return {
        "file": file,
        "species": film.species,
        "facing": "right" if film.faces_right else "left",
        "width": width,
        "height": height,
        "landmarks": landmarks,
        "edges": edges,
        "vhs": round(vhs, 3),
        "vlas": round(vlas, 3),
        "outline": [rounded(place) for place in resampled(film.heart_outline)],
        "group": "phantom",
        "source": "simulated by models/training",
        "licence": "MIT",
        "note": None,
    }
