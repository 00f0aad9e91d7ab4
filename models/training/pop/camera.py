"""The telephone's view of a monitor: pose, lens, room, light, moiré, reflections, fingers, sensor and JPEG.

Light is added in linear units (squares of the displayed values), then developed as by a telephone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .light import add_fingers, add_glare, develop, moire
from .room import furnish, monitor_with_frame
from .screen import Screen, compose_screen

ASPECTS = ((4, 3), (3, 4), (4, 3), (16, 9), (9, 16), (1, 1))


@dataclass
class Photograph:
    """`image` BGR uint8; `corners` [4, 2] of the displayed film, TL, TR, BR, BL, in pixels (0, 0 is the centre of
    the top left pixel). Corners may lie outside the picture if the film is cropped."""

    image: np.ndarray
    corners: np.ndarray
    screen: Screen
    view: "View"
    frame_origin: np.ndarray

    def place(self, points: np.ndarray) -> np.ndarray:
        """Position in the picture of points [n, 2] of the film (pixel centres at integers); NaN stays NaN."""
        on_monitor = (np.asarray(points, float) + 0.5) * self.screen.scale + self.screen.origin
        return self.view.distorted(project(self.view.homography, on_monitor + self.frame_origin - 0.5))


@dataclass
class View:
    """Position of the monitor in the picture: `homography` maps monitor pixels to undistorted picture pixels."""

    homography: np.ndarray
    lens: float
    width: int
    height: int

    def ideal(self, points: np.ndarray) -> np.ndarray:
        """Picture pixels to undistorted picture pixels; `points` [..., 2]."""
        centre, radius = self._optics()
        away = (points - centre) / radius
        return centre + away * radius * (1 + self.lens * (away**2).sum(-1, keepdims=True))

    def distorted(self, points: np.ndarray) -> np.ndarray:
        """The inverse of `ideal`, by fixed-point steps."""
        guess = points.copy()
        for _ in range(12):
            guess += points - self.ideal(guess)
        return guess

    def _optics(self) -> tuple[np.ndarray, float]:
        return np.array([self.width - 1, self.height - 1]) / 2, math.hypot(self.width, self.height) / 2


def photograph(
    film: np.ndarray,
    rng: np.random.Generator,
    size: int = 800,
    companion: np.ndarray | None = None,
    rooms: Sequence[np.ndarray] = (),
) -> Photograph:
    """A photograph, `size` pixels on its longest side, of a monitor that shows `film`.

    rooms: free pictures shown behind the monitor or reflected in it; rooms are drawn without them.
    """
    texture_width = int(size * rng.uniform(1.1, 1.5))
    return photograph_screen(compose_screen(film, rng, texture_width, companion), rng, size, rooms)


def photograph_screen(
    screen: Screen, rng: np.random.Generator, size: int = 800, rooms: Sequence[np.ndarray] = ()
) -> Photograph:
    """A photograph of an already composed `Screen`."""
    width, height = picture_size(rng, size)
    monitor, origin = monitor_with_frame(screen.image, rng)
    inside = bool(rng.random() < 0.95)
    for _ in range(60):
        view = choose_view(screen, origin, rng, width, height)
        corners = view.distorted(project(view.homography, screen.corners + origin - 0.5))
        margin = corners.min() > -0.5 and (corners < [width - 0.5, height - 0.5]).all()
        if margin or not inside:
            break
    image = expose(monitor, screen, origin, view, rng, rooms)
    return Photograph(image, corners, screen, view, origin)


def picture_size(rng: np.random.Generator, size: int) -> tuple[int, int]:
    across, down = ASPECTS[rng.integers(len(ASPECTS))]
    return round(size * across / max(across, down)), round(size * down / max(across, down))


def choose_view(screen: Screen, origin: np.ndarray, rng: np.random.Generator, width: int, height: int) -> View:
    """A hand-held pose aimed near the film (or the whole monitor), filling a third to nearly all of the picture."""
    target = (
        screen.corners if rng.random() < 0.75 else np.array([[0, 0], [screen.image.shape[1], screen.image.shape[0]]])
    )
    low, high = target.min(0), target.max(0)
    spread = rng.normal(0, 0.06, 2) * (high - low)
    aim, extent = (low + high) / 2 + origin + spread, high - low
    focal = max(width, height) * rng.uniform(0.75, 1.1)
    fill = rng.uniform(0.42, 1.0) if rng.random() < 0.5 else rng.uniform(0.75, 1.03)
    yaw, pitch = np.radians(np.clip(rng.normal(0, [14, 10]), -38, 30))
    roll = math.radians(rng.normal(0, 4) if rng.random() < 0.85 else rng.uniform(-28, 28))
    distance = focal * max(extent[0] / width, extent[1] / height) / fill
    turn = rotation(yaw, pitch, roll)
    plane = np.column_stack([turn[:, 0], turn[:, 1], -turn[:, :2] @ aim + [0, 0, distance]])
    camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return View(camera @ plane, float(np.clip(rng.normal(0, 0.025), -0.08, 0.08)), width, height)


def rotation(yaw: float, pitch: float, roll: float) -> np.ndarray:
    about_y = np.array([[math.cos(yaw), 0, math.sin(yaw)], [0, 1, 0], [-math.sin(yaw), 0, math.cos(yaw)]])
    about_x = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
    about_z = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
    return about_z @ about_x @ about_y


def project(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return mapped[:, :2] / mapped[:, 2:]


def monitor_coordinates(view: View) -> tuple[np.ndarray, np.ndarray]:
    """Monitor pixel seen at every picture pixel, float32 [H, W, 2], and whether it lies in front of the camera."""
    grid = np.stack(np.meshgrid(np.arange(view.width, dtype=np.float64), np.arange(view.height)), -1)
    ideal = view.ideal(grid)
    seen = ideal @ np.linalg.inv(view.homography)[:, :2].T + np.linalg.inv(view.homography)[:, 2]
    depth = np.where(np.abs(seen[..., 2:]) < 1e-9, 1e-9, seen[..., 2:])
    front = seen[..., 2] * np.linalg.inv(view.homography)[2, 2] > 0
    return np.clip(seen[..., :2] / depth, -30000, 30000).astype(np.float32), front


def expose(
    monitor: np.ndarray,
    screen: Screen,
    origin: np.ndarray,
    view: View,
    rng: np.random.Generator,
    rooms: Sequence[np.ndarray],
) -> np.ndarray:
    """The developed picture: monitor before the room, moiré on the lit panel, reflections, fingers, sensor."""
    seen, front = monitor_coordinates(view)
    across, down = seen[..., 0], seen[..., 1]
    light = np.square(
        cv2.remap(monitor, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32) / 255
    )
    here = coverage(across, down, monitor.shape, front)
    lit = coverage(across - origin[0], down - origin[1], screen.image.shape, front)[..., None]
    glow = rng.uniform(0.55, 1.25) * panel_shading(view, rng) * moire(across, down, rng)
    black_level = rng.uniform(0, 0.012)
    light = light * (1 - lit) * rng.uniform(0.1, 0.8) + (light * glow + black_level) * lit
    meter = float(np.percentile(light[lit[..., 0] > 0.5], rng.uniform(90, 99))) if (lit > 0.5).any() else 0.5
    light = add_glare(light, lit, rng, rooms)
    room = np.square(furnish(view.width, view.height, rng, rooms)) * rng.choice(
        [rng.uniform(0.02, 0.2), rng.uniform(0.2, 1.2)]
    )
    light = light * here[..., None] + room * (1 - here[..., None])
    light = add_fingers(light, rng)
    return develop(light, meter, rng)


def coverage(across: np.ndarray, down: np.ndarray, shape: tuple[int, ...], front: np.ndarray) -> np.ndarray:
    """Soft mask of the picture pixels that show the rectangle 0 … shape."""
    height, width = shape[:2]
    inside = (across > -0.5) & (across < width - 0.5) & (down > -0.5) & (down < height - 0.5) & front
    return cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.6)


def panel_shading(view: View, rng: np.random.Generator) -> np.ndarray:
    """Backlight fall-off and the brightening or fading of a panel seen at an angle, float32 [H, W, 1]."""
    across, down = (np.linspace(-1, 1, count, dtype=np.float32) for count in (view.width, view.height))
    x, y = np.meshgrid(across, down)
    return np.clip(
        1 + rng.normal(0, 0.12) * x + rng.normal(0, 0.12) * y - rng.uniform(0, 0.2) * (x * x + y * y), 0.3, 1.5
    )[..., None]
