"""Simulated left atria: sizes, position, airways, and unchanged films without them."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from training import phantoms
from training.names import HEART_POINTS
from training.outlines import resampled
from training.phantom.anatomy import NAMED, Animal, draw_animal, visible_heart
from training.phantom.atrium import CLEARANCE
from training.truth import rlad_of, scores

SEEDS = range(40)


def with_atrium(seed: int) -> Animal:
    return draw_animal(np.random.default_rng(seed), "dog", np.random.default_rng([seed, phantoms.ATRIUM]))


def scores_of(animal: Animal) -> tuple[float, float]:
    """(RLAD, VLAS) [v] of the visible border."""
    outline, places = visible_heart(animal)
    points = np.array([places[name] for name in HEART_POINTS] + [animal.edges[index] for index in NAMED])
    return rlad_of(points, outline), scores(points)[1]


class Atrium(unittest.TestCase):
    def test_sizes_run_from_normal_to_severe_and_vlas_moves_with_them(self) -> None:
        rlad, vlas = np.array([scores_of(with_atrium(seed)) for seed in SEEDS]).T
        self.assertTrue(((rlad > 1.1) & (rlad < 3.5)).all(), rlad)
        self.assertTrue(rlad.min() < 1.5 and rlad.max() > 2.9, rlad)
        self.assertTrue(0.2 < np.mean(rlad <= 1.8) < 0.5, rlad)
        self.assertGreater(np.corrcoef(rlad, vlas)[0, 1], 0.8)

    def test_no_heart_reaches_the_vertebral_bodies(self) -> None:
        for seed in SEEDS:
            animal = with_atrium(seed)
            bodies = np.interp(animal.heart[:, 0], animal.edges[:, 0], animal.edges[:, 1]) + animal.body_half
            self.assertGreater(float((animal.heart[:, 1] - bodies).min()), CLEARANCE - 1e-6)

    def test_points_match_the_outline_by_definition(self) -> None:
        for seed in SEEDS:
            animal = with_atrium(seed)
            place = animal.points
            across = place["heart_left"] - place["heart_right"]
            self.assertAlmostEqual(float((place["heart_bottom"] - place["heart_top"]) @ across), 0, places=6)
            border = resampled(animal.heart, 600)
            for name in ("heart_right", "heart_left", "heart_bottom", "VLAS"):
                self.assertLess(np.linalg.norm(border - place[name], axis=1).min(), 0.06, name)

    def test_severe_atria_lift_the_carina_and_part_the_bronchi_of_which_one_is_narrow(self) -> None:
        pairs = [(with_atrium(seed), draw_animal(np.random.default_rng(seed), "dog")) for seed in SEEDS]
        severe = [pair for pair in pairs if scores_of(pair[0])[0] > 2.5]
        self.assertGreater(len(severe), 5)
        for animal, other in severe:
            width, lumen = animal.bronchi[0][1], animal.bronchi[1][1]
            self.assertEqual(width, other.bronchi[0][1])
            self.assertLess(lumen, 0.85 * width)
            self.assertGreater(_angle(*_paths(animal)[1:3]), _angle(*_paths(other)[:2]))
        lifted = [other.points["heart_top"][1] - animal.points["heart_top"][1] for animal, other in severe]
        self.assertGreater(np.mean(lifted), 0.05)

    def test_rest_of_the_animal_is_the_same(self) -> None:
        for seed in (1, 2, 3):
            with_it, without = np.random.default_rng(seed), np.random.default_rng(seed)
            animal = draw_animal(with_it, "dog", np.random.default_rng(7))
            other = draw_animal(without, "dog")
            np.testing.assert_array_equal(animal.edges, other.edges)
            self.assertEqual(animal.trachea_width, other.trachea_width)
            self.assertEqual(with_it.bit_generator.state, without.bit_generator.state)

    def test_folder_contains_atria_only_if_chosen(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            entries = []
            for number, options in enumerate(([], ["--atria"])):
                out = Path(folder) / str(number)
                given = ["folder", "--out", str(out), "--count", "1", "--seed", "5", "--species", "dog", *options]
                chosen = phantoms.parse(given)
                chosen.action(chosen)
                entries += json.loads((out / "index.json").read_text())["images"]
            plain, changed = entries
            self.assertEqual(plain["edges"], changed["edges"])
            self.assertNotEqual(plain["outline"], changed["outline"])
            self.assertNotEqual(plain["vlas"], changed["vlas"])


def _paths(animal: Animal) -> list[np.ndarray]:
    return [path for path, _ in animal.bronchi]


def _angle(first: np.ndarray, second: np.ndarray) -> float:
    """From the end-to-end direction of the first path to that of the second, positive ventrally [rad]."""
    directions = [np.arctan2(*(path[-1] - path[0])[::-1]) for path in (first, second)]
    return float(directions[1] - directions[0])


if __name__ == "__main__":
    unittest.main()
