"""Makes rectified photographs of screens with transformed points, to train the landmark network on them.

  python3 -m training.pop.rectified --films FOLDER --out pop-films --count 2000
  python3 -m training.train --data pop-films --start runs/trunk.pt --out runs/pop.pt --minutes 12

The output is a folder in the data format. The corners have errors like those of the corner detector.
"""

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..films import read_grey, read_index
from .camera import photograph

PHOTOGRAPH_PX = 1100
LONGEST_PX = 1080
CORNER_ERROR = 0.003
"""Standard deviation of the corners' positions, in parts of the photograph's diagonal."""


def rectify(picture: np.ndarray, corners: np.ndarray, longest: int = LONGEST_PX) -> tuple[np.ndarray, np.ndarray]:
    """The quadrilateral as an upright rectangle with the same edge lengths, and the homography."""
    edges = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    size = np.array([max(edges[0], edges[2]), max(edges[1], edges[3])])
    width, height = np.maximum(16, np.round(size * min(1, longest / max(size)))).astype(int)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return cv2.warpPerspective(picture, matrix, (int(width), int(height)), flags=cv2.INTER_LINEAR), matrix


def carried(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return mapped[:, :2] / mapped[:, 2:]


def photographed_entry(
    entry: dict[str, Any],
    film: np.ndarray,
    rng: np.random.Generator,
    rooms: Sequence[np.ndarray] = (),
    corner_error: float = CORNER_ERROR,
) -> tuple[np.ndarray, dict[str, Any]] | None:
    """A rectified photograph of one film and its entry in the data format; None if too little is visible."""
    names = [name for name, place in (entry.get("landmarks") or {}).items() if place is not None]
    edges = entry.get("edges") or []
    points = np.array([entry["landmarks"][name] for name in names] + [place for _, place in edges], float)
    scale = min(1, 1200 / max(film.shape))
    film = cv2.resize(film, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else film
    taken = photograph(film, rng, PHOTOGRAPH_PX, None, rooms)
    corners = taken.corners + rng.normal(0, corner_error * math.hypot(*taken.image.shape[:2]) / 1.25, (4, 2))
    picture, matrix = rectify(taken.image, corners)
    places = carried(taken.place((points + 0.5) * scale - 0.5), matrix)
    height, width = picture.shape[:2]
    inside = ((places > 0) & (places < [width - 1, height - 1])).all(1)
    if inside.mean() < 0.8 or not inside[: len(names)].all():
        return None
    kept = {key: entry[key] for key in ("species", "facing", "group", "confidence", "vhs") if key in entry}
    landmarks = {name: place.round(2).tolist() for name, place in zip(names, places)}
    visible = [
        [name, place.round(2).tolist()]
        for (name, _), place, seen in zip(edges, places[len(names) :], inside[len(names) :])
        if seen
    ]
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), {
        **kept,
        "landmarks": landmarks,
        "edges": visible,
        "width": width,
        "height": height,
    }


def make(folders: list[str], out: Path, count: int, seed: int, rooms: Sequence[np.ndarray]) -> None:
    """Draws `count` pictures, the same number from every folder."""
    out.mkdir(parents=True, exist_ok=True)
    groups = [[(Path(folder), entry) for entry in read_index(folder) if entry.get("edges")] for folder in folders]
    images: list[dict[str, Any]] = []
    number = seed
    while len(images) < count:
        rng = np.random.default_rng(number)
        group = groups[number % len(groups)]
        folder, entry = group[rng.integers(len(group))]
        drawn = photographed_entry(entry, read_grey(folder / entry["file"]), rng, rooms)
        number += 1
        if drawn is not None:
            file = f"pop-{number:06d}.png"
            cv2.imwrite(str(out / file), drawn[0])
            images.append({"file": file, **drawn[1], "source": entry["file"]})
            (out / "index.json").write_text(json.dumps({"version": 1, "images": images}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", action="append", required=True, help="folder of annotated films in the data format")
    parser.add_argument("--photographs", action="append", default=[], help="folder of free photographs for the rooms")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    from ..gate.make_pictures import read_photographs

    make(arguments.films, arguments.out, arguments.count, arguments.seed, read_photographs(arguments.photographs))


if __name__ == "__main__":
    main()
