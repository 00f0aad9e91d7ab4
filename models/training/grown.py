"""Makes films with hearts of other sizes from annotated ones, to calibrate large hearts.

  python3 -m training.grown --data FOLDER --only a.png b.png --out runs/grown --copies 4

There are few real films with large hearts. The field of `growth` deforms the heart of a film that was left out of
training, with its annotation but without the column, so that each copy is a film with a known score.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from .evaluate import chosen
from .films import Film, read_films, read_index, vertebra_px
from .frames import Frame
from .growth import growth_field
from .names import FIRST_EDGE, HEART_POINTS, VERTEBRAE
from .truth import scores
from .warping import by_definition, carry, resample


def grown(rng: np.random.Generator, film: Film) -> Film:
    """The film with its heart grown or shrunk to a size drawn as in training."""
    height, width = film.image.shape
    side = max(height, width)
    field = growth_field(rng, film.points, film.outline, vertebra_px(film.points), side, 1.0)
    image = resample(film.image, Frame(np.eye(2), np.zeros(2)), field, rng)[:height, :width]
    outline = None if film.outline is None else carry(film.outline, field)
    points = by_definition(carry(film.points, field), outline)
    return Film((image * 255).astype(np.uint8), points, film.weights, film.name, film.species, outline)


def entry_of(film: Film, file: str, group: str) -> dict:
    """Entry of index.json."""

    def rounded(place: np.ndarray) -> list[float] | None:
        return [round(float(value), 2) for value in place] if np.isfinite(place).all() else None

    edges = [[name, rounded(place)] for name, place in zip(VERTEBRAE, film.points[FIRST_EDGE:])]
    vhs, vlas = scores(film.points)
    height, width = film.image.shape
    return {
        "file": file,
        "species": film.species,
        "group": group,
        "width": width,
        "height": height,
        "landmarks": {name: rounded(place) for name, place in zip(HEART_POINTS, film.points)},
        "edges": [edge for edge in edges if edge[1] is not None],
        "vhs": round(vhs, 3),
        "vlas": round(vlas, 3) if np.isfinite(vlas) else None,
    }


def make(a: argparse.Namespace) -> None:
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    wanted = {entry["file"] for entry in read_index(a.data) if chosen(entry, a.only)}
    films = [film for film in read_films(a.data) if film.name in wanted]
    rng = np.random.default_rng(a.seed)
    entries = []
    for film in films:
        for copy in range(a.copies):
            other = grown(rng, film)
            file = f"{Path(film.name).stem}-{copy}.png"
            cv2.imwrite(str(out / file), other.image)
            entries.append(entry_of(other, file, "grown"))
    (out / "index.json").write_text(json.dumps({"version": 1, "images": entries}) + "\n")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.grown", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="folder of annotated films")
    parser.add_argument("--only", nargs="*", metavar="FILE", help="only these films")
    parser.add_argument("--out", required=True)
    parser.add_argument("--copies", type=int, default=4, help="of each film")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    make(parse())
