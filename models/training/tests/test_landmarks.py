"""Tests of the landmark training: python3 -m unittest discover -s training/tests -t . (run in models/)."""

import json
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import torch
from training import warping
from training.evaluate import mirrored, shrunk
from training.export import Exported, halve_weights, write_onnx
from training.films import Film, points_of, read_films, read_index
from training.frames import SIDE, thorax_frame, upright_pose
from training.golden import golden_input
from training.names import FIRST_EDGE, HEART_POINTS, POINTS, T4, T8, VERTEBRAE
from training.network import LandmarkNet, soft_argmax
from training.phantom import make_film
from training.phantom.anatomy import draw_animal
from training.truth import index_entry, rlad_of, scores, vertebrae_spanned
from training.warping import LOCATE, MEASURE, disc_target, training_picture


def dotted_film() -> Film:
    """A black film with a bright dot at every point of a plain column and heart."""
    points = np.zeros((len(POINTS), 2), np.float32)
    points[FIRST_EDGE:, 0] = 60 + 30 * np.arange(len(VERTEBRAE))
    points[FIRST_EDGE:, 1] = 120
    points[: len(HEART_POINTS)] = [[260, 200], [330, 330], [240, 290], [330, 240], [320, 215]]
    image = np.zeros((420, 640), np.uint8)
    for x, y in points:
        cv2.circle(image, (int(x), int(y)), 3, 255, -1)
    return Film(image, points, np.ones(len(POINTS), np.float32))


class PhantomTruth(unittest.TestCase):
    def test_same_seed_same_film(self) -> None:
        first, second = (make_film(np.random.default_rng(3), 300) for _ in range(2))
        np.testing.assert_array_equal(first.image, second.image)
        np.testing.assert_array_equal(first.points, second.points)

    def test_axes_match_the_outline_of_the_heart(self) -> None:
        for seed in range(12):
            animal = draw_animal(np.random.default_rng(seed))
            place = animal.points
            axis = place["heart_bottom"] - place["heart_top"]
            across = place["heart_left"] - place["heart_right"]
            self.assertAlmostEqual(float(axis @ across), 0, places=6)
            for name in ("heart_right", "heart_left", "VLAS", "heart_bottom"):
                self.assertLess(np.linalg.norm(animal.heart - place[name], axis=1).min(), 0.08, name)

    def test_scores_vary_and_stay_plausible(self) -> None:
        vhs = np.array([scores(make_film(np.random.default_rng(seed), 200).points)[0] for seed in range(30)])
        self.assertGreater(vhs.std(), 0.7)
        self.assertTrue(((vhs > 5) & (vhs < 17)).all(), vhs)

    def test_vertebrae_are_brighter_than_the_discs_beside_them_are_wide(self) -> None:
        film = make_film(np.random.default_rng(8), 576, mirrored=False, plain=True)
        steps = np.linalg.norm(np.diff(film.points[T4:], axis=0), axis=1)
        self.assertLess(steps.max() / steps.min(), 1.8)
        self.assertTrue((np.diff(film.points[T4:, 0]) > 0).all())

    def test_mirrored_film_faces_right(self) -> None:
        film = make_film(np.random.default_rng(8), 300, mirrored=True, plain=True)
        self.assertTrue((np.diff(film.points[T4:, 0]) < 0).all())


class Measures(unittest.TestCase):
    def test_spanned_vertebrae_continue_with_the_last_segment(self) -> None:
        edges = np.array([[0, 0], [10, 0], [30, 0]], float)
        self.assertAlmostEqual(vertebrae_spanned(20, edges), 1.5)
        self.assertAlmostEqual(vertebrae_spanned(40, edges), 2.5)

    def test_rlad_is_the_bisector_up_to_the_outline_and_ends_short_of_the_column(self) -> None:
        # The heart of test/core/cardiac/measures/rlad.test.ts: the bisector leaves the outline 35 px up and 35 px back.
        points = np.full((len(POINTS), 2), np.nan)
        points[:4] = [[150, 80], [150, 190], [105, 135], [195, 135]]
        points[T4 : T4 + 7] = [[100 + 20 * vertebra, 50] for vertebra in range(7)]
        outline = np.array([[100, 100], [200, 100], [190, 190], [100, 190]], float)
        self.assertAlmostEqual(rlad_of(points, outline), 35 * 2**0.5 / 20)
        beyond = np.array([[100, 20], [300, 20], [190, 190], [100, 190]], float)
        self.assertTrue(np.isnan(rlad_of(points, beyond)))
        self.assertTrue(np.isnan(rlad_of(points, outline + 200)))

    def test_index_entry_reads_back(self) -> None:
        film = make_film(np.random.default_rng(1), 400)
        points, weights = points_of(json.loads(json.dumps(index_entry("a.png", film))))
        np.testing.assert_allclose(points[weights > 0], film.visible_points()[weights > 0], atol=0.01)
        self.assertEqual(int((weights > 0).sum()), int(np.isfinite(film.visible_points()).all(1).sum()))


