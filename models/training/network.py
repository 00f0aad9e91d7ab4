"""The landmark network: residual encoder to stride 32, wide context, feature pyramid back to stride 4, one map per
point.
"""

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional

from .names import ANY_DISC, MAP_COUNT, POINTS, SILHOUETTE

STRIDE = 4
WIDTHS = (16, 24, 48, 96, 160)
BLOCKS = (1, 2, 2, 2)
PYRAMID_WIDTH = 48


Stride = int | tuple[int, int]


class ConvNorm(nn.Sequential):
    """Convolution without bias, batch normalisation and, by default, ReLU."""

    def __init__(
        self, inputs: int, outputs: int, kernel: int = 3, stride: Stride = 1, dilation: int = 1, activate: bool = True
    ) -> None:
        padding = dilation * (kernel // 2)
        convolution = nn.Conv2d(inputs, outputs, kernel, stride, padding, dilation, bias=False)
        layers = [convolution, nn.BatchNorm2d(outputs)]
        super().__init__(*layers, *([nn.ReLU(inplace=True)] if activate else []))


def initialise(network: nn.Module, head: nn.Conv2d) -> None:
    """Initial weights: He initialisation for every convolution; small weights and no bias for the last."""
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out")
    nn.init.normal_(head.weight, std=0.01)
    nn.init.zeros_(head.bias)


class Residual(nn.Module):
    """Two 3 x 3 convolutions with a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: Stride = 1) -> None:
        super().__init__()
        self.first = ConvNorm(inputs, outputs, stride=stride)
        self.second = ConvNorm(outputs, outputs, activate=False)
        same = inputs == outputs and stride == 1
        self.shortcut = nn.Identity() if same else ConvNorm(inputs, outputs, 1, stride, activate=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(self.second(self.first(x)) + self.shortcut(x))


class Context(nn.Module):
    """Extends the receptive field of the coarsest map to most of the film."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.branches = nn.ModuleList([ConvNorm(width, width // 2, dilation=dilation) for dilation in (1, 3)])
        self.merge = ConvNorm(width, width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.merge(torch.cat([branch(x) for branch in self.branches], 1))


class PyramidNet(nn.Module):
    """Grey picture [n, 1, side, side], 0-1, to unnormalised maps [n, maps, side / STRIDE, side / STRIDE]."""

    def __init__(self, widths: Sequence[int], pyramid_width: int, maps: int) -> None:
        super().__init__()
        self.stem = ConvNorm(1, widths[0], stride=2)
        self.stages = nn.ModuleList()
        for inputs, outputs, count in zip(widths, widths[1:], BLOCKS):
            rest = [Residual(outputs, outputs) for _ in range(count - 1)]
            self.stages.append(nn.Sequential(Residual(inputs, outputs, 2), *rest))
        self.context = Context(widths[-1])
        self.lateral = nn.ModuleList([nn.Conv2d(width, pyramid_width, 1) for width in widths[1:]])
        self.smooth = nn.ModuleList([ConvNorm(pyramid_width, pyramid_width) for _ in widths[2:]])
        self.head = nn.Conv2d(pyramid_width, maps, 1)
        initialise(self, self.head)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        levels = []
        x = self.stem(picture)
        for stage in self.stages:
            x = stage(x)
            levels.append(x)
        levels[-1] = self.context(x)
        y = self.lateral[-1](levels[-1])
        for smooth, lateral, level in zip(self.smooth, reversed(self.lateral[:-1]), reversed(levels[:-1])):
            y = smooth(functional.interpolate(y, scale_factor=2.0, mode="nearest") + lateral(level))
        return self.head(y)


class LandmarkNet(PyramidNet):
    """The thorax network: MAP_COUNT maps."""

    def __init__(self) -> None:
        super().__init__(WIDTHS, PYRAMID_WIDTH, MAP_COUNT)
        nn.init.constant_(self.head.bias[ANY_DISC], -4.0)
        nn.init.constant_(self.head.bias[SILHOUETTE], -2.0)


def load_weights(model: LandmarkNet, state: dict[str, torch.Tensor]) -> None:
    """Loads a state dict; missing maps (checkpoints from before the silhouette) keep the weights of the model."""
    own = model.state_dict()
    widened = dict(state)
    for name in ("head.weight", "head.bias"):
        fresh = own[name].clone()
        fresh[: len(state[name])] = state[name]
        widened[name] = fresh
    model.load_state_dict(widened)


def soft_argmax(maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Expected place under each map's softmax, in shares of the side: [n, k, h, w] -> [n, k, 2] (x, y), and the
    softmax.
    """
    n, k, h, w = maps.shape
    share = torch.softmax(maps.reshape(n, k, h * w), -1).reshape(n, k, h, w)
    xs = (torch.arange(w, dtype=maps.dtype, device=maps.device) + 0.5) / w
    ys = (torch.arange(h, dtype=maps.dtype, device=maps.device) + 0.5) / h
    return torch.stack([(share.sum(2) * xs).sum(-1), (share.sum(3) * ys).sum(-1)], -1), share


def point_maps(maps: torch.Tensor) -> torch.Tensor:
    """The maps that belong to one named point each."""
    return maps[:, : len(POINTS)]
