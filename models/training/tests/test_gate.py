"""The gate's films, augmentation, calibration and figures."""

import unittest

import numpy as np
import torch
from training.gate.data import augmented
from training.gate.films import LateralFilm, vary
from training.gate.from_pack import normalise_anew
from training.gate.network import ACCEPTED, KINDS, REFUSED, SIDE, CalibratedGate, GateNet, label_of, three_of
from training.gate.refit import fit_names
from training.gate.train import PASSED, temperature_of, threshold_of
from training.shares import median_of, wilson


class FilmsTest(unittest.TestCase):
    def test_the_thorax_stays_in_the_picture(self) -> None:
        image = np.full((400, 900), 60, np.uint8)
        image[120:280, 300:560] = 200
        film = LateralFilm(image, np.array([300.0, 120, 560, 280]), "test")
        for seed in range(40):
            varied = vary(film, np.random.default_rng(seed), 300)
            height, width = varied.image.shape
            left, top, right, bottom = varied.thorax
            visible = (min(right, width) - max(left, 0)) * (min(bottom, height) - max(top, 0))
            self.assertGreater(visible / ((right - left) * (bottom - top)), 0.7, f"seed {seed}")


class AugmentationTest(unittest.TestCase):
    def test_every_kind_gives_planes_between_0_and_1(self) -> None:
        picture = np.random.default_rng(0).integers(0, 256, (90, 150, 3), dtype=np.uint8)
        for seed in range(20):
            planes = augmented(picture, KINDS[seed % len(KINDS)], np.random.default_rng(seed))
            self.assertEqual(planes.shape, (3, SIDE, SIDE))
            self.assertTrue((planes >= 0).all() and (planes <= 1).all())


class KindsTest(unittest.TestCase):
    def test_a_made_picture_is_labelled_by_its_kind_or_class(self) -> None:
        self.assertEqual(KINDS[label_of({"kind": "pop", "takenFor": None})], "pop")
        self.assertEqual(KINDS[label_of({"kind": "neither", "takenFor": "abdomen"})], "abdomen")

    def test_names_do_not_change_which_pictures_are_rejected(self) -> None:
        torch.manual_seed(0)
        net, planes = GateNet().eval(), torch.rand(3, 3, SIDE, SIDE)
        with torch.no_grad():
            before = CalibratedGate(net, 1.3)(planes)
        fit_names(net, torch.randn(80, 128, 6, 6).relu(), torch.randint(len(REFUSED), (80,)), 2, 1e-2)
        with torch.no_grad():
            after, logits = CalibratedGate(net, 1.3)(planes), net(planes)
        torch.testing.assert_close(after[:, : len(ACCEPTED)], before[:, : len(ACCEPTED)])
        self.assertFalse(torch.allclose(after, before))
        torch.testing.assert_close(
            torch.softmax(three_of(logits) / 1.3, 1)[:, : len(ACCEPTED)], before[:, : len(ACCEPTED)]
        )


class FromPackTest(unittest.TestCase):
    def test_normalising_again_keeps_the_outputs(self) -> None:
        torch.manual_seed(0)
        net, planes = GateNet().eval(), torch.rand(4, 3, SIDE, SIDE)
        with torch.no_grad():
            for module in net.modules():
                if isinstance(module, torch.nn.BatchNorm2d):
                    module.running_var.fill_(1 - module.eps)
            before = net(planes)
            normalise_anew(net, planes)
            torch.testing.assert_close(net(planes), before, rtol=1e-3, atol=1e-3)


class CalibrationTest(unittest.TestCase):
    def test_finds_the_temperature_that_the_logits_were_sharpened_by(self) -> None:
        torch.manual_seed(0)
        honest = torch.randn(4000, 3) * 2
        labels = torch.distributions.Categorical(logits=honest).sample()
        self.assertAlmostEqual(temperature_of(honest * 2.5, labels), 2.5, delta=0.25)

    def test_the_threshold_accepts_the_wanted_share_of_lateral_films(self) -> None:
        neither = torch.linspace(0, 0.6, 1000)
        self.assertEqual(threshold_of(neither), 0.5)
        self.assertAlmostEqual(threshold_of(neither * 0.7), 0.42 * PASSED, delta=0.002)
        self.assertEqual(threshold_of(neither / 6), 0.3)

    def test_exported_gate_gives_probabilities(self) -> None:
        with torch.no_grad():
            values = CalibratedGate(GateNet(), 1.7).eval()(torch.rand(2, 3, SIDE, SIDE))
        torch.testing.assert_close(values.sum(1), torch.ones(2))


class FiguresTest(unittest.TestCase):
    def test_wilson_interval(self) -> None:
        self.assertEqual(wilson(35, 35), {"n": 35, "share": 1.0, "interval": [0.9011, 1.0]})

    def test_median_lies_in_its_interval(self) -> None:
        figure = median_of(np.random.default_rng(1).random(100))
        assert figure is not None
        self.assertLessEqual(figure["interval"][0], figure["median"])
        self.assertGreaterEqual(figure["interval"][1], figure["median"])


if __name__ == "__main__":
    unittest.main()
