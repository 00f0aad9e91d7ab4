"""The drawn outlines of the real training films."""

import json
import unittest
from itertools import combinations
from pathlib import Path

import numpy as np

OUTLINES = json.loads((Path(__file__).resolve().parents[1] / "outlines.json").read_text())
APEX_TOLERANCE = 0.012
"""Share of the long axis: printed markers are read to about 1 px, and the shortest axis of the films has 88 px."""
PERPENDICULAR_TOLERANCE_DEG = 2
"""The clinicians' own short axes are within 1.2 degrees; the ends are rounded to 0.1 px besides."""


def drawn() -> list[tuple[str, np.ndarray, list[int]]]:
    """Name, polygon [n, 2] and its vertices at heart_top, heart_bottom, heart_right and heart_left, film by film."""
    return [(name, np.array(polygon), OUTLINES["axisEnds"][name]) for name, polygon in OUTLINES["outlines"].items()]


def cross(a: np.ndarray, b: np.ndarray) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def sides_cross(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    """Whether the segments a-b and c-d intersect in their interior."""
    return cross(b - a, c - a) * cross(b - a, d - a) < 0 and cross(d - c, a - c) * cross(d - c, b - c) < 0


class OutlinesTest(unittest.TestCase):
    def test_every_outline_is_a_simple_polygon_that_goes_round_caudal_side_first(self) -> None:
        for name, polygon, _ in drawn():
            with self.subTest(name):
                self.assertTrue(24 <= len(polygon) <= 40)
                sides = list(zip(polygon, np.roll(polygon, -1, 0)))
                self.assertFalse(
                    [
                        pair
                        for pair in combinations(range(len(sides)), 2)
                        if sides_cross(*sides[pair[0]], *sides[pair[1]])
                    ]
                )
                self.assertGreater(sum(cross(start, end) for start, end in sides), 0)

    def test_every_outline_lies_inside_its_film(self) -> None:
        for name, polygon, _ in drawn():
            with self.subTest(name):
                self.assertTrue((polygon >= 0).all() and (polygon <= np.array(OUTLINES["sizesPx"][name]) - 1).all())

    def test_the_axes_end_on_the_outline_as_the_convention_says(self) -> None:
        for name, polygon, ends in drawn():
            with self.subTest(name):
                top, bottom, right, left = polygon[ends]
                long, short = bottom - top, left - right
                length = np.linalg.norm(long)
                self.assertEqual([ends[0], *sorted(ends)[1:]], [0, ends[3], ends[1], ends[2]])
                self.assertLess(np.linalg.norm(polygon - top, axis=1).max(), length * (1 + APEX_TOLERANCE))
                lean = np.degrees(np.arcsin(abs(long @ short) / (length * np.linalg.norm(short))))
                self.assertLess(lean, PERPENDICULAR_TOLERANCE_DEG)


if __name__ == "__main__":
    unittest.main()
