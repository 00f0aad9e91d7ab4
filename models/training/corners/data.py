"""Photographs with known corners, as inputs of the first and the closer second pass of the corner network."""

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..gate.data import read_rows, read_small
from ..gate.letterbox import to_planes
from .network import SIDE
from .visibility import has_visible_border

LOST_KEPT = 6
"""One in this many films with an invisible border stays in training; its corners can only be guessed."""
MIRRORED = (1, 0, 3, 2)


def has_no_film(row: dict[str, Any]) -> bool:
    """Whether a picture contains nothing like a displayed film. Screens with other radiographs are excluded, because
    they do show a film.
    """
    return row["kind"] == "neither" and (
        not row["source"].startswith("screen of")
        or row["source"] in ("screen of photograph", "screen of document", "screen of scene")
    )


def shows_corners(row: dict[str, Any]) -> bool:
    """Whether the corners of a photographed film are known; close-ups, which only the gate uses, have none."""
    return row["kind"] == "pop" and row.get("corners") is not None


class CornerPictures:
    """Random augmented batches; one picture in six shows no film."""

    EMPTY_SHARE = 0.17

    def __init__(self, folder: str | Path) -> None:
        rows = read_rows(folder)
        films = [(cv2.imread(str(row["path"])), np.array(row["corners"])) for row in rows if shows_corners(row)]
        self.films = [film for number, film in enumerate(films) if number % LOST_KEPT == 0 or has_visible_border(*film)]
        self.empty = [read_small(row["path"], 384) for row in rows if has_no_film(row)]

    def batch(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Pictures [size, 3, SIDE, SIDE] and corners [size, 4, 2] in network pixels; NaN without corners."""
        samples = [self.sample(rng) for _ in range(size)]
        return np.stack([picture for picture, _ in samples]), np.stack([corners for _, corners in samples]).astype(
            np.float32
        )

    def sample(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        if rng.random() < self.EMPTY_SHARE:
            picture = self.empty[rng.integers(len(self.empty))]
            corners = np.full((4, 2), np.nan)
        else:
            picture, corners = self.films[rng.integers(len(self.films))]
        square, corners = look(picture, corners, rng)
        return to_planes(toned(square, rng)[:, :, ::-1]), corners


def look(picture: np.ndarray, corners: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The picture mapped to the network's square by a random similarity: whole, or close around the film."""
    height, width = picture.shape[:2]
    scale, centre = SIDE / max(height, width), np.array([width, height]) / 2
    if rng.random() < 0.5 and np.isfinite(corners).all():
        low, high = corners.min(0), corners.max(0)
        scale = SIDE * rng.uniform(0.6, 0.9) / max(high - low)
        centre = (low + high) / 2 + rng.normal(0, 0.05, 2) * (high - low)
    else:
        scale *= math.exp(rng.normal(0, 0.1))
        centre = centre + rng.normal(0, 0.03, 2) * [width, height]
    angle = math.radians(rng.normal(0, 4))
    matrix = scale * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    if rng.random() < 0.5:
        matrix, corners = matrix @ np.diag([-1, 1]), corners[list(MIRRORED)]
    matrix = np.column_stack([matrix, [SIDE / 2 - 0.5] * 2 - matrix @ (centre - 0.5)])
    source = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale) if scale < 0.7 else picture
    square = cv2.warpAffine(source, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    return square, corners @ matrix[:, :2].T + matrix[:, 2]


def toned(square: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    levels = np.linspace(0, 1, 256) ** math.exp(rng.normal(0, 0.25)) * rng.uniform(0.75, 1.2) + rng.normal(0, 0.04)
    square = cv2.LUT(square, np.clip(levels * 255, 0, 255).astype(np.uint8))
    if rng.random() < 0.15:
        square = cv2.cvtColor(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.3:
        square = np.clip(square * np.clip(rng.normal(1, 0.06, 3), 0.8, 1.2), 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        square = cv2.GaussianBlur(square, (0, 0), rng.uniform(0.3, 1.3))
    return square
