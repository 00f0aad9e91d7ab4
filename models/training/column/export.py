"""Adds the network for the straightened column to a pack, or replaces it; several checkpoints become one network that
gives their mean.

  python3 -m training.column.export --pack packs/landmarks-corvet --checkpoints runs/column-*.pt --version 2026.11.10
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..export import GOLDEN_COUNT, GOLDEN_SEED, OPSET, halve_weights, legacy_exporter, sha256
from ..golden import golden_input
from ..names import VERTEBRAE
from .network import FIRST_NAME, LENGTH, ColumnNet
from .strip import CELLS, HEIGHT, VERTEBRA_PX, WIDTH

FILE = "column.onnx"
SHAPE = (1, 1, HEIGHT, WIDTH)


class MeanSight(nn.Module):
    """What several networks see of a strip on average: `lengths` [1, CELLS], of a vertebra along it in VERTEBRA_PX, and
    `names` [1, len(VERTEBRAE), CELLS], how probably each vertebra's cranial edge lies there; a row sums to 1.
    """

    def __init__(self, networks: Sequence[ColumnNet]) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(self, strip: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        rows = torch.stack([network(strip) for network in self.networks])
        return torch.exp(rows[:, :, LENGTH].mean(0)), torch.softmax(rows[:, :, FIRST_NAME:], -1).mean(0)


def load_checkpoint(path: str | Path) -> ColumnNet:
    network = ColumnNet()
    network.load_state_dict(torch.load(path, map_location="cpu")["model"])
    return network


def write_column(checkpoints: Sequence[str], folder: Path) -> dict[str, Any]:
    """The network in a pack's folder, and what the pack's manifest says of it."""
    sight = MeanSight([load_checkpoint(path) for path in checkpoints]).eval()
    torch.onnx.export(
        sight,
        torch.zeros(SHAPE),
        str(folder / FILE),
        opset_version=OPSET,
        input_names=["strip"],
        output_names=["lengths", "names"],
        do_constant_folding=True,
        **legacy_exporter(),
    )
    halve_weights(folder / FILE)
    with torch.no_grad():
        lengths, _ = sight(torch.from_numpy(golden_input(GOLDEN_SEED, SHAPE)))
    values = [round(float(value), 6) for value in lengths.flatten()[:GOLDEN_COUNT]]
    return {
        "file": FILE,
        "sha256": sha256(folder / FILE),
        "input": {"name": "strip", "dtype": "float32", "shape": list(SHAPE)},
        "outputs": [
            {"name": "lengths", "dtype": "float32", "shape": [1, CELLS]},
            {"name": "names", "dtype": "float32", "shape": [1, len(VERTEBRAE), CELLS]},
        ],
        "golden": {
            "inputSeed": GOLDEN_SEED,
            "outputs": [{"name": "lengths", "values": values, "tolerance": 0.002}],
        },
        "vertebraPx": VERTEBRA_PX,
    }


def add_column(pack: str | Path, checkpoints: Sequence[str], version: str | None = None) -> None:
    """Writes the network and the changed manifest; the version stays without one."""
    path = Path(pack) / "manifest.json"
    manifest = json.loads(path.read_text())
    column = write_column(checkpoints, Path(pack))
    runs = [torch.load(checkpoint, map_location="cpu")["run"] for checkpoint in checkpoints]
    manifest["training"]["columnSeeds"] = [run["seed"] for run in runs]
    manifest["version"] = version or manifest["version"]
    # Beside the other files of the pack.
    ordered = {name: value for name, value in manifest.items() if name != "column"}
    at = list(ordered).index("input")
    entries = list(ordered.items())
    path.write_text(json.dumps(dict([*entries[:at], ("column", column), *entries[at:]]), indent=2) + "\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.column.export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", required=True, help="folder of a pack as `training.export` wrote it")
    parser.add_argument("--checkpoints", required=True, nargs="+", help="by `training.train --network column`")
    parser.add_argument("--version", help="new version of the pack; it keeps its own when not given")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    chosen = parse()
    add_column(chosen.pack, chosen.checkpoints, chosen.version)
