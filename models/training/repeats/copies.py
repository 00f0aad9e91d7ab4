"""Changed copies of films, as another exposure, another crop or another reader of the same plate would give them.

  python3 -m training.repeats.copies --data runs/phantoms-test --limit 60 --pack packs/landmarks-corvet \
      --records runs/simulated-copies.jsonl

`left_out --changed` measures the same copies of real films, with networks that had left them out.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..evaluate import PROGRAM, measure_entries, records_of
from ..films import read_grey, read_index
from ..packs import only
from ..stress import clipped, collimated, compressed, pale, turned

NOISE_SEED = 90
NOISE_LEVELS = 8.0
"""Standard deviation of the noise of a short exposure [of 256 levels]."""
DARK_POWER, BRIGHT_POWER = 1.5, 0.67
SMALLER = 0.7


def noisy(image: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(NOISE_SEED).normal(0, NOISE_LEVELS, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def toned(power: float) -> Callable[[np.ndarray], np.ndarray]:
    """Another tone curve: above 1 darker."""
    return lambda image: (255 * (image / 255) ** power).astype(np.uint8)


def smaller(image: np.ndarray) -> np.ndarray:
    return cv2.resize(image, None, fx=SMALLER, fy=SMALLER, interpolation=cv2.INTER_AREA)


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "turned-5": lambda image: turned(image, 5),
    "turned-minus-8": lambda image: turned(image, -8),
    "noisy": noisy,
    "dark": toned(DARK_POWER),
    "bright": toned(BRIGHT_POWER),
    "clipped": clipped,
    "pale": pale,
    "compressed": compressed,
    "collimated": collimated,
    "smaller": smaller,
}


def changed_entries(folder: str | Path, entries: list[dict[str, Any]], out: Path) -> list[dict[str, Any]]:
    """Writes every changed copy of the films to `out`; returns their entries, without places, `original` naming the
    film.
    """
    copies = []
    for entry in entries:
        image = read_grey(Path(folder) / entry["file"])
        for name, change in CHANGES.items():
            file = f"{name}-{Path(entry['file']).stem}.png"
            cv2.imwrite(str(out / file), np.ascontiguousarray(change(image)))
            kept = {key: entry.get(key) for key in ("species", "group")}
            copies.append({**kept, "file": file, "original": entry["file"]})
    return copies


def measure_copies(a: argparse.Namespace) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder, only(a.pack) as packs:
        copies = changed_entries(a.data, read_index(a.data)[: a.limit], Path(folder))
        rows = measure_entries(folder, copies, packs, a.program, a.pack)
        return [{**record, "film": copy["original"]} for copy, record in zip(copies, records_of(copies, rows))]


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.repeats.copies", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="folder of films in the data format")
    parser.add_argument("--limit", type=int, help="only so many films")
    parser.add_argument("--pack", help="measure with this pack, and others of its kind left out")
    parser.add_argument("--program", default=PROGRAM, help="command that starts the measuring program")
    parser.add_argument("--records", required=True, help="file for one line per copy (JSON lines)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    chosen = parse()
    Path(chosen.records).write_text("".join(json.dumps(record) + "\n" for record in measure_copies(chosen)))
