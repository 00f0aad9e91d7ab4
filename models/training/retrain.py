"""Trains a pack for the program from annotated films with one command.

  python3 -m training.retrain --data EXPORTED_FOLDER --start training/trunk.pt --out runs/landmarks-clinic --minutes 60

Makes phantoms unless they are given, trains the locator and four members (with different folds and seeds) from a
starting checkpoint or from scratch, continues training a pack's networks for the straightened column and the close-up
of the heart, and exports the new pack. An interrupted run resumes where it stopped. Measure the result with
`training.evaluate` on films that were not used for training, then write its card with `training.cards`.
"""

import argparse
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from . import export, from_pack, phantoms, train
from .checkpoints import refuse_other, run_of
from .column.export import add_column
from .heart.export import add_heart
from .packs import PROGRAM_PACKS, read_manifest, refuse_without

MEMBERS = 4
SHARE_OF_LOCATOR, SHARE_OF_TRUNK, SHARE_OF_COLUMN, SHARE_OF_HEART = 0.1, 0.25, 0.2, 0.25
"""Shares of the total time; the members share the rest."""
COLUMN_OPTIONS = ["--network", "column", "--batch", "24", "--rate", "1e-3", "--real", "0.6", "--phantom-warp", "0.6"]
HEART_OPTIONS = ["--network", "heart", "--batch", "24", "--rate", "1e-3", "--phantom-warp", "0.5"]
SILHOUETTE_OFFSET = 1.0
"""As in landmarks-corvet, for which it was chosen on films left out by the members (see `border`)."""


def planned_runs(a: argparse.Namespace, work: Path) -> Iterator[tuple[Path, list[str]]]:
    """(checkpoint, arguments of `train`) of trunk, locator, each member, and those of column and heart, in order."""
    common = [
        "--data",
        a.data,
        "--phantoms",
        phantoms_of(a, work),
        "--log",
        str(work / "runs.jsonl"),
        "--workers",
        str(a.workers),
    ]
    trunk = work / "trunk.pt"
    start = ["--start", a.start] if a.start else []
    yield (
        trunk,
        [*common, *start, "--minutes", str(a.minutes * SHARE_OF_TRUNK), "--locate-share", "0.25", "--seed", "100"],
    )
    after = [*common, "--start", str(trunk), "--rate", "5e-4"]
    yield (
        work / "locator.pt",
        [*after, "--minutes", str(a.minutes * SHARE_OF_LOCATOR), "--locate-share", "1", "--seed", "99"],
    )
    shares = SHARE_OF_TRUNK + SHARE_OF_LOCATOR + SHARE_OF_COLUMN + SHARE_OF_HEART
    each = a.minutes * (1 - shares) / MEMBERS
    for fold in range(1, MEMBERS + 1):
        yield work / f"fold-{fold}.pt", [*after, "--minutes", str(each), "--fold", str(fold), "--seed", str(fold)]
    of_column = [*common, *COLUMN_OPTIONS, "--minutes", str(a.minutes * SHARE_OF_COLUMN / train.FOLDS)]
    for fold in range(1, train.FOLDS + 1):
        going_on = ["--start", str(start_of(work, "column", fold)), "--fold", str(fold), "--seed", str(10 + fold)]
        yield work / f"column-{fold}.pt", [*of_column, *going_on]
    of_heart = [*common, *HEART_OPTIONS, "--minutes", str(a.minutes * SHARE_OF_HEART / train.FOLDS)]
    for fold in range(1, train.FOLDS + 1):
        going_on = ["--start", str(start_of(work, "heart", fold)), "--fold", str(fold), "--seed", str(20 + fold)]
        yield work / f"heart-{fold}.pt", [*of_heart, *going_on]


def start_of(work: Path, network: str, fold: int) -> Path:
    """The checkpoint made from a network of the pack."""
    return work / f"start-{network}-{fold}.pt"


def start_from_pack(a: argparse.Namespace, work: Path) -> None:
    """Converts the pack's networks for column and heart into checkpoints, unless already done."""
    for network in ("column", "heart"):
        if not all(start_of(work, network, fold).exists() for fold in range(1, train.FOLDS + 1)):
            chosen = ["--network", network, "--pack", a.pack, "--data", a.data, "--phantoms", phantoms_of(a, work)]
            from_pack.write_checkpoints(from_pack.parse([*chosen, "--out", str(work / f"start-{network}")]))


