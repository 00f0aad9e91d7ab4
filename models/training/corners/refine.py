"""Moves roughly found corners onto the film's border: the straightest line of grey-level steps near each side.

main/inference/corner-refinement.ts does the same in the program.
"""
import math

import cv2
import numpy as np

REFINEMENT = {"samples": 48, "reachFraction": 0.03, "stepCap": 12.0, "leastScore": 3.0, "priorFraction": 0.02}


def steps_across(grey, start, end, inward, samples, reach):
    """Grey-level steps [samples, 2 reach + 1] across a side, at whole pixels from -reach (outside) to reach (inside)."""
    along = np.linspace(0.05, 0.95, samples)
    line = start + (end - start) * along[:, None]
    offsets = np.arange(-reach - 2, reach + 3)
    places = line[:, None] + inward * offsets[None, :, None]
    values = cv2.remap(grey, places[..., 0].astype(np.float32), places[..., 1].astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.abs(values[:, 3:-1] + values[:, 4:] - values[:, :-4] - values[:, 1:-3])[:, : 2 * reach + 1] / 2, along


def best_line(steps, along, reach, settings, diagonal):
    """Offsets (at start, at end) of the line with the most capped steps, and its score; near lines are preferred."""
    capped = np.minimum(steps, settings["stepCap"])
    spread = settings["priorFraction"] * diagonal
    tried = np.arange(-reach, reach + 1, 2)
    best = (-1.0, 0, 0, 0.0)
    rows = np.arange(len(along))
    for first in tried:
        offsets = np.rint(first + (tried[:, None] - first) * along[None]).astype(int) + reach
        scores = capped[rows[None], offsets].mean(1)
        weighted = scores * np.exp(-0.5 * (first**2 + tried**2) / spread**2 / 2)
        index = int(weighted.argmax())
        if weighted[index] > best[0]:
            best = float(weighted[index]), int(first), int(tried[index]), float(scores[index])
    return best[1:]


def polished(steps, along, first, last, reach):
    """Least squares through the centres of the steps within 3 px of the line; the offsets at both ends."""
    weights, offsets = [], []
    for row, share in zip(steps, along):
        middle = int(round(first + (last - first) * share)) + reach
        low, high = max(0, middle - 3), min(2 * reach + 1, middle + 4)
        window = np.maximum(0, row[low:high] - 1)
        weights.append(min(window.sum(), 40))
        offsets.append((window * (np.arange(low, high) - reach)).sum() / window.sum() if window.sum() > 0 else 0)
    weights, offsets = np.array(weights), np.array(offsets)
    if weights.sum() <= 0:
        return first, last
    for _ in range(2):
        slope, start = np.polyfit(along, offsets, 1, w=np.sqrt(weights))
        weights = weights * (np.abs(offsets - start - slope * along) < 2)
        if (weights > 0).sum() < 8:
            return first, last
    return start, start + slope


def crossing(a, b):
    """Where the lines through the point pairs a and b meet."""
    (p, q), (r, s) = a, b
    along, other = q - p, s - r
    determinant = along[0] * other[1] - along[1] * other[0]
    if abs(determinant) < 1e-6 * np.linalg.norm(along) * np.linalg.norm(other):
        return None
    t = ((r - p)[0] * other[1] - (r - p)[1] * other[0]) / determinant
    return p + along * t


def refine(grey, corners, settings=REFINEMENT):
    """Corners [4, 2] moved onto the lines of the film's border; a side without a clear line stays where it was."""
    diagonal = math.hypot(*grey.shape)
    reach = max(6, int(settings["reachFraction"] * diagonal))
    values = grey.astype(np.float32)
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, 0)):
        inward = np.array([-(end - start)[1], (end - start)[0]]) / max(1e-6, np.linalg.norm(end - start))
        steps, along = steps_across(values, start, end, inward, settings["samples"], reach)
        first, last, score = best_line(steps, along, reach, settings, diagonal)
        if score >= settings["leastScore"]:
            first, last = polished(steps, along, first, last, reach)
        else:
            first = last = 0
        sides.append((start + inward * first, end + inward * last))
    moved = [crossing(sides[index - 1], sides[index]) for index in range(4)]
    if any(corner is None for corner in moved):
        return corners
    moved = np.array(moved)
    return moved if np.linalg.norm(moved - corners, axis=1).max() < 3 * reach else corners
