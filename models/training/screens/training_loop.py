"""Trains a small network on made pictures; resumable, seeded, every run logged. Used by the gate and the corner
detector.
"""

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import torch
from torch import nn

from .. import checkpoints
from ..schedule import CLIP_NORM, blend, rate_at

REPORT_EVERY_S = 240


class Pictures(Protocol):
    """Made pictures for training a network."""

    def batch(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Planes [size, channels, h, w] and the truth of each picture."""
        ...


@dataclass
class Task:
    """The parts of the loop specific to a network."""

    network: Callable
    """Makes the untrained network."""
    batch: int
    weight_decay: float
    loss: Callable
    """Output of the network, second part of a batch: loss."""
    report: Callable
    """Averaged network, whether this is the last report: figures on held-out pictures."""
    calibration: Callable
    """Averaged network, whether the run is over: further entries of the checkpoint."""


def train(arguments: argparse.Namespace, task: Task, pictures: Pictures) -> None:
    """Trains for `arguments.minutes` and writes the checkpoint; `pictures.batch(rng, size)` gives planes and their
    truth.
    """
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    net, average = task.network().to(memory_format=torch.channels_last), task.network()
    optimiser = torch.optim.AdamW(net.parameters(), arguments.rate, weight_decay=task.weight_decay)
    seen, spent = restore(arguments.start, net, average)
    start = last_report = time.time()
    step = 0
    while (spent_now := time.time() - start) < arguments.minutes * 60:
        for group in optimiser.param_groups:
            group["lr"] = rate_at(arguments.rate, spent_now / (arguments.minutes * 60), step)
        loss = one_step(net, optimiser, pictures.batch(rng, task.batch), task.loss)
        blend(average.state_dict(), net, step)
        step, seen = step + 1, seen + task.batch
        if time.time() - last_report > REPORT_EVERY_S:
            log(arguments.out, {"seen": seen, "loss": loss, **task.report(average.eval(), False)})
            save(arguments, average, seen, spent + time.time() - start, task.calibration(average, False))
            last_report = time.time()
    save(arguments, average, seen, spent + time.time() - start, task.calibration(average.eval(), True))
    log(arguments.out, {"seen": seen, "finished": True, **task.report(average, True)})


def one_step(
    net: nn.Module, optimiser: torch.optim.Optimizer, batch: tuple[np.ndarray, np.ndarray], loss_of: Callable[..., Any]
) -> float:
    planes, truth = (torch.from_numpy(part) for part in batch)
    net.train()
    with torch.autocast("cpu", torch.bfloat16):
        output = net(planes.contiguous(memory_format=torch.channels_last))
    loss = loss_of(output.float(), truth)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), CLIP_NORM)
    optimiser.step()
    return loss.item()


def restore(start: Path | None, net: nn.Module, average: nn.Module) -> tuple[int, float]:
    """Loads a checkpoint into both networks; number of pictures and seconds trained."""
    if not start:
        average.load_state_dict(net.state_dict())
        return 0, 0.0
    state = torch.load(start, map_location="cpu")
    net.load_state_dict(state["weights"])
    average.load_state_dict(state["weights"])
    return state["seen"], state["seconds"]


def save(
    arguments: argparse.Namespace, average: nn.Module, seen: int, seconds: float, calibration: dict[str, Any]
) -> None:
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    checkpoints.save(
        {"weights": average.state_dict(), "seen": seen, "seconds": seconds, "seed": arguments.seed, **calibration},
        arguments.out,
    )


def log(out: Path, entry: dict[str, Any]) -> None:
    line = json.dumps({key: round(value, 5) if isinstance(value, float) else value for key, value in entry.items()})
    print(line, flush=True)
    with out.with_suffix(".log").open("a") as lines:
        lines.write(line + "\n")


def parse(description: str, peak_rate: float) -> argparse.Namespace:
    """Parses the command line of a training, and sets the number of threads."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", required=True, help="made pictures for training")
    parser.add_argument(
        "--held-out", required=True, help="made pictures for reports and calibration, not used for training"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", help="checkpoint to continue from")
    parser.add_argument("--minutes", type=float, default=25, help="0 only recalibrates")
    parser.add_argument("--rate", type=float, default=peak_rate)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    return arguments
