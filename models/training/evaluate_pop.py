"""Simulates photographs of annotated films (models/training/pop), measures films and photographs, and compares them.

  python3 -m training.evaluate_pop --films phantoms-test --count 100 --pack packs/landmarks-pop-corvet --write

Photographs pass through the complete program: gate, corners, rectification, networks. A second, blurred photograph of
each film shows the effect of blur on the tier. With --choose, every second film is used to choose the sharpness from
which a photograph is `optimal`; the figures of the tiers are then those of the other films. For this the pack measures
without a limit of sharpness, so that photographs that are `good` because of blur or few pixels can be identified.
--write writes the figures, and with --choose the limit, to the pack's manifest and card.
"""

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .evaluate import measure_folder
from .films import points_of, read_grey, read_index
from .gate.sheets import tile, write_sheet
from .packs import PROGRAM_PACKS, only, read_manifest
from .pop import photograph
from .pop.card import write_pop_card
from .screens.pack import write_manifest
from .shares import median_of, share_of, show
from .truth import scores

PHOTOGRAPH_PX = 1600
WORST_SHOWN = 6
POP_PACK = PROGRAM_PACKS / "landmarks-pop-corvet"
BLUR_PX = 11
"""Standard deviation of the blur of the second photograph, on which landmarks cannot be recognised."""
MOST_OPTIMAL = 0.6
"""Largest share of photographs that may be `optimal`."""
OPTIMAL_WITHIN = 0.5
"""90 % of the errors of `optimal` photographs are at most this [v]."""


