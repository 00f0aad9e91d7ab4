"""Writes the repeatability of a pack's scores between films of one animal, against which a change is judged.

  python3 -m training.repeats.errors --pack packs/landmarks-corvet --pairs runs/pairs.jsonl \
      --copies runs/real-copies.jsonl --write

The standard error of a film's score is that of its 80 % interval without the scatter of readers, which does not affect
a change measured by one pack. Two films of one animal share a part of this error. The part that is not shared is
estimated from pairs of simulated films of one dog: the error of a film is its score minus that of its own silhouette,
which excludes the cardiac phase and the true effect of the pose; the differences between the errors of both films give
the part that is not shared. The error is at least the scatter of the scores of altered copies of one real film
(`left_out --changed`).
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..calibrate import (
    NORMAL_QUANTILE,
    READERS_SCATTER,
    SCORES,
    SMALL_PX,
    SMALL_SCATTER,
    SPREAD_LIMITS,
    USUAL_VHS,
    film_of,
    read_records,
)
from ..figures import TIERS

FOLLOWED_UP_VHS = 10.75
"""Size of heart whose intervals are used: dogs with repeated films mostly have hearts of 10 to 11.5 v [v]."""

Pair = tuple[dict[str, Any], dict[str, Any]]


def pairs_of(records: list[dict[str, Any]]) -> list[Pair]:
    """Pairs of scored films of each dog, by width; file names end in the visit."""
    found: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for record in records:
        dog = Path(record["file"]).stem.rpartition("-")[0]
        found.setdefault((dog, record["width"] <= SMALL_PX), []).append(record)
    return [(both[0], both[1]) for both in found.values() if len(both) == 2]


def unshared(pairs: list[Pair], score: str) -> float:
    """Share of a film's standard error that another film of the same animal does not share, 0 to 1."""
    known = [(a, b) for a, b in pairs if all(film.get(score) is not None for film in (a, b))]
    both = np.array([(_error(a, score), _error(b, score)) for a, b in known])
    return float(min(1.0, np.sqrt(np.mean(np.diff(both) ** 2) / 2 / np.mean(both**2))))


def _error(record: dict[str, Any], score: str) -> float:
    return float(record[score]) - float(record[f"{score}_truth"])


def scatter_of_copies(records: list[dict[str, Any]], score: str) -> float:
    """Standard deviation of the scores of copies of one film, pooled over films [v]."""
    films: dict[str, list[float]] = {}
    for record in records:
        if record.get(score) is not None:
            films.setdefault(film_of(record), []).append(float(record[score]))
    several = [np.array(values) for values in films.values() if len(values) > 1]
    return float(np.sqrt(sum(((v - v.mean()) ** 2).sum() for v in several) / sum(len(v) - 1 for v in several)))


def networks_error(intervals: list[dict[str, Any]], width: int | None, tier: int, score: str) -> float:
    """Standard error of a score against the mean reader [v]: that of the interval minus one reader's scatter."""
    row = next(
        row
        for row in intervals
        if row["kind"] == "direct"
        and row["widthUpToPx"] == width
        and (row.get("vhsUpTo") is None or row["vhsUpTo"] >= FOLLOWED_UP_VHS)
        and row["spreadUpTo"] == SPREAD_LIMITS[tier]
    )
    scatter = SMALL_SCATTER if width and score == "vhs" else READERS_SCATTER
    whole = row[f"{score}HalfWidth"] / NORMAL_QUANTILE
    return float(np.sqrt(whole**2 - (scatter * FOLLOWED_UP_VHS / USUAL_VHS) ** 2))


def repeatability_of(
    intervals: list[dict[str, Any]], pairs: list[dict[str, Any]], copies: list[dict[str, Any]]
) -> dict[str, Any]:
    """The entry `repeatability` of the manifest."""
    found = pairs_of(pairs)
    least = {score: scatter_of_copies(copies, score) for score in SCORES}
    rows, shares = [], {}
    for width in (SMALL_PX, None):
        chosen = [pair for pair in found if (pair[0]["width"] <= SMALL_PX) == (width is not None)]
        shares[width] = {score: unshared(chosen, score) for score in SCORES}
        for tier, name in enumerate(TIERS):
            errors = {
                f"{score}Error": round(
                    max(least[score], shares[width][score] * networks_error(intervals, width, tier, score)), 3
                )
                for score in SCORES
            }
            rows.append({"kind": "direct", "widthUpToPx": width, "tier": name, **errors})
    return {"statement": _statement(len(found), shares[None], least, copies), "errors": rows}


def _statement(count: int, shares: dict[str, float], least: dict[str, float], copies: list[dict[str, Any]]) -> str:
    films = len({film_of(record) for record in copies})
    return (
        "The error of the 80% intervals of hearts of 10 to 11.5 v, without the scatter of readers, multiplied by the "
        f"part that films of one animal do not share: {shares['vhs']:.0%} (VHS) and {shares['vlas']:.0%} (VLAS), from "
        f"{count} pairs of simulated films of one dog, in two poses, phases, exposures and facings, half of "
        f"them small, each compared with its own silhouette. Lower bound: copies of {films} real films with another "
        f"exposure, rotation, crop or size, measured by networks that had left the film out, scatter by "
        f"{least['vhs']:.2f} v (VHS) and {least['vlas']:.2f} v (VLAS). No two real films of one animal were available."
    )


def write(a: argparse.Namespace) -> None:
    path = Path(a.pack) / "manifest.json"
    manifest = json.loads(path.read_text())
    intervals = manifest["calibration"]["intervals"]
    manifest["repeatability"] = repeatability_of(intervals, read_records([a.pairs]), read_records([a.copies]))
    print(json.dumps(manifest["repeatability"], indent=2))
    if a.write:
        path.write_text(json.dumps(manifest, indent=2) + "\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.repeats.errors", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", required=True, help="calibrated pack whose manifest --write fills")
    parser.add_argument(
        "--pairs", required=True, help="records of `repeats.pairs`, by `evaluate --width 155 --records`"
    )
    parser.add_argument("--copies", required=True, help="records of `left_out --changed`")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    write(parse())
