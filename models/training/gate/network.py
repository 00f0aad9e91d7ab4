"""The gate network: a small residual encoder, mean and maximum over the picture, two heads."""

import torch
from torch import nn

from ..network import ConvNorm, Residual

ACCEPTED = ("direct", "pop")
REFUSED = ("frontal_chest", "abdomen", "other_radiograph", "photograph", "document")
"""Classes of rejected pictures, shown on the page."""
KINDS = ACCEPTED + REFUSED
SIDE = 192
WIDTHS = (16, 24, 48, 96, 128)


def label_of(row: dict) -> int:
    """Index into KINDS of a row of an index of made pictures."""
    return KINDS.index(row["kind"] if row["kind"] in ACCEPTED else row["takenFor"])


class GateNet(nn.Module):
    """Colour picture [n, 3, SIDE, SIDE], 0-1, to logits [n, len(KINDS)] in the order of KINDS.

    Acceptance and classes of rejected pictures have separate last blocks and heads, so that training the classes does
    not change which pictures are rejected.
    """

    def __init__(self) -> None:
        super().__init__()
        stages = [Residual(inputs, outputs, 2) for inputs, outputs in zip(WIDTHS, WIDTHS[1:])]
        self.encoder = nn.Sequential(ConvNorm(3, WIDTHS[0], stride=2), *stages, Residual(WIDTHS[-1], WIDTHS[-1]))
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(2 * WIDTHS[-1], len(ACCEPTED) + 1)
        self.naming = Residual(WIDTHS[-1], WIDTHS[-1])
        self.names = nn.Linear(2 * WIDTHS[-1], len(REFUSED))

    def shared(self, picture: torch.Tensor) -> torch.Tensor:
        """Maps [n, WIDTHS[-1], h, w] before both last blocks."""
        return self.encoder[:-1](picture - 0.5)

    def three(self, maps: torch.Tensor) -> torch.Tensor:
        """Logits [n, 3] of direct, pop and neither."""
        return self.head(self.drop(pooled(self.encoder[-1](maps))))

    def named(self, maps: torch.Tensor) -> torch.Tensor:
        """Logits [n, len(REFUSED)] of the classes of pictures that are neither."""
        return self.names(self.drop(pooled(self.naming(maps))))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        maps = self.shared(picture)
        accepted, neither = self.three(maps).split([len(ACCEPTED), 1], 1)
        return torch.cat([accepted, neither + torch.log_softmax(self.named(maps), 1)], 1)


def pooled(maps: torch.Tensor) -> torch.Tensor:
    cells = maps.flatten(2)
    return torch.cat([cells.mean(2), cells.max(2).values], 1)


def three_of(logits: torch.Tensor) -> torch.Tensor:
    """Logits [n, 3] of direct, pop and neither."""
    return torch.cat([logits[:, : len(ACCEPTED)], logits[:, len(ACCEPTED) :].logsumexp(1, keepdim=True)], 1)


class CalibratedGate(nn.Module):
    """The exported network: probabilities; the temperature is calibrated for direct, pop and neither."""

    def __init__(self, gate: GateNet, temperature: float) -> None:
        super().__init__()
        self.gate, self.temperature = gate, temperature

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        maps = self.gate.shared(picture)
        three = torch.softmax(self.gate.three(maps) / self.temperature, 1)
        # Slices and copies, because OpenCV supports neither unequal splits nor products of unequal widths.
        accepted, neither = three[:, : len(ACCEPTED)], three[:, len(ACCEPTED) :]
        refused = torch.cat([neither] * len(REFUSED), 1) * torch.softmax(self.gate.named(maps), 1)
        return torch.cat([accepted, refused], 1)
