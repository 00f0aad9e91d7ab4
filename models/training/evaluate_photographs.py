"""Simulates photographs of annotated films with one fault at a time, measures them, and prints a row per fault.

  python3 -m training.evaluate_photographs --films runs/phantoms-test --count 24 --pack packs/landmarks-pop-corvet \
      --write

All photographs of a film have the same seed for monitor, viewer, camera and light (`pop`); the fault is added to the
film or to the photograph. --write writes the table to the pack's manifest and card; --kinds measures only some kinds.
"""

import argparse
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .corners.decode import error_of_diagonal
from .evaluate import measure_folder
from .evaluate_pop import PHOTOGRAPH_PX, POP_PACK
from .films import points_of, read_grey, read_index
from .packs import only
from .pop import Photograph, photograph
from .pop.card import TIERS, kind_table, write_pop_card
from .screens.pack import write_manifest
from .screens.program import corners_of_folder
from .stress import collimated
from .truth import scores

SEED = 40
SMALL_FILM_PX = 250
BEZEL_SHARE, BEZEL_LEVEL = 0.06, 45
MOST_CORNER_ERROR = 0.015
"""Largest mean distance of correct corners from the film's own [parts of the picture's diagonal]."""
MOIRE_PERIOD_PX, MOIRE_LEVELS = 7.0, 30
GLARE_LEVELS, GLARE_SHARE = 180, 0.12
Change = Callable[[np.ndarray], np.ndarray]


def unchanged(image: np.ndarray) -> np.ndarray:
    return image


def small(film: np.ndarray) -> np.ndarray:
    scale = SMALL_FILM_PX / max(film.shape)
    return cv2.resize(film, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def framed(film: np.ndarray) -> np.ndarray:
    """A film with a grey rim like that of a monitor."""
    rim = round(BEZEL_SHARE * max(film.shape))
    return cv2.copyMakeBorder(film, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=BEZEL_LEVEL)


def blurred(deviation_px: float) -> Change:
    return lambda image: cv2.GaussianBlur(image, (0, 0), deviation_px)


def distant(share: float) -> Change:
    """The photograph from a greater distance: it takes up `share` of the picture's sides; the rest has the grey of its
    rim.
    """

    def change(image: np.ndarray) -> np.ndarray:
        nearer = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        (height, width), (inner, across) = image.shape[:2], nearer.shape[:2]
        top, left = (height - inner) // 2, (width - across) // 2
        sides = (top, height - inner - top, left, width - across - left)
        return cv2.copyMakeBorder(nearer, *sides, cv2.BORDER_REPLICATE)

    return change


def with_glare(image: np.ndarray) -> np.ndarray:
    """A lamp reflected slightly above the middle."""
    height, width = image.shape[:2]
    down, across = np.mgrid[:height, :width].astype(np.float32)
    radius = GLARE_SHARE * max(height, width)
    lamp = np.exp(-((down - 0.4 * height) ** 2 + (across - 0.45 * width) ** 2) / (2 * radius**2))
    return np.clip(image + GLARE_LEVELS * lamp[..., None], 0, 255).astype(np.uint8)


def with_moire(image: np.ndarray) -> np.ndarray:
    """Oblique stripes in three colours with different phases, as from a pixel grid close to that of the sensor."""
    down, across = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    phase = 2 * np.pi * (across + 0.3 * down) / MOIRE_PERIOD_PX
    stripes = np.stack([np.sin(phase + shift) for shift in (0.0, 2.1, 4.2)], -1)
    return np.clip(image + MOIRE_LEVELS * stripes, 0, 255).astype(np.uint8)


FURTHER_AWAY = "from further away"
KINDS: dict[str, tuple[Change, Change]] = {
    "as it is": (unchanged, unchanged),
    f"{FURTHER_AWAY} (0.6 of the size)": (unchanged, distant(0.6)),
    f"{FURTHER_AWAY} (0.4 of the size)": (unchanged, distant(0.4)),
    "blurred by 3 px": (unchanged, blurred(3)),
    "blurred by 6 px": (unchanged, blurred(6)),
    "blurred by 11 px": (unchanged, blurred(11)),
    "glare on the heart": (unchanged, with_glare),
    "bezel of 6 % about the film": (framed, unchanged),
    "black frame of 6 % over the film": (collimated, unchanged),
    "moiré": (unchanged, with_moire),
    f"film of {SMALL_FILM_PX} px": (small, unchanged),
}
"""Changes of the film, and of its photograph, by kind."""


Borders = dict[str, tuple[np.ndarray, np.ndarray, tuple[int, int]]]
"""Per photograph: corners [4, 2] of the visible film and of its bezel, and the size of the picture."""


def write_photographs(
    folder: str | Path, entries: list[dict[str, Any]], kinds: list[str], seed: int, out: Path
) -> Borders:
    """Returns the borders of the photographs that are not moved."""
    borders: Borders = {}
    for number, entry in enumerate(entries):
        film = read_grey(Path(folder) / entry["file"])
        for index, (kind, (of_film, of_photograph)) in enumerate(KINDS.items()):
            if kind not in kinds:
                continue
            changed = of_film(film)
            taken = photograph(changed, np.random.default_rng([seed, number]), PHOTOGRAPH_PX)
            name = f"{number:04d}-{index:02d}.jpg"
            cv2.imwrite(str(out / name), of_photograph(taken.image), [cv2.IMWRITE_JPEG_QUALITY, 90])
            if not kind.startswith(FURTHER_AWAY):
                borders[name] = film_border(film, changed, taken), taken.corners, taken.image.shape[1::-1]
    return borders


def film_border(film: np.ndarray, changed: np.ndarray, taken: Photograph) -> np.ndarray:
    """Corners [4, 2] of what is visible of the film itself, without the rim that it has in `changed`."""
    (height, width), rim = changed.shape, max(0, changed.shape[0] - film.shape[0]) // 2
    low, high = ((corner - taken.screen.origin) / taken.screen.scale for corner in taken.screen.corners[[0, 2]])
    (left, top), (right, bottom) = np.maximum(low, rim), np.minimum(high, [width - rim, height - rim])
    return taken.place(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]) - 0.5)


