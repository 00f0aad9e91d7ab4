"""Makes phantom films: shards for training, annotated folders for evaluation, the contact sheet.

python3 -m training.phantoms shards --out runs/phantoms --count 4000 --seed 1 --processes 2
python3 -m training.phantoms folder --out runs/phantoms-test --count 1000 --seed 900000
python3 -m training.phantoms sheet --out training/contact-sheet.png

With --atria, left atria are drawn from normal to severe (`phantom/atrium.py`); films without it do not change.
"""

import argparse
import functools
import json
import multiprocessing
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .films import pack_phantoms
from .outlines import resampled
from .phantom import PhantomFilm, make_film
from .truth import index_entry

SIDE = 576
SHARD = 100
"""Films of one shard: about 10 MB."""
SHEET_COLUMNS, SHEET_ROWS, SHEET_TILE = 5, 4, 360
ATRIUM = 1
"""Second seed of the generator that draws the atrium, so that the rest of a film does not depend on it."""


def _film(seed: int, species: str | None = None, atria: bool = False) -> PhantomFilm:
    cv2.setNumThreads(1)
    atrium = np.random.default_rng([seed, ATRIUM]) if atria else None
    return make_film(np.random.default_rng(seed), SIDE, species=species, atrium=atrium)


def _on_square(film: PhantomFilm) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The film in the top left corner of a black square, with its visible points and the outline of the heart."""
    image = np.zeros((SIDE, SIDE), np.uint8)
    height, width = film.image.shape
    image[:height, :width] = film.image
    return image, film.visible_points().astype(np.float32), resampled(film.heart_outline).astype(np.float32)


def _shard(job: tuple[Any, ...]) -> int:
    out, seed, count, atria = job
    path = Path(out) / f"phantoms-{seed:07d}.npz"
    if path.exists():
        return 0
    films = [_on_square(_film(seed + index, atria=atria)) for index in range(count)]
    images, points, outlines = zip(*films)
    pack_phantoms(path, images, np.stack(points), np.stack(outlines))
    return count


def make_shards(a: argparse.Namespace) -> None:
    Path(a.out).mkdir(parents=True, exist_ok=True)
    jobs = [(a.out, a.seed + start, min(SHARD, a.count - start), a.atria) for start in range(0, a.count, SHARD)]
    began, made = time.time(), 0
    with multiprocessing.Pool(a.processes) as pool:
        for count in pool.imap_unordered(_shard, jobs):
            made += count
            print(f"{made} films, {made / (time.time() - began):.1f}/s", flush=True)


def make_folder(a: argparse.Namespace) -> None:
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    images = []
    with multiprocessing.Pool(a.processes) as pool:
        film_of_seed = functools.partial(_film, species=a.species, atria=a.atria)
        for number, film in enumerate(pool.imap(film_of_seed, range(a.seed, a.seed + a.count))):
            name = f"phantom-{number:05d}.jpg"
            cv2.imwrite(str(out / name), film.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            images.append(index_entry(name, film))
    (out / "index.json").write_text(json.dumps({"version": 1, "images": images}) + "\n")


def make_sheet(a: argparse.Namespace) -> None:
    """Films side by side, to inspect the training data."""
    tiles = []
    for index in range(SHEET_COLUMNS * SHEET_ROWS):
        image = _film(a.seed + index, atria=a.atria).image
        scale = SHEET_TILE / max(image.shape)
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        tile = np.zeros((SHEET_TILE, SHEET_TILE), np.uint8)
        tile[: small.shape[0], : small.shape[1]] = small
        tiles.append(tile)
    rows = [np.hstack(tiles[start : start + SHEET_COLUMNS]) for start in range(0, len(tiles), SHEET_COLUMNS)]
    cv2.imwrite(a.out, np.vstack(rows))


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.phantoms", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for name, action, count in (("shards", make_shards, 4000), ("folder", make_folder, 1000), ("sheet", make_sheet, 0)):
        command = commands.add_parser(name)
        command.set_defaults(action=action)
        command.add_argument("--out", required=True)
        command.add_argument("--count", type=int, default=count)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--processes", type=int, default=1)
        command.add_argument("--atria", action="store_true", help="draw left atria from normal to severe")
        if name == "folder":
            command.add_argument("--species", choices=["dog", "cat"], help="of all films (default: one in five a cat)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    chosen = parse()
    chosen.action(chosen)
