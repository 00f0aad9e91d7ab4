"""Writes checkpoints atomically, and refuses checkpoints of another run."""

import argparse
import os
from pathlib import Path
from typing import Any

import torch

from .export import sha256
from .films import data_version, read_index


def save(state: dict[str, Any], path: Path) -> None:
    """Writes a temporary file and renames it, so that an interruption leaves the earlier checkpoint intact."""
    unfinished = path.with_name(f"{path.name}.part")
    torch.save(state, unfinished)
    os.replace(unfinished, path)


def run_of(a: argparse.Namespace) -> dict[str, Any]:
    """Identifies a run of `train`, so that no checkpoint or interrupted run of another one is used for it.

    If the starting checkpoint no longer exists, only its name is recorded, not its content.
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
    """Raises SystemExit if a checkpoint belongs to another run. Checkpoints without `of` record less about their run.

    Networks for column and heart started from scratch in those, unless they record otherwise.
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
