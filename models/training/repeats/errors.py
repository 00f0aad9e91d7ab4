"""Writes how well a pack repeats its scores on films of one animal: what a change between two films is judged by.

  python3 -m training.repeats.errors --pack packs/landmarks-corvet --pairs runs/pairs.jsonl \
      --simulated-copies runs/simulated-copies.jsonl --real-copies runs/real-copies.jsonl --write

A pair is two simulated films of one dog. Each film's error is its score less that of its own silhouette, so the heart's
phase and the pose's true effect are no part of it; the difference of both errors is what one pack adds to a change. Its
mean square is the sum of both films' own: least squares give one for each tier.
Simulated films are easier than real ones. How much easier is taken from changed copies: the scatter of the scores of
copies of one real film, measured by networks that had left it out, over that of copies of a simulated film. All errors
are multiplied by it.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..calibrate import SCORES, SMALL_PX, film_of, read_records
from ..figures import TIERS

LEAST_ERROR = 0.02
"""Two decimals are printed: no film repeats better than this [v]."""
FEWEST = 20
"""Tiers with fewer films in the pairs share the error of all."""

Pair = tuple[dict[str, Any], dict[str, Any]]


def pairs_of(records: list[dict[str, Any]]) -> list[Pair]:
    """Both films of each dog that were scored, by width: names end in the visit."""
    found: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for record in records:
        dog = Path(record["file"]).stem.rpartition("-")[0]
        found.setdefault((dog, record["width"] <= SMALL_PX), []).append(record)
    return [(both[0], both[1]) for both in found.values() if len(both) == 2]


def errors_by_tier(pairs: list[Pair], score: str) -> dict[str, float]:
    """Standard error of one film's score [v] by tier, never falling from one tier to the next; "all" is that of all."""
    known = [(a, b) for a, b in pairs if all(film.get(score) is not None for film in (a, b))]
    differences = np.array([_error(a, score) - _error(b, score) for a, b in known])
    counts = np.array([[(a["tier"] == tier) + (b["tier"] == tier) for tier in TIERS] for a, b in known], float)
    of_all = float(np.sqrt(np.mean(differences**2) / 2))
    squares = np.linalg.lstsq(counts, differences**2, rcond=None)[0]
    enough = counts.sum(0) >= FEWEST
    own = [float(np.sqrt(max(square, 0))) if some else of_all for square, some in zip(squares, enough)]
    rising = np.maximum.accumulate(np.maximum(own, LEAST_ERROR))
    return {**dict(zip(TIERS, map(float, rising))), "all": of_all}


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


def harder_by(real: list[dict[str, Any]], simulated: list[dict[str, Any]], score: str) -> float:
    """By how much more scores of real films move under the same changes; at least 1."""
    return max(1.0, scatter_of_copies(real, score) / scatter_of_copies(simulated, score))


def repeatability_of(
    pairs: list[dict[str, Any]], real: list[dict[str, Any]], simulated: list[dict[str, Any]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(the manifest's entry, the figures that it rests on)."""
    figures: dict[str, Any] = {"harder_by": {score: harder_by(real, simulated, score) for score in SCORES}}
    copies = {"real": real, "simulated": simulated}
    figures["copies"] = {kind: {s: scatter_of_copies(part, s) for s in SCORES} for kind, part in copies.items()}
    rows = []
    for width in (SMALL_PX, None):
        chosen = [pair for pair in pairs_of(pairs) if (pair[0]["width"] <= SMALL_PX) == (width is not None)]
        errors = {score: errors_by_tier(chosen, score) for score in SCORES}
        figures["small pairs" if width else "pairs"] = {"n": len(chosen), **errors}
        for tier in TIERS:
            factored = {
                f"{score}Error": round(errors[score][tier] * figures["harder_by"][score], 3) for score in SCORES
            }
            rows.append({"kind": "direct", "widthUpToPx": width, "tier": tier, **factored})
    return {"statement": _statement(figures, real), "errors": rows}, figures


def _statement(figures: dict[str, Any], real: list[dict[str, Any]]) -> str:
    times = figures["harder_by"]
    films = len({film_of(record) for record in real})
    return (
        f"Simulated: {figures['pairs']['n']} pairs of films of one dog, in two poses, phases, exposures and facings "
        f"({figures['small pairs']['n']} small), each judged by its own silhouette. Multiplied by {times['vhs']:.2f} "
        f"(VHS) and {times['vlas']:.2f} (VLAS): by so much more scores of {films} real films, measured by networks "
        "that had left them out, move under changed exposure, turning, cropping and size than those of simulated "
        "films. No two real films of one animal were at hand."
    )


def write(a: argparse.Namespace) -> None:
    entry, figures = repeatability_of(*map(read_records, ([a.pairs], [a.real_copies], [a.simulated_copies])))
    print(json.dumps({"repeatability": entry, "rests_on": figures}, indent=2))
    if a.write:
        path = Path(a.pack) / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["repeatability"] = entry
        path.write_text(json.dumps(manifest, indent=2) + "\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.repeats.errors", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", required=True, help="pack whose manifest --write fills")
    parser.add_argument(
        "--pairs", required=True, help="records of `repeats.pairs`, by `evaluate --width 155 --records`"
    )
    parser.add_argument("--real-copies", required=True, help="records of `left_out --changed`")
    parser.add_argument("--simulated-copies", required=True, help="records of `repeats.copies`")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    write(parse())
