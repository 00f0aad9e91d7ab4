"""Trains the gate; resumable, seeded, every run logged.

  python3 -m training.gate.train --pictures pictures/train --held-out pictures/held-out --out runs/gate.pt --minutes 20
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

from .data import GatePictures, read_rows
from .letterbox import letterbox, to_planes
from .network import KINDS, SIDE, GateNet

BATCH = 32
PEAK_RATE = 2e-3
EMA_DECAY = 0.995
ACCEPTED = 0.97
"""Share of held-out laterals, files and photographs alike, that the threshold lets pass."""
REPORT_EVERY_S = 240
GLANCE_STEP = 5
"""Running reports look at each fifth held-out picture; the last one at all of them."""


def held_out_set(folder):
    rows = read_rows(folder)
    planes = np.stack([to_planes(letterbox(cv2.imread(str(row["path"])), SIDE)[0]) for row in rows])
    return torch.from_numpy(planes), torch.tensor([KINDS.index(row["kind"]) for row in rows]), rows


def logits_of(net, planes):
    net.eval()
    with torch.no_grad():
        return torch.cat([net(part) for part in planes.split(32)])


def temperature_of(logits, labels):
    """The temperature with the least negative log-likelihood on held-out pictures."""
    grid = np.exp(np.linspace(math.log(0.5), math.log(5), 60))
    losses = [functional.cross_entropy(logits / float(value), labels).item() for value in grid]
    return float(grid[int(np.argmin(losses))])


def threshold_of(probabilities, labels):
    """The probability of `neither` from which to reject, so that ACCEPTED of the held-out laterals pass; at most 0.5."""
    return float(np.clip(np.quantile(probabilities[labels != 2, 2].numpy(), ACCEPTED), 0.2, 0.5))


def report(net, held_out):
    planes, labels, _ = held_out
    logits = logits_of(net, planes)
    rejected = torch.softmax(logits, 1)[:, 2] >= 0.5
    truth = labels == 2
    return {
        "accepted": (~rejected[~truth]).float().mean().item(),
        "rejected": rejected[truth].float().mean().item(),
        "kind": (logits.argmax(1) == labels).float().mean().item(),
        "loss": functional.cross_entropy(logits, labels).item(),
        "temperature": temperature_of(logits, labels),
    }


def train(arguments):
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    pictures, held_out = GatePictures(arguments.pictures), held_out_set(arguments.held_out)
    glance = tuple(part[::GLANCE_STEP] for part in held_out)
    net, average = GateNet().to(memory_format=torch.channels_last), GateNet()
    optimiser = torch.optim.AdamW(net.parameters(), PEAK_RATE, weight_decay=0.02)
    seen, spent = restore(arguments, net, average)
    start, last_report, step = time.time(), time.time(), 0
    while time.time() - start < arguments.minutes * 60:
        share = (time.time() - start) / (arguments.minutes * 60)
        warm = min(1, (step + 1) / 100)
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * warm * 0.5 * (1 + math.cos(math.pi * share)) + 1e-5
        loss = one_step(net, optimiser, pictures.batch(rng, BATCH))
        blend(average, net, min(EMA_DECAY, (step + 1) / (step + 10)))
        step, seen = step + 1, seen + BATCH
        if time.time() - last_report > REPORT_EVERY_S:
            log(arguments, {"seen": seen, "loss": loss, **report(average, glance)})
            save(arguments, average, seen, spent + time.time() - start, glance)
            last_report = time.time()
    save(arguments, average, seen, spent + time.time() - start, held_out)
    log(arguments, {"seen": seen, "finished": True, **report(average, held_out)})


def one_step(net, optimiser, batch):
    net.train()
    planes = torch.from_numpy(batch[0]).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        logits = net(planes)
    loss = functional.cross_entropy(logits.float(), torch.from_numpy(batch[1]), label_smoothing=0.02)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
    optimiser.step()
    return loss.item()


def blend(average, net, decay):
    """Moves the running average of the weights one step towards the trained ones."""
    with torch.no_grad():
        for mean, value in zip(average.state_dict().values(), net.state_dict().values()):
            if mean.is_floating_point():
                mean.mul_(decay).add_(value, alpha=1 - decay)
            else:
                mean.copy_(value)


def restore(arguments, net, average):
    if not arguments.start:
        average.load_state_dict(net.state_dict())
        return 0, 0.0
    state = torch.load(arguments.start, map_location="cpu")
    net.load_state_dict(state["weights"])
    average.load_state_dict(state["weights"])
    return state["seen"], state["seconds"]


def save(arguments, average, seen, seconds, held_out):
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    logits = logits_of(average, held_out[0])
    temperature = temperature_of(logits, held_out[1])
    threshold = threshold_of(torch.softmax(logits / temperature, 1), held_out[1])
    state = {"weights": average.state_dict(), "seen": seen, "seconds": seconds, "seed": arguments.seed}
    torch.save({**state, "temperature": temperature, "rejectAtOrAbove": round(threshold, 3)}, arguments.out)


def log(arguments, entry):
    line = json.dumps({key: round(value, 5) if isinstance(value, float) else value for key, value in entry.items()})
    print(line, flush=True)
    with arguments.out.with_suffix(".log").open("a") as lines:
        lines.write(line + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", required=True, help="made pictures to learn from")
    parser.add_argument("--held-out", required=True, help="made pictures for calibration, never learned from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", help="checkpoint to go on from")
    parser.add_argument("--minutes", type=float, default=20)
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
