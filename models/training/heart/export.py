"""Adds the networks for close-ups of the heart to a pack, as one file, or replaces them.

python3 -m training.heart.export --pack packs/landmarks-corvet --checkpoints runs/heart-*.pt --version 2026.11.14
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from ..attach import Further, attach, load_networks, parser_for
from ..names import HEART_POINTS
from ..network import STRIDE, soft_argmax
from .frame import HEART_SHARE, SIDE
from .network import SILHOUETTE, HeartNet

BORDER_OFFSET = 0.5
"""Added to the silhouettes' logits, because a border about which a network is uncertain is too far inside (see
`border`). Chosen on simulated films: with 0 the axes are 1 % too short, with 1 the short axis is 1 % too long.
"""
CLOSE_SHARE = 0.65
"""Weight of the axes of these networks against those of the thorax networks. Chosen on left-out and simulated films.
"""


class HeartSight(nn.Module):
    """Outputs of several networks for a close-up: `points` [n, len(HEART_POINTS), 2] in shares of the side, and
    `silhouettes` [n, cells, cells] as logits, positive inside.
    """

    def __init__(self, networks: Sequence[nn.Module]) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(self, close_up: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        maps = torch.cat([network(close_up) for network in self.networks])
        return soft_argmax(maps[:, :SILHOUETTE])[0], maps[:, SILHOUETTE] + BORDER_OFFSET


def add_heart(pack: str | Path, checkpoints: Sequence[str], version: str | None = None) -> None:
    networks, seeds = load_networks(HeartNet, checkpoints)
    votes, cells = len(networks), SIDE // STRIDE
    heart = Further(
        name="heart",
        input="close_up",
        shape=(1, 1, SIDE, SIDE),
        outputs={"points": [votes, len(HEART_POINTS), 2], "silhouettes": [votes, cells, cells]},
        golden=("points", 0.002),
        constants={"heartShare": HEART_SHARE, "closeShare": CLOSE_SHARE},
    )
    attach(pack, HeartSight(networks), heart, seeds, version)


if __name__ == "__main__":
    chosen = parser_for("training.heart.export", "heart", __doc__ or "").parse_args()
    add_heart(chosen.pack, chosen.checkpoints, chosen.version)
