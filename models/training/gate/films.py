"""Lateral films for the gate and the corner detector, varied so that the thorax stays visible."""

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from ..films import points_of, read_grey, read_index
from ..names import FIRST_EDGE, HEART_POINTS, VERTEBRAE
from ..others.film import label_film

STORED_PX = 900
SMALLEST_SHARE = 0.13
"""Least share of the longer side taken up by heart and T4 to T10, as on films of whole cats."""
LAST_EDGE = FIRST_EDGE + VERTEBRAE.index("T10")
FIRST_NEEDED_EDGE = FIRST_EDGE + VERTEBRAE.index("T4")


@dataclass
class LateralFilm:
    """A film and the box (left, top, right, bottom) of its heart and of T4 to T10, in pixels."""

    image: np.ndarray
    thorax: np.ndarray
    source: str
    faces_right: bool = False

    def facing_left(self) -> "LateralFilm":
        """This film, mirrored if the animal faces right."""
        if not self.faces_right:
            return self
        left, top, right, bottom = self.thorax
        end = self.image.shape[1] - 1
        return LateralFilm(self.image[:, ::-1], np.array([end - right, top, end - left, bottom]), self.source)


def read_lateral_films(folder: str | Path, source: str) -> list[LateralFilm]:
    """All films of a folder in the data format with a heart, reduced to STORED_PX."""
    films = []
    for entry in read_index(folder):
        image = read_grey(Path(folder) / entry["file"])
        points, _ = points_of(entry)
        if np.isnan(points[: len(HEART_POINTS)]).all():
            continue
        needed = np.vstack([points[: len(HEART_POINTS)], points[FIRST_NEEDED_EDGE : LAST_EDGE + 1]])
        scale = min(1.0, STORED_PX / max(image.shape))
        if scale < 1:
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        box = np.concatenate([np.nanmin(needed, 0), np.nanmax(needed, 0)]) * scale
        films.append(LateralFilm(image, box, source, entry.get("facing") == "right"))
    return films


def vary(film: LateralFilm, rng: np.random.Generator, longest: int = 640) -> LateralFilm:
    """A variant of this film: rotated, stretched, bent, cropped around the thorax, with another exposure, facing either
    side. Never upside down, and always with heart and T4 to T10."""
    left, top, right, bottom = film.thorax
    spread, centre = max(right - left, bottom - top), np.array([left + right, top + bottom]) / 2
    share = math.exp(rng.uniform(math.log(SMALLEST_SHARE if rng.random() < 0.35 else 0.28), math.log(0.92)))
    aspect = math.exp(rng.uniform(math.log(0.75), math.log(1.9)))
    size = np.array([longest, longest / aspect]) if aspect > 1 else np.array([longest * aspect, longest])
    scale = share * min(size) / spread if share > 0.6 else share * max(size) / spread
    matrix = (
        scale
        * turn(rng.normal(0, 7) if rng.random() < 0.9 else rng.uniform(-20, 20))
        @ np.diag(np.exp(rng.normal(0, 0.07, 2)))
    )
    is_mirrored = rng.random() < 0.5
    if is_mirrored:
        matrix = matrix @ np.diag([-1, 1])
    covered = np.abs(matrix) @ np.array(film.image.shape[::-1])
    size = np.minimum(size, covered * rng.choice([1.0, rng.uniform(1.0, 1.15)]))
    room = np.maximum(0, size / 2 - 0.5 * scale * np.array([right - left, bottom - top]) * 1.05)
    shift = size / 2 - matrix @ centre + rng.uniform(-0.7, 0.7, 2) * room
    slack = np.abs(covered - size) / 2
    film_centre = matrix @ (np.array(film.image.shape[::-1]) / 2)
    shift = np.clip(shift, size / 2 - film_centre - slack, size / 2 - film_centre + slack)
    image = resample(film.image, matrix, shift, size.astype(int), rng)
    half = np.abs(matrix) @ np.array([right - left, bottom - top]) / 2
    middle = matrix @ centre + shift
    return LateralFilm(
        label_film(expose_again(image, rng), rng),
        np.concatenate([middle - half, middle + half]),
        film.source,
        film.faces_right != is_mirrored,
    )


def turn(degrees: float) -> np.ndarray:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]])


def resample(
    image: np.ndarray, matrix: np.ndarray, shift: np.ndarray, size: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The affinely mapped picture with a smooth random bend; the outside has the darkness of the film's border."""
    ys, xs = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    bend = rng.standard_normal((2, 4, 4)).astype(np.float32) * rng.uniform(0, 0.02) * max(size)
    xs, ys = (
        grid + cv2.resize(part, tuple(int(v) for v in size), interpolation=cv2.INTER_CUBIC) - offset
        for grid, part, offset in zip((xs, ys), bend, shift)
    )
    inverse = np.linalg.inv(matrix).astype(np.float32)
    blur = 0.4 / math.sqrt(abs(np.linalg.det(matrix)))
    source = cv2.GaussianBlur(image, (0, 0), blur) if blur > 0.6 else image
    mode = cv2.BORDER_REPLICATE if rng.random() < 0.3 else cv2.BORDER_CONSTANT
    return cv2.remap(
        source,
        inverse[0, 0] * xs + inverse[0, 1] * ys,
        inverse[1, 0] * xs + inverse[1, 1] * ys,
        cv2.INTER_LINEAR,
        borderMode=mode,
        borderValue=int(np.percentile(image, 2)),
    )


def expose_again(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Another exposure, processing and grain."""
    if rng.random() < 0.3:
        image = cv2.createCLAHE(rng.uniform(1, 5), (8, 8)).apply(image)
    film = (image.astype(np.float32) / 255) ** math.exp(rng.normal(0, 0.4))
    low, high = np.clip(rng.normal(0, 0.08), -0.15, 0.3), rng.uniform(0.6, 1.15)
    film = low + film * (high - low)
    if rng.random() < 0.4:
        film = film + rng.uniform(-0.4, 1.0) * (film - cv2.GaussianBlur(film, (0, 0), rng.uniform(1, 12)))
    film = film + rng.standard_normal(film.shape, dtype=np.float32) * rng.choice([0, rng.uniform(0, 0.06)])
    return (np.clip(film, 0, 1) * 255).astype(np.uint8)
