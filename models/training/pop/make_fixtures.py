"""Draws pictures for the program's tests: photographs of screens with phantoms, and negatives; or, with `--session`,
the frames of one capture session: a few photographs of one film on one screen.

  python3 -m training.pop.make_fixtures --films phantoms/ --out ../test/fixtures
  python3 -m training.pop.make_fixtures --session ../test/fixtures/films/dog-05.jpg --out ../test/fixtures
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..films import read_grey
from ..gate.films import LateralFilm, read_lateral_films
from ..others import draw_picture, draw_radiograph
from .camera import Photograph, photograph, photograph_screen
from .screen import compose_screen

SIDE_PX = 1600
LARGEST_BYTES = 400_000
SESSION_SIDE_PX, SESSION_LARGEST_BYTES = 1280, 120_000
SESSION_SCREEN, SESSION_VIEWS = 1, (24, 34, 51)
"""Seeds of the screen and of three hand-held 4:3 views of it."""
NEGATIVES = (
    ("thorax-vd", "radiograph"),
    ("human-chest", "radiograph"),
    ("limb", "radiograph"),
    ("document", "picture"),
    ("chart", "picture"),
    ("scene", "picture"),
)


def write_jpeg(path: Path, picture: np.ndarray, largest_bytes: int = LARGEST_BYTES) -> None:
    """Writes the best quality below `largest_bytes`."""
    for quality in range(92, 30, -4):
        _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(encoded) <= largest_bytes:
            break
    path.write_bytes(encoded.tobytes())


def index_entry(file: str, taken: Photograph) -> dict[str, Any]:
    height, width = taken.image.shape[:2]
    corners = np.round(taken.corners, 2).tolist()
    return {"file": file, "width": width, "height": height, "corners": corners, "order": "TL,TR,BR,BL"}


def screens(films: list[LateralFilm], seeds: list[int], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for number, seed in enumerate(seeds, 1):
        rng = np.random.default_rng(seed)
        taken = photograph(films[rng.integers(len(films))].image, rng, SIDE_PX)
        file = f"screen-{number:02d}.jpg"
        write_jpeg(folder / file, taken.image)
        entries.append(index_entry(file, taken))
    (folder / "index.json").write_text(
        json.dumps(
            {
                "version": 1,
                "note": "Simulated photographs of phantoms; corners in pixels, (0, 0) the centre of the top left pixel",
                "images": entries,
            },
            indent=1,
        )
        + "\n"
    )


def session(film: Path, folder: Path) -> None:
    """Three consecutive photographs of one screen, as from a hand-held telephone."""
    folder.mkdir(parents=True, exist_ok=True)
    screen = compose_screen(read_grey(film), np.random.default_rng(SESSION_SCREEN), int(1.2 * SESSION_SIDE_PX))
    entries = []
    for number, seed in enumerate(SESSION_VIEWS, 1):
        taken = photograph_screen(screen, np.random.default_rng(seed), SESSION_SIDE_PX)
        file = f"frame-{number}.jpg"
        write_jpeg(folder / file, taken.image, SESSION_LARGEST_BYTES)
        entries.append(index_entry(file, taken))
    (folder / "index.json").write_text(
        json.dumps({"version": 1, "film": film.name, "images": entries}, indent=1) + "\n"
    )


def negatives(folder: Path, seed: int = 11) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for number, (name, kind) in enumerate(NEGATIVES, 1):
        rng = np.random.default_rng(seed + number)
        picture = draw_radiograph(name, rng, 900) if kind == "radiograph" else draw_picture(name, rng, 900)
        file = f"negative-{number:02d}.jpg"
        write_jpeg(folder / file, picture)
        entries.append({"file": file, "shows": name})
    (folder / "index.json").write_text(json.dumps({"version": 1, "images": entries}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--films", help="folder of phantom films in the data format")
    which.add_argument("--session", type=Path, help="a film: draw only the frames of a capture session")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 4, 5, 8, 9, 17, 20, 22])
    arguments = parser.parse_args()
    if arguments.session:
        return session(arguments.session, arguments.out / "session")
    screens(read_lateral_films(arguments.films, "phantom"), arguments.seeds, arguments.out / "screens")
    negatives(arguments.out / "negatives")
    return None


if __name__ == "__main__":
    main()
