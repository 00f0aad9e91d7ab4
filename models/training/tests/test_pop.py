"""Run with: python3 -m pytest models/training/tests  or  python3 -m unittest discover -s models/training/tests -t \
    models"""

import unittest
from pathlib import Path

import cv2
import numpy as np
from training import evaluate_photographs
from training.evaluate_pop import (
    POP_PACK,
    judged_of,
    remove_sharpness_limit,
    sharpness_limit,
    tier_figures,
    tiers_of,
)
from training.films import points_of, read_index
from training.gate.letterbox import letterbox
from training.others import PICTURES, VIEWS, draw_picture, draw_radiograph
from training.others.derived import caudal_part, other_part
from training.packs import REPOSITORY, only, read_manifest
from training.pop import compose_screen, photograph
from training.pop.camera import View, project
from training.pop.card import kind_table
from training.truth import scores


def chequered_film() -> np.ndarray:
    """A bright film with a different grey in every quarter."""
    film = np.full((300, 400), 120, np.uint8)
    film[:150, 200:], film[150:, 200:], film[150:, :200] = 160, 200, 240
    return film


class ScreenTest(unittest.TestCase):
    def test_corners_enclose_exactly_the_displayed_film(self) -> None:
        for seed in range(20):
            rng = np.random.default_rng(seed)
            screen = compose_screen(np.full((300, 400), 137, np.uint8), rng, 900)
            (left, top), (right, bottom) = screen.corners[0].astype(int), screen.corners[2].astype(int)
            inside = screen.image[top:bottom, left:right]
            self.assertGreater((inside == 137).all(-1).mean(), 0.75, f"seed {seed}")
            if left > 0:
                self.assertLess((screen.image[top:bottom, left - 1] == 137).all(-1).mean(), 0.5, f"seed {seed}")


class KindsTest(unittest.TestCase):
    def test_a_fault_keeps_the_size_of_the_photograph_and_changes_it(self) -> None:
        picture = np.random.default_rng(1).integers(0, 255, (90, 120, 3), np.uint8)
        for kind, (_, change) in evaluate_photographs.KINDS.items():
            changed = change(picture)
            self.assertEqual((changed.shape, changed.dtype), (picture.shape, np.uint8), kind)
            self.assertEqual(np.array_equal(changed, picture), change is evaluate_photographs.unchanged, kind)

    def test_films_become_small_or_gain_a_rim(self) -> None:
        film = chequered_film()
        self.assertEqual(max(evaluate_photographs.small(film).shape), evaluate_photographs.SMALL_FILM_PX)
        rim = round(evaluate_photographs.BEZEL_SHARE * 400)
        np.testing.assert_array_equal(evaluate_photographs.framed(film)[rim:-rim, rim:-rim], film)

    def test_the_table_counts_lost_photographs_and_tiers(self) -> None:
        row = {"pop_detected": True, "vhs": 10.4, "model_confidence": "good"}
        taken_for_a_film = {**row, "pop_detected": False}
        far_off = {**row, "vhs": 9.0, "model_confidence": "review"}
        rows = {"0000-00.jpg": row, "0001-00.jpg": taken_for_a_film, "0002-00.jpg": far_off}
        border = np.array([[0.0, 0], [400, 0], [400, 300], [0, 300]])
        edge = border + [[-20, -20], [20, -20], [20, 20], [-20, 20]]
        found = {"0000-00.jpg": border + 1, "0001-00.jpg": edge, "0002-00.jpg": np.array([*edge[:1], *border[1:]])}
        borders = dict.fromkeys(rows, (border, edge, (500, 400)))
        figures = evaluate_photographs.figures_of([10.0] * 3, rows, list(evaluate_photographs.KINDS), found, borders)
        table = kind_table(figures).splitlines()
        self.assertEqual(table[2], "| as it is | 3 (1) | 0.70, -0.30 | 1 | 0 | 1 | 1 | 1 of 3 (1) |")
        self.assertEqual(table[3], "| from further away (0.6 of the size) | 3 (3) |  | 0 | 0 | 0 | 0 |  |")

    def test_the_border_of_a_film_with_a_bezel_is_its_own(self) -> None:
        film = chequered_film()
        checked = 0
        for seed in range(12):
            framed = evaluate_photographs.framed(film)
            taken = photograph(framed, np.random.default_rng(seed), 400)
            border = evaluate_photographs.film_border(film, framed, taken)
            if np.allclose(taken.screen.corners[2] - taken.screen.corners[0], taken.screen.scale * framed.shape[::-1]):
                rim = round(evaluate_photographs.BEZEL_SHARE * 400)
                own = np.array([[0, 0], [400, 0], [400, 300], [0, 300]]) + rim - 0.5
                np.testing.assert_allclose(border, taken.place(own), atol=1e-6)
                checked += 1
            self.assertTrue((np.ptp(border, axis=0) <= np.ptp(taken.corners, axis=0) + 1e-6).all())
        self.assertGreater(checked, 4)


