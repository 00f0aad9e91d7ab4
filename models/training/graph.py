"""Runs an exported landmark network node by node, from the film to the maps.

Supports only the operations that `export` and `quantise` write.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import torch
from onnx import NodeProto, numpy_helper
from torch import nn
from torch.nn import functional

OPERATIONS = ("Conv", "Relu", "Add", "Concat", "Resize", "Cast", "Identity", "QuantizeLinear", "DequantizeLinear")


class GraphNet(nn.Module):
    """A network from an ONNX file: grey film [n, 1, side, side], 0-1, to the same maps as LandmarkNet.

    notice: called with the name and values of every intermediate tensor.
    """

    def __init__(self, model: onnx.ModelProto, notice: Callable[[str, torch.Tensor], None] | None = None) -> None:
        super().__init__()
        self.notice = notice
        self.constants = {
            tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in model.graph.initializer
        }
        self.nodes = nodes_to_maps(model)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        values = {**self.constants, "image": image}
        for node in self.nodes:
            (name,) = node.output
            # A Resize always doubles here, as its other inputs state.
            names = node.input[:1] if node.op_type == "Resize" else node.input
            values[name] = run_node(node, [values[name] for name in names])
            if self.notice and name not in self.constants:
                self.notice(name, values[name])
        return values[self.nodes[-1].output[0]]


def nodes_to_maps(model: onnx.ModelProto) -> list[NodeProto]:
    """The nodes up to the last convolution, which computes the maps."""
    nodes = list(model.graph.node)
    last = max(index for index, node in enumerate(nodes) if node.op_type == "Conv")
    return [node for node in nodes[: last + 1] if node.op_type in OPERATIONS]


def run_node(node: NodeProto, inputs: list[torch.Tensor]) -> torch.Tensor:
    attributes: dict[str, Any] = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    match node.op_type:
        case "Conv":
            strides, pads, dilations = (attributes[name] for name in ("strides", "pads", "dilations"))
            return functional.conv2d(*inputs, stride=strides, padding=pads[:2], dilation=dilations)
        case "Relu":
            return functional.relu(inputs[0])
        case "Add":
            return inputs[0] + inputs[1]
        case "Concat":
            return torch.cat(inputs, attributes["axis"])
        case "Resize":
            return functional.interpolate(inputs[0], scale_factor=2, mode="nearest")
        case "Cast":
            return inputs[0].float()
        case "Identity":
            return inputs[0]
        case "QuantizeLinear":
            return quantised(*inputs)
        case _:
            return dequantised(*inputs)


def quantised(values: torch.Tensor, step: torch.Tensor, zero: torch.Tensor) -> torch.Tensor:
    limits = torch.iinfo(zero.dtype)
    return (torch.round(values / step) + zero).clamp(limits.min, limits.max)


def dequantised(values: torch.Tensor, step: torch.Tensor, zero: torch.Tensor) -> torch.Tensor:
    """There is one step for all values, or one per output channel."""
    shape = (-1,) + (1,) * (values.ndim - 1) if step.ndim else ()
    return (values.float() - zero.float().reshape(shape)) * step.reshape(shape)


def constants_of(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Weights by name, with 16-bit floats widened; equal weights appear under each of their names."""
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type in ("Cast", "Identity") and node.input[0] in stored:
            stored[node.output[0]] = stored[node.input[0]].astype(np.float32)
    return stored
