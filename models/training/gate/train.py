"""Trains the gate.

python3 -m training.gate.train --pictures pictures/train --held-out pictures/held-out --out runs/gate.pt --minutes 20
"""

import math

import cv2
import numpy as np
import torch
from torch.nn import functional

from ..screens.training_loop import Task, parse, train
from .data import GatePictures, read_rows
from .letterbox import letterbox, to_planes
from .network import ACCEPTED, KINDS, SIDE, GateNet, label_of, three_of

PEAK_RATE = 2e-3
LABEL_SMOOTHING = 0.02
PASSED = 0.98
"""Share of held-out lateral films that a threshold accepts, separately for files and photographs, which are harder."""
LIMITS = (0.3, 0.5)
"""Bounds of both thresholds: a few hundred held-out films, few of them of cats, do not support lower ones."""
GLANCE_STEP = 5
"""Intermediate reports use every fifth held-out picture; the last one uses all."""


class HeldOut:
    """Pictures not used for training, for figures and calibration."""

    def __init__(self, folder: str) -> None:
        rows = read_rows(folder)
        self.planes = torch.from_numpy(
            np.stack([to_planes(letterbox(cv2.imread(str(row["path"])), SIDE)[0]) for row in rows])
        )
        self.labels = torch.tensor([label_of(row) for row in rows])

    def logits(self, net: GateNet, whole: bool) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and labels of all pictures, or of a part of them."""
        step = 1 if whole else GLANCE_STEP
        net.eval()
        with torch.no_grad():
            return torch.cat([net(part) for part in self.planes[::step].split(32)]), self.labels[::step]

    def report(self, net: GateNet, whole: bool) -> dict[str, float]:
        logits, labels = self.logits(net, whole)
        rejected = torch.softmax(three_of(logits), 1)[:, len(ACCEPTED)] >= 0.5
        negative = labels >= len(ACCEPTED)
        return {
            "accepted": (~rejected[~negative]).float().mean().item(),
            "rejected": rejected[negative].float().mean().item(),
            "kind": (logits.argmax(1) == labels).float().mean().item(),
            "named": (logits[negative, len(ACCEPTED) :].argmax(1) == labels[negative] - len(ACCEPTED))
            .float()
            .mean()
            .item(),
            "loss": functional.cross_entropy(logits, labels).item(),
        }

    def calibration(self, net: GateNet, whole: bool) -> dict[str, float]:
        return calibration_of(*self.logits(net, whole))


def calibration_of(logits: torch.Tensor, labels: torch.Tensor) -> dict[str, float]:
    """Temperature and limits, from logits and labels of held-out pictures."""
    three, kinds = three_of(logits), labels.clamp(max=len(ACCEPTED))
    temperature = temperature_of(three, kinds)
    neither = torch.softmax(three / temperature, 1)[:, len(ACCEPTED)]
    limits = {kind: round(threshold_of(neither[labels == KINDS.index(kind)]), 3) for kind in ACCEPTED}
    return {"temperature": temperature, "rejectDirectAtOrAbove": limits["direct"], "rejectAtOrAbove": limits["pop"]}


def temperature_of(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """The temperature with the least negative log-likelihood on held-out pictures."""
    grid = np.exp(np.linspace(math.log(0.5), math.log(5), 60))
    losses = [functional.cross_entropy(logits / float(value), labels).item() for value in grid]
    return float(grid[int(np.argmin(losses))])


def threshold_of(neither: torch.Tensor) -> float:
    """The probability of `neither` from which to reject, so that PASSED of these lateral films pass; within LIMITS."""
    return float(np.clip(np.quantile(neither.numpy(), PASSED), *LIMITS))


def gate_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(logits, labels, label_smoothing=LABEL_SMOOTHING)


if __name__ == "__main__":
    chosen = parse(__doc__, PEAK_RATE)
    held_out = HeldOut(chosen.held_out)
    train(
        chosen, Task(GateNet, 32, 0.02, gate_loss, held_out.report, held_out.calibration), GatePictures(chosen.pictures)
    )