class CameraTest(unittest.TestCase):
    def test_lens_is_inverted(self) -> None:
        view = View(np.eye(3), -0.06, 800, 600)
        points = np.array([[0.0, 0.0], [799, 0], [400, 300], [37, 580]])
        np.testing.assert_allclose(view.ideal(view.distorted(points)), points, atol=1e-6)

    def test_corners_map_the_photograph_back_to_the_film(self) -> None:
        """Rectified by its corners, the photograph must look like the film: the quarters keep their order of grey."""
        agreeing = 0
        for seed in range(16):
            rng = np.random.default_rng(seed)
            taken = photograph(chequered_film(), rng, 500)
            target = np.array([[0, 0], [399, 0], [399, 299], [0, 299]], np.float32)
            matrix = cv2.getPerspectiveTransform(taken.corners.astype(np.float32), target)
            back = cv2.cvtColor(cv2.warpPerspective(taken.image, matrix, (400, 300)), cv2.COLOR_BGR2GRAY)
            quarters = [
                np.median(back[y : y + 90, x : x + 120]) for y, x in ((30, 40), (30, 240), (180, 240), (180, 40))
            ]
            agreeing += quarters == sorted(quarters)
        self.assertGreaterEqual(agreeing, 12)

    def test_points_of_the_film_are_transformed(self) -> None:
        """If the whole film is visible, its outer corners map to the corners of the photograph."""
        checked = 0
        for seed in range(12):
            taken = photograph(chequered_film(), np.random.default_rng(seed), 400)
            outer = np.array([[-0.5, -0.5], [399.5, -0.5], [399.5, 299.5], [-0.5, 299.5]])
            shown = taken.screen.corners[2] - taken.screen.corners[0]
            if np.allclose(shown, taken.screen.scale * [400, 300]):
                np.testing.assert_allclose(taken.place(outer), taken.corners, atol=1e-6)
                checked += 1
        self.assertGreater(checked, 4)

    def test_same_seed_same_photograph(self) -> None:
        first, second = (photograph(chequered_film(), np.random.default_rng(3), 300) for _ in range(2))
        np.testing.assert_array_equal(first.image, second.image)
        np.testing.assert_array_equal(first.corners, second.corners)

    def test_homography(self) -> None:
        np.testing.assert_allclose(project(np.diag([2.0, 3, 1]), np.array([[1.0, 1]])), [[2, 3]])