class Warping(unittest.TestCase):
    def test_warping_moves_points_with_the_picture(self) -> None:
        film = dotted_film()
        frame = thorax_frame(upright_pose(film.points))
        for seed in range(6):
            rng = np.random.default_rng(seed)
            targets = frame.to_network(film.points)
            field = warping.displacement(rng, targets, None, SIDE, 1.0)
            image = warping.resample(film.image, frame, field, rng)
            self.assertGreater(np.abs(field).max(), 1)
            inside = 0
            for x, y in warping.carry(targets, field):
                if 3 < x < SIDE - 4 and 3 < y < SIDE - 4:
                    inside += 1
                    self.assertGreater(image[int(round(y)), int(round(x))], 0.6)
            self.assertGreater(inside, 10)

    def test_unknown_points_have_no_weight(self) -> None:
        film = dotted_film()
        film.points[T8] = np.nan
        for seed in range(8):
            for purpose in (MEASURE, LOCATE):
                picture = training_picture(np.random.default_rng(seed), film, 256, purpose)
                self.assertEqual((picture.image.shape, picture.image.dtype), ((256, 256), np.float32))
                self.assertEqual(picture.weights[T8], 0)
                self.assertTrue((picture.weights[~np.isfinite(picture.points).all(1)] == 0).all())

    def test_dots_are_bright_where_points_are(self) -> None:
        film = dotted_film()
        pose = upright_pose(film.points)
        frame = thorax_frame(pose)
        inverse = np.linalg.inv(frame.matrix)
        matrix = np.hstack([inverse, (-inverse @ frame.offset)[:, None]])
        image = cv2.warpAffine(film.image, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        for x, y in frame.to_network(film.points):
            if 2 < x < SIDE - 3 and 2 < y < SIDE - 3:
                self.assertGreater(image[int(round(y)), int(round(x))], 200)

    def test_upright_pose_undoes_mirroring_and_turning(self) -> None:
        film = dotted_film()
        plain = upright_pose(film.points)
        turn = np.radians(25)
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        other = (film.points * [-1, 1]) @ rotation.T + [700, 100]
        pose = upright_pose(other.astype(np.float32))
        self.assertNotEqual(pose[3], plain[3])
        np.testing.assert_allclose(
            thorax_frame(pose).to_network(other), thorax_frame(plain).to_network(film.points), atol=0.1
        )

    def test_unannotated_column_is_masked(self) -> None:
        points = dotted_film().points
        points[FIRST_EDGE:T4] = np.nan
        points[T8 + 2 :] = np.nan
        target, mask = disc_target(points, 112, SIDE)
        cell = SIDE / 112
        self.assertGreater(target[int(points[T4, 1] / cell), int(points[T4, 0] / cell)], 0.6)
        self.assertEqual(mask[int(120 / cell), int(75 / cell)], 0)
        self.assertEqual(mask[int(330 / cell), int(300 / cell)], 1)


class ChangedFilms(unittest.TestCase):
    def test_frames_map_points_with_the_picture(self) -> None:
        image = np.zeros((120, 400), np.uint8)
        image[80:84, 300:304] = 255
        for change in (mirrored, lambda film: shrunk(film, 100)):
            other, move = change(image)
            x, y = move([301.5, 81.5])
            self.assertEqual(other[int(round(y)), int(round(x))], 255)
        self.assertEqual(shrunk(image, 100)[0].shape, (30, 100))
        self.assertEqual(shrunk(image, 900)[0].shape, (120, 400))


class Reading(unittest.TestCase):
    def test_a_folder_without_index_is_reported_by_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(ValueError, "index.json"):
            read_index(folder)

    def test_films_are_shrunk_with_their_points(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            film = make_film(np.random.default_rng(2), 1200, plain=True)
            cv2.imwrite(str(Path(folder) / "a.png"), film.image)
            (Path(folder) / "index.json").write_text(json.dumps({"version": 1, "images": [index_entry("a.png", film)]}))
            (read,) = read_films(folder)
            scale = np.array(read.image.shape[::-1]) / film.image.shape[::-1]
            known = read.weights > 0
            np.testing.assert_allclose(read.points[known], ((film.points + 0.5) * scale - 0.5)[known], atol=0.05)


class Export(unittest.TestCase):
    def test_soft_argmax_finds_a_peak(self) -> None:
        maps = torch.full((1, 1, 32, 32), -20.0)
        maps[0, 0, 10, 20] = 20
        place, _ = soft_argmax(maps)
        np.testing.assert_allclose(place[0, 0].numpy() * 32 - 0.5, [20, 10], atol=1e-3)

    def test_onnx_and_torch_give_the_same_outputs(self) -> None:
        import onnx
        from onnx import numpy_helper

        torch.manual_seed(0)
        exported = Exported(LandmarkNet()).eval()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "net.onnx"
            write_onnx(exported, path, 64)
            before = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(str(path)).graph.initializer}
            size = path.stat().st_size
            halve_weights(path)
            graph = onnx.load(str(path)).graph
            self.assertLess(path.stat().st_size, 0.6 * size)
            after = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
            for name, values in before.items():
                kept = after.get(name, after.get(f"{name}_half"))
                np.testing.assert_allclose(kept.astype(np.float64), values, rtol=1e-3, atol=1e-4)
            self.assertEqual([output.name for output in graph.output], ["points", "sharpness", "maps"])

    def test_golden_input_matches_the_program(self) -> None:
        values = golden_input(7, (1, 1, 2, 4)).flatten()
        state = (7 * 1664525 + 1013904223) % 2**32
        self.assertAlmostEqual(float(values[0]), 0.5 * state / 2**32, places=6)
        self.assertEqual(values.dtype, np.float32)
        self.assertTrue(((values >= 0) & (values < 1)).all())


if __name__ == "__main__":
    unittest.main()