def phantoms_of(a: argparse.Namespace, work: Path) -> str:
    return str(a.phantoms or work / "phantoms")


def refuse_other_runs(a: argparse.Namespace, work: Path) -> None:
    """Raises SystemExit if the folder contains networks of other films, another start or another duration."""
    for network, fold in itertools.product(("column", "heart"), range(1, train.FOLDS + 1)):
        start = start_of(work, network, fold)
        if start.exists():
            refuse_other(start, torch.load(start, map_location="cpu"), from_pack.origin(Path(a.pack)))
    for checkpoint, arguments in planned_runs(a, work):
        for path in (checkpoint, checkpoint.with_suffix(".resume")):
            if path.exists():
                run = run_of(train.parse([*arguments, "--out", str(checkpoint)]))
                refuse_other(path, torch.load(path, map_location="cpu"), run)


def sources_of(a: argparse.Namespace) -> list[str]:
    """Training data of the pack, including those of the pack from which it continued."""
    before = read_manifest(a.pack)
    return [
        *a.source,
        *(f"by way of {before['name']} {before['version']}: {data}" for data in before["training"]["data"]),
    ]


def retrain(a: argparse.Namespace) -> int:
    """Runs the remaining steps; returns the exit status, 75 if the same command must be run again (see `--piece`)."""
    began = time.time()
    work = Path(a.work)
    refuse_without(a.pack, train.FOLDS)
    refuse_other_runs(a, work)
    work.mkdir(parents=True, exist_ok=True)
    if not a.phantoms:
        chosen = phantoms.parse(
            ["shards", "--out", str(work / "phantoms"), "--count", str(a.phantom_count), "--processes", str(a.workers)]
        )
        chosen.action(chosen)
    start_from_pack(a, work)
    for checkpoint, arguments in planned_runs(a, work):
        if not checkpoint.exists():
            left = [] if a.piece is None else ["--piece", str(max(0.1, a.piece - (time.time() - began) / 60))]
            if not train.train(train.parse([*arguments, *left, "--out", str(checkpoint)])):
                return train.GO_ON
    members = [str(work / f"fold-{fold}.pt") for fold in range(1, MEMBERS + 1)]
    export.export(
        export.parse(
            [
                "--out",
                a.out,
                "--locator",
                str(work / "locator.pt"),
                "--members",
                *members,
                "--version",
                a.version,
                "--silhouette-offset",
                str(SILHOUETTE_OFFSET),
                "--statement",
                f"Trained on {a.data} and simulated films; column and heart went on from {Path(a.pack).name}.",
                "--source",
                *sources_of(a),
            ]
        )
    )
    add_column(a.out, [str(work / f"column-{fold}.pt") for fold in range(1, train.FOLDS + 1)])
    add_heart(a.out, [str(work / f"heart-{fold}.pt") for fold in range(1, train.FOLDS + 1)])
    return 0


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.retrain", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="annotated films as the program exports them (index.json)")
    parser.add_argument(
        "--out", default="runs/landmarks-clinic", help="folder of the new pack; its name is the name of the pack"
    )
    parser.add_argument("--version", default="1", help="version of the new pack")
    parser.add_argument("--start", help="checkpoint to start from; much faster than training from scratch")
    parser.add_argument(
        "--pack",
        default=str(PROGRAM_PACKS / "landmarks-corvet"),
        help="pack whose networks for column and heart are trained further",
    )
    parser.add_argument("--phantoms", help="phantom shards (default: generated)")
    parser.add_argument("--phantom-count", type=int, default=4000)
    parser.add_argument("--minutes", type=float, default=300, help="total training time")
    parser.add_argument(
        "--piece", type=float, help="stop after about this many minutes with exit status 75; the same command continues"
    )
    parser.add_argument("--work", default="runs/retrain", help="folder for checkpoints and the run log")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--source", nargs="*", default=["the clinic's own annotated films", "phantoms of models/training"]
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(retrain(parse()))
