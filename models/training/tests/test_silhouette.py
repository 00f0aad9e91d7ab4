"""The silhouette in training: axes by definition, growth of the heart alone, the silhouette's target and its loss."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from training import border, phantoms
from training.covers import cut_cranially
from training.films import OTHERS_INSIDE, PhantomShards, as_cardiologists_mark, outline_of, points_of, read_films
from training.grown import entry_of, grown
from training.growth import growth_field
from training.losses import landmark_loss
from training.names import ANY_DISC, FIRST_EDGE, HEART_POINTS, MAP_COUNT, POINTS, SILHOUETTE, T4
from training.network import LandmarkNet, load_weights
from training.outlines import (
    axes_of,
    chord,
    crossing_level,
    read_outlines,
    resampled,
    silhouette_target,
    squared,
    widened,
)
from training.phantom import make_film
from training.phantom.anatomy import VISIBLE_SPREADS, draw_animal, visible_heart
from training.tests.test_landmarks import dotted_film
from training.train import example, held_out
from training.truth import index_entry
from training.warping import MEASURE, carry, training_picture


def ellipse(centre: tuple[float, float], half_x: float, half_y: float) -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    return np.stack([centre[0] + half_x * np.cos(turn), centre[1] + half_y * np.sin(turn)], -1)


class Axes(unittest.TestCase):
    def test_chord_ends_on_the_outermost_border(self) -> None:
        ends = chord(ellipse((50, 60), 20, 30), np.array([50.0, 60.0]), np.array([1.0, 0.0]))
        assert ends is not None
        np.testing.assert_allclose(ends, [[30, 60], [70, 60]], atol=0.05)
        self.assertIsNone(chord(ellipse((50, 60), 20, 30), np.array([50.0, 200.0]), np.array([1.0, 0.0])))

    def test_axes_of_an_ellipse_are_its_own(self) -> None:
        axes = axes_of(ellipse((50, 60), 20, 30), np.array([50.0, 30.0]), 0.5, np.array([-1.0, 0.0]))
        assert axes is not None
        np.testing.assert_allclose(
            [axes[name] for name in HEART_POINTS[:4]], [[50, 30], [50, 90], [30, 60], [70, 60]], atol=0.1
        )

    def test_squared_axes_are_perpendicular_and_as_long(self) -> None:
        heart = np.array([[50.0, 30], [56, 92], [28, 52], [72, 48]])
        other = squared(heart)
        self.assertAlmostEqual(float((other[1] - other[0]) @ (other[3] - other[2])), 0, places=6)

        def length(points: np.ndarray) -> float:
            return float(np.linalg.norm(points[2] - points[3]))

        self.assertAlmostEqual(length(other), length(heart), places=6)
        self.assertAlmostEqual(crossing_level(other), crossing_level(heart), places=6)

    def test_phantoms_cross_at_the_level_of_the_vena_cava(self) -> None:
        for seed in range(8):
            heart = make_film(np.random.default_rng(seed), 200).points[:4]
            self.assertTrue(0.26 < crossing_level(heart) < 0.39, crossing_level(heart))

    def test_widened_outlines_lie_further_out(self) -> None:
        for turn in (1, -1):
            radii = np.linalg.norm(widened(ellipse((50, 60), 20, 20)[::turn], 1.5) - [50, 60], axis=1)
            np.testing.assert_allclose(radii, 21.5, atol=0.05)

    def test_softer_borders_are_marked_further_out(self) -> None:
        for seed in range(6):
            animal = draw_animal(np.random.default_rng(seed))
            animal.border_softness = 0.1
            outline, points = visible_heart(animal)
            long, short = points["heart_bottom"] - points["heart_top"], points["heart_right"] - points["heart_left"]
            self.assertAlmostEqual(float(long @ short), 0, places=6)
            drawn = animal.points["heart_right"] - animal.points["heart_left"]
            wider = float(np.linalg.norm(short) - np.linalg.norm(drawn))
            self.assertTrue(1.8 < wider / (0.1 * VISIBLE_SPREADS) < 3.2, wider)
            for name in ("heart_right", "heart_left", "heart_bottom", "VLAS"):
                self.assertLess(np.linalg.norm(resampled(outline, 600) - points[name], axis=1).min(), 0.06, name)


class Growth(unittest.TestCase):
    def setUp(self) -> None:
        self.film = dotted_film()
        self.points = self.film.points * 0.5

    def test_large_hearts_are_half_of_all_and_the_column_stays(self) -> None:
        sizes = []
        for seed in range(60):
            field = growth_field(np.random.default_rng(seed), self.points, None, 15.0, 352, 1.0)
            moved = carry(self.points, field)
            np.testing.assert_allclose(moved[FIRST_EDGE:], self.points[FIRST_EDGE:], atol=0.2)
            sizes.append((np.linalg.norm(moved[0] - moved[1]) + np.linalg.norm(moved[2] - moved[3])) / 15)
        self.assertTrue(0.3 < np.mean(np.array(sizes) > 10.2) < 0.7, sizes)

    def test_grown_copies_are_annotated_films(self) -> None:
        film = make_film(np.random.default_rng(4), 576)
        shown = dotted_film()
        shown.image, shown.points, shown.outline = film.image, film.points.astype(np.float32), film.heart_outline
        copies = [grown(np.random.default_rng(seed), shown) for seed in range(6)]
        entries = [entry_of(copy, "a.png", "grown") for copy in copies]
        self.assertGreater(np.ptp([entry["vhs"] for entry in entries]), 0.5)
        for copy, entry in zip(copies, entries):
            self.assertEqual(copy.image.shape, film.image.shape)
            points, _ = points_of(entry)
            np.testing.assert_allclose(points[FIRST_EDGE:], shown.points[FIRST_EDGE:], atol=0.5)

    def test_axes_stay_perpendicular_in_every_picture(self) -> None:
        film = make_film(np.random.default_rng(4), 576)
        shown = dotted_film()
        shown.image, shown.points, shown.outline = film.image, film.points.astype(np.float32), film.heart_outline
        for seed in range(6):
            heart = training_picture(np.random.default_rng(seed), shown, 352, MEASURE).points[:4]
            long, short = heart[1] - heart[0], heart[3] - heart[2]
            self.assertLess(abs(long @ short) / np.linalg.norm(long) / np.linalg.norm(short), 0.01)


class Silhouette(unittest.TestCase):
    def test_target_is_the_share_inside(self) -> None:
        target = silhouette_target(ellipse((175.5, 175.5), 40, 40), 352, 88)
        self.assertAlmostEqual(float(target.sum()) * 16, np.pi * 40**2, delta=50)
        self.assertEqual((target[44, 44], target[2, 2]), (1, 0))

    def test_maps_missing_in_older_checkpoints_are_initialised(self) -> None:
        old, new = LandmarkNet(), LandmarkNet()
        whole = old.state_dict()
        state = {name: value[:SILHOUETTE] if name.startswith("head.") else value for name, value in whole.items()}
        load_weights(new, state)
        torch.testing.assert_close(new.head.weight[:SILHOUETTE], old.head.weight[:SILHOUETTE])
        self.assertEqual(new.head.bias.shape, (MAP_COUNT,))
        self.assertAlmostEqual(float(new.head.bias[SILHOUETTE].detach()), -2.0)

    def test_films_without_outline_have_no_silhouette_loss(self) -> None:
        batch = {name: torch.from_numpy(np.asarray(value))[None] for name, value in self.example(None).items()}
        maps = torch.zeros(1, MAP_COUNT, 88, 88, requires_grad=True)
        landmark_loss(maps, batch)[0].backward()
        self.assertEqual(float(maps.grad[:, SILHOUETTE].abs().sum()), 0)
        self.assertGreater(float(maps.grad[:, ANY_DISC].abs().sum()), 0)

    def test_films_with_outline_have_a_silhouette_loss(self) -> None:
        shown = self.example(ellipse((285, 260), 50, 70))
        batch = {name: torch.from_numpy(np.asarray(value))[None] for name, value in shown.items()}
        maps = torch.zeros(1, MAP_COUNT, 88, 88, requires_grad=True)
        landmark_loss(maps, batch)[0].backward()
        gradient = maps.grad[0, SILHOUETTE]
        inside = batch["silhouettes"][0] > 0.9
        self.assertTrue(bool((gradient[inside] < 0).all()))

    def test_painted_areas_are_excluded_from_dense_maps(self) -> None:
        self.assertLess(self.example(ellipse((285, 260), 50, 70), painted=True)["silhouette_mask"].mean(), 0.95)

    @staticmethod
    def example(outline: np.ndarray | None, painted: bool = False) -> dict[str, np.ndarray]:
        film = dotted_film()
        film.outline = outline
        film.painted = np.zeros(film.image.shape, np.uint8) if painted else None
        if film.painted is not None:
            film.painted[200:300, 240:340] = 255
        return example(training_picture(np.random.default_rng(5), film, 352, MEASURE), 352)


class Border(unittest.TestCase):
    def test_border_is_traced_and_gives_the_axes(self) -> None:
        outline = ellipse((175.5, 200.5), 45, 60)
        share = silhouette_target(outline, 352, 88).clip(0.02, 0.98)
        logits = np.log(share / (1 - share))
        points = np.full((len(POINTS), 2), np.nan)
        points[:4] = [[175.5, 140.5], [175.5, 260.5], [130.5, 180], [220.5, 180]]
        points[FIRST_EDGE:] = np.stack([10 + 20 * np.arange(17), np.full(17, 60)], -1)
        truth = axes_of(outline, points[0], crossing_level(points), np.array([-1.0, 0.0]))
        traced = border.traced_border(logits)
        assert truth is not None and traced is not None
        points[:4] = [truth[name] for name in HEART_POINTS[:4]]
        np.testing.assert_allclose(traced.max(0), outline.max(0), atol=1.5)
        plain, wider = (border.axis_errors(points[:5], logits + offset, points) for offset in (0, 1.5))
        self.assertLess(np.abs(plain).max(), 0.15)
        self.assertTrue((wider > plain).all())


class Reading(unittest.TestCase):
    def test_uncertain_names_have_no_identity_loss(self) -> None:
        entry = {"landmarks": {}, "edges": [["T4", [1, 2]], ["T5", [11, 2]]], "T4_uncertain": True}
        points, weights = points_of(entry)
        self.assertTrue(np.isfinite(points[T4]).all())
        self.assertEqual(weights.sum(), 0)

    def test_outline_and_mask_come_with_the_film(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            film = make_film(np.random.default_rng(2), 1200, plain=True)
            cv2.imwrite(str(Path(folder) / "a.png"), film.image)
            cv2.imwrite(str(Path(folder) / "a.mask.png"), np.full(film.image.shape, 255, np.uint8))
            entry = {**index_entry("a.png", film), "mask": "a.mask.png"}
            (Path(folder) / "index.json").write_text(json.dumps({"version": 1, "images": [entry]}))
            (read,) = read_films(folder)
            assert read.painted is not None and read.outline is not None
            self.assertEqual(read.painted.shape, read.image.shape)
            scale = read.image.shape[1] / film.image.shape[1]
            np.testing.assert_allclose(read.outline.max(0), film.heart_outline.max(0) * scale, atol=1.5)

    def test_public_films_that_no_cardiologist_read_have_their_border_further_out(self) -> None:
        drawn = ellipse((50, 60), 20, 20)
        points = np.array([[50, 40], [50, 80]], np.float32)

        def radius(entry: dict[str, Any]) -> float:
            outline = outline_of(entry, drawn, points)
            assert outline is not None
            return float(np.linalg.norm(outline - [50, 60], axis=1).mean())

        self.assertAlmostEqual(radius({}), 20 + OTHERS_INSIDE * 40, delta=0.05)
        self.assertAlmostEqual(
            radius({"heart_from": "two readers, no clinicians"}), 20 + OTHERS_INSIDE * 40, delta=0.05
        )
        self.assertAlmostEqual(radius({"heart_from": "a cardiologist (markers)"}), 20, delta=0.05)
        # Outlines drawn by a practice are not moved.
        self.assertAlmostEqual(radius({"outline": drawn.tolist()}), 20, delta=0.05)
        self.assertIsNone(outline_of({}, None, points))

    def test_axes_of_films_that_no_cardiologist_read_end_further_out(self) -> None:
        marks: dict[str, Any] = {
            "heart_top": [50, 40],
            "heart_bottom": [50, 80],
            "heart_right": [30, 55],
            "heart_left": [70, 55],
            "VLAS": None,
        }
        reach = OTHERS_INSIDE * 40
        moved = as_cardiologists_mark({"landmarks": marks})["landmarks"]
        self.assertEqual(moved["heart_top"], [50, 40])
        ends = [moved[name] for name in ("heart_bottom", "heart_right", "heart_left")]
        np.testing.assert_allclose(ends, [[50, 80 + reach], [30 - reach, 55], [70 + reach, 55]])
        read: dict[str, Any] = {"landmarks": marks, "heart_from": "a cardiologist"}
        for kept in (read, {"landmarks": {**marks, "heart_left": None}}):
            self.assertEqual(as_cardiologists_mark(kept), kept)

    def test_packed_phantoms_read_back(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            chosen = phantoms.parse(["shards", "--out", folder, "--count", "3", "--seed", "5"])
            chosen.action(chosen)
            shards = PhantomShards(folder)
            film = shards.film(2)
            drawn = make_film(np.random.default_rng(7), phantoms.SIDE)
            height, width = drawn.image.shape
            difference = np.abs(film.image[:height, :width].astype(int) - drawn.image).mean()
            self.assertEqual(len(shards), 3)
            self.assertLess(difference, 4)
            assert film.outline is not None
            np.testing.assert_allclose(film.outline.max(0), drawn.heart_outline.max(0), atol=1.5)

    def test_drawn_outlines_are_polygons(self) -> None:
        for name, polygon in read_outlines().items():
            self.assertTrue(len(polygon) >= 12 and polygon.shape[1] == 2, name)

    def test_left_out_films_are_never_trained_on(self) -> None:
        films = [dotted_film(), dotted_film()]
        films[0].name = "a.png"
        self.assertEqual(len(held_out(films, 0, ["a.png"])), 1)


class Covers(unittest.TestCase):
    def test_points_cut_off_are_unknown(self) -> None:
        film = dotted_film()
        image, points = cut_cranially(np.random.default_rng(1), np.ones((420, 640), np.float32), film.points)
        gone = ~np.isfinite(points).all(1)
        self.assertTrue(gone[FIRST_EDGE] and not gone[FIRST_EDGE + 8])
        self.assertEqual(len(points), len(POINTS))
        self.assertIn(float(image[10, 2]), (0.0, 1.0))


if __name__ == "__main__":
    unittest.main()
