"""Network input of a picture: the whole picture in a black square, as in main/imaging."""

import cv2
import numpy as np


def letterbox(picture: np.ndarray, side: int) -> tuple[np.ndarray, tuple[float, int, int]]:
    """BGR or grey uint8 to uint8 RGB [side, side, 3]; with it (scale, offset_x, offset_y):
    input = (picture + 0.5) * scale - 0.5 + offset."""
    height, width = picture.shape[:2]
    scale = side / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    shrunk = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    if shrunk.ndim == 2:
        shrunk = cv2.cvtColor(shrunk, cv2.COLOR_GRAY2BGR)
    left, top = (side - size[0]) // 2, (side - size[1]) // 2
    square = np.zeros((side, side, 3), np.uint8)
    square[top : top + size[1], left : left + size[0]] = shrunk[:, :, ::-1]
    return square, (scale, left, top)


def to_planes(square: np.ndarray) -> np.ndarray:
    """uint8 [side, side, 3] to the networks' float32 [3, side, side], 0-1."""
    return np.ascontiguousarray(square.transpose(2, 0, 1)).astype(np.float32) / 255
