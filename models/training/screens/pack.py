"""Writes the one-network packs of the gate and the corner detector: ONNX, golden values, manifest."""

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..golden import golden_input

GOLDEN_SEED = 7
GOLDEN_COUNT = 8
GOLDEN_TOLERANCE = 0.001


def export_onnx(module: nn.Module, shape: tuple[int, ...], output: str, path: Path) -> None:
    module.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            torch.zeros(shape),
            str(path),
            opset_version=13,
            input_names=["image"],
            output_names=[output],
            do_constant_folding=True,
        )


def golden_values(module: nn.Module, shape: tuple[int, ...]) -> list[float]:
    with torch.no_grad():
        return module.eval()(torch.from_numpy(golden_input(GOLDEN_SEED, shape))).flatten()[:GOLDEN_COUNT].tolist()


def write_pack(
    folder: str | Path,
    module: nn.Module,
    shape: tuple[int, ...],
    output: str,
    output_shape: tuple[int, ...],
    manifest: dict[str, Any],
) -> None:
    """ONNX file and manifest of a pack with one member; without the evaluation of an earlier manifest."""
    folder = Path(folder)
    file = f"{manifest['kind']}.onnx"
    export_onnx(module, shape, output, folder / file)
    digest = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    values = [round(value, 6) for value in golden_values(module, shape)]
    whole = {
        "format": 1,
        **manifest,
        "members": [{"file": file, "sha256": digest}],
        "input": {"name": "image", "dtype": "float32", "shape": list(shape)},
        "outputs": [{"name": output, "dtype": "float32", "shape": list(output_shape)}],
        "golden": {
            "inputSeed": GOLDEN_SEED,
            "outputs": [{"name": output, "values": values, "tolerance": GOLDEN_TOLERANCE}],
        },
        "evaluation": {},
        "licence": "MIT",
        "clinicallyValidated": False,
    }
    write_manifest(folder, whole)


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    (Path(folder) / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
