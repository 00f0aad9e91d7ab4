"""Tests of recognising rotation from the ribs: python3 -m unittest training.tests.test_rotation."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
from training.column.strip import HEIGHT, WIDTH
from training.films import Film
from training.names import FIRST_EDGE, T4
from training.phantom.anatomy import draw_animal
from training.phantom.film import make_film
from training.repeats import rotation
from training.truth import index_entry


class Ribs(unittest.TestCase):
    def test_ribs_of_both_sides_differ_without_rotation(self) -> None:
        animal = draw_animal(np.random.default_rng(5), "dog")
        apart = []
        for seed in range(60):
            ribs = rotation.uneven(np.random.default_rng(seed), animal, 0).ribs
            apart.append(np.mean([rib[len(rib) // 2, 1] for rib in ribs[:13]]) - ribs[13 + 6][len(ribs[0]) // 2, 1])
        self.assertAlmostEqual(float(np.std(apart)), np.sqrt(2) * rotation.SIDE_SCATTER, delta=0.05)

    def test_a_film_shows_its_rotation_and_the_angle_of_the_beam(self) -> None:
        for number in range(4):
            _, shown = rotation.simulated(1, number, 10)
            self.assertTrue(1 < abs(shown - 10) < 9)
            self.assertEqual(rotation.simulated(1, number, 10)[1], shown)


class Strips(unittest.TestCase):
    def test_the_strip_is_ventral_of_the_column_for_both_facings(self) -> None:
        for mirrored in (False, True):
            made = make_film(np.random.default_rng(2), 300, mirrored, plain=True)
            points = made.visible_points()
            film = Film(made.image, points, np.isfinite(points).all(1).astype(np.float32))
            moved = rotation.lowered(film).points[T4] - points[T4]
            heart = np.nanmean(points[:FIRST_EDGE], 0) - points[T4]
            self.assertGreater(float(moved @ heart), 0)
            self.assertEqual(rotation.strip(np.random.default_rng(1), film, 0).shape, (HEIGHT, WIDTH))


class Command(unittest.TestCase):
    def test_the_threshold_finds_the_wanted_share(self) -> None:
        angles = np.arange(100.0)
        self.assertEqual(float((angles >= rotation.threshold_of(angles)).mean()), 0.81)

    def test_prints_the_share_of_films_at_or_above_the_threshold(self) -> None:
        made = make_film(np.random.default_rng(2), 300, plain=True)
        entry = {key: value for key, value in index_entry("a.png", made).items() if key not in ("edges", "group")}
        edges = dict(index_entry("a.png", made)["edges"])
        entry["spine"] = {"T4_cranial": edges["T4"], "T9_caudal": edges["T10"]}
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
            cv2.imwrite(str(Path(folder) / "a.png"), made.image)
            (Path(folder) / "index.json").write_text(json.dumps({"version": 1, "images": [entry]}))
            few = ["--films", "2", "--steps", "1", "--measured", "1"]
            rotation.report(rotation.parse([*few, "--data", f"real={folder}"]))
        lines = printed.getvalue().splitlines()
        self.assertEqual(len(lines), 2 + len(rotation.ANGLES))
        self.assertRegex(lines[-1], r"real, films: [01] of 1 \((0|100)%\)")


if __name__ == "__main__":
    unittest.main()
