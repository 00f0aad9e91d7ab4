"""Draws shadows: converts outlines and lines in vertebrae to soft masks in pixels."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

SUBPIXEL_BITS = 4
LIMIT_PX = 6000


class Canvas:
    """A picture of height x width [px] with a map from vertebrae to pixels: pixel = matrix @ place + offset."""

    def __init__(self, height: int, width: int, matrix: np.ndarray, offset: np.ndarray) -> None:
        self.height, self.width = height, width
        self.matrix, self.offset = matrix, offset
        self.scale = float(np.sqrt(abs(np.linalg.det(matrix))))

    def to_px(self, places: npt.ArrayLike) -> np.ndarray:
        return np.array(places, float) @ self.matrix.T + self.offset

    def _fixed(self, places: npt.ArrayLike) -> np.ndarray:
        return np.round(np.clip(self.to_px(places), -LIMIT_PX, LIMIT_PX) * 2**SUBPIXEL_BITS).astype(np.int32)

    def empty(self) -> np.ndarray:
        return np.zeros((self.height, self.width), np.uint8)

    def outlines(self, polygons: list[np.ndarray], value: int = 255, mask: np.ndarray | None = None) -> np.ndarray:
        """Mask of filled polygons, anti-aliased."""
        mask = self.empty() if mask is None else mask
        for polygon in polygons:
            cv2.fillPoly(mask, [self._fixed(polygon)], int(value), cv2.LINE_AA, SUBPIXEL_BITS)
        return mask

    def lines(
        self,
        curves: Sequence[Any],
        width: float,
        value: int | np.ndarray = 255,
        mask: np.ndarray | None = None,
        closed: bool = False,
    ) -> np.ndarray:
        """Mask of lines of `width` vertebrae; `value` may be one per curve."""
        mask = self.empty() if mask is None else mask
        thickness = max(1, int(round(width * self.scale)))
        values: Any = value if np.ndim(value) else [value] * len(curves)
        for curve, one in zip(curves, values):
            cv2.polylines(mask, [self._fixed(curve)], closed, int(one), thickness, cv2.LINE_AA, SUBPIXEL_BITS)
        return mask

    def soft(self, mask: np.ndarray, sigma: float) -> np.ndarray:
        """The mask as float 0-1, blurred by `sigma` vertebrae."""
        return blurred(mask.astype(np.float32) / 255, sigma * self.scale)

    def rounded(self, mask: np.ndarray, radius: float) -> np.ndarray:
        """Thickness of a rounded body over the mask, 0-1, rising from the edge inwards over `radius` vertebrae."""
        step = max(1, int(self.scale // 8))
        small = cv2.resize(
            mask, (max(2, self.width // step), max(2, self.height // step)), interpolation=cv2.INTER_AREA
        )
        inside = cv2.distanceTransform((small > 127).astype(np.uint8), cv2.DIST_L2, 3)
        share = np.clip(inside * step / max(radius * self.scale, 1), 0, 1)
        return cv2.resize(np.sqrt(1 - (1 - share) ** 2), (self.width, self.height), interpolation=cv2.INTER_LINEAR)


def blurred(image: np.ndarray, sigma_px: float) -> np.ndarray:
    """Gaussian blur; a wide one is computed on a smaller copy, which looks the same and is faster."""
    if sigma_px < 0.3:
        return image
    if sigma_px <= 4:
        return cv2.GaussianBlur(image, (0, 0), sigma_px)
    height, width = image.shape
    step = max(1, int(sigma_px / 2))
    small = cv2.resize(image, (max(2, width // step), max(2, height // step)), interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma_px / step), (width, height), interpolation=cv2.INTER_LINEAR)


def clouds(
    rng: np.random.Generator, height: int, width: int, cells: float, octaves: int = 4, persistence: float = 0.55
) -> np.ndarray:
    """Fractal noise of unit spread."""
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    for octave in range(octaves):
        columns = max(2, int(cells * 2**octave))
        rows = max(2, columns * height // width)
        noise = rng.standard_normal((rows, columns)).astype(np.float32)
        total += weight * cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
        weight *= persistence
    return total / max(float(total.std()), 1e-6)
