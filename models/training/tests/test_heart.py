"""Tests of the networks for close-ups of the heart: python3 -m unittest training.tests.test_heart (in models/)."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from training import warping
from training.films import Film
from training.heart.export import BORDER_OFFSET, CLOSE_SHARE, HeartSight, add_heart
from training.heart.frame import HEART_SHARE, SIDE, heart_frame, training_close_up
from training.heart.losses import heart_loss
from training.heart.network import SILHOUETTE, HeartNet
from training.names import HEART_POINTS
from training.network import STRIDE
from training.outlines import squared
from training.train import points_example
from training.warping import Picture

from .test_column import striped_film

CELLS = SIDE // STRIDE
HEART = np.array([[300, 200], [260, 320], [225, 238], [330, 273], [320, 240]], float)


def spotted_film() -> Film:
    """A black film with a bright spot on each point of the heart, and its outline an ellipse over the axes."""
    film = striped_film()
    film.points[: len(HEART_POINTS)] = HEART
    film.image[:] = 0
    for x, y in HEART.astype(int):
        film.image[y - 2 : y + 3, x - 2 : x + 3] = 255
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)[:, None]
    centre, long, short = HEART[:4].mean(0), (HEART[1] - HEART[0]) / 2, (HEART[3] - HEART[2]) / 2
    film.outline = (centre + np.cos(turn) * long + np.sin(turn) * short).astype(np.float32)
    return film


class CloseUps(unittest.TestCase):
    def test_the_carina_is_at_the_top_and_cranial_left_at_any_rotation(self) -> None:
        for angle in np.radians([0, 70, 180, 290]):
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            for flip in (np.diag([1, 1]), np.diag([-1, 1])):
                for size in (0.3, 1, 4):
                    heart = size * HEART @ turn.T @ flip + 50
                    top, bottom, right, left = heart_frame(heart).to_network(heart)[:4]
                    self.assertAlmostEqual(top[0], bottom[0], places=6)
                    self.assertLess(top[1], bottom[1])
                    self.assertLess(right[0], left[0])
                    mean = float(np.linalg.norm(bottom - top) + np.linalg.norm(right - left)) / 2
                    self.assertAlmostEqual(mean, HEART_SHARE * SIDE, places=6)

    def test_points_are_where_the_close_up_shows_them(self) -> None:
        off = []
        for seed in range(12):
            close_up = training_close_up(np.random.default_rng(seed), spotted_film(), 0.0)
            assert close_up is not None
            # The short axis is made perpendicular again and the apex comes from the outline; the carina does not move.
            x, y = np.round(close_up.points[0]).astype(int)
            off.append(close_up.image[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4].max())
        self.assertGreater(min(off), 0.6)

    def test_hearts_of_any_size_fill_their_close_ups(self) -> None:
        spans = []
        for seed in range(20):
            close_up = training_close_up(np.random.default_rng(seed), spotted_film(), 1.0)
            assert close_up is not None and close_up.outline is not None
            top, bottom, right, left = close_up.points[:4]
            spans.append((np.linalg.norm(bottom - top) + np.linalg.norm(right - left)) / 2 / SIDE)
        self.assertAlmostEqual(float(np.median(spans)), HEART_SHARE, delta=0.06)
        self.assertGreater(min(spans), 0.25)

    def test_a_film_without_axes_gives_none(self) -> None:
        film = spotted_film()
        film.points[2] = np.nan
        self.assertIsNone(training_close_up(np.random.default_rng(1), film, 1.0))

    def test_the_warps_are_those_of_the_other_networks(self) -> None:
        self.assertEqual(training_close_up.__globals__["displacement"], warping.displacement)


class Network(unittest.TestCase):
    def batch(self) -> dict[str, torch.Tensor]:
        places = squared(heart_frame(HEART).to_network(HEART)).astype(np.float32)
        drawn = spotted_film().outline
        assert drawn is not None
        outline = heart_frame(HEART).to_network(drawn)
        picture = Picture(np.zeros((SIDE, SIDE), np.float32), places, np.ones(5, np.float32), outline, None)
        example = points_example(picture, SIDE)
        return {name: torch.from_numpy(np.asarray(value))[None] for name, value in example.items()}

    def test_a_correct_network_has_a_lower_loss(self) -> None:
        batch = self.batch()
        right = torch.zeros(1, len(HEART_POINTS) + 1, CELLS, CELLS)
        for index, place in enumerate(batch["places"][0] * CELLS - 0.5):
            ys, xs = torch.meshgrid(torch.arange(CELLS), torch.arange(CELLS), indexing="ij")
            right[0, index] = -0.5 * ((xs - place[0]) ** 2 + (ys - place[1]) ** 2) / 1.3**2
        right[0, SILHOUETTE] = 12 * batch["silhouettes"][0] - 6
        blind = torch.zeros_like(right)
        (loss, error), (blind_loss, blind_error) = heart_loss(right, batch), heart_loss(blind, batch)
        self.assertLess(loss.item(), 0.3 * blind_loss.item())
        self.assertLess(error, 0.002)
        self.assertGreater(blind_error, 0.1)

    def test_a_pack_gets_one_file_with_a_vote_of_each(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            checkpoints = [str(Path(folder) / f"{seed}.pt") for seed in (3, 4)]
            networks = []
            for seed, path in enumerate(checkpoints, 3):
                torch.manual_seed(seed)
                networks.append(HeartNet().eval())
                torch.save({"model": networks[-1].state_dict(), "run": {"seed": seed}}, path)
            manifest = {"version": "1", "members": [], "input": {}, "training": {}}
            (Path(folder) / "manifest.json").write_text(json.dumps(manifest))
            add_heart(folder, checkpoints, "2")
            written = json.loads((Path(folder) / "manifest.json").read_text())
            self.assertEqual(list(written), ["version", "members", "heart", "input", "training"])
            self.assertEqual(written["training"]["heartSeeds"], [3, 4])
            shapes = [output["shape"] for output in written["heart"]["outputs"]]
            self.assertEqual(shapes, [[2, len(HEART_POINTS), 2], [2, CELLS, CELLS]])
            self.assertEqual(written["heart"]["heartShare"], HEART_SHARE)
            self.assertEqual(written["heart"]["closeShare"], CLOSE_SHARE)
            self.assertTrue((Path(folder) / "heart.onnx").stat().st_size > 1e6)
            close_up = torch.rand(1, 1, SIDE, SIDE)
            with torch.no_grad():
                points, silhouettes = HeartSight(networks).eval()(close_up)
                own = networks[1](close_up)[0, SILHOUETTE]
            self.assertEqual(points.shape, (2, len(HEART_POINTS), 2))
            self.assertTrue(torch.allclose(silhouettes[1], own + BORDER_OFFSET, atol=1e-5))


if __name__ == "__main__":
    unittest.main()
