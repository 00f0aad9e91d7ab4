"""Smooth curves through a few points."""

import numpy as np
import numpy.typing as npt


def spline(points: npt.ArrayLike, per_segment: int = 8, closed: bool = False) -> np.ndarray:
    """Catmull-Rom curve through `points` [n, 2]."""
    points = np.asarray(points, float)
    if closed:
        padded = np.concatenate([points[-1:], points, points[:2]])
    else:
        padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    t = np.arange(per_segment)[:, None, None] / per_segment
    a, b, c, d = (padded[None, k : len(padded) - 3 + k] for k in range(4))
    curve = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    curve = curve.transpose(1, 0, 2).reshape(-1, 2)
    return curve if closed else np.concatenate([curve, points[-1:]])


def along(curve: np.ndarray, shares: npt.ArrayLike) -> np.ndarray:
    """Points at given shares of a curve's length."""
    steps = np.linalg.norm(np.diff(curve, axis=0), axis=1)
    lengths = np.concatenate([[0], np.cumsum(steps)])
    at = np.asarray(shares, float) * lengths[-1]
    return np.stack([np.interp(at, lengths, curve[:, 0]), np.interp(at, lengths, curve[:, 1])], -1)


def unit(vector: np.ndarray) -> np.ndarray:
    vector = np.asarray(vector, float)
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def turned(direction: list[int] | np.ndarray, angle: float) -> np.ndarray:
    """Direction turned by `angle` [rad], from +x towards +y."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([direction[0] * cos - direction[1] * sin, direction[0] * sin + direction[1] * cos])
