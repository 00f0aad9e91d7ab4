"""Altered copies of films, as from another exposure, another crop or another plate reader; measured by
`left_out --changed`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..films import read_grey
from ..stress import clipped, collimated, compressed, pale, turned

NOISE_SEED = 90
NOISE_LEVELS = 8.0
"""Standard deviation of the noise of a short exposure [of 256 levels]."""
DARK_POWER, BRIGHT_POWER = 1.5, 0.67
SMALLER = 0.7


def noisy(image: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(NOISE_SEED).normal(0, NOISE_LEVELS, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def toned(power: float) -> Callable[[np.ndarray], np.ndarray]:
    """Applies a tone curve; above 1 it darkens."""
    return lambda image: (255 * (image / 255) ** power).astype(np.uint8)


def smaller(image: np.ndarray) -> np.ndarray:
    return cv2.resize(image, None, fx=SMALLER, fy=SMALLER, interpolation=cv2.INTER_AREA)


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "turned-5": lambda image: turned(image, 5),
    "turned-minus-8": lambda image: turned(image, -8),
    "noisy": noisy,
    "dark": toned(DARK_POWER),
    "bright": toned(BRIGHT_POWER),
    "clipped": clipped,
    "pale": pale,
    "compressed": compressed,
    "collimated": collimated,
    "smaller": smaller,
}


def changed_entries(folder: str | Path, entries: list[dict[str, Any]], out: Path) -> list[dict[str, Any]]:
    """Writes all altered copies of the films to `out`; returns their entries, without points, with the film in
    `original`.
    """
    copies = []
    for entry in entries:
        image = read_grey(Path(folder) / entry["file"])
        for name, change in CHANGES.items():
            file = f"{name}-{Path(entry['file']).stem}.png"
            cv2.imwrite(str(out / file), np.ascontiguousarray(change(image)))
            kept = {key: entry.get(key) for key in ("species", "group")}
            copies.append({**kept, "file": file, "original": entry["file"]})
    return copies
