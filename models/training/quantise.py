"""Quantises the networks of a landmark pack to 8-bit integers: twice as fast on processors with VNNI or AMX, and
slightly less accurate. An experiment; decision 0021 explains why the packs of the program use floats.

  python3 -m training.quantise --pack packs/landmarks-corvet --films FOLDER --films runs/phantoms-test \
      --out runs/whole/landmarks-corvet --version 1

Activations are clipped to the range that films rarely exceed. Weights have 7 bits with one step per output channel,
because AVX2 adds pairs of products in 16 bits, in which 8 bits would overflow, and all processors should compute the
same points. The first convolution and the last one, which computes the maps, keep floats.
"""

import argparse
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import NodeProto, helper, numpy_helper

from .export import Exported, golden_outputs, sha256
from .films import Film, read_films
from .frames import SIDE, around, sampled, thorax_frame, upright_pose
from .graph import GraphNet, constants_of, nodes_to_maps

WEIGHT_LIMIT = 63
ACTIVATION_STEPS = 255
REACHED = (5e-5, 1 - 5e-5)
"""Quantiles of the values of one film at which they are clipped."""
GOLDEN_TOLERANCE = 0.2
"""Tolerance of the golden output: rounding of the input's noise has a larger effect on integer networks than on floats.
"""
MOST_FILMS = 60
"""Maximum number of films per folder used for the ranges."""

Range = tuple[float, float]


def views_of(film: Film, is_locator: bool) -> Iterator[np.ndarray]:
    """Inputs of the locator or a member for a film [SIDE, SIDE], 0-1: original and mirrored."""
    height, width = film.image.shape[:2]
    middle = np.array([width / 2 - 0.5, height / 2 - 0.5])
    frame = around(middle, SIDE / max(width, height)) if is_locator else thorax_frame(upright_pose(film.points))
    seen = sampled(film.image, frame)
    yield seen
    if is_locator:
        yield np.ascontiguousarray(seen[:, ::-1])


def activation_ranges(model: onnx.ModelProto, views: Sequence[np.ndarray]) -> dict[str, Range]:
    """Minimum and maximum of every tensor over all views, without the outermost values of each view; includes 0."""
    ranges: dict[str, Range] = {}

    def widen(name: str, values: torch.Tensor) -> None:
        low, high = np.quantile(values.numpy(), REACHED)
        before = ranges.get(name, (0.0, 0.0))
        ranges[name] = (min(before[0], float(low)), max(before[1], float(high)))

    network = GraphNet(model, widen)
    with torch.no_grad():
        for view in views:
            network(torch.from_numpy(view)[None, None])
    return ranges


