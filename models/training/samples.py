"""Makes the repository's example films: phantoms with truth, in the data format, for tests, documentation and timing.

python3 -m training.samples --out ../test/fixtures/films
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .phantom import make_film
from .truth import index_entry

LARGE_SIDE, LARGE_ASPECT = 3000, 1.25
LONGEST_SIDE = 1080
JPEG_QUALITY, LARGE_JPEG_QUALITY = 88, 80
DOGS = 8
FIRST_SEED = 5000


def sample_films() -> Iterator[Any]:
    """(file name, film, JPEG quality): eight dogs, every second one facing right, a cat, and a dog at full detector
    size.
    """
    for number in range(1, DOGS + 1):
        rng = np.random.default_rng(FIRST_SEED + number)
        yield f"dog-{number:02d}.jpg", make_film(rng, LONGEST_SIDE, number % 2 == 0, True, 1.25, "dog"), JPEG_QUALITY
    yield (
        "cat-01.jpg",
        make_film(np.random.default_rng(FIRST_SEED + 20), LONGEST_SIDE, False, True, 1.4, "cat"),
        JPEG_QUALITY,
    )
    large = make_film(np.random.default_rng(FIRST_SEED + 30), LARGE_SIDE, False, True, LARGE_ASPECT, "dog")
    yield "dog-large-01.jpg", large, LARGE_JPEG_QUALITY


def make_samples(out: str | Path) -> None:
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    images = []
    for name, film, quality in sample_films():
        cv2.imwrite(str(out / name), film.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        images.append(index_entry(name, film))
    (out / "index.json").write_text(json.dumps({"version": 1, "images": images}, indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="training.samples", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", required=True, help="folder to fill")
    make_samples(parser.parse_args().out)