class TierTest(unittest.TestCase):
    def test_limit_leaves_at_most_three_fifths_optimal_and_their_errors_small(self) -> None:
        judged = [(0.5 + number / 100, 0.1) for number in range(40)]
        limit = sharpness_limit(judged)
        self.assertEqual(sum(sharpness > limit for sharpness, _ in judged), 24)
        blunt = [(sharpness, 1.0 if sharpness < 0.8 else 0.1) for sharpness, _ in judged]
        left = [error for sharpness, error in blunt if sharpness > sharpness_limit(blunt)]
        self.assertLessEqual(np.percentile(left, 90), 0.5)

    def test_photographs_to_review_keep_their_tier_at_any_sharpness(self) -> None:
        figures = tier_figures([(0.9, None), (0.9, 0.2), (0.5, 0.4)], [(0.4, 0.3)], 0.7)
        shares = {tier: figures[f"photographs that are {tier}"]["share"] for tier in ("optimal", "good", "review")}
        self.assertEqual(shares, {"optimal": 0.3333, "good": 0.3333, "review": 0.3333})
        self.assertEqual(figures["photographs blurred by 11 px that are optimal"]["share"], 0)

    def test_a_film_not_measured_as_a_photograph_has_no_tier(self) -> None:
        self.assertIsNone(judged_of({"pop_detected": False, "vhs": 9.0}, 9.0, 0.8))

    def test_a_blurred_photograph_is_not_optimal_at_any_limit(self) -> None:
        photo = {"pop_detected": True, "vhs": 9.0, "sharpness": 0.95, "model_confidence": "good"}
        sharpness, error = judged_of(photo, 9.25, 0.873)
        self.assertEqual((sharpness, error), (0, 0.25))
        self.assertEqual(judged_of({**photo, "sharpness": 0.8}, 9.0, 0.873), (0.8, 0))

    def test_a_chosen_limit_leaves_blurred_photographs_good(self) -> None:
        entries = read_index(REPOSITORY / "test/fixtures/films")[:8]
        rows = {}
        for number, entry in enumerate(entries):
            row = {"pop_detected": True, "vhs": scores(points_of(entry)[0])[0], "sharpness": 0.6 + number / 100}
            rows[f"{number:04d}-pop.jpg"] = {**row, "model_confidence": "good" if number in (4, 5) else "optimal"}
            rows[f"{number:04d}-blurred.jpg"] = {**row, "model_confidence": "good"}
        manifest = {"decoding": {"sharpnessHigh": 0.873}}
        figures = tiers_of(entries, rows, manifest, choose=True)
        self.assertLess(manifest["decoding"]["sharpnessHigh"], 0.65)
        self.assertEqual(figures["photographs that are optimal"]["share"], 0.75)
        self.assertEqual(figures["photographs blurred by 11 px that are optimal"]["share"], 0)

    def test_the_limit_of_sharpness_is_removed_from_the_copy_alone(self) -> None:
        before = read_manifest(POP_PACK)
        with only(POP_PACK) as packs:
            remove_sharpness_limit(packs, POP_PACK)
            copy = read_manifest(Path(packs) / POP_PACK.name)
        self.assertEqual(copy, {**before, "decoding": {**before["decoding"], "sharpnessHigh": 0}})
        self.assertEqual(read_manifest(POP_PACK), before)


class OthersTest(unittest.TestCase):
    def test_every_view_and_picture_is_drawn(self) -> None:
        rng = np.random.default_rng(0)
        pictures = [draw_radiograph(view, rng, 200) for view in VIEWS] + [
            draw_picture(kind, rng, 200) for kind in PICTURES
        ]
        for picture in pictures:
            self.assertEqual(picture.dtype, np.uint8)
            self.assertGreaterEqual(min(picture.shape[:2]), 40)

    def test_cuts_beside_the_thorax_leave_most_of_it_out(self) -> None:
        film = np.zeros((300, 900), np.uint8)
        film[100:200, 150:350] = 255
        thorax = np.array([150, 100, 350, 200])
        cuts = [
            way(film, thorax, np.random.default_rng(seed)) for way in (caudal_part, other_part) for seed in range(15)
        ]
        self.assertGreater(sum(cut is not None for cut in cuts), 10)
        for cut in cuts:
            if cut is not None:
                self.assertLess((cut == 255).sum(), 0.3 * 100 * 200)


class LetterboxTest(unittest.TestCase):
    def test_placement_maps_picture_pixels_to_input_pixels(self) -> None:
        picture = np.zeros((200, 400, 3), np.uint8)
        picture[120:124, 300:304] = (0, 0, 255)
        square, (scale, left, top) = letterbox(picture, 100)
        row, column = np.unravel_index(square[:, :, 0].argmax(), (100, 100))
        self.assertEqual((column, row), (round((302) * scale - 0.5 + left), round((122) * scale - 0.5 + top)))


if __name__ == "__main__":
    unittest.main()
