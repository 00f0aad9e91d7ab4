"""Photographs annotated films with models/training/pop, measures films and photographs with the program, compares.

  python3 -m training.evaluate_pop --films phantoms-test --count 100 --pack packs/landmarks-pop-corvet --write

The photograph goes through everything a clinic's goes through: gate, corners, rectification, PoP network. With
--write the figures go into the pack's manifest and card.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .evaluate import measure_folder
from .films import points_of, read_grey, read_index
from .gate.sheets import tile, write_sheet
from .packs import only
from .pop import photograph
from .pop.card import write_pop_card
from .screens.pack import write_manifest
from .shares import median_of, share_of, show
from .truth import scores

PHOTOGRAPH_PX = 1600
WORST_SHOWN = 6


def photographed(folder: str | Path, entries: list[dict[str, Any]], out: Path, seed: int) -> None:
    """Writes every film and a photograph of it into `out`."""
    for number, entry in enumerate(entries):
        film = read_grey(Path(folder) / entry["file"])
        taken = photograph(film, np.random.default_rng(seed + number), PHOTOGRAPH_PX)
        cv2.imwrite(str(out / f"{number:04d}-direct.png"), film)
        cv2.imwrite(str(out / f"{number:04d}-pop.jpg"), taken.image, [cv2.IMWRITE_JPEG_QUALITY, 90])


def mean_of(values: list[float] | np.ndarray, seed: int = 0) -> dict[str, Any]:
    """Mean with its 95 % bootstrap interval, under the name that `show` and the cards print."""
    rng, values = np.random.default_rng(seed), np.array(values, float)
    means = [rng.choice(values, len(values)).mean() for _ in range(1000)]
    return {
        "n": len(values),
        "vertebrae": round(float(values.mean()), 4),
        "interval": [round(float(np.percentile(means, q)), 4) for q in (2.5, 97.5)],
    }


def figures_of(entries: list[dict[str, Any]], rows: dict[str, Any]) -> dict[str, Any]:
    """Figures of the pairs direct film / photograph."""
    pairs: list[tuple[float, float, float]] = []
    rectified, recognised = [], []
    tiers: dict[str, list[float]] = {}
    for number, entry in enumerate(entries):
        film, photo = rows.get(f"{number:04d}-direct.png", {}), rows.get(f"{number:04d}-pop.jpg", {})
        vhs = scores(points_of(entry)[0])[0]
        recognised.append(bool(photo.get("pop_detected")))
        rectified.append(photo.get("vhs") is not None)
        if (
            film.get("vhs") is None
            or photo.get("vhs") is None
            or not photo.get("pop_detected")
            or vhs is None
            or not np.isfinite(vhs)
        ):
            continue
        pairs.append((vhs, film["vhs"], photo["vhs"]))
        tiers.setdefault(photo["model_confidence"], []).append(abs(photo["vhs"] - vhs))
    truths, direct, pop = np.array(pairs, float).reshape(-1, 3).T
    figures = {
        "photographs recognised as such": share_of(recognised),
        "photographs that give a VHS": share_of(rectified),
        "VHS mean absolute error of the photographs [v]": mean_of(np.abs(pop - truths)),
        "VHS mean absolute error of the same films direct [v]": mean_of(np.abs(direct - truths)),
        "added by photographing [v]": mean_of(np.abs(pop - truths) - np.abs(direct - truths)),
        "VHS of photograph and film apart, mean [v]": mean_of(np.abs(pop - direct)),
        "VHS median absolute error of the photographs [v]": median_of(np.abs(pop - truths)),
    }
    for tier in ("optimal", "good", "review"):
        if tier in tiers:
            figures[f"VHS mean absolute error, tier {tier} [v]"] = mean_of(tiers[tier])
    return figures


def write_worst(folder: Path, entries: list[dict[str, Any]], rows: dict[str, Any], out: Path) -> None:
    """The photographs with the largest errors, as a sheet for the card."""
    judged = []
    for number, entry in enumerate(entries):
        name = f"{number:04d}-pop.jpg"
        vhs, truth = rows.get(name, {}).get("vhs"), scores(points_of(entry)[0])[0]
        caption = "no VHS" if vhs is None else f"off by {abs(vhs - truth):.2f} v"
        judged.append((99 if vhs is None else abs(vhs - truth), number, tile(cv2.imread(str(folder / name)), caption)))
    write_sheet(
        out / "failures.jpg", [labelled for _, _, labelled in sorted(judged, key=lambda item: -item[0])[:WORST_SHOWN]]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", required=True, help="annotated films in the data format")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=40)
    parser.add_argument("--pack", type=Path, help="landmarks-pop pack that is measured, and that --write fills")
    parser.add_argument("--packs", help="folder of packs to measure with instead of the program's own")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    entries = [entry for entry in read_index(arguments.films) if entry.get("landmarks")][: arguments.count]
    with tempfile.TemporaryDirectory() as folder:
        photographed(arguments.films, entries, Path(folder), arguments.seed)
        with only(arguments.pack, arguments.packs) as packs:
            rows = measure_folder(folder, packs, pack=arguments.pack)
        figures = figures_of(entries, rows)
        if arguments.write:
            write_worst(Path(folder), entries, rows, arguments.pack)
    show("photographs of screens", figures)
    if arguments.write:
        manifest = json.loads((arguments.pack / "manifest.json").read_text())
        manifest["evaluation"] = figures
        write_manifest(arguments.pack, manifest)
        write_pop_card(arguments.pack, manifest)


if __name__ == "__main__":
    main()
