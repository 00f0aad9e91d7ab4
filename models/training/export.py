"""Writes a pack for the program: ONNX networks, manifest and a card, which `cards` completes.

  python3 -m training.export --out packs/landmarks-corvet --locator runs/locator.pt --members runs/fold-*.pt \
      --version 2026.11.1
"""

import argparse
import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

from .frames import CENTRE_VENTRAL_OF_T8, CROP_VERTEBRAE, SIDE
from .golden import golden_input
from .names import ANY_DISC, HEART_POINTS, MAP_COUNT, SILHOUETTE, VERTEBRAE
from .network import STRIDE, LandmarkNet, load_weights, point_maps, soft_argmax

OPSET = 17
SMALLEST_HALVED = 1000
"""Smaller weights stay 32-bit: they take little space, and some of them encode positions."""
SHARP_REACH_CELLS = 3
GOLDEN_SEED = 7
GOLDEN_COUNT = 8
MEMBER_VIEWS = (
    {"turnDeg": 0.0, "scale": 1.0},
    {"turnDeg": 3.0, "scale": 0.95},
    {"turnDeg": -3.0, "scale": 1.05},
    {"turnDeg": 1.5, "scale": 1.08},
    {"turnDeg": -1.5, "scale": 0.92},
)
"""Each member gets a slightly different crop, so that the spread includes the effect of the crop."""


class Exported(nn.Module):
    """Outputs of an exported network: `points` [1, k, 2], `sharpness` [1, k], `maps` [1, k + 2, cells, cells].

    Maps: one softmax per point, any disc (0-1), and the silhouette as logits, so that the program can average networks
    and find the border between cells.
    """

    def __init__(self, model: LandmarkNet) -> None:
        super().__init__()
        self.model = model

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        logits = self.model(image)
        points, share = soft_argmax(point_maps(logits))
        window = 2 * SHARP_REACH_CELLS + 1
        near = functional.avg_pool2d(share, window, 1, SHARP_REACH_CELLS) * window**2
        peak = share.flatten(2).argmax(-1, keepdim=True)
        sharpness = near.flatten(2).gather(-1, peak).squeeze(-1)
        maps = torch.cat([share, torch.sigmoid(logits[:, ANY_DISC : ANY_DISC + 1]), logits[:, SILHOUETTE:]], 1)
        return points, sharpness, maps


def load_exported(checkpoint: str, silhouette_offset: float = 0.0) -> Exported:
    """The network of a checkpoint; the offset moves the silhouette's border outwards (see `border`)."""
    model = LandmarkNet()
    load_weights(model, torch.load(checkpoint, map_location="cpu")["model"])
    with torch.no_grad():
        model.head.bias[SILHOUETTE] += silhouette_offset
    return Exported(model).eval()


def write_onnx(exported: Exported, path: Path, side: int) -> None:
    torch.onnx.export(
        exported,
        torch.zeros(1, 1, side, side),
        str(path),
        opset_version=OPSET,
        input_names=["image"],
        output_names=["points", "sharpness", "maps"],
        do_constant_folding=True,
        **legacy_exporter(),
    )


def halve_weights(path: Path) -> None:
    """Stores the weights as 16-bit floats, which the session widens on loading: half the file size, the same
    arithmetic.
    """
    graph_model = onnx.load(str(path))
    graph = graph_model.graph
    for tensor in list(graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < SMALLEST_HALVED:
            continue
        narrow = f"{tensor.name}_half"
        graph.initializer.remove(tensor)
        graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), narrow))
        graph.node.insert(0, helper.make_node("Cast", [narrow], [tensor.name], to=TensorProto.FLOAT))
    onnx.checker.check_model(graph_model)
    onnx.save(graph_model, str(path))