def photographed(folder: str | Path, entries: list[dict[str, Any]], out: Path, seed: int) -> None:
    """Writes every film and a photograph of it into `out`."""
    for number, entry in enumerate(entries):
        film = read_grey(Path(folder) / entry["file"])
        taken = photograph(film, np.random.default_rng(seed + number), PHOTOGRAPH_PX)
        cv2.imwrite(str(out / f"{number:04d}-direct.png"), film)
        blurred = cv2.GaussianBlur(taken.image, (0, 0), BLUR_PX)
        for kind, image in (("pop", taken.image), ("blurred", blurred)):
            cv2.imwrite(str(out / f"{number:04d}-{kind}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])


def mean_of(values: list[float] | np.ndarray, seed: int = 0) -> dict[str, Any]:
    """Mean with its 95 % bootstrap interval, under the name printed by `show` and the cards."""
    rng, values = np.random.default_rng(seed), np.array(values, float)
    means = [rng.choice(values, len(values)).mean() for _ in range(1000)]
    return {
        "n": len(values),
        "vertebrae": round(float(values.mean()), 4),
        "interval": [round(float(np.percentile(means, q)), 4) for q in (2.5, 97.5)],
    }


Judged = tuple[float, float | None]
"""Sharpness of the heat maps and error of VHS [v]. The sharpness is 0 for a photograph that cannot be `optimal`
(blurred, few pixels); None for a photograph that is `review` at any sharpness.
"""


def judged_of(photo: dict[str, Any], truth: float, limit: float) -> Judged | None:
    """Values that determine the tier of a photograph; None for a picture that was not measured as a photograph.

    limit: that of the pack used."""
    if not photo.get("pop_detected") or photo.get("vhs") is None or not np.isfinite(truth):
        return None
    tier, sharpness = photo["model_confidence"], photo["sharpness"]
    error = None if tier == "review" else abs(photo["vhs"] - truth)
    return 0.0 if tier == "good" and sharpness > limit else sharpness, error


def sharpness_limit(judged: list[Judged]) -> float:
    """The lowest limit with at most MOST_OPTIMAL of the photographs `optimal`, 90 % of those within OPTIMAL_WITHIN."""
    for limit in sorted(sharpness for sharpness, _ in judged):
        errors = [error for sharpness, error in judged if error is not None and sharpness > limit]
        if len(errors) <= MOST_OPTIMAL * len(judged) and (not errors or np.percentile(errors, 90) <= OPTIMAL_WITHIN):
            return round(limit, 3)
    raise SystemExit("no photograph was measured: no limit of sharpness can be chosen")


def tier_figures(judged: list[Judged], blurred: list[Judged], limit: float) -> dict[str, Any]:
    """Shares and errors of the tiers for a limit of sharpness."""

    def tier_of(one: Judged) -> str:
        return "review" if one[1] is None else "optimal" if one[0] > limit else "good"

    figures: dict[str, Any] = {}
    for tier in ("optimal", "good", "review"):
        figures[f"photographs that are {tier}"] = share_of([tier_of(one) == tier for one in judged])
        errors = [error for sharpness, error in judged if error is not None and tier_of((sharpness, error)) == tier]
        if errors:
            figures[f"VHS mean absolute error, tier {tier} [v]"] = mean_of(errors)
    optimal = [error for sharpness, error in judged if error is not None and sharpness > limit]
    figures[f"optimal photographs within {OPTIMAL_WITHIN} v"] = share_of([error <= OPTIMAL_WITHIN for error in optimal])
    figures[f"photographs blurred by {BLUR_PX} px that are optimal"] = share_of(
        [tier_of(one) == "optimal" for one in blurred]
    )
    still = [error for sharpness, error in blurred if error is not None and sharpness > limit]
    if still:
        figures[f"VHS mean absolute error of photographs blurred by {BLUR_PX} px, tier optimal [v]"] = mean_of(still)
    return {name: figure for name, figure in figures.items() if figure}


def remove_sharpness_limit(packs: str | Path, pack: Path) -> None:
    """Sets the limit of sharpness of a pack's copy in the folder `packs` to 0."""
    copy = Path(packs) / pack.name
    manifest = read_manifest(copy)
    manifest["decoding"]["sharpnessHigh"] = 0
    write_manifest(copy, manifest)


def figures_of(entries: list[dict[str, Any]], rows: dict[str, Any]) -> dict[str, Any]:
    """Figures of the pairs direct film / photograph."""
    pairs: list[tuple[float, float, float]] = []
    rectified, recognised = [], []
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
    truths, direct, pop = np.array(pairs, float).reshape(-1, 3).T
    return {
        "photographs recognised as such": share_of(recognised),
        "photographs that give a VHS": share_of(rectified),
        "VHS mean absolute error of the photographs [v]": mean_of(np.abs(pop - truths)),
        "VHS mean absolute error of the same films direct [v]": mean_of(np.abs(direct - truths)),
        "added by photographing [v]": mean_of(np.abs(pop - truths) - np.abs(direct - truths)),
        "VHS of photograph and film apart, mean [v]": mean_of(np.abs(pop - direct)),
        "VHS median absolute error of the photographs [v]": median_of(np.abs(pop - truths)),
    }


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


def tiers_of(entries: list[dict[str, Any]], rows: dict[str, Any], manifest: dict[str, Any], choose: bool) -> dict:
    """Figures of the tiers. With `choose`, every second film first determines the limit in the manifest, and the rows
    are from the pack without a limit of sharpness.
    """
    measured_with = 0 if choose else manifest["decoding"]["sharpnessHigh"]

    def judged(kind: str, films: Iterable[int]) -> list[Judged]:
        found = (
            judged_of(rows.get(f"{number:04d}-{kind}.jpg", {}), scores(points_of(entries[number])[0])[0], measured_with)
            for number in films
        )
        return [one for one in found if one is not None]

    def is_doubted(number: int) -> bool:
        return rows.get(f"{number:04d}-direct.png", {}).get("model_confidence") == "review"

    others = range(1 if choose else 0, len(entries), 2 if choose else 1)
    if choose:
        manifest["decoding"]["sharpnessHigh"] = sharpness_limit(judged("pop", range(0, len(entries), 2)))
    limit = manifest["decoding"]["sharpnessHigh"]
    figures = tier_figures(judged("pop", others), judged("blurred", others), limit)
    doubted = judged("pop", filter(is_doubted, others))
    optimal = [error is not None and sharpness > limit for sharpness, error in doubted]
    share = share_of(optimal)
    return figures | ({"photographs of films that are review, optimal": share} if share else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", required=True, help="annotated films in the data format")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=40)
    parser.add_argument("--pack", type=Path, default=POP_PACK, help="landmarks-pop pack to measure; --write updates it")
    parser.add_argument("--packs", help="folder of packs to measure with instead of the program's own")
    parser.add_argument("--choose", action="store_true", help="choose the limit of sharpness")
    parser.add_argument("--version", help="of the pack with the chosen limit: its tiers are others")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    entries = [entry for entry in read_index(arguments.films) if entry.get("landmarks")][: arguments.count]
    with tempfile.TemporaryDirectory() as folder:
        photographed(arguments.films, entries, Path(folder), arguments.seed)
        with only(arguments.pack, arguments.packs) as packs:
            if arguments.choose:
                remove_sharpness_limit(packs, arguments.pack)
            rows = measure_folder(folder, packs, pack=arguments.pack)
        manifest = read_manifest(arguments.pack)
        figures = figures_of(entries, rows) | tiers_of(entries, rows, manifest, arguments.choose)
        if arguments.write:
            write_worst(Path(folder), entries, rows, arguments.pack)
    show("photographs of screens", figures | {"optimal above a sharpness of": manifest["decoding"]["sharpnessHigh"]})
    if arguments.write:
        manifest["evaluation"] = figures
        manifest["version"] = arguments.version or manifest["version"]
        write_manifest(arguments.pack, manifest)
        write_pop_card(arguments.pack, manifest)


if __name__ == "__main__":
    main()
