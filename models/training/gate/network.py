"""The gate network: a small residual encoder, mean and maximum over the picture, three kinds."""
import torch
from torch import nn

from ..network import ConvNorm, Residual

KINDS = ("direct", "pop", "neither")
SIDE = 192
WIDTHS = (16, 24, 48, 96, 128)


class GateNet(nn.Module):
    """Colour picture [n, 3, SIDE, SIDE], 0-1, to logits [n, 3] in the order of KINDS."""

    def __init__(self):
        super().__init__()
        stages = [Residual(inputs, outputs, 2) for inputs, outputs in zip(WIDTHS, WIDTHS[1:])]
        self.encoder = nn.Sequential(ConvNorm(3, WIDTHS[0], stride=2), *stages, Residual(WIDTHS[-1], WIDTHS[-1]))
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(2 * WIDTHS[-1], len(KINDS))

    def forward(self, picture):
        cells = self.encoder(picture - 0.5).flatten(2)
        return self.head(self.drop(torch.cat([cells.mean(2), cells.max(2).values], 1)))


class CalibratedGate(nn.Module):
    """What is exported: probabilities at the calibrated temperature."""

    def __init__(self, gate, temperature):
        super().__init__()
        self.gate, self.temperature = gate, temperature

    def forward(self, picture):
        return torch.softmax(self.gate(picture) / self.temperature, 1)
