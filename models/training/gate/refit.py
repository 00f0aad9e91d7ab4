"""Trains only the classes of rejected pictures, which takes about a minute.

  python3 -m training.gate.refit --pictures runs/pictures --held-out runs/held-out --start runs/start.pt \\
    --out runs/gate.pt

Which pictures are rejected does not change; `training.gate.train` trains the whole network.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from .data import GatePictures
from .network import ACCEPTED, GateNet
from .train import HeldOut

BATCH = 64


def augmented_maps(
    net: GateNet, pictures: GatePictures, count: int, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Maps and labels of `count` augmented pictures, without those to be accepted."""
    maps, labels = [], []
    for _ in range(0, count, BATCH):
        planes, truth = pictures.batch(rng, BATCH)
        refused = truth >= len(ACCEPTED)
        with torch.no_grad():
            maps.append(net.shared(torch.from_numpy(planes[refused])).half())
        labels.append(torch.from_numpy(truth[refused]) - len(ACCEPTED))
    return torch.cat(maps), torch.cat(labels)


def fit_names(net: GateNet, maps: torch.Tensor, labels: torch.Tensor, epochs: int, rate: float) -> None:
    """Trains the block and the head of the classes; normalisations keep their statistics."""
    optimiser = torch.optim.AdamW([*net.naming.parameters(), *net.names.parameters()], rate, weight_decay=0.02)
    steps = epochs * -(-len(labels) // BATCH)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    net.eval().drop.train()
    for _ in range(epochs):
        for part in torch.randperm(len(labels)).split(BATCH):
            loss = functional.cross_entropy(net.named(maps[part].float()), labels[part], label_smoothing=0.05)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    net.eval()


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", required=True, help="made pictures for training")
    parser.add_argument("--held-out", required=True, help="made pictures for the report, not used for training")
    parser.add_argument("--start", required=True, help="checkpoint to continue from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=5000, help="augmented pictures")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    arguments = parse()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(arguments.seed)
    state = torch.load(arguments.start, map_location="cpu")
    net = GateNet()
    net.load_state_dict(state["weights"])
    pictures = GatePictures(arguments.pictures)
    maps, labels = augmented_maps(net.eval(), pictures, arguments.count, np.random.default_rng(arguments.seed))
    fit_names(net, maps, labels, arguments.epochs, arguments.rate)
    torch.save({**state, "weights": net.state_dict()}, arguments.out)
    print(HeldOut(arguments.held_out).report(net, True))


if __name__ == "__main__":
    main()
