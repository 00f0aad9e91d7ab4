"""Makes close-up photographs of films on screens, without the film's border, for the gate.

  python3 -m training.gate.close_ups --films FOLDER --films FOLDER --photographs FOLDER --out pictures/train \\
    --count 1200 --seed 7000000

They are added to the folder of `make_pictures`; only the gate uses them, because no corners are visible.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from ..pop import Photograph, photograph
from .films import LateralFilm, read_lateral_films
from .make_pictures import Drawn, Maker, make, read_photographs

PHOTOGRAPH_PX = 900
LONGEST_PX = 384
GREY_SHARE = 0.8
"""Share of grey close-ups: colours alone reveal a camera, so most close-ups have none."""


def cut(taken: Photograph, film: LateralFilm, rng: np.random.Generator) -> np.ndarray | None:
    """A part of the photograph inside the film that contains its thorax; None if there is none."""
    left, top, right, bottom = film.thorax
    box = taken.place(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))
    size = np.array(taken.image.shape[1::-1])
    edges = np.sort(taken.corners, 0)
    low, high = np.maximum(edges[1] + 2, 0), np.minimum(edges[2] - 2, size)
    if (box.min(0) < low).any() or (box.max(0) > high).any():
        return None
    low, high = (
        (edge + (needed - edge) * rng.uniform(0, 0.8, 2)).astype(int)
        for edge, needed in ((low, box.min(0)), (high, box.max(0)))
    )
    part = taken.image[low[1] : high[1], low[0] : high[0]]
    scale = LONGEST_PX / max(part.shape[:2])
    return cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)


@dataclass
class CloseUps(Maker):
    """Draws close-ups, mostly grey."""

    def draw(self, kind: str, rng: np.random.Generator) -> Drawn:
        while True:
            film = self.lateral(rng) if rng.random() < 0.7 else self.unvaried(rng)
            part = cut(photograph(film.image, rng, PHOTOGRAPH_PX, None, self.photographs), film, rng)
            if part is None:
                continue
            is_grey = rng.random() < GREY_SHARE
            image = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if is_grey else part
            return Drawn(image, kind, f"close-up of {film.source}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", action="append", required=True, help="folder of lateral films in the data format")
    parser.add_argument("--photographs", action="append", default=[], help="folder of free photographs (wallpapers)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    groups = [read_lateral_films(folder, Path(folder).name) for folder in arguments.films]
    maker = CloseUps(groups, read_photographs(arguments.photographs))
    make(maker, arguments.out, arguments.seed, arguments.count, "pop")


if __name__ == "__main__":
    main()