class Quantiser:
    """Rewrites a graph so that all convolutions except the first and the last read and write 8-bit values."""

    def __init__(self, model: onnx.ModelProto, ranges: dict[str, Range]) -> None:
        self.model, self.ranges = model, ranges
        self.constants = constants_of(model)
        self.body = [node for node in nodes_to_maps(model) if node.op_type not in ("Cast", "Identity")]
        self.consumers: dict[str, list[NodeProto]] = {}
        for node in model.graph.node:
            for name in node.input:
                self.consumers.setdefault(name, []).append(node)
        self.nodes: list[NodeProto] = []
        self.stored: dict[str, np.ndarray] = {}

    def rewritten(self) -> onnx.ModelProto:
        produced = {node.output[0] for node in self.body if self.is_stored_in_steps(node)}
        in_body = {node.output[0] for node in self.body}
        for node in self.model.graph.node:
            if node.output[0] in self.constants:
                continue
            if node.output[0] not in in_body:
                self.nodes.append(node)
                continue
            changed = NodeProto()
            changed.CopyFrom(node)
            for index, name in enumerate(node.input):
                if name in produced:
                    changed.input[index] = f"{name}_read"
            if node.op_type == "Conv" and node is not self.body[0] and node is not self.body[-1]:
                self.store_weights(changed, node.input[0])
            self.nodes.append(changed)
            if node.output[0] in produced:
                self.store_in_steps(node.output[0])
        return self.with_constants()

    def is_stored_in_steps(self, node: NodeProto) -> bool:
        """Whether the output of a node is quantised: not before a ReLU, which is fused with it, and not the maps."""
        followers = self.consumers.get(node.output[0], [])
        is_joined = len(followers) == 1 and followers[0].op_type == "Relu" and node.op_type in ("Conv", "Add")
        return node is not self.body[-1] and not is_joined

    def steps_of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        low, high = self.ranges[name]
        step = np.float32(max(high - low, 1e-6) / ACTIVATION_STEPS)
        return np.array(step), np.array(np.clip(round(-low / step), 0, ACTIVATION_STEPS), np.uint8)

    def store_in_steps(self, name: str) -> None:
        names = [f"{name}_step", f"{name}_zero"]
        self.stored.update(zip(names, self.steps_of(name)))
        self.nodes.append(helper.make_node("QuantizeLinear", [name, *names], [f"{name}_stored"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}_stored", *names], [f"{name}_read"]))

    def store_weights(self, node: NodeProto, read: str) -> None:
        """Stores the weights in 7 bits, and the bias in steps of the products, because integers are accumulated."""
        weights, bias = (self.constants[name] for name in node.input[1:3])
        most = np.abs(weights).reshape(len(weights), -1).max(1)
        step = np.maximum(most / WEIGHT_LIMIT, 1e-9).astype(np.float32)
        product_step = step * self.steps_of(read)[0]
        for index, (values, steps, kind) in enumerate(
            ((weights, step, np.int8), (bias, product_step, np.int32)), start=1
        ):
            name = f"{node.output[0]}_{'weights' if index == 1 else 'bias'}"
            whole = np.round(values / steps.reshape((-1,) + (1,) * (values.ndim - 1))).astype(kind)
            parts = {f"{name}_stored": whole, f"{name}_step": steps, f"{name}_zero": np.zeros(len(steps), kind)}
            self.stored.update(parts)
            self.nodes.append(helper.make_node("DequantizeLinear", list(parts), [name], axis=0))
            node.input[index] = name

    def with_constants(self) -> onnx.ModelProto:
        graph = self.model.graph
        used = {name for node in self.nodes for name in node.input}
        kept = {name: values for name, values in self.constants.items() if name in used}
        del graph.node[:]
        graph.node.extend(self.nodes)
        del graph.initializer[:]
        graph.initializer.extend(numpy_helper.from_array(v, name) for name, v in {**kept, **self.stored}.items())
        onnx.checker.check_model(self.model)
        return self.model


def quantise_file(source: Path, target: Path, films: Sequence[Film], is_locator: bool) -> onnx.ModelProto:
    model = onnx.load(str(source))
    views = [view for film in films for view in views_of(film, is_locator)]
    changed = Quantiser(model, activation_ranges(model, views)).rewritten()
    onnx.save(changed, str(target))
    return changed


def quantise(a: argparse.Namespace) -> None:
    films = [film for folder in a.films for film in read_films(folder)[:MOST_FILMS]]
    manifest = json.loads((a.pack / "manifest.json").read_text())
    a.out.mkdir(parents=True, exist_ok=True)
    networks = []
    for entry in (*manifest["members"], manifest["locator"]):
        is_locator = entry is manifest["locator"]
        networks.append(quantise_file(a.pack / entry["file"], a.out / entry["file"], films, is_locator))
        entry["sha256"] = sha256(a.out / entry["file"])
    for name in ("column", "heart"):
        # Small, and every score depends on them, so they are not quantised.
        if name in manifest:
            shutil.copy(a.pack / manifest[name]["file"], a.out)
    manifest["golden"] = golden_outputs(Exported(GraphNet(networks[0])), manifest["input"]["shape"][-1])
    for output in manifest["golden"]["outputs"]:
        output["tolerance"] = GOLDEN_TOLERANCE
    manifest["version"] = a.version
    (a.out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.quantise", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", type=Path, required=True, help="pack as `export` wrote it")
    parser.add_argument(
        "--films", action="append", required=True, help="annotated films from which the ranges are taken"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True, help="version of the new pack")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    torch.set_num_threads(1)
    quantise(parse())
