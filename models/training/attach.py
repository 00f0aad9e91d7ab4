"""Adds a network that measures a part of the film after the members to a pack, or replaces it."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from .export import GOLDEN_COUNT, GOLDEN_SEED, OPSET, halve_weights, legacy_exporter, sha256
from .golden import golden_input


@dataclass(frozen=True)
class Further:
    """Manifest entry of such a network.

    name: of the manifest entry and the file; input: name of the input; shape: of the input; golden: the output that is
    compared when the pack is loaded, and its tolerance.
    """

    name: str
    input: str
    shape: tuple[int, ...]
    outputs: dict[str, list[int]]
    golden: tuple[str, float]
    constants: dict[str, float]


def attach(
    pack: str | Path, network: nn.Module, further: Further, seeds: Sequence[int], version: str | None = None
) -> None:
    """Writes the network and the changed manifest; without `version` the version is kept."""
    path = Path(pack) / "manifest.json"
    manifest = json.loads(path.read_text())
    entry = _written(network.eval(), further, Path(pack))
    manifest["training"][f"{further.name}Seeds"] = list(seeds)
    manifest["version"] = version or manifest["version"]
    # Beside the other files of the pack.
    entries = [(name, value) for name, value in manifest.items() if name != further.name]
    at = [name for name, _ in entries].index("input")
    path.write_text(json.dumps(dict([*entries[:at], (further.name, entry), *entries[at:]]), indent=2) + "\n")


def _written(network: nn.Module, further: Further, folder: Path) -> dict[str, Any]:
    file = folder / f"{further.name}.onnx"
    torch.onnx.export(
        network,
        torch.zeros(further.shape),
        str(file),
        opset_version=OPSET,
        input_names=[further.input],
        output_names=list(further.outputs),
        do_constant_folding=True,
        **legacy_exporter(),
    )
    halve_weights(file)
    with torch.no_grad():
        answers = network(torch.from_numpy(golden_input(GOLDEN_SEED, further.shape)))
    compared, tolerance = further.golden
    answer = answers[list(further.outputs).index(compared)]
    values = [round(float(value), 6) for value in answer.flatten()[:GOLDEN_COUNT]]
    return {
        "file": file.name,
        "sha256": sha256(file),
        "input": {"name": further.input, "dtype": "float32", "shape": list(further.shape)},
        "outputs": [{"name": name, "dtype": "float32", "shape": shape} for name, shape in further.outputs.items()],
        "golden": {
            "inputSeed": GOLDEN_SEED,
            "outputs": [{"name": compared, "values": values, "tolerance": tolerance}],
        },
        **further.constants,
    }


def load_networks(kind: type[nn.Module], checkpoints: Sequence[str | Path]) -> tuple[list[nn.Module], list[int]]:
    """Networks of a kind from checkpoints of `training.train`, and their seeds."""
    networks, seeds = [], []
    for path in checkpoints:
        saved = torch.load(path, map_location="cpu")
        network = kind()
        network.load_state_dict(saved["model"])
        networks.append(network)
        seeds.append(saved["run"]["seed"])
    return networks, seeds


def parser_for(command: str, kind: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=command, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", required=True, help="folder of a pack written by `training.export`")
    parser.add_argument("--checkpoints", required=True, nargs="+", help=f"by `training.train --network {kind}`")
    parser.add_argument("--version", help="new version of the pack (default: unchanged)")
    return parser
