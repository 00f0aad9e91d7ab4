"""Loss and error of the column network."""

import numpy as np
import torch
from torch.nn import functional

from ..names import VERTEBRAE
from ..warping import UNKNOWN_FROM
from .network import DISC, DOUBT, FIRST_NAME, LENGTH
from .strip import CELL, CELLS, VERTEBRA_PX, WIDTH, Strip

DISC_WIDTH_PX, NAME_WIDTH_PX = 5.0, 4.0
"""Standard deviations of the Gaussian targets of a disc."""
COUNTED = (3, 9)
"""Distances [vertebrae] over which counts are compared: those spanned by cardiac axes."""
USUAL_COUNT_ERROR = 0.02
LEAST_DOUBT, MOST_DOUBT = -6.0, 2.0
MOST_LOG_LENGTH = 1.5
WEIGHTS = {"discs": 1.0, "lengths": 0.3, "names": 0.3, "count": 0.3}


def strip_example(strip: Strip) -> dict[str, np.ndarray]:
    """Input of the loss for a strip."""
    cells = (np.arange(CELLS) + 0.5) * CELL - 0.5
    known = np.flatnonzero(np.isfinite(strip.places))
    places = strip.places[known]
    discs, lengths = np.zeros(CELLS), np.zeros(CELLS)
    disc_mask, length_mask = np.zeros(CELLS, bool), np.zeros(CELLS, bool)
    if len(known) >= 2:
        discs = np.exp(-0.5 * ((cells[None] - places[:, None]) / DISC_WIDTH_PX) ** 2).max(0)
        between = (places[-1] - places[0]) / (known[-1] - known[0])
        reach = UNKNOWN_FROM * between
        disc_mask = (cells > places[0] - reach) & (cells < places[-1] + reach)
        for gap in np.flatnonzero(np.diff(known) > 1):
            disc_mask &= (cells < places[gap] + reach) | (cells > places[gap + 1] - reach)
        own = np.diff(places) / np.diff(known)
        lengths = np.log(np.interp(cells, (places[1:] + places[:-1]) / 2, own) / VERTEBRA_PX)
        length_mask = (cells > places[0]) & (cells < places[-1])
    values = {
        "image": strip.image[None],
        "discs": discs,
        "disc_mask": disc_mask,
        "lengths": lengths,
        "length_mask": length_mask,
        "places": np.nan_to_num(strip.places, nan=-1.0),
        "is_named": strip.is_named,
    }
    return {name: np.asarray(value, np.float32) for name, value in values.items()}


def column_loss(rows: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, float]:
    """The loss, and the mean relative error of a count."""
    discs, disc_mask = batch["discs"], batch["disc_mask"]
    seen = functional.binary_cross_entropy_with_logits(rows[:, DISC], discs, reduction="none")
    disc = _masked_mean(seen * (1 + 2 * discs), disc_mask)
    doubt = rows[:, DOUBT].clamp(LEAST_DOUBT, MOST_DOUBT)
    off = (rows[:, LENGTH] - batch["lengths"]).abs()
    length = _masked_mean(off * torch.exp(-doubt) + doubt, batch["length_mask"])
    count = count_error(rows[:, LENGTH], batch["places"])
    loss = (
        WEIGHTS["discs"] * disc
        + WEIGHTS["lengths"] * length
        + WEIGHTS["names"] * _name_loss(rows[:, FIRST_NAME:], batch["places"], batch["is_named"])
        + WEIGHTS["count"] * count / USUAL_COUNT_ERROR
    )
    return loss, count.item()


def count_error(log_lengths: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Mean relative error of the number of vertebrae counted between two known edges.

    log_lengths: [n, CELLS]; places: [n, len(VERTEBRAE)], negative if unknown.
    """
    per_px = torch.exp(-log_lengths.clamp(-MOST_LOG_LENGTH, MOST_LOG_LENGTH)) / VERTEBRA_PX
    up_to = functional.pad(torch.cumsum(per_px, 1) * CELL, (1, 0))
    at = ((places.clamp(0, WIDTH - 1) + 0.5) / CELL).clamp(max=CELLS - 1e-3)
    cell = at.floor().long()
    counted = torch.gather(up_to, 1, cell) + (at - cell) * CELL * torch.gather(per_px, 1, cell)
    number = torch.arange(len(VERTEBRAE), device=places.device)
    between = (number[None, :] - number[:, None]).float()
    known = (places >= 0).float()
    wanted = known[:, :, None] * known[:, None, :] * ((between >= COUNTED[0]) & (between <= COUNTED[1])).float()
    error = ((counted[:, None, :] - counted[:, :, None]) / between.clamp(min=1) - 1).abs()
    return _masked_mean(error, wanted)


def _name_loss(rows: torch.Tensor, places: torch.Tensor, is_named: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of each vertebra's row along the strip with a Gaussian at its edge; is_named: [n], 0 or 1."""
    cells = (torch.arange(CELLS, device=places.device) + 0.5) * CELL - 0.5
    bump = torch.exp(-0.5 * ((cells - places[:, :, None]) / NAME_WIDTH_PX) ** 2)
    bump = bump / bump.sum(-1, keepdim=True).clamp(min=1e-9)
    return _masked_mean(-(bump * functional.log_softmax(rows, -1)).sum(-1), (places >= 0).float() * is_named[:, None])


def _masked_mean(values: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return (values * mask).sum() / mask.sum().clamp(min=1)
