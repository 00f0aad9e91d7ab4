"""The loop that trains the gate and the corner detector, with a network of one weight."""

import argparse
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from torch import nn
from training.schedule import LEAST_RATE, WARM_UP_STEPS, blend, rate_at
from training.screens.training_loop import Task, train


class Ones:
    """Pictures of ones; their truth is three times their sum."""

    def batch(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
        return np.ones((size, 1, 2, 2), np.float32), np.full((size, 1), 12.0, np.float32)


def task() -> Task:
    def network() -> nn.Module:
        return nn.Sequential(nn.Conv2d(1, 1, 2, bias=False), nn.Flatten())

    return Task(
        network,
        4,
        0.0,
        lambda output, truth: ((output - truth) ** 2).mean(),
        lambda net, whole: {"whole": whole},
        lambda net, whole: {"limit": 0.25},
    )


class LoopTest(unittest.TestCase):
    def test_trains_logs_and_resumes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "net.pt"
            arguments = argparse.Namespace(out=out, start=None, minutes=0.04, rate=0.3, seed=1)
            train(arguments, task(), Ones())
            first = torch.load(out)
            self.assertAlmostEqual(float(first["weights"]["0.weight"].sum()), 12, delta=0.5)
            self.assertEqual((first["limit"], first["seed"]), (0.25, 1))
            train(argparse.Namespace(**{**vars(arguments), "start": out, "minutes": 0.005}), task(), Ones())
            second = torch.load(out)
            self.assertGreater(second["seen"], first["seen"])
            self.assertGreater(second["seconds"], first["seconds"])
            lines = [json.loads(line) for line in out.with_suffix(".log").read_text().splitlines()]
            self.assertEqual(
                [(line["finished"], line["whole"], line["seen"]) for line in lines],
                [(True, True, first["seen"]), (True, True, second["seen"])],
            )


class ScheduleTest(unittest.TestCase):
    def test_rate_rises_to_its_peak_and_falls_to_its_least(self) -> None:
        self.assertAlmostEqual(rate_at(2.0, 0.0, WARM_UP_STEPS // 2 - 1), 1.0)
        self.assertAlmostEqual(rate_at(2.0, 0.0, WARM_UP_STEPS), 2.0)
        self.assertAlmostEqual(rate_at(2.0, 1.0, 10**6), 2.0 * LEAST_RATE)

    def test_average_follows_quickly_at_first_and_slowly_later(self) -> None:
        model, average = nn.Linear(1, 1), {"weight": torch.zeros(1, 1), "bias": torch.zeros(1)}
        nn.init.ones_(model.weight)
        blend(average, model, 0)
        self.assertAlmostEqual(average["weight"].item(), 0.9, places=6)
        blend(average, model, 10**6)
        self.assertAlmostEqual(average["weight"].item(), 0.9 + 0.1 * 0.005, places=6)


if __name__ == "__main__":
    unittest.main()
