"""The heart network: finds the points and the silhouette of the heart on the close-up."""

from torch import nn

from ..names import HEART_POINTS
from ..network import PyramidNet

WIDTHS = (16, 32, 48, 80, 112)
PYRAMID_WIDTH = 32
SILHOUETTE = len(HEART_POINTS)
"""Index of the map of the heart's inside: a logit, positive inside. The maps before it are those of the heart's points.
"""


class HeartNet(PyramidNet):
    """Close-up [n, 1, SIDE, SIDE], 0-1, to maps [n, len(HEART_POINTS) + 1, SIDE / STRIDE, SIDE / STRIDE]."""

    def __init__(self) -> None:
        super().__init__(WIDTHS, PYRAMID_WIDTH, len(HEART_POINTS) + 1)
        nn.init.constant_(self.head.bias[SILHOUETTE], -1.0)
