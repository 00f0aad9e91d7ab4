"""Maps to corners, as main/inference/corner-decoding.ts does in the program."""
import math

import cv2
import numpy as np

from ..gate.letterbox import letterbox, to_planes
from .network import SIDE, STRIDE

DECODING = {"stridePx": STRIDE, "refineCells": 3, "minimumPeak": 0.4, "minimumAreaFraction": 0.02, "secondLookFill": 0.75}


def peak(values, radius):
    """Weighted mean around the highest cell [cells], and its value."""
    row, column = np.unravel_index(int(values.argmax()), values.shape)
    top, left = max(0, row - radius), max(0, column - radius)
    window = values[top:row + radius + 1, left:column + radius + 1]
    ys, xs = np.mgrid[top:top + window.shape[0], left:left + window.shape[1]]
    total = max(float(window.sum()), 1e-9)
    return np.array([(window * xs).sum() / total, (window * ys).sum() / total]), float(values[row, column])


def decode(maps, placement, size, decoding):
    """Corners [4, 2] in picture pixels, the weakest peak, and whether they are a credible film."""
    scale, left, top = placement
    peaks = [peak(values, decoding["refineCells"]) for values in maps]
    corners = np.array([((at + 0.5) * decoding["stridePx"] - [left, top]) / scale - 0.5 for at, _ in peaks])
    confidence = min(value for _, value in peaks)
    along = np.roll(corners, -1, 0) - corners
    after = np.roll(along, -1, 0)
    convex = bool((along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0] > 0).all())
    area = abs(np.dot(corners[:, 0], np.roll(corners[:, 1], -1)) - np.dot(corners[:, 1], np.roll(corners[:, 0], -1))) / 2
    found = confidence >= decoding["minimumPeak"] and convex and area >= decoding["minimumAreaFraction"] * size[0] * size[1]
    return corners, confidence, bool(found)


def closer(corners, size, decoding):
    """(left, top, side) of the second look, or None where it would hardly magnify."""
    low, high = corners.min(0), corners.max(0)
    side = max(high - low) / decoding["secondLookFill"]
    return None if side * 1.1 > max(size) else (*((low + high - side) / 2), side)


def find(picture, run, decoding=DECODING, second=True):
    """Corners of a BGR picture by two looks; `run` takes planes [3, SIDE, SIDE] to maps [4, S, S]."""
    size = picture.shape[1], picture.shape[0]
    square, placement = letterbox(picture, SIDE)
    first = decode(run(to_planes(square)), placement, size, decoding)
    crop = closer(first[0], size, decoding) if first[2] and second else None
    if crop is None:
        return first
    scale = SIDE / crop[2]
    placement = scale, -crop[0] * scale, -crop[1] * scale
    matrix = np.array([[scale, 0, (placement[1] + 0.5 * scale - 0.5)], [0, scale, (placement[2] + 0.5 * scale - 0.5)]])
    source = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale) if scale < 0.7 else picture
    square = cv2.warpAffine(source, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR)[:, :, ::-1]
    again = decode(run(to_planes(square)), placement, size, decoding)
    return again if again[2] else first


def error_of_diagonal(found, truth, size):
    """Mean distance of the four corners in parts of the picture's diagonal."""
    return float(np.linalg.norm(found - truth, axis=1).mean() / math.hypot(*size))
