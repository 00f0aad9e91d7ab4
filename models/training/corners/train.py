"""Trains the corner detector; resumable, seeded, every run logged.

  python3 -m training.corners.train --pictures pictures/train --held-out pictures/held-out --out runs/corners.pt --minutes 25
"""
import argparse
import json
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from ..gate.data import read_rows
from ..gate.train import blend, log, restore
from .data import CornerPictures, has_no_film
from .decode import DECODING, error_of_diagonal, find
from .network import SIDE, STRIDE, CornerNet
from .visibility import has_visible_border

BATCH = 12
PEAK_RATE = 2e-3
EMA_DECAY = 0.995
REPORT_EVERY_S = 240
SIGMA_CELLS = 1.2
WINDOW_CELLS = 3.5


def targets(corners):
    """Gaussian maps [n, 4, c, c] around the corners that lie in the picture; zero maps elsewhere."""
    cells = SIDE // STRIDE
    at = (corners + 0.5) / STRIDE - 0.5
    inside = ((corners > -0.5) & (corners < SIDE - 0.5)).all(-1)
    axis = torch.arange(cells, dtype=torch.float32)
    across = torch.exp(-0.5 * ((axis - at[..., :1]) / SIGMA_CELLS) ** 2)
    down = torch.exp(-0.5 * ((axis - at[..., 1:]) / SIGMA_CELLS) ** 2)
    maps = down[..., :, None] * across[..., None, :]
    return torch.where(inside[..., None, None], maps, torch.zeros(())), at, inside


def corner_loss(logits, corners):
    """Weighted cross-entropy to the maps, and the distance of each corner's local centre of mass."""
    maps, at, inside = targets(corners)
    weight = 1 + 30 * maps
    entropy = (functional.binary_cross_entropy_with_logits(logits, maps, reduction="none") * weight).mean()
    axis = torch.arange(maps.shape[-1], dtype=torch.float32)
    near = ((axis - at[..., :1]).abs() < WINDOW_CELLS)[..., None, :] & ((axis - at[..., 1:]).abs() < WINDOW_CELLS)[..., :, None]
    mass = torch.sigmoid(logits) * near
    total = mass.sum((-1, -2)) + 1e-4
    centre = torch.stack([(mass.sum(-2) * axis).sum(-1), (mass.sum(-1) * axis).sum(-1)], -1) / total[..., None]
    distance = functional.smooth_l1_loss(centre[inside], at[inside], beta=0.2) if inside.any() else logits.sum() * 0
    return 20 * entropy + 0.5 * distance


def report(net, rows):
    """Median error and detection on held-out photographs, false findings on pictures without a film."""
    net.eval()

    def run(planes):
        with torch.no_grad():
            return torch.sigmoid(net(torch.from_numpy(planes)[None]))[0].numpy()

    errors, false_finds = [], []
    for row in rows:
        picture = cv2.imread(str(row["path"]))
        if row["kind"] == "pop" and not has_visible_border(picture, row["corners"]):
            continue
        corners, confidence, found = find(picture, run)
        if row["kind"] == "pop":
            errors.append(error_of_diagonal(corners, np.array(row["corners"]), picture.shape[1::-1]) if found else math.inf)
        else:
            false_finds.append(found)
    within = np.array(errors) < 0.03
    return {"median": float(np.median(errors)), "p90": float(np.percentile(errors, 90)), "within_3_percent": float(within.mean()), "false": float(np.mean(false_finds))}


def train(arguments):
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    pictures = CornerPictures(arguments.pictures)
    rows = [row for row in read_rows(arguments.held_out) if row["kind"] == "pop" or has_no_film(row)][::7]
    net, average = CornerNet().to(memory_format=torch.channels_last), CornerNet()
    optimiser = torch.optim.AdamW(net.parameters(), PEAK_RATE, weight_decay=0.01)
    seen, spent = restore(arguments, net, average)
    start, last_report, step = time.time(), time.time(), 0
    while time.time() - start < arguments.minutes * 60:
        share = (time.time() - start) / (arguments.minutes * 60)
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * min(1, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * share)) + 1e-5
        loss = one_step(net, optimiser, pictures.batch(rng, BATCH))
        blend(average, net, min(EMA_DECAY, (step + 1) / (step + 10)))
        step, seen = step + 1, seen + BATCH
        if time.time() - last_report > REPORT_EVERY_S:
            log(arguments, {"seen": seen, "loss": loss, **report(average, rows)})
            save(arguments, average, seen, spent + time.time() - start)
            last_report = time.time()
    save(arguments, average, seen, spent + time.time() - start)
    log(arguments, {"seen": seen, "finished": True, **report(average, rows)})


def one_step(net, optimiser, batch):
    net.train()
    with torch.autocast("cpu", torch.bfloat16):
        logits = net(torch.from_numpy(batch[0]).contiguous(memory_format=torch.channels_last))
    loss = corner_loss(logits.float(), torch.from_numpy(batch[1]))
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
    optimiser.step()
    return loss.item()


def save(arguments, average, seen, seconds):
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"weights": average.state_dict(), "seen": seen, "seconds": seconds, "decoding": DECODING, "seed": arguments.seed}, arguments.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", required=True, help="made pictures to learn from")
    parser.add_argument("--held-out", required=True, help="made pictures for the running report, never learned from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", help="checkpoint to go on from")
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--rate", type=float, default=PEAK_RATE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    train(arguments)


if __name__ == "__main__":
    main()
