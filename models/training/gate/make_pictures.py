"""Makes the pictures that the gate and the corner detector learn from, ahead of time.

  python3 -m training.gate.make_pictures --films FOLDER --films FOLDER --photographs FOLDER --out pictures/train --count 6000 --seed 0

For the corner detector also photographs of films as they are (--only pop --unvaried-share 1), and many with a second
radiograph on the screen (--companion-share 0.8).
Every picture is drawn from its own seed, so that a stopped run goes on where it was. `index.jsonl` has one line a
picture: file, kind (direct, pop, neither), source, and for photographs of screens the film's corners.
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from ..others import PICTURES, VIEWS, draw_picture, draw_radiograph, without_thorax
from ..pop import photograph
from .films import read_lateral_films, vary

LONGEST_PX = {"direct": 384, "pop": 640, "neither": 384}
KINDS = {"direct": 0.27, "pop": 0.33, "neither": 0.4}
NEITHER = {"radiograph": 0.28, "derived": 0.18, "picture": 0.1, "photograph": 0.2, "screen": 0.24}


class Maker:
    """Draws one labelled picture after the other."""

    def __init__(self, groups, photographs, rooms, unvaried_share=0.0, companion_share=0.3, longest=LONGEST_PX):
        self.groups, self.photographs, self.rooms, self.unvaried_share = groups, photographs, rooms, unvaried_share
        self.companion_share, self.longest = companion_share, longest

    def lateral(self, rng, longest=640):
        """A varied lateral film; every group of films (phantoms, real) has the same share."""
        group = self.groups[rng.integers(len(self.groups))]
        return vary(group[rng.integers(len(group))], rng, longest)

    def unvaried(self, rng):
        """A lateral film as it is."""
        group = self.groups[rng.integers(len(self.groups))]
        return group[rng.integers(len(group))]

    def draw(self, kind, rng):
        """Picture, name of its source, corners or None."""
        if kind == "direct":
            film = self.lateral(rng, self.longest[kind])
            return film.image, film.source, None
        if kind == "pop":
            film = self.unvaried(rng) if rng.random() < self.unvaried_share else self.lateral(rng)
            companion = draw_radiograph(rng.choice(list(VIEWS)), rng, 256) if rng.random() < self.companion_share else None
            taken = photograph(film.image, rng, self.longest[kind], companion, self.rooms)
            return taken.image, film.source, taken.corners.tolist()
        source = rng.choice(list(NEITHER), p=list(NEITHER.values()))
        if source != "screen":
            return (*self.other(source, rng), None)
        inner, name = self.other(rng.choice(["radiograph", "derived", "picture", "photograph"], p=[0.4, 0.25, 0.15, 0.2]), rng)
        return photograph(inner, rng, 512, None, self.rooms).image, f"screen of {name}", None

    def other(self, source, rng):
        if source == "derived":
            for _ in range(20):
                film = self.lateral(rng)
                cut = without_thorax(film.image, film.thorax, rng)
                if cut is not None:
                    return cut, f"derived from {film.source}"
            source = "radiograph"
        if source == "photograph" and self.photographs:
            return crop(self.photographs[rng.integers(len(self.photographs))], rng), "photograph"
        if source == "radiograph":
            view = rng.choice(list(VIEWS), p=[0.28, 0.22, 0.12, 0.14, 0.08, 0.08, 0.08])
            return draw_radiograph(view, rng, 420), view
        name = rng.choice(list(PICTURES))
        return draw_picture(name, rng), name


def crop(picture, rng):
    """A part of a photograph, grey now and then."""
    size = (np.array(picture.shape[:2]) * rng.uniform(0.25, 1, 2)).astype(int)
    top, left = (rng.uniform(0, 1, 2) * (np.array(picture.shape[:2]) - size)).astype(int)
    part = picture[top:top + size[0], left:left + size[1]]
    return cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if rng.random() < 0.4 else part.copy()


def read_photographs(folders, longest=900):
    pictures = []
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png")):
        picture = cv2.imread(str(path))
        if picture is not None and min(picture.shape[:2]) >= 200:
            scale = min(1, longest / max(picture.shape[:2]))
            pictures.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return pictures


def shrink(picture, corners, longest):
    scale = min(1, longest / max(picture.shape[:2]))
    if scale == 1:
        return picture, corners
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return picture, corners and [[(v + 0.5) * scale - 0.5 for v in corner] for corner in corners]


def make(maker, out, seed, count, only=None):
    """Draws pictures seed … seed + count - 1 into `out`; skips what is there."""
    out.mkdir(parents=True, exist_ok=True)
    index = out / f"index-{seed}.jsonl"
    done = {json.loads(line)["file"] for line in index.read_text().splitlines()} if index.exists() else set()
    with index.open("a") as lines:
        for number in range(seed, seed + count):
            file = f"{number:07d}.jpg"
            if file in done:
                continue
            rng = np.random.default_rng(number)
            kind = only or str(rng.choice(list(KINDS), p=list(KINDS.values())))
            picture, source, corners = maker.draw(kind, rng)
            picture, corners = shrink(picture, corners, maker.longest[kind])
            cv2.imwrite(str(out / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            lines.write(json.dumps({"file": file, "kind": kind, "source": str(source), "corners": corners}) + "\n")
            lines.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", action="append", required=True, help="folder of lateral films in the data format; each folder gets the same share")
    parser.add_argument("--photographs", action="append", default=[], help="folder of free photographs (wallpapers)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=list(KINDS), help="draw pictures of this kind only")
    parser.add_argument("--unvaried-share", type=float, default=0.0, help="share of photographed films that are shown as they are")
    parser.add_argument("--companion-share", type=float, default=0.3, help="share of photographed viewers that show a second radiograph too")
    parser.add_argument("--longest", type=int, default=LONGEST_PX["pop"], help="longest side of photographed screens in pixels")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    photographs = read_photographs(arguments.photographs)
    groups = [read_lateral_films(folder, Path(folder).name) for folder in arguments.films]
    longest = {**LONGEST_PX, "pop": arguments.longest}
    maker = Maker(groups, photographs, photographs, arguments.unvaried_share, arguments.companion_share, longest)
    make(maker, arguments.out, arguments.seed, arguments.count, arguments.only)


if __name__ == "__main__":
    main()
