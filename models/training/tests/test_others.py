"""Pictures that are not lateral thoraxes."""

import math
import unittest

import numpy as np
from training.gate.network import REFUSED
from training.others import PICTURES, TAKEN_FOR, VIEWS, photograph_of_animal, without_thorax
from training.others.skeleton import VIEWS as ANIMAL_VIEWS
from training.others.skeleton import Skeleton, draw_animal, joined, rod, sampled, thickness


def ball_mesh(radius: float, centre: np.ndarray, cuts: int = 40) -> np.ndarray:
    """Triangles [n, 3, 3] of a ball, corners anticlockwise seen from outside."""
    polar, turn = np.meshgrid(
        np.linspace(0, math.pi, cuts + 1), np.linspace(0, 2 * math.pi, 2 * cuts + 1), indexing="ij"
    )
    grid = centre + radius * np.stack([np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), np.cos(polar)], -1)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], -2).reshape(-1, 3, 3), np.stack([a, c, d], -2).reshape(-1, 3, 3)])


class ThicknessTest(unittest.TestCase):
    def test_a_ball_is_as_thick_as_its_chord_in_any_view(self) -> None:
        ball = sampled(ball_mesh(0.05, np.array([0.1, 0.3, 0.2])), 1e-7)
        for angle in (0.0, 0.7, math.pi / 2):
            turn = np.array([[1, 0, 0], [0, math.cos(angle), -math.sin(angle)], [0, math.sin(angle), math.cos(angle)]])
            x, _, z = np.array([0.1, 0.3, 0.2]) @ turn
            found = thickness(ball, turn, (x - 0.06, z + 0.06, 0.12, 0.12), (24, 24))
            self.assertAlmostEqual(float(found[10:14, 10:14].mean()), 0.1, delta=0.003)
            self.assertAlmostEqual(float(found.sum() * 0.005**2 / (4 / 3 * math.pi * 0.05**3)), 1, delta=0.01)


class DrawnTest(unittest.TestCase):
    def test_every_view_of_an_animal_has_a_rejected_class(self) -> None:
        bones = joined([rod([-0.24, 0, 0.51], [0.18, 0, 0.51], 0.01)])
        skeleton = Skeleton(bones, sampled(ball_mesh(0.3, np.array([0.0, 0.0, 0.4])), 1e-4))
        seen = set()
        for seed in range(40):
            film, view, taken_for = draw_animal(skeleton, np.random.default_rng(seed), 120)
            seen.add(view)
            self.assertEqual((film.dtype, film.ndim), (np.uint8, 2))
            self.assertIn(taken_for, REFUSED)
        self.assertEqual(seen, set(ANIMAL_VIEWS))

    def test_every_drawn_kind_has_a_rejected_class(self) -> None:
        self.assertTrue(set(TAKEN_FOR.values()) <= set(REFUSED))
        self.assertTrue({*PICTURES, *VIEWS} <= set(TAKEN_FOR))

    def test_derived_films_have_a_class_and_no_whole_thorax(self) -> None:
        film, thorax = (
            np.random.default_rng(0).integers(0, 255, (300, 700), dtype=np.uint8),
            np.array([150.0, 60, 350, 240]),
        )
        found = [without_thorax(film, thorax, np.random.default_rng(seed)) for seed in range(60)]
        self.assertEqual(
            {taken_for for _, taken_for in filter(None, found)}, {"abdomen", "other_radiograph", "frontal_chest"}
        )

    def test_an_animal_stands_on_its_ground(self) -> None:
        animal, ground = np.zeros((60, 90, 4), np.uint8), np.full((120, 160, 3), 200, np.uint8)
        animal[10:50, 10:80] = (0, 0, 255, 255)
        for seed in range(10):
            picture = photograph_of_animal(animal, ground, np.random.default_rng(seed), 160)
            self.assertEqual(picture.dtype, np.uint8)
            self.assertLess(int(picture.min()), 120)


if __name__ == "__main__":
    unittest.main()