def legacy_exporter() -> dict[str, Any]:
    """Selects the legacy exporter; newer releases of PyTorch use dynamo by default."""
    major, minor = (int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    return {"dynamo": False} if (major, minor) >= (2, 5) else {}


def sha256(path: Path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def golden_outputs(exported: Exported, side: int) -> dict[str, Any]:
    with torch.no_grad():
        outputs = exported(torch.from_numpy(golden_input(GOLDEN_SEED, (1, 1, side, side))))
    return {
        "inputSeed": GOLDEN_SEED,
        "outputs": [
            {
                "name": name,
                "values": [round(float(value), 6) for value in output.flatten()[:GOLDEN_COUNT]],
                "tolerance": 0.001,
            }
            for name, output in zip(("points", "sharpness"), outputs)
        ],
    }


def manifest(
    a: argparse.Namespace, members: list[dict[str, str]], locator: dict[str, Any] | None, exported: Exported
) -> dict[str, Any]:
    cells, points = a.side // STRIDE, len(HEART_POINTS) + len(VERTEBRAE)
    shapes = {"points": [1, points, 2], "sharpness": [1, points], "maps": [1, MAP_COUNT, cells, cells]}
    return {
        "format": 1,
        "kind": a.kind,
        "name": Path(a.out).name,
        "version": a.version,
        "modelVersion": a.model_version,
        "members": members,
        **({"locator": locator} if locator else {}),
        "input": {"name": "image", "dtype": "float32", "shape": [1, 1, a.side, a.side]},
        "outputs": [{"name": name, "dtype": "float32", "shape": shape} for name, shape in shapes.items()],
        "decoding": {
            "heartPoints": list(HEART_POINTS),
            "vertebrae": list(VERTEBRAE),
            "stride": STRIDE,
            "crop": {
                "vertebrae": CROP_VERTEBRAE,
                "centreVentralOfT8": CENTRE_VENTRAL_OF_T8,
                "memberViews": list(MEMBER_VIEWS[: len(members)]),
            },
            "silhouette": {"map": SILHOUETTE},
            "sharpnessHigh": a.sharpness_high,
        },
        "golden": golden_outputs(exported, a.side),
        "training": {
            "statement": a.statement,
            "data": a.source,
            "seeds": a.seeds,
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "machine": a.machine,
            "code": "models/training",
        },
        "evaluation": {},
        "licence": "MIT",
        "clinicallyValidated": False,
    }


def export(a: argparse.Namespace) -> None:
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    networks = [load_exported(checkpoint, a.silhouette_offset) for checkpoint in a.members]
    members = [_write(network, out / f"fold-{index}.onnx", a.side) for index, network in enumerate(networks, 1)]
    locator = _write(load_exported(a.locator), out / "locator.onnx", a.side) if a.locator else None
    a.seeds = [torch.load(path, map_location="cpu").get("run", {}).get("seed") for path in a.members]
    (out / "manifest.json").write_text(json.dumps(manifest(a, members, locator, networks[0]), indent=2) + "\n")


def _write(exported: Exported, path: Path, side: int) -> dict[str, str]:
    write_onnx(exported, path, side)
    halve_weights(path)
    return {"file": path.name, "sha256": sha256(path)}


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", required=True, help="folder of the pack; its name is the pack's name")
    parser.add_argument("--members", required=True, nargs="+", help="checkpoints of the members, in order")
    parser.add_argument("--locator", help="checkpoint of the locator (default: the first member)")
    parser.add_argument("--kind", default="landmarks", choices=["landmarks", "landmarks-pop"])
    parser.add_argument("--version", required=True, help="version of the pack, e.g. 2026.11.1")
    parser.add_argument("--model-version", default="3.4.0-corvet.2", help="as returned by the service")
    parser.add_argument("--side", type=int, default=SIDE)
    parser.add_argument(
        "--sharpness-high",
        type=float,
        default=0.7,
        help="mass near the peak above which a heat map counts as sharp",
    )
    parser.add_argument(
        "--silhouette-offset", type=float, default=0.0, help="added to the silhouette's logits, chosen with `border`"
    )
    parser.add_argument("--statement", default="Trained on simulated films and warped public films; see CARD.md.")
    parser.add_argument(
        "--source",
        nargs="*",
        default=["phantoms of models/training"],
        help="training data, with its licence",
    )
    parser.add_argument("--machine", default="2 CPU cores")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    export(parse())
