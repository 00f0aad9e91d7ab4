"""Draws the pictures that the program's tests use: photographs of screens showing phantoms, and negatives.

  python3 -m training.pop.make_fixtures --films phantoms/ --out ../test/fixtures
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from ..gate.films import read_lateral_films
from ..others import draw_picture, draw_radiograph
from .camera import photograph

SIDE_PX = 1600
LARGEST_BYTES = 400_000
NEGATIVES = (("thorax-vd", "radiograph"), ("human-chest", "radiograph"), ("limb", "radiograph"), ("document", "picture"), ("chart", "picture"), ("scene", "picture"))


def write_jpeg(path, picture):
    """The best quality that stays under LARGEST_BYTES."""
    for quality in range(92, 30, -4):
        _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(encoded) <= LARGEST_BYTES:
            break
    path.write_bytes(encoded.tobytes())


def screens(films, seeds, folder):
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for number, seed in enumerate(seeds, 1):
        rng = np.random.default_rng(seed)
        taken = photograph(films[rng.integers(len(films))].image, rng, SIDE_PX)
        file = f"screen-{number:02d}.jpg"
        write_jpeg(folder / file, taken.image)
        height, width = taken.image.shape[:2]
        entries.append({"file": file, "width": width, "height": height, "corners": np.round(taken.corners, 2).tolist(), "order": "TL,TR,BR,BL"})
    (folder / "index.json").write_text(json.dumps({"version": 1, "note": "Simulated photographs of phantoms; corners in pixels, (0, 0) the centre of the top left pixel", "images": entries}, indent=1) + "\n")


def negatives(folder, seed=11):
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for number, (name, kind) in enumerate(NEGATIVES, 1):
        rng = np.random.default_rng(seed + number)
        picture = draw_radiograph(name, rng, 900) if kind == "radiograph" else draw_picture(name, rng, 900)
        file = f"negative-{number:02d}.jpg"
        write_jpeg(folder / file, picture)
        entries.append({"file": file, "shows": name})
    (folder / "index.json").write_text(json.dumps({"version": 1, "images": entries}, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", required=True, help="folder of phantom films in the data format")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 4, 5, 8, 9, 17, 20, 22])
    arguments = parser.parse_args()
    screens(read_lateral_films(arguments.films, "phantom"), arguments.seeds, arguments.out / "screens")
    negatives(arguments.out / "negatives")


if __name__ == "__main__":
    main()