def are_mixed(corners: np.ndarray, border: np.ndarray, edge: np.ndarray) -> bool:
    """Whether some corners are nearer to the film's border and others to the edge of its bezel."""
    has_bezel = np.linalg.norm(edge - border, axis=1) > 1
    to_border, to_edge = (np.linalg.norm(corners - place, axis=1)[has_bezel] for place in (border, edge))
    return len(set(to_border < to_edge)) == 2


def corner_counts(names: list[str], found: dict[str, Any], borders: Borders) -> dict[str, int]:
    """Numbers of photographs with corners off the film's border, and with corners on two borders."""
    seen = [(found[name], *borders[name]) for name in names if name in borders and found.get(name) is not None]
    return {
        "corners": len(seen),
        "off": sum(error_of_diagonal(at, border, size) > MOST_CORNER_ERROR for at, border, _, size in seen),
        "mixed": sum(are_mixed(at, border, edge) for at, border, edge, _ in seen),
    }


def figures_of(
    truths: list[float], rows: dict[str, Any], kinds: list[str], found: dict[str, Any], borders: Borders
) -> dict[str, Any]:
    """By kind: photographs, those without a score as a photograph, error and bias of VHS, count of each tier, and
    photographs whose corners are not on the film's border; `found` are the corners by file."""
    figures = {}
    for index, kind in enumerate(KINDS):
        if kind not in kinds:
            continue
        names = [f"{number:04d}-{index:02d}.jpg" for number in range(len(truths))]
        measured = [(rows.get(name, {}), truth) for name, truth in zip(names, truths)]
        scored = [(row, row["vhs"] - truth) for row, truth in measured if row.get("pop_detected") and row.get("vhs")]
        errors = np.array([error for _, error in scored])
        figures[kind] = {
            "photographs": len(names),
            "lost": len(names) - len(scored),
            "error": round(float(np.abs(errors).mean()), 2) if len(errors) else None,
            "bias": round(float(errors.mean()), 2) if len(errors) else None,
            "within_0.5": int((np.abs(errors) <= 0.5).sum()),
            **{tier: sum(row["model_confidence"] == tier for row, _ in scored) for tier in TIERS},
            **corner_counts(names, found, borders),
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", required=True, help="annotated films in the data format")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--seed", type=int, default=SEED, help="of monitor, viewer, camera and light")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND")
    parser.add_argument("--pack", type=Path, default=POP_PACK, help="pack to measure; --write updates it")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    entries = [entry for entry in read_index(arguments.films) if entry.get("landmarks")]
    judged = [(entry, truth) for entry in entries if np.isfinite(truth := scores(points_of(entry)[0])[0])]
    judged = judged[: arguments.count]
    kinds, films = arguments.kinds, [entry for entry, _ in judged]
    with tempfile.TemporaryDirectory() as folder:
        borders = write_photographs(arguments.films, films, kinds, arguments.seed, Path(folder))
        with only(arguments.pack) as packs:
            rows = measure_folder(folder, packs, pack=arguments.pack)
            found = corners_of_folder(folder, Path(packs))
    figures = figures_of([truth for _, truth in judged], rows, kinds, found, borders)
    print(kind_table(figures))
    if arguments.write:
        manifest = json.loads((arguments.pack / "manifest.json").read_text())
        manifest["photographs"] = {**manifest.get("photographs", {}), **figures}
        write_manifest(arguments.pack, manifest)
        write_pop_card(arguments.pack, manifest)


if __name__ == "__main__":
    main()
