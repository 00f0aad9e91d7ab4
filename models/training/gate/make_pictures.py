"""Makes the training pictures of the gate and the corner detector in advance.

  python3 -m training.gate.make_pictures --films FOLDER --films FOLDER --photographs FOLDER --cut-outs FOLDER \\
    --skeleton FOLDER --out pictures/train --count 6000 --seed 0

For the corner detector it also makes photographs of unaltered films (--only pop --unvaried-share 1), and many with a
second radiograph on the screen (--companion-share 0.8).
Every picture is drawn from its own seed, so that a stopped run can continue. `index.jsonl` has one line per picture:
file, kind (direct, pop, neither), source, the film's corners for photographs of screens, and the class of a picture
that is neither.
"""

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from ..others import (
    PICTURES,
    TAKEN_FOR,
    VIEWS,
    draw_animal,
    draw_picture,
    draw_radiograph,
    photograph_of_animal,
    read_cut_outs,
    read_skeleton,
    without_thorax,
)
from ..others.skeleton import Skeleton
from ..pop import photograph
from .films import LateralFilm, read_lateral_films, vary

LONGEST_PX = {"direct": 384, "pop": 640, "neither": 384}
KINDS = {"direct": 0.27, "pop": 0.33, "neither": 0.4}
NEITHER = {
    "radiograph": 0.17,
    "animal": 0.18,
    "derived": 0.18,
    "picture": 0.07,
    "photograph": 0.1,
    "photograph of an animal": 0.12,
    "screen": 0.18,
}
ON_SCREENS = {
    "radiograph": 0.22,
    "animal": 0.2,
    "derived": 0.24,
    "picture": 0.12,
    "photograph": 0.11,
    "photograph of an animal": 0.11,
}


@dataclass
class Drawn:
    """A labelled picture: kind (direct, pop, neither), source, corners of a photographed film, class if neither."""

    image: np.ndarray
    kind: str
    source: str
    corners: list[list[float]] | None = None
    taken_for: str | None = None


@dataclass
class Maker:
    """Draws labelled pictures. Without cut-outs or skeleton, photographs and simpler radiographs replace them."""

    groups: list[list[LateralFilm]]
    photographs: list[np.ndarray]
    cut_outs: list[np.ndarray] = field(default_factory=list)
    skeleton: Skeleton | None = None
    unvaried_share: float = 0.0
    companion_share: float = 0.3
    longest: dict[str, int] = field(default_factory=lambda: LONGEST_PX)

    def unvaried(self, rng: np.random.Generator) -> LateralFilm:
        """An unaltered lateral film; all groups of films (phantoms, real) have the same share."""
        group = self.groups[rng.integers(len(self.groups))]
        return group[rng.integers(len(group))]

    def lateral(self, rng: np.random.Generator, longest: int = 640) -> LateralFilm:
        return vary(self.unvaried(rng), rng, longest)

    def draw(self, kind: str, rng: np.random.Generator) -> Drawn:
        if kind == "direct":
            film = self.lateral(rng, self.longest[kind])
            return Drawn(film.image, kind, film.source)
        if kind == "pop":
            film = self.unvaried(rng) if rng.random() < self.unvaried_share else self.lateral(rng)
            companion = (
                draw_radiograph(rng.choice(list(VIEWS)), rng, 256) if rng.random() < self.companion_share else None
            )
            taken = photograph(film.image, rng, self.longest[kind], companion, self.photographs)
            return Drawn(taken.image, kind, film.source, taken.corners.tolist())
        source = str(rng.choice(list(NEITHER), p=list(NEITHER.values())))
        if source != "screen":
            return self.other(source, rng)
        inner = self.other(str(rng.choice(list(ON_SCREENS), p=list(ON_SCREENS.values()))), rng)
        shown = photograph(inner.image, rng, 512, None, self.photographs)
        return Drawn(shown.image, "neither", f"screen of {inner.source}", None, inner.taken_for)

    def other(self, source: str, rng: np.random.Generator) -> Drawn:
        """A picture that is not a lateral thorax."""
        if source == "derived":
            for _ in range(20):
                film = self.lateral(rng).facing_left()
                found = without_thorax(film.image, film.thorax, rng)
                if found is not None:
                    return Drawn(
                        np.ascontiguousarray(found[0]), "neither", f"derived from {film.source}", None, found[1]
                    )
        if source == "animal" and self.skeleton is not None:
            image, view, taken_for = draw_animal(self.skeleton, rng)
            return Drawn(image, "neither", view, None, taken_for)
        if source in ("derived", "animal", "radiograph"):
            view = str(rng.choice(list(VIEWS), p=[0.28, 0.22, 0.12, 0.14, 0.08, 0.08, 0.08]))
            return Drawn(draw_radiograph(view, rng, 420), "neither", view, None, TAKEN_FOR[view])
        if source != "picture" and self.photographs:
            return self.photographed(source, rng)
        name = str(rng.choice(list(PICTURES)))
        return Drawn(draw_picture(name, rng), "neither", name, None, TAKEN_FOR[name])

    def photographed(self, source: str, rng: np.random.Generator) -> Drawn:
        part = crop(self.photographs[rng.integers(len(self.photographs))], rng)
        if source == "photograph" or not self.cut_outs:
            return Drawn(part, "neither", "photograph", None, TAKEN_FOR["photograph"])
        animal = self.cut_outs[rng.integers(len(self.cut_outs))]
        return Drawn(photograph_of_animal(animal, part, rng), "neither", source, None, TAKEN_FOR[source])


