"""Trains one landmark, column or heart network on warped real films and phantoms; resumable, seeded, every run logged.

  python3 -m training.train --data FOLDER --phantoms SHARDS --out runs/trunk.pt --minutes 40 --locate-share 0.25
  python3 -m training.train --data FOLDER --phantoms SHARDS --out runs/fold-1.pt --start runs/trunk.pt --fold 1 \
      --minutes 8
  python3 -m training.train --network column --data FOLDER --phantoms SHARDS --out runs/column-1.pt --fold 1 \
      --minutes 20 --batch 24 --rate 2e-3 --real 0.6 --phantom-warp 0.6
  python3 -m training.train --network heart --data FOLDER --phantoms SHARDS --out runs/heart-1.pt --fold 1 \
      --minutes 20 --batch 24 --rate 2e-3 --phantom-warp 0.5
"""

import argparse
import contextlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from .checkpoints import refuse_other, run_of, save
from .column.losses import column_loss, strip_example
from .column.network import ColumnNet
from .column.strip import training_strip
from .films import Film, PhantomShards, data_version, read_films
from .frames import SIDE
from .heart.frame import SIDE as HEART_SIDE
from .heart.frame import training_close_up
from .heart.losses import heart_loss
from .heart.network import HeartNet
from .losses import landmark_loss
from .network import STRIDE, LandmarkNet, load_weights
from .outlines import silhouette_target
from .schedule import CLIP_NORM, blend, rate_at
from .warping import LOCATE, MEASURE, Picture, disc_target, training_picture

FOLDS = 5
DOG_WEIGHT = 2.0
"""Frequency of a real dog relative to a real cat: dogs are the main subject of the program."""
SAVE_EVERY_S = 60
GO_ON = 75
"""Exit status of an unfinished run, which the same command continues."""
STALL_S = 10
"""Longest counted duration of a step; a longer step was suspended (pause or sleep of the computer)."""


Loss = Callable[[torch.Tensor, dict[str, torch.Tensor]], tuple[torch.Tensor, float]]
Draw = Callable[[np.random.Generator, Film, float, argparse.Namespace], dict[str, np.ndarray] | None]


@dataclass(frozen=True)
class Course:
    """Training of one kind of network.

    draw: one example from a film, warped with the given strength; None if the film yields none this time.
    loss: of the network's output for a batch of examples, and an error to print.
    """

    network: Callable[[], torch.nn.Module]
    load: Callable[[Any, dict[str, torch.Tensor]], None]
    draw: Draw
    loss: Loss


def _draw_picture(
    rng: np.random.Generator, film: Film, strength: float, a: argparse.Namespace
) -> dict[str, np.ndarray]:
    purpose = LOCATE if rng.random() < a.locate_share else MEASURE
    return example(training_picture(rng, film, a.side, purpose, strength), a.side)


def _draw_strip(
    rng: np.random.Generator, film: Film, strength: float, a: argparse.Namespace
) -> dict[str, np.ndarray] | None:
    strip = training_strip(rng, film, strength)
    return None if strip is None else strip_example(strip)


def _draw_close_up(
    rng: np.random.Generator, film: Film, strength: float, a: argparse.Namespace
) -> dict[str, np.ndarray] | None:
    close_up = training_close_up(rng, film, strength)
    return None if close_up is None else points_example(close_up, HEART_SIDE)


def _load_all(model: torch.nn.Module, state: dict[str, torch.Tensor]) -> None:
    model.load_state_dict(state)


COURSES = {
    "landmarks": Course(LandmarkNet, load_weights, _draw_picture, landmark_loss),
    "column": Course(ColumnNet, _load_all, _draw_strip, column_loss),
    "heart": Course(HeartNet, _load_all, _draw_close_up, heart_loss),
}


class Examples(torch.utils.data.IterableDataset):
    """Infinite examples: a share from warped real films, the rest from phantoms."""

    def __init__(self, films: list[Film], phantoms: PhantomShards | None, arguments: argparse.Namespace) -> None:
        self.films, self.phantoms, self.arguments = films, phantoms, arguments
        self.course = COURSES[arguments.network]
        wanted = np.array([1.0 if film.species == "cat" else DOG_WEIGHT for film in films])
        self.chance = wanted / wanted.sum() if len(films) else wanted

    def __iter__(self) -> Iterator[Any]:
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.arguments.seed, worker.id if worker else 0, int(time.time())])
        while True:
            drawn = self._example(rng)
            if drawn is not None:
                yield drawn

    def _example(self, rng: np.random.Generator) -> dict[str, np.ndarray] | None:
        a = self.arguments
        real = not self.phantoms or (bool(self.films) and rng.random() < a.real)
        if real or not self.phantoms:
            film = self.films[rng.choice(len(self.films), p=self.chance)]
        else:
            film = self.phantoms.film(int(rng.integers(len(self.phantoms))))
        return self.course.draw(rng, film, a.warp if real else a.phantom_warp, a)


