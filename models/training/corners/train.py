"""Trains the corner detector.

python3 -m training.corners.train --pictures pictures/train --held-out pictures/held-out --out runs/corners.pt \
    --minutes 25
"""

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.nn import functional

from ..gate.data import read_rows
from ..screens.training_loop import Task, parse, train
from .data import CornerPictures, has_no_film, shows_corners
from .decode import DECODING, error_of_diagonal, glance
from .network import CORNERS, SIDE, SIDES, STRIDE, CornerNet
from .visibility import has_visible_border

PEAK_RATE = 2e-3
CELLS = SIDE // STRIDE
SIGMA_CELLS = 1.2
WINDOW_CELLS = 3.5
GLANCE_STEP = 7
"""Reports use every seventh held-out picture."""
GLANCE_PEAK = 0.4
"""Least weakest peak of a detected film in reports."""


def cells_of(corners: torch.Tensor) -> torch.Tensor:
    """Converts network pixels to cells of the maps."""
    return (corners + 0.5) / STRIDE - 0.5


def targets(corners: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Gaussian maps [n, 4, c, c] around the corners in the picture; zero for other corners."""
    at = cells_of(corners)
    inside = ((corners > -0.5) & (corners < SIDE - 0.5)).all(-1)
    axis = torch.arange(CELLS, dtype=torch.float32)
    across = torch.exp(-0.5 * ((axis - at[..., :1]) / SIGMA_CELLS) ** 2)
    down = torch.exp(-0.5 * ((axis - at[..., 1:]) / SIGMA_CELLS) ** 2)
    maps = down[..., :, None] * across[..., None, :]
    return torch.where(inside[..., None, None], maps, torch.zeros(())), at, inside


def side_targets(corners: torch.Tensor) -> torch.Tensor:
    """Gaussian ridges [n, 4, c, c] along the sides; zero without a film."""
    start = cells_of(corners)[..., None, None, :]
    along = cells_of(corners.roll(-1, 1))[..., None, None, :] - start
    axis = torch.arange(CELLS, dtype=torch.float32)
    away = torch.stack(torch.meshgrid(axis, axis, indexing="xy"), -1) - start
    share = ((away * along).sum(-1) / (along * along).sum(-1)).clamp(0, 1)
    distance_squared = ((away - share[..., None] * along) ** 2).sum(-1)
    return torch.nan_to_num(torch.exp(-0.5 * distance_squared / SIGMA_CELLS**2))


def weighted_entropy(logits: torch.Tensor, maps: torch.Tensor, weight: int) -> torch.Tensor:
    return (functional.binary_cross_entropy_with_logits(logits, maps, reduction="none") * (1 + weight * maps)).mean()


def corner_loss(logits: torch.Tensor, corners: torch.Tensor) -> torch.Tensor:
    """Weighted cross-entropy with the maps, plus the distance of each corner from its local centre of mass."""
    maps, at, inside = targets(corners)
    corner_logits, side_logits = logits.split((len(CORNERS), len(SIDES)), 1)
    entropy = weighted_entropy(corner_logits, maps, 30) + 0.3 * weighted_entropy(side_logits, side_targets(corners), 4)
    axis = torch.arange(CELLS, dtype=torch.float32)
    near = ((axis - at[..., :1]).abs() < WINDOW_CELLS)[..., None, :] & ((axis - at[..., 1:]).abs() < WINDOW_CELLS)[
        ..., :, None
    ]
    mass = torch.sigmoid(corner_logits) * near
    total = mass.sum((-1, -2)) + 1e-4
    centre = torch.stack([(mass.sum(-2) * axis).sum(-1), (mass.sum(-1) * axis).sum(-1)], -1) / total[..., None]
    distance = functional.smooth_l1_loss(centre[inside], at[inside], beta=0.2) if inside.any() else logits.sum() * 0
    return 20 * entropy + 0.5 * distance


def report(net: CornerNet, rows: list[dict[str, Any]]) -> dict[str, float]:
    """Median error and detection rate on held-out photographs, false detections on pictures without a film."""
    net.eval()

    def run(planes: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return torch.sigmoid(net(torch.from_numpy(planes)[None]))[0].numpy()

    errors, false_finds = [], []
    for row in rows:
        picture = cv2.imread(str(row["path"]))
        if row["kind"] == "pop" and not has_visible_border(picture, row["corners"]):
            continue
        corners, confidence = glance(picture, run)
        found = confidence >= GLANCE_PEAK
        if row["kind"] == "pop":
            errors.append(
                error_of_diagonal(corners, np.array(row["corners"]), picture.shape[1::-1]) if found else math.inf
            )
        else:
            false_finds.append(found)
    within = np.array(errors) < 0.03
    return {
        "median": float(np.median(errors)),
        "p90": float(np.percentile(errors, 90)),
        "within_3_percent": float(within.mean()),
        "false": float(np.mean(false_finds)),
    }


def held_out_rows(folder: str | Path) -> list[dict[str, Any]]:
    return [row for row in read_rows(folder) if shows_corners(row) or has_no_film(row)][::GLANCE_STEP]


if __name__ == "__main__":
    chosen = parse(__doc__, PEAK_RATE)
    rows = held_out_rows(chosen.held_out)
    task = Task(CornerNet, 12, 0.01, corner_loss, lambda net, _: report(net, rows), lambda *_: {"decoding": DECODING})
    train(chosen, task, CornerPictures(chosen.pictures))
