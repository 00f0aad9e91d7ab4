"""Converts the members of a pack, or its networks for column or heart, back into checkpoints with the same outputs,
from which training can continue.

  python3 -m training.from_pack --network heart --pack packs/landmarks-corvet --data FOLDER --phantoms SHARDS \
      --out runs/start

The export folds each normalisation into its convolution; here each normalisation gets its statistics from pictures
again. If `network.WIDTHS` has grown since, new channels start with random weights and are initially ignored by the next
layer.
"""

import argparse
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import torch
from torch import nn

from . import checkpoints
from .column.strip import HEIGHT
from .export import sha256
from .films import PhantomShards, read_films
from .frames import SIDE
from .gate.from_pack import normalise_anew
from .names import SILHOUETTE
from .network import PyramidNet
from .packs import read_manifest
from .train import COURSES, Examples

PICTURES = 256
"""Number of pictures for the statistics of the normalisations."""


def convolutions(net: nn.Module) -> list[nn.Conv2d]:
    """All convolutions in the order of execution."""
    order: list[nn.Conv2d] = []
    layers = [module for module in net.modules() if isinstance(module, nn.Conv2d)]
    hooks = [layer.register_forward_hook(lambda layer, *_: order.append(layer)) for layer in layers]
    with torch.no_grad():
        # In training mode, the zeros would change every normalisation.
        net.eval()(torch.zeros(1, 1, HEIGHT, 64))
    for hook in hooks:
        hook.remove()
    return order


def folded(graph: onnx.GraphProto) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weight and bias of every convolution of a file, in order."""
    held = {entry.name: onnx.numpy_helper.to_array(entry) for entry in graph.initializer}
    halved = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast"}
    return [
        (held[halved.get(node.input[1], node.input[1])].astype(np.float32), held[node.input[2]].astype(np.float32))
        for node in graph.node
        if node.op_type == "Conv"
    ]


def normalisations(net: nn.Module) -> dict[nn.Module, nn.Module]:
    """The normalisation after each convolution that has one."""
    parts = [part for part in net.modules() if isinstance(part, nn.Sequential) and len(part) > 1]
    return {part[0]: part[1] for part in parts if isinstance(part[1], nn.BatchNorm2d)}


def restore(net: nn.Module, layers: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
    """Copies weights and biases of folded convolutions, of this network or a narrower one, into the first channels.

    The input of the context's merge layer is the concatenation of its two branches.
    """
    norms = normalisations(net)
    merge = net.context.merge[0] if isinstance(net, PyramidNet) else None
    with torch.no_grad():
        for layer, (weight, bias) in zip(convolutions(net), layers, strict=True):
            outputs, inputs = weight.shape[:2]
            layer.weight[:outputs] = 0
            half = inputs // 2
            places = list(range(inputs))
            if layer is merge:
                places = [*range(half), *range(merge.in_channels // 2, merge.in_channels // 2 + half)]
            layer.weight[:outputs, places] = torch.from_numpy(weight)
            if layer in norms:
                norms[layer].bias[:outputs] = torch.from_numpy(bias)
                norms[layer].running_var[:outputs] = 1 - norms[layer].eps
            else:
                layer.bias[:outputs] = torch.from_numpy(bias)


def exported_layers(pack: Path, network: str) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """Weights and biases of each network of a kind in the pack."""
    manifest = read_manifest(pack)
    if network == "landmarks":
        return [folded(onnx.load(str(pack / member["file"])).graph) for member in manifest["members"]]
    layers = folded(onnx.load(str(pack / manifest[network]["file"])).graph)
    count = len(convolutions(COURSES[network].network()))
    return [layers[start : start + count] for start in range(0, len(layers), count)]


def restored(pack: Path, network: str) -> list[nn.Module]:
    """The networks of a kind in the pack, with identity normalisations."""
    networks = []
    for number, layers in enumerate(exported_layers(pack, network), 1):
        torch.manual_seed(number)
        networks.append(COURSES[network].network())
        restore(networks[-1], layers)
    return networks


def origin(pack: Path) -> dict[str, str]:
    """Entry in a checkpoint about the pack from which it was made."""
    return {"pack": sha256(pack / "manifest.json")}


def write_checkpoints(a: Namespace) -> None:
    """Writes `a.out`-1.pt and so on, one for each network."""
    drawn = Namespace(network=a.network, seed=1, real=0.5, warp=1.0, phantom_warp=0.5, locate_share=0.0, side=SIDE)
    examples = iter(Examples(read_films(a.data), PhantomShards(a.phantoms), drawn))
    pictures = torch.from_numpy(np.stack([next(examples)["image"] for _ in range(PICTURES)]))
    for number, net in enumerate(restored(a.pack, a.network), 1):
        normalise_anew(net, pictures)
        if a.network == "landmarks":
            with torch.no_grad():
                net.head.bias[SILHOUETTE] -= a.silhouette_offset
        path = Path(f"{a.out}-{number}.pt")
        path.parent.mkdir(parents=True, exist_ok=True)
        checkpoints.save({"model": net.state_dict(), "of": origin(a.pack)}, path)
        print(path, flush=True)


def parse(arguments: Sequence[str] | None = None) -> Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", required=True, choices=list(COURSES))
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--phantoms", required=True)
    parser.add_argument("--out", required=True, help="prefix of the checkpoints: OUT-1.pt and so on")
    parser.add_argument(
        "--silhouette-offset",
        type=float,
        default=0.0,
        help="offset that `export` added to the silhouettes of the members",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    write_checkpoints(parse())
