"""Measures how often two films are taken for films of two animals (same limits as
core/cardiac/agreement/same-animal.ts): simulated films of one dog and of two dogs, measured by the program, and real
films of two dogs, measured by readers.

  python3 -m training.repeats.animals --pairs runs/pairs --data real=FOLDER
"""

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..evaluate import measure_folder, read_prediction
from ..films import points_of, read_index
from ..names import T4
from ..truth import scores

LIMITS = {"vhs": 3.0, "direction": 20.0, "depth": 1.0}
"""Differences from which two films of one day may show two animals [v, deg, v]."""
STRAIGHT_VERTEBRAE = 5


def heart_place(heart: np.ndarray, ruler: np.ndarray) -> tuple[float, float]:
    """Direction of the long axis [deg] and depth of the middle of the short one below the column [v]."""
    chord = ruler[min(STRAIGHT_VERTEBRAE, len(ruler) - 1)] - ruler[0]
    caudal = chord / np.linalg.norm(chord)
    ventral = np.array([-caudal[1], caudal[0]])
    ventral *= np.sign((heart[1] - ruler[0]) @ ventral)
    vertebra = np.linalg.norm(np.diff(ruler, axis=0), axis=1).mean()
    axis, middle = heart[1] - heart[0], (heart[2] + heart[3]) / 2 - ruler[0]
    return float(np.degrees(np.arctan2(axis @ caudal, axis @ ventral))), float(middle @ ventral / vertebra)


def of_rows(rows: dict[str, Any]) -> dict[str, np.ndarray]:
    """VHS, direction and depth by file, for films measured by the program."""
    found = {}
    for file, row in rows.items():
        if row.get("vhs") is None or row.get("pop_detected"):
            continue
        heart, ruler = read_prediction(row, row["width"], row["height"])
        found[file] = np.array([row["vhs"], *heart_place(heart[:4], ruler)])
    return found


def of_readers(folder: str) -> dict[str, np.ndarray]:
    """The same from readers' points, for dogs with a column marked from T4 on; thumbnails are left out."""
    found = {}
    for entry in read_index(folder):
        points, _ = points_of(entry)
        edges = points[T4 : T4 + STRAIGHT_VERTEBRAE + 1]
        is_known = np.isfinite(points[:4]).all() and np.isfinite(edges).all()
        if entry.get("species") == "dog" and entry.get("group") != "thumbnail" and is_known:
            found[entry["file"]] = np.array([scores(points)[0], *heart_place(points[:4], edges)])
    return found


def dog_of(file: str) -> str:
    return Path(file).stem.rpartition("-")[0]


def figures_of(differences: np.ndarray) -> dict[str, Any]:
    """Largest differences, and shares of pairs beyond the limits: for VHS alone, and for any measure."""
    beyond = differences >= np.array(list(LIMITS.values()))
    return {
        "pairs": len(differences),
        "largest": dict(zip(LIMITS, differences.max(0).round(2).tolist())),
        "doubted by VHS": round(float(beyond[:, 0].mean()), 3),
        "doubted": round(float(beyond.any(1).mean()), 3),
    }


def report(a: argparse.Namespace) -> None:
    films = of_rows(measure_folder(a.pairs))
    pairs = list(itertools.combinations(sorted(films), 2))
    for name, is_one in (("simulated films of one dog", True), ("simulated films of two dogs", False)):
        chosen = [(one, other) for one, other in pairs if (dog_of(one) == dog_of(other)) is is_one]
        print(name, figures_of(np.array([np.abs(films[one] - films[other]) for one, other in chosen])))
    for given in a.data:
        name, _, folder = given.partition("=")
        places = of_readers(folder).values()
        differences = np.array([np.abs(one - other) for one, other in itertools.combinations(places, 2)])
        print(f"films of two dogs, {name}", figures_of(differences))


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.repeats.animals", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", required=True, help="folder of `repeats.pairs`")
    parser.add_argument("--data", action="append", default=[], help="NAME=FOLDER of annotated films, one dog each")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    report(parse())
