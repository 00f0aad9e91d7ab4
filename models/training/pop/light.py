"""Disturbing light on a photographed screen, and the telephone's sensor and image processing."""

import math
from collections.abc import Sequence

import cv2
import numpy as np


def moire(across: np.ndarray, down: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Interference of the pixel grids of monitor and sensor: the grid is evaluated at the pixels of the picture, so
    that perspective bends the fringes realistically. Factor around 1, float32 [H, W, 3]; the sub-pixels differ in
    phase.
    """
    strength = rng.choice([0.0, rng.uniform(0.01, 0.05), rng.uniform(0.05, 0.22)], p=[0.35, 0.4, 0.25])
    if strength == 0:
        return np.array(1, np.float32)
    colour = rng.uniform(0, 1) * np.array([-1, 0, 1]) * 2 * math.pi / 3
    pattern = np.zeros(across.shape + (3,), np.float32)
    for coordinate, axis in ((across, 1), (down, 0)):
        pitch = np.median(np.abs(np.diff(coordinate, axis=axis)))
        cycles = (rng.integers(1, 3) + rng.normal(0, 0.06)) / max(pitch, 1e-3)
        phase = 2 * math.pi * np.mod(coordinate * cycles, 1)
        weight = rng.uniform(0.2, 1)
        for channel in range(3):
            pattern[..., channel] += weight * np.cos(phase + colour[channel])
    return 1 + strength * pattern


def blob(shape: tuple[int, ...], rng: np.random.Generator, size: float) -> np.ndarray:
    """A soft patch: a window (quadrilateral) or a lamp (ellipse), float32 [H, W]."""
    height, width = shape[:2]
    mask = np.zeros((height, width), np.float32)
    centre = rng.uniform(0, 1, 2) * [width, height]
    half = np.abs(rng.normal(size, size / 2, 2)) * max(width, height) + 2
    if rng.random() < 0.5:
        quad = centre + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + rng.normal(0, 0.15, (4, 2)) * half
        cv2.fillPoly(mask, [quad.astype(np.int32)], 1.0)
        if rng.random() < 0.5:
            cv2.line(
                mask,
                tuple(quad[:2].mean(0).astype(int)),
                tuple(quad[2:].mean(0).astype(int)),
                0.0,
                max(1, int(half[0] * 0.12)),
            )
    else:
        cv2.ellipse(
            mask, tuple(int(v) for v in centre), tuple(int(v) for v in half), rng.uniform(0, 180), 0, 360, 1.0, -1
        )
    return soften(mask, rng.uniform(0.003, 0.05) * max(width, height))


def soften(image: np.ndarray, sigma: float) -> np.ndarray:
    """Gaussian blur, computed on a small copy if sigma is large."""
    factor = max(1, int(sigma / 3))
    small = cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA) if factor > 1 else image
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, sigma / factor))
    return cv2.resize(small, (image.shape[1], image.shape[0])) if factor > 1 else small


def add_glare(light: np.ndarray, lit: np.ndarray, rng: np.random.Generator, rooms: Sequence[np.ndarray]) -> np.ndarray:
    """Windows, lamps and the mirrored room on the glossy panel."""
    for _ in range(rng.choice([0, 1, 2, 3], p=[0.4, 0.3, 0.2, 0.1])):
        tint = np.clip(rng.normal(1, 0.08, 3), 0.7, 1.2).astype(np.float32)
        light = light + blob(light.shape, rng, rng.uniform(0.02, 0.2))[..., None] * tint * rng.choice(
            [rng.uniform(0.01, 0.12), rng.uniform(0.12, 0.9)], p=[0.8, 0.2]
        )
    if len(rooms) and rng.random() < 0.3:
        mirrored = cv2.resize(rooms[rng.integers(len(rooms))], (light.shape[1], light.shape[0]))[:, ::-1]
        light = (
            light
            + np.square(soften(mirrored, rng.uniform(1, 12)).astype(np.float32) / 255) * rng.uniform(0.01, 0.15) * lit
        )
    if rng.random() < 0.3:
        light = light + np.float32(rng.uniform(0, 0.05))
    return light


def add_fingers(light: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A finger over the lens or a pointing hand: a skin-coloured capsule from the border inwards."""
    if rng.random() > 0.12:
        return light
    height, width = light.shape[:2]
    size = max(height, width)
    side = rng.integers(4)
    start = (
        np.array([rng.uniform(0, width), -0.05 * height if side < 2 else 1.05 * height])
        if side % 2
        else np.array([-0.05 * width if side < 2 else 1.05 * width, rng.uniform(0, height)])
    )
    inward = np.array([width, height]) / 2 - start + rng.normal(0, 0.2, 2) * size
    end = start + inward / np.linalg.norm(inward) * rng.uniform(0.08, 0.3) * size
    mask = np.zeros((height, width), np.float32)
    cv2.line(
        mask, tuple(start.astype(int)), tuple(end.astype(int)), 1.0, int(rng.uniform(0.05, 0.12) * size), cv2.LINE_AA
    )
    mask = soften(mask, rng.uniform(0.002, 0.015) * size)[..., None]
    shade = soften(mask[..., 0], 0.02 * size)[..., None]
    skin = np.array([0.16, 0.28, 0.5], np.float32) * rng.uniform(0.08, 1.2)
    return light * (1 - mask) + skin * (0.35 + 0.65 * shade) * mask


def develop(light: np.ndarray, meter: float, rng: np.random.Generator) -> np.ndarray:
    """White balance, exposure, blur, noise, tone curve, sharpening and the telephone's JPEG: BGR uint8.

    meter: brightness of the lit panel [linear], for which the telephone usually exposes."""
    cast = np.clip(np.array([1.08, 1.0, 0.95]) + rng.normal(0, [0.09, 0.03, 0.07]), 0.6, 1.5).astype(np.float32)
    target = rng.choice([rng.uniform(0.5, 0.95), rng.uniform(0.95, 1.8), rng.uniform(0.12, 0.5)], p=[0.7, 0.15, 0.15])
    light = light * cast * np.float32(np.clip(target / max(meter, 0.02), 0.2, 6))
    light = blur_by_hand(light, rng)
    if rng.random() < 0.3:
        rows = np.arange(light.shape[0], dtype=np.float32)
        light = (
            light
            * (
                1
                + rng.uniform(0.02, 0.12)
                * np.sin(2 * math.pi * (rows / light.shape[0] * rng.uniform(1, 7) + rng.random()))
            )[:, None, None]
        )
    noise = rng.choice([rng.uniform(0.003, 0.015), rng.uniform(0.015, 0.05)], p=[0.75, 0.25])
    grain = cv2.GaussianBlur(rng.standard_normal(light.shape, dtype=np.float32), (0, 0), rng.uniform(0.3, 0.9))
    light = np.maximum(light + grain * noise * (0.25 + np.sqrt(np.clip(light, 0, 1))), 0)
    image = 1 - np.exp(-light * 1.6) if rng.random() < 0.5 else np.minimum(light, 1)
    image = np.sqrt(np.clip(image, 0, 1))
    if rng.random() < 0.5:
        image = image + rng.uniform(0.2, 1.0) * (image - cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2)))
    image = np.clip(image * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(45, 94))])
    return cv2.imdecode(encoded, cv2.IMREAD_COLOR)


def blur_by_hand(light: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Defocus and motion blur of a shaking hand."""
    size = max(light.shape[:2])
    light = cv2.GaussianBlur(
        light, (0, 0), size * rng.choice([rng.uniform(0.0003, 0.001), rng.uniform(0.001, 0.003)], p=[0.75, 0.25])
    )
    if rng.random() < 0.2:
        length = max(3, int(size * rng.uniform(0.002, 0.009))) | 1
        kernel = np.zeros((length, length), np.float32)
        angle, middle = rng.uniform(0, math.pi), length // 2
        step = np.array([math.cos(angle), math.sin(angle)]) * middle
        cv2.line(kernel, tuple((middle - step).round().astype(int)), tuple((middle + step).round().astype(int)), 1.0, 1)
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
    return light
