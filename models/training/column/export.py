"""Adds the networks for the straightened column to a pack, as one file, or replaces them.

python3 -m training.column.export --pack packs/landmarks-corvet --checkpoints runs/column-*.pt --version 2026.11.10
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from ..attach import Further, attach, load_networks, parser_for
from ..names import VERTEBRAE
from .network import FIRST_NAME, LENGTH, ColumnNet
from .strip import CELLS, HEIGHT, VERTEBRA_PX, WIDTH


class ColumnSight(nn.Module):
    """Outputs of several networks for a strip: `lengths` [n, CELLS], the length of a vertebra along the strip in
    VERTEBRA_PX, per network; `names` [1, len(VERTEBRAE), CELLS], the mean probability of each vertebra's cranial edge
    per cell; a row sums to 1.
    """

    def __init__(self, networks: Sequence[nn.Module]) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(self, strip: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        rows = torch.cat([network(strip) for network in self.networks])
        return torch.exp(rows[:, LENGTH]), torch.softmax(rows[:, FIRST_NAME:], -1).mean(0, keepdim=True)


def add_column(pack: str | Path, checkpoints: Sequence[str], version: str | None = None) -> None:
    networks, seeds = load_networks(ColumnNet, checkpoints)
    column = Further(
        name="column",
        input="strip",
        shape=(1, 1, HEIGHT, WIDTH),
        outputs={"lengths": [len(networks), CELLS], "names": [1, len(VERTEBRAE), CELLS]},
        golden=("lengths", 0.002),
        constants={"vertebraPx": VERTEBRA_PX},
    )
    attach(pack, ColumnSight(networks), column, seeds, version)


if __name__ == "__main__":
    chosen = parser_for("training.column.export", "column", __doc__ or "").parse_args()
    add_column(chosen.pack, chosen.checkpoints, chosen.version)
