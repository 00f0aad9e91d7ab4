"""Converts an exported gate back into a checkpoint for further training, also one without names for rejected kinds.

  python3 -m training.gate.from_pack --pack packs/gate-corvet --pictures runs/pictures --out runs/start.pt

The export folds each normalisation into its convolution; here each normalisation gets its statistics from pictures
again, so that the network has the same outputs and can be trained further.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx.numpy_helper
import torch
from torch import nn

from ..network import ConvNorm
from .data import GatePictures
from .network import GateNet

BATCHES = 8
NAMING_LAYERS = 2
"""Convolutions of the block for the names."""


def restore_convolutions(net: GateNet, weights: list[np.ndarray]) -> None:
    """Copies folded weights and biases, in the order of the layers, into convolutions and identity normalisations.

    For a pack without names, their block starts as a copy of the block for the decision.
    """
    layers = [module for part in (net.encoder, net.naming) for module in part.modules() if isinstance(module, ConvNorm)]
    if len(weights) == 2 * (len(layers) - NAMING_LAYERS):
        weights = weights + weights[-2 * NAMING_LAYERS :]
    with torch.no_grad():
        for layer, weight, bias in zip(layers, weights[::2], weights[1::2], strict=True):
            layer[0].weight.copy_(torch.from_numpy(weight))
            layer[1].bias.copy_(torch.from_numpy(bias))
            layer[1].running_var.fill_(1 - layer[1].eps)


def normalise_anew(net: GateNet, planes: torch.Tensor) -> None:
    """Sets every normalisation to the mean and spread of its inputs; the outputs of the network do not change."""
    norms = [module for module in net.modules() if isinstance(module, nn.BatchNorm2d)]
    seen: dict[nn.BatchNorm2d, tuple[torch.Tensor, torch.Tensor]] = {}
    hooks = [
        norm.register_forward_hook(lambda norm, inputs, _: seen.update({norm: torch.var_mean(inputs[0], (0, 2, 3))}))
        for norm in norms
    ]
    with torch.no_grad():
        net.eval()(planes)
        for norm, (variance, mean) in seen.items():
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.add_(mean)
    for hook in hooks:
        hook.remove()


def from_pack(pack: Path, pictures: str) -> GateNet:
    graph = onnx.load(str(pack / "gate.onnx")).graph
    held = {entry.name: onnx.numpy_helper.to_array(entry).copy() for entry in graph.initializer}
    net = GateNet()
    restore_convolutions(
        net, [value for name, value in held.items() if not name.startswith(("gate.head", "gate.names"))]
    )
    heads = {"head": net.head, "names": net.names}
    with torch.no_grad():
        for name, head in heads.items():
            if f"gate.{name}.weight" in held:
                head.weight.copy_(torch.from_numpy(held[f"gate.{name}.weight"]))
                head.bias.copy_(torch.from_numpy(held[f"gate.{name}.bias"]))
    rng, source = np.random.default_rng(0), GatePictures(pictures)
    normalise_anew(net, torch.from_numpy(np.concatenate([source.batch(rng, 32)[0] for _ in range(BATCHES)])))
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--pictures", required=True, help="made pictures for the statistics of the normalisations")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    manifest = json.loads((arguments.pack / "manifest.json").read_text())
    training, decoding = manifest["training"], manifest["decoding"]
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    limits = {name: decoding[name] for name in ("temperature", "rejectDirectAtOrAbove", "rejectAtOrAbove")}
    state = {
        "seen": training["picturesSeen"],
        "seconds": training["minutes"] * 60,
        "seed": training["seeds"][0],
        **limits,
    }
    torch.save({"weights": from_pack(arguments.pack, arguments.pictures).state_dict(), **state}, arguments.out)


if __name__ == "__main__":
    main()
