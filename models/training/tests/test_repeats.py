"""Tests of pairs, poses and repeatability: python3 -m unittest training.tests.test_repeats."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from training.packs import PROGRAM_PACKS, read_manifest
from training.phantom.anatomy import Animal, draw_animal
from training.phantom.film import film_of, make_film
from training.phantom.pose import Pose, posed
from training.repeats import animals, copies, errors, pairs, positioning
from training.truth import scores


def dog(seed: int = 5) -> Animal:
    return draw_animal(np.random.default_rng(seed), "dog")


def scores_of(animal: Animal) -> tuple[float, float]:
    """VHS and VLAS of the silhouette that a film of the animal shows."""
    return scores(film_of(np.random.default_rng(1), animal, 160, plain=True).points)


def pair(number: int, tiers: tuple[str, str], off: tuple[float, float], width: int = 576) -> list[dict[str, Any]]:
    """Records of both films of a dog whose true VHS differs between them."""
    return [
        {
            "file": f"dog-{number:04d}-{visit}.jpg",
            "width": width,
            "tier": tier,
            "vhs": truth + error,
            "vhs_truth": truth,
            "vlas": 2 + error / 2,
            "vlas_truth": 2.0,
        }
        for visit, tier, error, truth in zip(pairs.VISITS, tiers, off, (9.0, 9.6))
    ]


class Poses(unittest.TestCase):
    def test_a_neutral_pose_leaves_the_animal_unchanged(self) -> None:
        animal = dog()
        np.testing.assert_allclose(posed(animal, Pose()).heart, animal.heart)
        np.testing.assert_allclose(scores_of(posed(animal, Pose())), scores_of(animal))

    def test_the_cardiac_phase_changes_vhs_and_not_vlas(self) -> None:
        animal = dog()
        (smallest, atrium), (largest, other) = (scores_of(posed(animal, Pose(phase=phase))) for phase in (-1, 1))
        self.assertAlmostEqual((largest - smallest) / scores_of(animal)[0], 0.036, delta=0.006)
        self.assertAlmostEqual(atrium, other, delta=0.03)

    def test_expiration_moves_the_diaphragm_and_leaves_the_heart(self) -> None:
        animal, other = dog(), posed(dog(), Pose(expired=1))
        self.assertAlmostEqual(float(animal.diaphragm[:, 0].max() - other.diaphragm[:, 0].max()), 1.6, places=6)
        np.testing.assert_allclose(other.heart, animal.heart)
        self.assertLess(other.aeration, animal.aeration)

    def test_rotation_lowers_the_chest_and_separates_the_ribs(self) -> None:
        animal, other = dog(), posed(dog(), Pose(turned_deg=20))
        self.assertLess(other.sternum[:, 1].mean(), animal.sternum[:, 1].mean())

        def apart(of: Animal) -> float:
            middle = len(of.ribs[6]) // 2
            return float(of.ribs[6][middle, 1] - of.ribs[19][middle, 1])

        self.assertGreater(apart(other) - apart(animal), 1)

    def test_films_without_a_pose_are_unchanged(self) -> None:
        rng = np.random.default_rng(3)
        film = film_of(rng, draw_animal(rng, None), 200)
        np.testing.assert_array_equal(make_film(np.random.default_rng(3), 200).image, film.image)


class Pairs(unittest.TestCase):
    def test_both_visits_show_one_animal_on_different_films(self) -> None:
        with tempfile.TemporaryDirectory() as out:
            pairs.make(pairs.parse(["--out", out, "--count", "2"]))
            images = json.loads((Path(out) / "index.json").read_text())["images"]
            self.assertEqual([image["file"] for image in images][:2], ["dog-0000-a.jpg", "dog-0000-b.jpg"])
            for a, b in (images[:2], images[2:]):
                self.assertLess(abs(a["vhs"] - b["vhs"]), 0.08 * a["vhs"])
                self.assertNotEqual((Path(out) / a["file"]).read_bytes(), (Path(out) / b["file"]).read_bytes())


class Errors(unittest.TestCase):
    def drawn(self, shared: float, own: float, width: int = 576) -> list[dict[str, Any]]:
        """Pairs of films with the given errors, a part of which both share."""
        rng = np.random.default_rng(4)
        records = []
        for number in range(900):
            common = rng.normal(0, shared)
            first, second = common + rng.normal(0, own, 2)
            records += pair(number, ("good", "review"), (first, second), width)
        return records

    def test_the_share_is_the_unshared_part_of_the_error(self) -> None:
        for shared, own in ((0.3, 0.4), (0.0, 0.3), (0.4, 0.0)):
            found = errors.unshared(errors.pairs_of(self.drawn(shared, own)), "vhs")
            self.assertAlmostEqual(found, own / np.hypot(shared, own), delta=0.03)

    def test_a_dog_with_one_scored_film_is_no_pair(self) -> None:
        self.assertEqual(errors.pairs_of(pair(1, ("good", "good"), (0, 0))[:1]), [])

    def repeatability(self, scatter: float) -> dict[str, Any]:
        intervals = read_manifest(PROGRAM_PACKS / "landmarks-corvet")["calibration"]["intervals"]
        drawn = self.drawn(0.3, 0.4) + self.drawn(0.3, 0.4, 155)
        copies_found = [{"film": "a.png", "vhs": 9 + off, "vlas": 2 + off} for off in (-scatter, 0, scatter)]
        return errors.repeatability_of(intervals, drawn, copies_found)

    def test_errors_are_the_unshared_part_of_the_intervals_without_the_readers(self) -> None:
        rows = self.repeatability(0.01)["errors"]
        self.assertEqual([row["widthUpToPx"] for row in rows], [200] * 3 + [None] * 3)
        half = next(
            row["vhsHalfWidth"]
            for row in read_manifest(PROGRAM_PACKS / "landmarks-corvet")["calibration"]["intervals"]
            if (row["widthUpToPx"], row["vhsUpTo"], row["spreadUpTo"]) == (None, 11.5, 0.005)
        )
        networks = np.sqrt((half / 1.2816) ** 2 - (0.23 * 10.75 / 9.5) ** 2)
        self.assertAlmostEqual(rows[3]["vhsError"], 0.8 * networks, delta=0.01)
        for wide in (rows[:3], rows[3:]):
            self.assertEqual([row["tier"] for row in wide], ["optimal", "good", "review"])
            self.assertEqual([row["vhsError"] for row in wide], sorted(row["vhsError"] for row in wide))

    def test_errors_are_at_least_the_scatter_of_copies(self) -> None:
        entry = self.repeatability(2.0)
        self.assertEqual({row["vhsError"] for row in entry["errors"]}, {2.0})
        self.assertIn("scatter by 2.00 v (VHS)", entry["statement"])


class Changes(unittest.TestCase):
    def test_copies_record_their_original_film(self) -> None:
        film = make_film(np.random.default_rng(8), 200)
        with tempfile.TemporaryDirectory() as folder:
            positioning_entries, _ = positioning.write_films(Path(folder), 1)
            made = copies.changed_entries(folder, [{**positioning_entries[0], "group": "films"}], Path(folder))
        self.assertEqual({copy["original"] for copy in made}, {positioning_entries[0]["file"]})
        self.assertEqual(len({copy["file"] for copy in made}), len(copies.CHANGES))
        for change in copies.CHANGES.values():
            self.assertEqual(change(film.image).dtype, np.uint8)


class Positioning(unittest.TestCase):
    def test_a_change_is_compared_with_the_unchanged_dog(self) -> None:
        entries = [
            {"file": f"{dog_number} {change}", "dog": dog_number, "change": change}
            for dog_number in range(3)
            for change in [*positioning.POSES, *positioning.PICTURES]
        ]
        rows: dict[str, Any] = {
            entry["file"]: {"vhs": 9.0 + entry["dog"], "vlas": None, "model_confidence": "good"} for entry in entries
        }
        for number, by in ((0, 0.2), (1, 0.4)):
            rows[f"{number} expired"] = {"vhs": 9.0 + number + by, "vlas": 2, "model_confidence": "review"}
        rows["2 expired"] = {"vhs": None}
        shown = {entry["file"]: (9.0, 2.0) for entry in entries}
        figures = positioning.figures_of(entries, rows, shown)["expired"]
        self.assertEqual((figures["n"], figures["lost"], figures["review"]), (2, 1, 2))
        self.assertEqual(figures["vhs"], {"mean": 0.3, "sd": 0.1})
        self.assertEqual(figures["vlas"], None)
        self.assertEqual(positioning.text_of(figures), ["2 (1)", "+0.30 ± 0.10", "+0.00", "-", "2"])

    def test_cuts_remove_the_given_side(self) -> None:
        image = np.arange(100, dtype=np.uint8).reshape(10, 10)
        self.assertEqual(int(positioning.cut(cranial=0.2)(image)[0, 0]), 2)
        self.assertEqual(int(positioning.cut(caudal=0.2)(image)[0, -1]), 7)
        self.assertEqual(positioning.cut(ventral=0.2)(image).shape, (8, 10))


class Animals(unittest.TestCase):
    def test_the_place_of_a_heart_is_that_below_the_column(self) -> None:
        ruler = np.array([[100 + 20 * index, 50] for index in range(8)], float)
        heart = np.array([[120, 110], [220, 210], [130, 180], [190, 120]], float)
        for mirrored in (1, -1):
            change = np.array([mirrored, 1])
            np.testing.assert_allclose(animals.heart_place(heart * change, ruler * change), (45, 5))

    def test_pairs_are_doubted_by_any_of_the_differences(self) -> None:
        figures = animals.figures_of(np.array([[3, 0, 0], [0, 20, 0], [0, 0, 1], [2.9, 19, 0.9]], float))
        self.assertEqual((figures["doubted by VHS"], figures["doubted"]), (0.25, 0.75))
        self.assertEqual(figures["largest"], {"vhs": 3.0, "direction": 20.0, "depth": 1.0})


if __name__ == "__main__":
    unittest.main()
