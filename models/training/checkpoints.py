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
    """What a run of `train` is: a checkpoint or a cut run of any other must not be taken for it.

    What a checkpoint to start from holds is not said once that has gone: only its name is.
    """
    start = Path(a.start) if a.start else None
    content = {} if start and not start.exists() else {"starting_point": sha256(start) if start else None}
    return {
        "network": a.network,
        "seed": a.seed,
        "fold": a.fold,
        "left_out": a.leave_out,
        "data": data_version(a.data) if a.data else None,
        "films": sorted(entry["file"] for entry in read_index(a.data)) if a.data else [],
        "start": start.name if start else None,
        **content,
        "minutes": a.minutes,
    }


def refuse_other(path: Path, saved: dict[str, Any], run: dict[str, Any]) -> None:
    """Raises SystemExit where a checkpoint is of another run; those from before `of` say less of theirs.

    Networks for column and heart began from nothing then, unless they say otherwise.
    """
    known = saved.get("of", saved.get("run", {}))
    if "of" not in saved and run.get("network") in ("column", "heart"):
        known = {"start": None, **known}
    both = [name for name in run if name in known]
    # The same content under another name is the same start.
    compared = [name for name in both if name != "start" or "starting_point" not in both]
    others = [name for name in compared if known[name] != run[name]]
    if others:
        raise SystemExit(
            f"{path} is of another run (other {', '.join(others)}): remove it to train anew, or keep it and write "
            "elsewhere (--out, or --work of retrain)"
        )
