"""Measures the effect of positioning, exposure and cut borders on the scores of simulated dogs, one change at a time.

python3 -m training.repeats.positioning --pack packs/landmarks-corvet --count 60 --report runs/positioning.json

Geometry, exposure and film processing are those of the first film, so that all differences are due to the change. A
rotated silhouette has another score; `shown` is the difference between both.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..evaluate import PROGRAM, measure_entries
from ..packs import only
from ..phantom.anatomy import draw_animal
from ..phantom.film import PhantomFilm, film_of
from ..phantom.pose import Pose, posed
from ..phantoms import SIDE
from ..truth import scores
from .copies import BRIGHT_POWER, DARK_POWER, noisy, toned

SEED = 8900000
ASPECT = 1.25
AS_IT_IS = "as it is"
POSES = {
    AS_IT_IS: Pose(),
    **{f"turned by {degrees} degrees": Pose(turned_deg=degrees) for degrees in (5, 10, 15, 20)},
    "half expired": Pose(expired=0.5),
    "expired": Pose(expired=1),
}


def cut(cranial: float = 0, caudal: float = 0, ventral: float = 0) -> Callable[[np.ndarray], np.ndarray]:
    """Crops shares of the sides of a film; animals face left."""

    def change(image: np.ndarray) -> np.ndarray:
        height, width = image.shape
        return image[: round(height * (1 - ventral)), round(width * cranial) : round(width * (1 - caudal))]

    return change


PICTURES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "under-exposed": lambda image: noisy(toned(DARK_POWER)(image)),
    "over-exposed": lambda image: np.clip(1.3 * toned(BRIGHT_POWER)(image), 0, 255).astype(np.uint8),
    "cut by 10 % cranially": cut(cranial=0.1),
    "cut by 20 % cranially": cut(cranial=0.2),
    "cut by 20 % caudally": cut(caudal=0.2),
    "cut by 10 % ventrally": cut(ventral=0.1),
    "cut by 20 % ventrally": cut(ventral=0.2),
}


def dog(number: int, pose: Pose) -> PhantomFilm:
    animal = posed(draw_animal(np.random.default_rng([SEED, number]), "dog"), pose)
    return film_of(np.random.default_rng([SEED, number, 0]), animal, SIDE, False, True, ASPECT)


def write_films(out: Path, count: int) -> tuple[list[dict[str, Any]], dict[str, tuple[float, float]]]:
    """Entries of all films, and by file the scores of the silhouette that it shows."""
    entries, shown = [], {}
    for number in range(count):
        for name, pose in POSES.items():
            film = dog(number, pose)
            changes = {name: film.image}
            if name == AS_IT_IS:
                changes |= {other: change(film.image) for other, change in PICTURES.items()}
            for change, image in changes.items():
                file = f"{number:03d} {change}.png"
                cv2.imwrite(str(out / file), image)
                entries.append({"file": file, "dog": number, "change": change})
                shown[file] = scores(film.points)
    return entries, shown


def figures_of(
    entries: list[dict[str, Any]], rows: dict[str, Any], shown: dict[str, tuple[float, float]]
) -> dict[str, dict[str, Any]]:
    """By change: dogs with a score on both films, change of the scores (mean and deviation), films to review."""
    by_dog: dict[int, dict[str, str]] = {}
    for entry in entries:
        by_dog.setdefault(entry["dog"], {})[entry["change"]] = entry["file"]
    scored = {n: files for n, files in by_dog.items() if rows.get(files[AS_IT_IS], {}).get("vhs") is not None}
    figures = {}
    for change in [*POSES, *PICTURES]:
        pairs = [(files[AS_IT_IS], files[change]) for files in scored.values()]
        kept = [(a, b) for a, b in pairs if rows.get(b, {}).get("vhs") is not None]
        moved = {score: _moved(kept, rows, score) for score in ("vhs", "vlas")}
        figures[change] = {
            "n": len(kept),
            "lost": len(pairs) - len(kept),
            "review": sum(rows[b]["model_confidence"] == "review" for _, b in kept),
            **{score: moved[score] for score in moved},
            "shown": round(float(np.mean([shown[b][0] - shown[a][0] for a, b in kept])), 3) if kept else None,
        }
    return figures


def _moved(pairs: list[tuple[str, str]], rows: dict[str, Any], score: str) -> dict[str, float] | None:
    known = [(rows[a].get(score), rows[b].get(score)) for a, b in pairs]
    changes = [after - before for before, after in known if before is not None and after is not None]
    if not changes:
        return None
    return {"mean": round(float(np.mean(changes)), 3), "sd": round(float(np.std(changes)), 3)}


def text_of(figures: dict[str, Any]) -> list[str]:
    """Cells of a table's row: dogs (lost), change of VHS and VLAS, own silhouette, review."""

    def moved(score: str) -> str:
        change = figures[score]
        return "-" if change is None else f"{change['mean']:+.2f} ± {change['sd']:.2f}"

    shown = figures["shown"]
    own = "-" if shown is None else f"{shown:+.2f}"
    return [f"{figures['n']} ({figures['lost']})", moved("vhs"), own, moved("vlas"), str(figures["review"])]


HEAD = ["change", "dogs (lost)", "VHS change [v]", "of which shown", "VLAS change [v]", "review"]


def measure(a: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder, only(a.pack) as packs:
        entries, shown = write_films(Path(folder), a.count)
        rows = measure_entries(folder, entries, packs, a.program, a.pack)
    figures = figures_of(entries, rows, shown)
    for cells in (HEAD, *([change, *text_of(each)] for change, each in figures.items())):
        print("".join(f"{cell:<24}" for cell in cells))
    if a.report:
        Path(a.report).write_text(json.dumps({"positioning": figures}, indent=2) + "\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.repeats.positioning", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=60, help="dogs")
    parser.add_argument("--pack", help="measure with this pack instead of others of its kind")
    parser.add_argument("--program", default=PROGRAM, help="command that starts the measuring program")
    parser.add_argument("--report", help="file for the figures (JSON), read by `cards`")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    measure(parse())
