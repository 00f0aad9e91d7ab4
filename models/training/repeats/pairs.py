"""Makes pairs of simulated films of one dog: two visits, each with its own pose, phase, exposure, camera and facing.

python3 -m training.repeats.pairs --out runs/pairs --count 300
python3 -m training.evaluate --data pairs=runs/pairs --width 155 --records runs/pairs.jsonl
"""

import argparse
import json
import multiprocessing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..phantom.anatomy import draw_animal, draw_limbs
from ..phantom.film import film_of
from ..phantom.pose import Pose, posed
from ..phantoms import SIDE
from ..truth import index_entry

TURN_SD_DEG, MOST_TURN_DEG = 5.0, 15.0
MOST_EXPIRED = 0.6
VISITS = ("a", "b")
JPEG_QUALITY = 92


def pose_of(rng: np.random.Generator) -> Pose:
    """A pose as in practice: nearly lateral, mostly in inspiration, at any cardiac phase."""
    turned = float(np.clip(rng.normal(0, TURN_SD_DEG), -MOST_TURN_DEG, MOST_TURN_DEG))
    return Pose(turned, float(rng.uniform(0, MOST_EXPIRED)), float(rng.uniform(-1, 1)))


def make_visits(job: tuple[str, int, int]) -> list[dict[str, Any]]:
    """Entries of both films of one dog, written to the folder."""
    out, seed, number = job
    cv2.setNumThreads(1)
    animal = draw_animal(np.random.default_rng([seed, number]), "dog")
    entries = []
    for index, visit in enumerate(VISITS):
        rng = np.random.default_rng([seed, number, index])
        seen = posed(animal, pose_of(rng))
        seen.limbs = []
        draw_limbs(rng, seen)
        film = film_of(rng, seen, SIDE)
        file = f"dog-{number:04d}-{visit}.jpg"
        cv2.imwrite(str(Path(out) / file), film.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        entries.append({**index_entry(file, film), "group": "pairs"})
    return entries


def make(a: argparse.Namespace) -> None:
    Path(a.out).mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool(a.processes) as pool:
        jobs = ((a.out, a.seed, number) for number in range(a.count))
        images = [entry for entries in pool.imap(make_visits, jobs) for entry in entries]
    (Path(a.out) / "index.json").write_text(json.dumps({"version": 1, "images": images}) + "\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.repeats.pairs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=300, help="dogs")
    parser.add_argument("--seed", type=int, default=8800000)
    parser.add_argument("--processes", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    make(parse())
