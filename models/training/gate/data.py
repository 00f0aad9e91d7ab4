"""Labelled pictures made in advance, and their augmentation in the gate's training."""

import json
from pathlib import Path

import cv2
import numpy as np

from .letterbox import letterbox, to_planes
from .network import KINDS, SIDE, label_of


def read_rows(folder: str | Path) -> list[dict]:
    """Rows of all indices of a folder of made pictures, with `path` added."""
    folder = Path(folder)
    rows = [
        json.loads(line) for index in sorted(folder.glob("index-*.jsonl")) for line in index.read_text().splitlines()
    ]
    if not rows:
        raise ValueError(f"{folder}: no made pictures (index-*.jsonl)")
    return [{**row, "path": folder / row["file"]} for row in rows]


def read_small(path: Path, longest: int, halve: bool = False) -> np.ndarray:
    """A picture reduced to `longest`; with `halve` it is decoded at half size, which is faster."""
    picture = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2 if halve else cv2.IMREAD_COLOR)
    scale = longest / max(picture.shape[:2])
    return picture if scale >= 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


STORED_PX = 240
"""Size of stored pictures, slightly larger than the network's input."""


class GatePictures:
    """Random augmented batches with a fixed share per kind."""

    SHARES = (0.32, 0.22, 0.12, 0.11, 0.1, 0.08, 0.05)

    def __init__(self, folder: str) -> None:
        self.by_kind: list[list[np.ndarray]] = [[] for _ in KINDS]
        for row in read_rows(folder):
            self.by_kind[label_of(row)].append(read_small(row["path"], STORED_PX, row["kind"] == "pop"))

    def batch(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Pictures [size, 3, SIDE, SIDE] and labels [size]."""
        labels = rng.choice(len(KINDS), size, p=self.SHARES)
        chosen = [self.by_kind[label][rng.integers(len(self.by_kind[label]))] for label in labels]
        return np.stack([augmented(picture, KINDS[label], rng) for picture, label in zip(chosen, labels)]), labels


def augmented(picture: np.ndarray, kind: str, rng: np.random.Generator) -> np.ndarray:
    """An augmented picture: rotated, cropped, re-encoded, tinted, reduced to a thumbnail, inverted."""
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
    if rng.random() < 0.1:
        picture = np.rot90(picture, int(rng.integers(1, 4)))
    picture = jittered(np.ascontiguousarray(picture), rng)
    if kind != "direct" and rng.random() < 0.2:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    picture = toned(picture, kind, rng)
    if rng.random() < 0.3:
        longest = rng.uniform(90, 220)
        scale = min(1, longest / max(picture.shape[:2]))
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.4:
        _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(30, 95))])
        picture = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
    return to_planes(letterbox(picture, SIDE)[0])


def jittered(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A slight rotation, stretch and crop."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D(
        (width / 2, height / 2),
        rng.normal(0, 3) if rng.random() < 0.6 else rng.uniform(-22, 22),
        rng.uniform(0.92, 1.15),
    )
    matrix[:, 2] += rng.normal(0, 0.02, 2) * [width, height]
    stretch = np.exp(rng.normal(0, 0.08, 2))
    matrix = np.diag(stretch) @ matrix
    size = max(8, int(width * stretch[0])), max(8, int(height * stretch[1]))
    return cv2.warpAffine(
        picture, matrix, size, borderMode=cv2.BORDER_REPLICATE if rng.random() < 0.5 else cv2.BORDER_CONSTANT
    )


def toned(picture: np.ndarray, kind: str, rng: np.random.Generator) -> np.ndarray:
    levels = np.linspace(0, 1, 256)
    levels = levels ** np.exp(rng.normal(0, 0.3)) * rng.uniform(0.7, 1.15) + rng.normal(0, 0.05)
    if kind != "pop" and rng.random() < 0.04:
        levels = 1 - levels
    picture = cv2.LUT(picture, np.clip(levels * 255, 0, 255).astype(np.uint8))
    if rng.random() < (0.06 if kind == "direct" else 0.3):
        picture = np.clip(picture * np.clip(rng.normal(1, 0.07, 3), 0.75, 1.25), 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.5))
    if rng.random() < 0.2:
        grain = rng.standard_normal(picture.shape[:2] + (1,)) * rng.uniform(1, 12)
        picture = np.clip(picture + grain, 0, 255).astype(np.uint8)
    return picture
