"""The two views of a film used as network input: the whole film, and the upright thorax.

In the thorax frame the animal faces left, the column is horizontal and the crop spans CROP_VERTEBRAE vertebrae.
main/inference/views/landmark-frames.ts computes the same frames in the program.
"""

import math
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from .films import vertebra_px
from .names import FIRST_EDGE, HEART_POINTS, T8, VERTEBRAE

SIDE = 352
"""Side of every network's input [px]."""
CROP_VERTEBRAE = 16.0
"""Side of the thorax frame [vertebrae]."""
CENTRE_VENTRAL_OF_T8 = 4.0
"""Distance of the frame's centre from the cranial edge of T8, ventrally [vertebrae]."""


Pose: TypeAlias = tuple[np.ndarray, float, float, bool]
"""T8 place, length of a vertebra [px], angle that levels the column [rad], whether the animal faces right."""


class Frame:
    """A similarity (or any affine) map from film pixels to network pixels: network = matrix @ film + offset."""

    def __init__(self, matrix: npt.ArrayLike, offset: npt.ArrayLike) -> None:
        self.matrix = np.asarray(matrix, float)
        self.offset = np.asarray(offset, float)

    def to_network(self, points: npt.ArrayLike) -> np.ndarray:
        return np.asarray(points) @ self.matrix.T + self.offset

    def to_film(self, points: npt.ArrayLike) -> np.ndarray:
        return (np.asarray(points) - self.offset) @ np.linalg.inv(self.matrix).T


def around(
    centre: npt.ArrayLike,
    scale: float,
    angle_rad: float = 0.0,
    mirrored: bool = False,
    side: int = SIDE,
    anisotropy: float = 1.0,
) -> Frame:
    """Frame that moves `centre` to the middle, rotates by `angle_rad` and scales by `scale`, optionally after mirroring
    x.
    """
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    flip = -1.0 if mirrored else 1.0
    matrix = scale * np.diag([anisotropy, 1 / anisotropy]) @ np.array([[cos, -sin], [sin, cos]]) @ np.diag([flip, 1.0])
    middle = np.array([side / 2 - 0.5] * 2)
    return Frame(matrix, middle - matrix @ np.asarray(centre, float))


def upright_pose(points: np.ndarray) -> Pose:
    """Pose of the thorax from known points: (T8 place, vertebra [px], angle that levels the column, mirrored)."""
    edges = points[FIRST_EDGE:]
    known = np.flatnonzero(np.isfinite(edges).all(1))
    middle = [index for index in known if VERTEBRAE.index("T3") <= index <= VERTEBRAE.index("T12")]
    chosen = middle if len(middle) >= 3 else list(known)
    numbers = np.array(chosen, float)
    slope_x, start_x = np.polyfit(numbers, edges[chosen, 0], 1)
    slope_y, start_y = np.polyfit(numbers, edges[chosen, 1], 1)
    heart_points = points[: len(HEART_POINTS)]
    heart = (
        heart_points[np.isfinite(heart_points).all(1)].mean(0)
        if np.isfinite(heart_points).any()
        else np.full(2, np.nan)
    )
    if not np.isfinite(heart).all():
        heart = np.array([start_x, start_y + 1e3])
    t8 = T8 - FIRST_EDGE
    place = np.array([start_x + slope_x * t8, start_y + slope_y * t8])
    cross = slope_x * (heart[1] - place[1]) - slope_y * (heart[0] - place[0])
    mirrored = bool(cross < 0)
    direction = np.array([-slope_x if mirrored else slope_x, slope_y])
    return place, vertebra_px(points), -math.atan2(direction[1], direction[0]), mirrored


def thorax_frame(pose: Pose, side: int = SIDE, crop_vertebrae: float = CROP_VERTEBRAE) -> Frame:
    """The upright frame of a pose from `upright_pose`."""
    t8, vertebra, angle, mirrored = pose
    scale = side / (crop_vertebrae * vertebra)
    frame = around(t8, scale, angle, mirrored, side)
    frame.offset[1] -= CENTRE_VENTRAL_OF_T8 * side / crop_vertebrae
    return frame


def shrink_of(frame: Frame) -> float:
    """Film pixels per network pixel."""
    return 1 / math.sqrt(abs(np.linalg.det(frame.matrix)))


def smoothed(image: np.ndarray, frame: Frame) -> np.ndarray:
    """The film, low-pass filtered against aliasing in the frame."""
    shrink = shrink_of(frame)
    return image if shrink < 1.6 else cv2.GaussianBlur(image, (0, 0), 0.4 * shrink)


def sampled(image: np.ndarray, frame: Frame, side: int = SIDE) -> np.ndarray:
    """Network input of a film [side, side], 0-1; black outside the film."""
    matrix = np.hstack([frame.matrix, frame.offset[:, None]])
    seen = cv2.warpAffine(smoothed(image, frame), matrix, (side, side), flags=cv2.INTER_LINEAR)
    return seen.astype(np.float32) / 255
