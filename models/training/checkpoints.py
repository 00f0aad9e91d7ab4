"""Checkpoints on disk: written whole or not at all, and never taken for those of another run."""

import argparse
import os
from pathlib import Path
from typing import Any

import torch

from .export import sha256
from .films import data_version, read_index


def save(state: dict[str, Any], path: Path) -> None:
    """Writes beside the checkpoint and puts it in its place at once: a stop meanwhile leaves what was there."""
    unfinished = path.with_name(f"{path.name}.part")
    torch.save(state, unfinished)
    os.replace(unfinished, path)


def run_of(a: argparse.Namespace) -> dict[str, Any]:
    """What a run of `train` is: a checkpoint or a cut run of any other must not be taken for it."""
    return {
        "network": a.network,
        "seed": a.seed,
        "fold": a.fold,
        "left_out": a.leave_out,
        "data": data_version(a.data) if a.data else None,
        "films": sorted(entry["file"] for entry in read_index(a.data)) if a.data else [],
        "starting_point": sha256(Path(a.start)) if a.start and Path(a.start).exists() else None,
        "minutes": a.minutes,
    }


def refuse_other(path: Path, saved: dict[str, Any], run: dict[str, Any]) -> None:
    """Raises SystemExit where a checkpoint is of another run; older ones say less of theirs."""
    known = saved.get("of", saved.get("run", {}))
    others = [name for name, value in run.items() if name in known and known[name] != value]
    if others:
        raise SystemExit(
            f"{path} is of another run (other {', '.join(others)}): remove it to train anew, or keep it and write "
            "elsewhere (--out, or --work of retrain)"
        )
