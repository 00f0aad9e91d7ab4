"""The monitor's frame and the room behind it."""

from collections.abc import Sequence

import cv2
import numpy as np


def monitor_with_frame(screen: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draws the plastic frame around the panel. Returns the picture and the panel's top left pixel in it."""
    height, width = screen.shape[:2]
    thick = rng.choice([rng.uniform(0.006, 0.02), rng.uniform(0.02, 0.06)]) * width
    sides = np.round(thick * np.array([1, 1, 1, rng.choice([1, rng.uniform(1, 3)])])).astype(int) + 1
    level = rng.choice([rng.uniform(5, 45), rng.uniform(120, 200), rng.uniform(210, 250)], p=[0.75, 0.15, 0.1])
    colour = np.clip(level + rng.normal(0, 4, 3), 0, 255)
    framed = cv2.copyMakeBorder(
        screen, sides[0], sides[3], sides[1], sides[2], cv2.BORDER_CONSTANT, value=colour.tolist()
    )
    bevel = (colour * rng.uniform(0.5, 1.6)).clip(0, 255).tolist()
    cv2.rectangle(framed, (0, 0), (framed.shape[1] - 1, framed.shape[0] - 1), bevel, max(1, int(thick * 0.12)))
    if sides[3] > 0.02 * width and rng.random() < 0.7:
        at = (framed.shape[1] // 2 - int(0.02 * width), framed.shape[0] - int(sides[3] * 0.35))
        cv2.putText(framed, "VIEW", at, cv2.FONT_HERSHEY_DUPLEX, sides[3] / 70, (150, 150, 150), 1, cv2.LINE_AA)
    return framed, np.array([sides[1], sides[0]], np.float64)


def furnish(width: int, height: int, rng: np.random.Generator, rooms: Sequence[np.ndarray]) -> np.ndarray:
    """The background of the monitor, float32 [H, W, 3], 0-1: a blurred free picture or a drawn room."""
    if len(rooms) and rng.random() < 0.6:
        return backdrop(rooms[rng.integers(len(rooms))], width, height, rng)
    return drawn_room(width, height, rng)


def backdrop(picture: np.ndarray, width: int, height: int, rng: np.random.Generator) -> np.ndarray:
    side = min(picture.shape[:2])
    part = int(side * rng.uniform(0.4, 1))
    top, left = rng.integers(0, picture.shape[0] - part + 1), rng.integers(0, picture.shape[1] - part + 1)
    image = cv2.resize(picture[top : top + part, left : left + part], (width, height)).astype(np.float32) / 255
    return cv2.GaussianBlur(image, (0, 0), rng.uniform(0.6, 0.012 * width))


def drawn_room(width: int, height: int, rng: np.random.Generator) -> np.ndarray:
    """A wall, a desk edge, and boxes for shelves, papers, keyboards and cables."""
    image = np.empty((height, width, 3), np.float32)
    image[:] = pastel(rng)
    slope = np.linspace(rng.uniform(0.7, 1), rng.uniform(0.7, 1), width, dtype=np.float32)[None, :, None]
    image *= slope
    for _ in range(rng.integers(2, 14)):
        centre, half = rng.uniform(0, 1, 2) * [width, height], rng.uniform(0.02, 0.3, 2) * [width, height]
        draw_quad(image, centre, half, pastel(rng) * rng.uniform(0.3, 1.1), rng)
    if rng.random() < 0.7:
        edge = int(height * rng.uniform(0.55, 0.95))
        image[edge:] = pastel(rng) * rng.uniform(0.3, 1) * slope
        for _ in range(rng.integers(0, 10)):
            centre = np.array([rng.uniform(0, width), rng.uniform(edge, height)])
            draw_quad(image, centre, rng.uniform(0.01, 0.12, 2) * width, pastel(rng), rng)
        if rng.random() < 0.4:
            draw_keyboard(image, edge, rng)
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 0.01 * max(width, height)))
    return np.clip(image + rng.standard_normal(image.shape, dtype=np.float32) * rng.uniform(0, 0.03), 0, 1)


def pastel(rng: np.random.Generator) -> np.ndarray:
    return np.clip(rng.uniform(0.1, 0.95) + rng.normal(0, 0.08, 3), 0, 1).astype(np.float32)


def draw_quad(
    image: np.ndarray, centre: np.ndarray, half: np.ndarray, colour: np.ndarray, rng: np.random.Generator
) -> None:
    quad = centre + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + rng.normal(0, 0.08, (4, 2)) * half
    cv2.fillPoly(image, [quad.astype(np.int32)], colour.tolist(), cv2.LINE_AA)


def draw_keyboard(image: np.ndarray, edge: int, rng: np.random.Generator) -> None:
    height, width = image.shape[:2]
    key = width * rng.uniform(0.012, 0.03)
    start = np.array([rng.uniform(0, 0.5) * width, edge + rng.uniform(0, 0.6) * (height - edge)])
    ink = (pastel(rng) * 0.5).tolist()
    for row in range(5):
        for column in range(14):
            corner = (start + np.array([column, row]) * key * 1.2 + [row * key * 0.3, 0]).astype(int)
            cv2.rectangle(image, tuple(corner), tuple((corner + key).astype(int)), ink, -1)