def example(picture: Picture, side: int) -> dict[str, np.ndarray]:
    """Input of the loss for a picture of the thorax; painted areas are excluded from the dense maps."""
    values = points_example(picture, side)
    discs, disc_mask = disc_target(picture.points, side // STRIDE, side)
    return {**values, "discs": discs, "disc_mask": disc_mask * _bare(picture, side // STRIDE)}


def points_example(picture: Picture, side: int) -> dict[str, np.ndarray]:
    """Input of the loss of points and silhouette for a picture."""
    cells = side // STRIDE
    places = np.nan_to_num((picture.points + 0.5) / side, nan=0.0)
    return {
        "image": picture.image[None],
        "places": places.astype(np.float32),
        "weights": picture.weights,
        "silhouettes": silhouette_target(picture.outline, side, cells),
        "silhouette_mask": _bare(picture, cells) * (picture.outline is not None),
    }


def _bare(picture: Picture, cells: int) -> np.ndarray:
    """1 in every cell [cells, cells] without painted pixels, otherwise 0."""
    bare = np.ones((cells, cells), np.float32)
    if picture.painted is not None:
        bare -= (cv2.resize(picture.painted * 255, (cells, cells), interpolation=cv2.INTER_AREA) > 0).astype(np.float32)
    return bare


def held_out(films: list[Film], fold: int, left_out: Sequence[str] = ()) -> list[Film]:
    """The films of one data fold: all except every fifth one, counted from `fold`; all films for fold 0.

    Films in `left_out` are in no fold.
    """
    films = [film for film in films if film.name not in left_out]
    if fold == 0:
        return films
    return [film for index, film in enumerate(films) if index % FOLDS != fold - 1]


def precision(device: torch.device, wanted: bool) -> AbstractContextManager[None]:
    """bfloat16 if the processor supports it, which almost doubles the speed; weights stay float32."""
    if not wanted:
        return contextlib.nullcontext()
    return torch.autocast(device_type=device.type, dtype=torch.bfloat16)


def log_run(path: str | Path, record: dict[str, Any]) -> None:
    with open(path, "a", encoding="utf-8") as log:
        log.write(json.dumps(record) + "\n")


def train(a: argparse.Namespace) -> bool:
    """Trains one network; returns False if a piece ended before the whole run."""
    torch.manual_seed(a.seed)
    torch.set_flush_denormal(True)
    torch.set_num_threads(a.threads)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    films = held_out(read_films(a.data), a.fold, a.leave_out) if a.data else []
    phantoms = PhantomShards(a.phantoms) if a.phantoms else None
    if not films and not phantoms:
        raise SystemExit("nothing to train on: give --data, --phantoms or both")
    course = COURSES[a.network]
    model = course.network().to(device, memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(model.parameters(), a.rate, weight_decay=1e-4)
    state: dict[str, float] = {"step": 0, "seconds": 0.0}
    out = Path(a.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    resumed, of = out.with_suffix(".resume"), run_of(a)
    if resumed.exists():
        saved = torch.load(resumed, map_location=device)
        refuse_other(resumed, saved, of)
        of = {**of, **saved.get("of", {})}
        model.load_state_dict(saved["live"])
        optimiser.load_state_dict(saved["optimiser"])
        average, state = saved["model"], saved["state"]
    else:
        if a.start:
            course.load(model, torch.load(a.start, map_location="cpu")["model"])
        average = {name: value.clone() for name, value in model.state_dict().items()}
    loader = torch.utils.data.DataLoader(
        Examples(films, phantoms, a), batch_size=a.batch, num_workers=a.workers, pin_memory=device.type == "cuda"
    )
    record = {
        "run": out.stem,
        "network": a.network,
        "seed": a.seed,
        "fold": a.fold,
        "left_out": a.leave_out,
        "real_films": len(films),
        "outlines": sum(film.outline is not None for film in films),
        "phantoms": len(phantoms or ()),
        "start": Path(a.start).name if a.start else None,
        "data": data_version(a.data) if a.data else None,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {device.type}",
        "torch": torch.__version__,
        "side": a.side,
        "batch": a.batch,
        "rate": a.rate,
        "real": a.real,
        "locate": a.locate_share,
    }
    log_run(a.log, {**record, "event": "start", "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())})
    if not _loop(a, model, optimiser, average, state, loader, device, lambda kept: save({**kept, "of": of}, resumed)):
        print(f"{out.stem}: piece done, {state['seconds'] / 60:.1f} of {a.minutes} minutes", flush=True)
        return False
    save({"model": average, "run": record, "of": of, "state": state}, out)
    resumed.unlink(missing_ok=True)
    log_run(
        a.log,
        {
            **record,
            "event": "end",
            "steps": state["step"],
            "seconds": round(state["seconds"]),
            "error": state.get("error"),
        },
    )
    return True


def _loop(
    a: argparse.Namespace,
    model: torch.nn.Module,
    optimiser: torch.optim.Optimizer,
    average: dict[str, torch.Tensor],
    state: dict[str, float],
    loader: Iterable[Any],
    device: torch.device,
    keep: Callable[[dict[str, Any]], None],
) -> bool:
    """Trains until the time of the run (True) or of this piece (False) is over; calls `keep` regularly to save the
    state.
    """
    began = last = saved_at = time.time()
    for batch in loader:
        progress = state["seconds"] / (a.minutes * 60)
        if progress >= 1:
            return True
        is_piece_over = a.piece is not None and last - began >= a.piece * 60
        if is_piece_over or last - saved_at > SAVE_EVERY_S:
            saved_at = last
            keep({"model": average, "live": model.state_dict(), "optimiser": optimiser.state_dict(), "state": state})
        if is_piece_over:
            return False
        for group in optimiser.param_groups:
            group["lr"] = rate_at(a.rate, progress, state["step"])
        batch = {name: value.to(device, non_blocking=True) for name, value in batch.items()}
        optimiser.zero_grad()
        with precision(device, not a.float32):
            answer = model(batch["image"].contiguous(memory_format=torch.channels_last))
        loss, error = COURSES[a.network].loss(answer.float(), batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP_NORM)
        optimiser.step()
        blend(average, model, state["step"])
        now = time.time()
        state["step"] += 1
        state["seconds"] += min(now - last, STALL_S)
        state["error"] = 0.98 * state.get("error", error) + 0.02 * error
        last = now
        if state["step"] % 100 == 0:
            speed = state["step"] * a.batch / state["seconds"]
            print(
                f"{state['seconds'] / 60:.1f} min, step {state['step']}, {speed:.1f} examples/s, "
                f"error {state['error']:.4f}, loss {float(loss):.3f}",
                flush=True,
            )
    raise RuntimeError("examples never end")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", help="folder of annotated films (index.json)")
    parser.add_argument("--phantoms", help="folder of phantom shards (*.npz)")
    parser.add_argument(
        "--out", required=True, help="checkpoint to write; OUT.resume next to it allows an interrupted run to continue"
    )
    parser.add_argument("--start", help="checkpoint to start from")
    parser.add_argument(
        "--minutes", type=float, default=40, help="training time, earlier parts of a resumed run included"
    )
    parser.add_argument("--piece", type=float, help="stop after this many minutes; the next run continues")
    parser.add_argument("--network", default="landmarks", choices=list(COURSES), help="what is trained")
    parser.add_argument("--side", type=int, default=SIDE)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1e-3, help="peak learning rate")
    parser.add_argument("--real", type=float, default=0.5, help="share of real films in a batch")
    parser.add_argument("--warp", type=float, default=1.0, help="strength of the augmentation of real films")
    parser.add_argument(
        "--phantom-warp",
        type=float,
        default=0.4,
        help="strength of the augmentation of phantoms, low because there are many",
    )
    parser.add_argument(
        "--locate-share", type=float, default=0.0, help="share of whole-film pictures (1 for the locator)"
    )
    parser.add_argument(
        "--fold", type=int, default=0, choices=range(FOLDS + 1), help="leave out every fifth real film; 0 uses all"
    )
    parser.add_argument(
        "--leave-out",
        nargs="*",
        default=[],
        metavar="FILE",
        help="films to exclude from training, e.g. for calibration",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that make pictures")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--float32", action="store_true", help="no bfloat16")
    parser.add_argument("--log", default="runs.jsonl", help="run log (JSON lines)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(0 if train(parse()) else GO_ON)
