"""Photographs of animals: cut-out animals (pictures with transparency) placed on parts of other photographs."""

from pathlib import Path

import cv2
import numpy as np

from .film import clouds, smooth

LONGEST_PX = 400


def read_cut_outs(folders: list[str]) -> list[np.ndarray]:
    """All pictures with transparency [H, W, 4] in the folders, cropped to their visible part."""
    found = []
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.png")):
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
            continue
        rows, columns = np.nonzero(picture[:, :, 3] > 127)
        if len(rows) < 4000 or len(rows) > 0.97 * picture[:, :, 3].size:
            continue
        picture = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        scale = min(1, LONGEST_PX / max(picture.shape[:2]))
        found.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return found


def photograph_of_animal(
    animal: np.ndarray, ground: np.ndarray, rng: np.random.Generator, longest: int = 420
) -> np.ndarray:
    """One animal in a picture, BGR or sometimes grey: whole or close, facing either side."""
    size = np.array([longest, int(longest * rng.uniform(0.6, 1.0))])[:: rng.choice([1, -1], p=[0.7, 0.3])]
    picture = cv2.resize(
        ground if ground.ndim == 3 else cv2.cvtColor(ground, cv2.COLOR_GRAY2BGR), tuple(int(v) for v in size)
    ).astype(np.float32)
    if rng.random() < 0.6:
        picture = smooth(picture, rng.uniform(1, 10))
    scale = rng.uniform(0.6, 1.5) * min(size / np.array(animal.shape[1::-1]))
    matrix = scale * np.array([[np.cos(tilt := rng.normal(0, 0.12)), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    if rng.random() < 0.5:
        matrix = matrix @ np.diag([-1, 1])
    middle = size * rng.uniform(0.35, 0.65, 2) - matrix @ (np.array(animal.shape[1::-1]) / 2)
    placed = cv2.warpAffine(
        animal, np.column_stack([matrix, middle]), tuple(int(v) for v in size), flags=cv2.INTER_AREA
    ).astype(np.float32)
    light = 1 + rng.uniform(0, 0.25) * clouds(rng, picture.shape[:2], 2, 2)[:, :, None]
    cover = placed[:, :, 3:] / 255
    picture = picture * (1 - cover) + np.clip(placed[:, :, :3] * rng.uniform(0.7, 1.2) * light, 0, 255) * cover
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if rng.random() < 0.45 else picture