def crop(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A part of a photograph, sometimes grey."""
    size = (np.array(picture.shape[:2]) * rng.uniform(0.25, 1, 2)).astype(int)
    top, left = (rng.uniform(0, 1, 2) * (np.array(picture.shape[:2]) - size)).astype(int)
    part = picture[top : top + size[0], left : left + size[1]]
    return cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if rng.random() < 0.4 else part.copy()


def read_photographs(folders: list[str], longest: int = 900) -> list[np.ndarray]:
    pictures = []
    for path in sorted(
        path
        for folder in folders
        for path in Path(folder).rglob("*")
        if path.suffix.lower() in (".jpg", ".jpeg", ".png")
    ):
        picture = cv2.imread(str(path))
        if picture is not None and min(picture.shape[:2]) >= 200:
            scale = min(1, longest / max(picture.shape[:2]))
            pictures.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return pictures


def shrink(
    picture: np.ndarray, corners: list[list[float]] | None, longest: int
) -> tuple[np.ndarray, list[list[float]] | None]:
    scale = min(1, longest / max(picture.shape[:2]))
    if scale == 1:
        return picture, corners
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return picture, corners and [[(v + 0.5) * scale - 0.5 for v in corner] for corner in corners]


def make(maker: Maker, out: Path, seed: int, count: int, only: str | None = None) -> None:
    """Draws the pictures of seeds seed … seed + count - 1 into `out`; skips existing ones."""
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
            drawn = maker.draw(kind, rng)
            picture, corners = shrink(drawn.image, drawn.corners, maker.longest[kind])
            cv2.imwrite(str(out / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            lines.write(
                json.dumps(
                    {
                        "file": file,
                        "kind": kind,
                        "source": drawn.source,
                        "corners": corners,
                        "takenFor": drawn.taken_for,
                    }
                )
                + "\n"
            )
            lines.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--films",
        action="append",
        required=True,
        help="folder of lateral films in the data format; each folder gets the same share",
    )
    parser.add_argument("--photographs", action="append", default=[], help="folder of free photographs (wallpapers)")
    parser.add_argument(
        "--cut-outs",
        action="append",
        default=[],
        help="folder of animals cut out of photographs (PNG with transparency)",
    )
    parser.add_argument("--skeleton", help="folder of the dog's meshes (STL)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=list(KINDS), help="draw pictures of this kind only")
    parser.add_argument(
        "--unvaried-share", type=float, default=0.0, help="share of photographed films that are unaltered"
    )
    parser.add_argument(
        "--companion-share",
        type=float,
        default=0.3,
        help="share of photographed viewers that show a second radiograph too",
    )
    parser.add_argument(
        "--longest", type=int, default=LONGEST_PX["pop"], help="longest side of photographed screens in pixels"
    )
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    photographs = read_photographs(arguments.photographs)
    groups = [read_lateral_films(folder, Path(folder).name) for folder in arguments.films]
    longest = {**LONGEST_PX, "pop": arguments.longest}
    skeleton = read_skeleton(arguments.skeleton) if arguments.skeleton else None
    maker = Maker(
        groups,
        photographs,
        read_cut_outs(arguments.cut_outs),
        skeleton,
        arguments.unvaried_share,
        arguments.companion_share,
        longest,
    )
    make(maker, arguments.out, arguments.seed, arguments.count, arguments.only)


if __name__ == "__main__":
    main()
