"""The corner detector's targets and decoding, without a trained network."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import torch
from training.corners import hard
from training.corners.data import CornerPictures, look
from training.corners.decode import glance
from training.corners.network import MAPS, SIDE, STRIDE, CornerNet
from training.corners.train import corner_loss, held_out_rows, side_targets, targets

FILM = np.array([[48.0, 40], [208, 46], [200, 184], [53, 171]])


def maps_of(corners: np.ndarray) -> torch.Tensor:
    batch = torch.from_numpy(corners.astype(np.float32))[None]
    return torch.cat([targets(batch)[0], side_targets(batch)], 1)


class GlanceTest(unittest.TestCase):
    def test_reads_back_the_corners_of_its_targets(self) -> None:
        maps = maps_of(FILM)[0].numpy()
        corners, weakest = glance(np.zeros((SIDE * 3, SIDE * 4, 3), np.uint8), lambda planes: maps)
        self.assertGreater(weakest, 0.7)
        np.testing.assert_allclose(corners, (FILM - [0, SIDE / 8] + 0.5) * 4 - 0.5, atol=0.12 * STRIDE * 4)

    def test_a_corner_outside_the_picture_has_no_target(self) -> None:
        maps = maps_of(FILM + [SIDE - 190, 0])[0].numpy()
        self.assertEqual(glance(np.zeros((SIDE, SIDE, 3), np.uint8), lambda planes: maps)[1], 0)


class TrainingTest(unittest.TestCase):
    def test_mirrored_inputs_keep_the_order_of_the_corners(self) -> None:
        picture = np.zeros((300, 400, 3), np.uint8)
        for seed in range(20):
            corners = look(picture, FILM, np.random.default_rng(seed))[1]
            along = np.roll(corners, -1, 0) - corners
            after = np.roll(along, -1, 0)
            self.assertTrue((along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0] > 0).all())
            self.assertLess(corners[0].sum(), corners[2].sum())

    def test_sides_are_marked_from_corner_to_corner(self) -> None:
        maps = maps_of(FILM)[0, 4:].numpy()
        middles = ((FILM + np.roll(FILM, -1, 0)) / 2 + 0.5) / STRIDE - 0.5
        for number, (column, row) in enumerate(np.round(middles).astype(int)):
            self.assertGreater(maps[number, row, column], 0.85)
            self.assertLess(maps[(number + 2) % 4, row, column], 0.01)

    def test_no_film_leaves_the_maps_empty(self) -> None:
        self.assertEqual(maps_of(np.full((4, 2), np.nan)).abs().sum().item(), 0)

    def test_loss_prefers_the_truth(self) -> None:
        corners = torch.from_numpy(FILM.astype(np.float32))[None]
        maps = maps_of(FILM).clamp(1e-4, 1 - 1e-4)
        right = torch.logit(maps)
        for wrong in (
            torch.cat([right[:, :4].roll(8, -1), right[:, 4:]], 1),
            torch.cat([right[:, :4], right[:, 4:].roll(8, -1)], 1),
        ):
            self.assertLess(corner_loss(right, corners).item(), corner_loss(wrong, corners).item())

    def test_network_shape(self) -> None:
        with torch.no_grad():
            maps = CornerNet().eval()(torch.zeros(1, 3, SIDE, SIDE))
        self.assertEqual(tuple(maps.shape), (1, len(MAPS), SIDE // STRIDE, SIDE // STRIDE))


class CloseUpsAmongPictures(unittest.TestCase):
    def test_pictures_without_corners_are_used_only_by_the_gate(self) -> None:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            names = {"film.png": FILM.tolist(), "close-up.png": None, "empty.png": None}
            for name in names:
                cv2.imwrite(str(folder / name), np.random.default_rng(1).integers(0, 256, (240, 260, 3), np.uint8))
            kinds = ("pop", "pop", "neither")
            rows = [
                {"file": name, "kind": kind, "source": "scene", "corners": names[name]}
                for name, kind in zip(names, kinds)
            ]
            (folder / "index-0.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
            pictures = CornerPictures(folder)
            self.assertEqual((len(pictures.films), len(pictures.empty)), (1, 1))
            pictures.batch(np.random.default_rng(2), 4)
            with patch("training.corners.train.GLANCE_STEP", 1):
                self.assertEqual([row["file"] for row in held_out_rows(folder)], ["film.png", "empty.png"])
            torch.save({"weights": CornerNet().state_dict()}, folder / "net.pt")
            with patch("sys.argv", ["hard", "--pictures", made, "--checkpoint", f"{made}/net.pt"]):
                hard.main()
            listed = (folder / "index-hard.jsonl").read_text()
            self.assertNotIn("close-up.png", listed)


if __name__ == "__main__":
    unittest.main()
