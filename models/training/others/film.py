"""Simulates simple radiographs: adds thicknesses along the ray, then exposes, processes and labels the film."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt


class Bench:
    """Attenuation picture of a subject, `size` = (width, height). All lengths are parts of the longer side."""

    def __init__(self, rng: np.random.Generator, size: tuple[int, int]) -> None:
        self.rng, (self.width, self.height) = rng, size
        self.unit = max(size)
        self.attenuation = np.zeros((self.height, self.width), np.float32)
        self.body = np.zeros_like(self.attenuation)

    def mask(self, outlines: Sequence[npt.ArrayLike]) -> np.ndarray:
        """Filled outlines, each [n, 2] in units, as a 0/255 mask."""
        mask = np.zeros((self.height, self.width), np.uint8)
        for outline in outlines:
            cv2.fillPoly(mask, [np.round(np.asarray(outline) * self.unit * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return mask

    def thickness(self, mask: np.ndarray, radius: float) -> np.ndarray:
        """Chord of a rounded solid with this silhouette, 0-1, full at `radius` from the edge."""
        depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / max(1.0, radius * self.unit)
        depth = np.minimum(depth, 1)
        return np.sqrt(depth * (2 - depth))

    def soft(self, outline: npt.ArrayLike, amount: float, radius: float = 0.1, edge: float = 0.004) -> np.ndarray:
        """Adds (or, negative, removes: gas) soft tissue."""
        layer = self.thickness(self.mask([outline]), radius)
        layer = smooth(layer, edge * self.unit)
        self.attenuation += amount * layer * (1 + self.rng.uniform(0.01, 0.1) * clouds(self.rng, layer.shape, 8, 3))
        return layer

    def trunk(self, outline: npt.ArrayLike, amount: float, radius: float) -> None:
        self.body = np.maximum(self.body, self.soft(outline, amount, radius))

    def bone(self, outlines: Sequence[npt.ArrayLike], amount: float, radius: float, hollow: float = 0.5) -> None:
        """Cortical shell with a lighter core."""
        mask = self.mask(outlines)
        shell = self.thickness(mask, radius)
        core = smooth(np.maximum(0, self.thickness(mask, radius * 2) - 0.35), 0.003 * self.unit)
        self.attenuation += amount * smooth(np.maximum(0, shell - hollow * core), 0.0018 * self.unit)

    def finish(self) -> np.ndarray:
        """The exposed film, uint8."""
        return finish_film(self.attenuation, self.rng)


def smooth(layer: np.ndarray, sigma: float) -> np.ndarray:
    if sigma < 0.3:
        return layer
    factor = max(1, int(sigma / 2.5))
    small = cv2.resize(layer, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA) if factor > 1 else layer
    small = cv2.GaussianBlur(small, (0, 0), sigma / factor)
    return cv2.resize(small, (layer.shape[1], layer.shape[0])) if factor > 1 else small


def clouds(rng: np.random.Generator, shape: tuple[int, ...], base: float, octaves: int = 4) -> np.ndarray:
    """Smooth random texture of unit spread."""
    texture = np.zeros(shape, np.float32)
    for octave in range(octaves):
        cells = max(2, int(base * 2**octave))
        grid = rng.standard_normal((max(2, cells * shape[0] // shape[1]), cells)).astype(np.float32)
        texture += 0.6**octave * cv2.resize(grid, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return texture / max(1e-6, texture.std())


def curve(points: Any, count: int = 48, closed: bool = False) -> np.ndarray:
    """A smooth line through the points (Catmull-Rom)."""
    points = np.asarray(points, float)
    padded = (
        np.vstack([points[-1:], points, points[:2]])
        if closed
        else np.vstack([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    )
    spans = len(padded) - 3
    at = np.linspace(0, spans - 1e-9, count)
    index, t = at.astype(int), (at % 1)[:, None]
    a, b, c, d = (padded[index + shift] for shift in range(4))
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


def tube(line: npt.ArrayLike, widths: npt.ArrayLike) -> np.ndarray:
    """Outline of a band around a line, half widths interpolated along it."""
    line = np.asarray(line)
    line = curve(line, 32) if len(line) < 16 else line
    along = np.gradient(line, axis=0)
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(1e-9, np.linalg.norm(along, axis=1))[:, None]
    half = np.interp(np.linspace(0, 1, len(line)), np.linspace(0, 1, len(np.asarray(widths))), np.asarray(widths))[
        :, None
    ]
    return np.vstack([line + normal * half, (line - normal * half)[::-1]])


def finish_film(attenuation: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Exposure, scatter, film curve, edge enhancement, noise, collimation, labels, borders, inversion."""
    unit = max(attenuation.shape)
    film = attenuation + rng.uniform(0, 0.25) * smooth(attenuation, 0.06 * unit)
    low, high = np.percentile(film[::5, ::5], [rng.uniform(1, 20), rng.uniform(96, 99.9)])
    film = np.clip((film - low) / max(high - low, 0.05), -0.3, 1.3)
    film = 1 / (1 + np.exp(-(film - rng.uniform(0.4, 0.6)) * rng.uniform(2.5, 6)))
    film = ((film - film.min()) / max(1e-6, np.ptp(film))) ** rng.uniform(0.7, 1.6)
    if rng.random() < 0.6:
        film = film + rng.uniform(0.2, 1.2) * (film - smooth(film, unit * rng.uniform(0.004, 0.05)))
    film = film + rng.standard_normal(film.shape, dtype=np.float32) * rng.uniform(0.003, 0.04)
    film = np.clip(film * rng.uniform(0.75, 1.0) + rng.uniform(0, 0.12), 0, 1)
    return label_film((film * 255).astype(np.uint8), rng)


def label_film(film: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Collimation, markers and burned-in text, white or black borders, sometimes inverted."""
    height, width = film.shape
    film = film.copy()
    if rng.random() < 0.4:
        shade = 0 if rng.random() < 0.8 else 255
        top, bottom, left, right = (int(rng.uniform(0, 0.09) * v) for v in (height, height, width, width))
        film[:top], film[height - bottom :], film[:, :left], film[:, width - right :] = shade, shade, shade, shade
    for _ in range(rng.integers(0, 3)):
        text = str(rng.choice(["R", "L", "RL", "LAT", "VD", "AP", "12/03/2025", "kV 60", "ID 4417", "Dr. Vet", "1:1"]))
        at = (
            int(rng.uniform(0.01, 0.85) * width),
            int(rng.choice([rng.uniform(0.04, 0.15), rng.uniform(0.85, 0.98)]) * height),
        )
        scale = max(width, height) / 512 * rng.uniform(0.3, 1.3)
        cv2.putText(
            film,
            text,
            at,
            cv2.FONT_HERSHEY_SIMPLEX,
            scale,
            int(rng.uniform(150, 255)),
            max(1, round(scale * 2)),
            cv2.LINE_AA,
        )
    if rng.random() < 0.12:
        border = [int(rng.uniform(0, 0.08) * max(width, height)) for _ in range(4)]
        film = cv2.copyMakeBorder(film, *border, cv2.BORDER_CONSTANT, value=255 if rng.random() < 0.6 else 0)
    return 255 - film if rng.random() < 0.06 else film
