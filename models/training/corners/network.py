"""The corner network: residual encoder, wide context, feature pyramid to stride 4, one map per corner and one per
side.
"""

import torch
from torch import nn
from torch.nn import functional

from ..network import Context, ConvNorm, Residual

SIDE = 256
STRIDE = 4
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")
SIDES = ("top", "right", "bottom", "left")
"""Each side starts at the corner with the same number and ends at the next one."""
MAPS = CORNERS + SIDES
WIDTHS = (16, 24, 40, 64, 96)
BLOCKS = (1, 1, 2, 2)
PYRAMID_WIDTH = 32


class CornerNet(nn.Module):
    """Colour picture [n, 3, SIDE, SIDE], 0-1, to logits [n, len(MAPS), SIDE / STRIDE, SIDE / STRIDE]."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvNorm(3, WIDTHS[0], stride=2)
        self.stages = nn.ModuleList(
            nn.Sequential(Residual(inputs, outputs, 2), *[Residual(outputs, outputs) for _ in range(count - 1)])
            for inputs, outputs, count in zip(WIDTHS, WIDTHS[1:], BLOCKS)
        )
        self.context = Context(WIDTHS[-1])
        self.lateral = nn.ModuleList([nn.Conv2d(width, PYRAMID_WIDTH, 1) for width in WIDTHS[1:]])
        self.smooth = nn.ModuleList([ConvNorm(PYRAMID_WIDTH, PYRAMID_WIDTH) for _ in WIDTHS[2:]])
        self.head = nn.Conv2d(PYRAMID_WIDTH, len(MAPS), 1)
        self.head.bias.data.fill_(-4.0)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        levels = []
        x = self.stem(picture - 0.5)
        for stage in self.stages:
            x = stage(x)
            levels.append(x)
        y = self.lateral[-1](self.context(levels[-1]))
        for smooth, lateral, level in zip(self.smooth, reversed(self.lateral[:-1]), reversed(levels[:-1])):
            y = smooth(functional.interpolate(y, scale_factor=2.0, mode="nearest") + lateral(level))
        return self.head(y)


class CornerMaps(nn.Module):
    """The exported network, with maps between 0 and 1."""

    def __init__(self, net: CornerNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.net(picture))
