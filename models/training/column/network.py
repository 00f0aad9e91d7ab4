"""The column network: estimates the length of a vertebra and the discs along the straightened column."""

import torch
from torch import nn
from torch.nn import functional

from ..names import VERTEBRAE
from ..network import ConvNorm, Residual, initialise
from .strip import HEIGHT

WIDTHS = (16, 32, 48, 64)
COLUMN_WIDTH = 96
DILATIONS = (1, 2, 4, 8, 16, 4, 1)
"""Dilations; together they give every cell a receptive field of more than six vertebrae to either side."""
DISC, LENGTH, DOUBT = 0, 1, 2
"""Rows of the output: logit of a disc, logarithm of a vertebra's length in VERTEBRA_PX, logarithm of the uncertainty of
the length; then one row per vertebra for its cranial edge. Only lengths and names are used after training.
"""
FIRST_NAME = 3
ROWS = FIRST_NAME + len(VERTEBRAE)


class AlongColumn(nn.Module):
    """Two convolutions along the strip with a shortcut."""

    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(width, width, (1, 3), padding=(0, dilation), dilation=(1, dilation), bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
        )
        self.second = nn.Sequential(nn.Conv2d(width, width, (1, 3), padding=(0, 1), bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.second(self.first(x)))


class ColumnNet(nn.Module):
    """Strip [n, 1, HEIGHT, WIDTH], 0-1, to [n, ROWS, CELLS]."""

    def __init__(self) -> None:
        super().__init__()
        stem, fine, middle, coarse = WIDTHS
        self.body = nn.Sequential(
            ConvNorm(1, stem, stride=2),
            Residual(stem, fine, 2),
            Residual(fine, fine),
            Residual(fine, middle, (2, 1)),
            Residual(middle, middle),
            Residual(middle, coarse, (2, 1)),
        )
        self.flatten = nn.Sequential(
            nn.Conv2d(coarse, COLUMN_WIDTH, (HEIGHT // 16, 1), bias=False),
            nn.BatchNorm2d(COLUMN_WIDTH),
            nn.ReLU(inplace=True),
        )
        self.along = nn.Sequential(*[AlongColumn(COLUMN_WIDTH, dilation) for dilation in DILATIONS])
        self.head = nn.Conv2d(COLUMN_WIDTH, ROWS, 1)
        initialise(self, self.head)
        nn.init.constant_(self.head.bias[DISC], -1.5)

    def forward(self, strip: torch.Tensor) -> torch.Tensor:
        return self.head(self.along(self.flatten(self.body(strip))))[:, :, 0]
