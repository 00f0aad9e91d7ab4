"""The corner detector's targets and decoding, without a trained network."""
import unittest

import cv2
import numpy as np
import torch

from training.corners.data import look
from training.corners.decode import DECODING, closer, decode, find
from training.corners.network import SIDE, STRIDE, CornerNet
from training.corners.refine import refine
from training.corners.train import corner_loss, targets

FILM = np.array([[48.0, 40], [208, 46], [200, 184], [53, 171]])


def maps_of(corners):
    return targets(torch.from_numpy(corners.astype(np.float32))[None])[0][0].numpy()


class DecodingTest(unittest.TestCase):
    def test_reads_back_the_corners_of_its_targets(self):
        corners, confidence, found = decode(maps_of(FILM), (1.0, 0, 0), (SIDE, SIDE), DECODING)
        self.assertTrue(found)
        self.assertGreater(confidence, 0.7)
        np.testing.assert_allclose(corners, FILM, atol=0.12 * STRIDE)

    def test_a_corner_outside_is_no_film(self):
        outside = FILM + [SIDE - 190, 0]
        self.assertFalse(decode(maps_of(outside), (1.0, 0, 0), (SIDE, SIDE), DECODING)[2])

    def test_crossed_corners_are_no_film(self):
        self.assertFalse(decode(maps_of(FILM[[0, 2, 1, 3]]), (1.0, 0, 0), (SIDE, SIDE), DECODING)[2])

    def test_second_look_is_asked_for_small_films_only(self):
        self.assertIsNone(closer(FILM, (230, 200), DECODING))
        self.assertIsNotNone(closer(FILM, (4 * SIDE, 3 * SIDE), DECODING))

    def test_second_look_reads_the_crop_that_it_asked_for(self):
        """A network that marks the red, green, blue and white dot in whatever it is shown."""
        picture = np.zeros((900, 1200, 3), np.uint8)
        places = np.array([[300.0, 250], [700, 270], [680, 560], [310, 540]])
        for (x, y), colour in zip(places.astype(int), ((0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255))):
            picture[y - 8:y + 9, x - 8:x + 9] = colour

        def run(planes):
            red, green, blue = planes.reshape(3, SIDE // STRIDE, STRIDE, SIDE // STRIDE, STRIDE).mean((2, 4))
            white = np.minimum(np.minimum(red, green), blue)
            return np.stack([red - white, green - white, blue - white, white]).clip(0, 1)

        np.testing.assert_allclose(find(picture, run)[0], places, atol=6)


class RefinementTest(unittest.TestCase):
    def test_sides_move_onto_the_border(self):
        large = np.full((2400, 3200), 30, np.uint8)
        cv2.fillPoly(large, [np.round((FILM + 0.5) * 8 - 0.5).astype(np.int32)], 150)
        grey = cv2.resize(large, (400, 300), interpolation=cv2.INTER_AREA)
        rough = FILM + [[4, -3], [-3, 4], [5, 2], [-4, 5]]
        self.assertLess(np.linalg.norm(refine(grey, rough) - FILM, axis=1).max(), 0.5)

    def test_nothing_to_see_moves_nothing(self):
        np.testing.assert_allclose(refine(np.full((300, 400), 30, np.uint8), FILM), FILM, atol=1e-6)


class TrainingTest(unittest.TestCase):
    def test_mirrored_looks_keep_the_order_of_the_corners(self):
        picture = np.zeros((300, 400, 3), np.uint8)
        for seed in range(20):
            corners = look(picture, FILM, np.random.default_rng(seed))[1]
            along = np.roll(corners, -1, 0) - corners
            after = np.roll(along, -1, 0)
            self.assertTrue((along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0] > 0).all())
            self.assertLess(corners[0].sum(), corners[2].sum())

    def test_loss_prefers_the_truth(self):
        corners = torch.from_numpy(FILM.astype(np.float32))[None]
        maps = targets(corners)[0].clamp(1e-4, 1 - 1e-4)
        right, wrong = torch.logit(maps), torch.logit(maps.roll(8, -1))
        self.assertLess(corner_loss(right, corners).item(), corner_loss(wrong, corners).item())

    def test_network_shape(self):
        with torch.no_grad():
            maps = CornerNet().eval()(torch.zeros(1, 3, SIDE, SIDE))
        self.assertEqual(tuple(maps.shape), (1, 4, SIDE // STRIDE, SIDE // STRIDE))


if __name__ == "__main__":
    unittest.main()
