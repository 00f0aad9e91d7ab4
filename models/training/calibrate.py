"""Writes a pack's 80 % intervals: split conformal on films that its networks were not trained on.

  python3 -m training.calibrate --pack packs/landmarks-corvet --real left-out.jsonl --simulated phantoms.jsonl --write
  python3 -m training.calibrate --pack packs/landmarks-corvet --real left-out.jsonl --simulated phantoms.jsonl \
      --add rlad --write
  python3 -m training.calibrate --pack packs/landmarks-pop-corvet --real photographs.jsonl --kind photograph --write

Records of simulated films come from `training.evaluate --records`, those of real films from `training.left_out`. A film
counts once, with the mean of its errors at all widths and facings.
The many simulated films determine how the error grows with `spread`; the few real films determine how much larger the
errors of real films are: the half width of a row is the simulated films' quantile for its spreads times the real films'
conformal quantile of (error / that quantile). Only half of the growth is used, because so few real films do not show
whether all of it applies to them. The error of a reader is proportional to the measured length, so errors count as
shares of the measured VHS, and larger hearts have wider intervals. The scatter of readers is added, because a future
reader is not the one whose readings were learned; it is larger on small films. `--add rlad` adds the RLAD to the
existing rows of the pack: its truth comes from the drawn outlines, and since the scatter of readers is unknown, that of
the other scores is used. Photographs have no spread, so their rows do not depend on it.
"""

import argparse
import itertools
import json
from pathlib import Path

import numpy as np

from .packs import read_manifest

COVERAGE = 0.8
SCORES = ("vhs", "vlas")
SPREAD_LIMITS = (0.005, 0.008, None)
"""Limits of `spread` of the tiers."""
SIZES = ((10.0, 9.5), (11.5, 10.75), (None, 12.75))
"""Upper limits of the measured VHS of the rows, and the VHS for which their half width is computed [v]."""
USUAL_VHS = 9.5
LEAST_HALF_WIDTH = 0.1
READERS_SCATTER = 0.23
"""Standard deviation of one reader's score about the mean of readers [v]: on 24 films that are not in our data, two
readers differ by 0.26 v on average.
"""
SMALL_PX = 200
SMALL_SCATTER = 0.42
"""The same for VHS on films up to SMALL_PX wide, where a reader's lines are accurate to about 3 %: 0.16, 0.13 and 0.29
v for both axes and the spine, combined with READERS_SCATTER. The short line to the left atrium is hardly affected.
"""
NORMAL_QUANTILE = 1.2816
"""80 % of a normal distribution lie within this many standard deviations."""


def read_records(paths: list[str]) -> list[dict]:
    lines = [line for path in paths for line in Path(path).read_text().splitlines()]
    return [record for record in map(json.loads, lines) if "failed" not in record]


def errors_of(records: list[dict], score: str) -> list[tuple[dict, float]]:
    """(record, absolute error [v]) of the records that have the score and its truth."""
    pairs = [(record, record.get(score), record.get(f"{score}_truth")) for record in records]
    return [
        (record, abs(value - truth))
        for record, value, truth in pairs
        if value is not None and truth is not None and np.isfinite([value, truth]).all()
    ]


def rank_of(count: int) -> float:
    """Rank, among `count` values, of the value below which a further one lies with probability COVERAGE; may exceed
    `count`.
    """
    return (count + 1) * COVERAGE


def conformal_quantile(values: list[float]) -> float:
    """The value below which a further one lies with probability COVERAGE, interpolated between ranks."""
    refuse_too_few(len(values), "values")
    return float(np.interp(rank_of(len(values)), np.arange(1, len(values) + 1), sorted(values)))


def refuse_too_few(count: int, what: str) -> None:
    """Raises SystemExit if there are too few values for COVERAGE."""
    if rank_of(count) > count:
        fewest = next(number for number in itertools.count(count) if rank_of(number) <= number)
        raise SystemExit(f"{count} {what}: {COVERAGE:.0%} intervals need at least {fewest}")


def bucket(spread: float | None) -> int:
    """Index of the first of SPREAD_LIMITS that the spread does not exceed, otherwise the last index."""
    return next(
        index for index, limit in enumerate(SPREAD_LIMITS) if limit is None or (spread is not None and spread <= limit)
    )


def growth_with_spread(simulated: list[tuple[dict, float]]) -> list[float]:
    """Quantile of the simulated films per bucket of spread, non-decreasing, moved halfway to the middle one [v]."""
    whole = conformal_quantile([error for _, error in simulated])
    parts = [[error for record, error in simulated if bucket(record["spread"]) == index] for index in range(3)]
    quantiles = [conformal_quantile(part) if len(part) >= 10 else whole for part in parts]
    rising = [max(quantiles[: index + 1]) for index in range(3)]
    return [float(np.sqrt(value * rising[1])) for value in rising]


def film_of(record: dict) -> str:
    """Identifier of the measured film; records of `evaluate` are of unaltered films."""
    return record.get("film") or record["file"]


def by_film(real: list[tuple[dict, float]], growth: list[float]) -> list[float]:
    """Mean error of each film, as a share of the measured VHS and of the error expected by its spread."""
    films: dict[str, list[float]] = {}
    for record, error in real:
        scaled = error * USUAL_VHS / record["vhs"] / growth[bucket(record["spread"])]
        films.setdefault(film_of(record), []).append(scaled)
    return [float(np.mean(scaled)) for scaled in films.values()]


def half_widths(scaled: list[float], growth: list[float], scatter: float) -> np.ndarray:
    """Half width per size and bucket of spread [v]."""
    sizes = [size / USUAL_VHS for _, size in SIZES]
    own = np.maximum(LEAST_HALF_WIDTH, conformal_quantile(scaled) * np.outer(sizes, growth))
    return np.hypot(own, NORMAL_QUANTILE * scatter * np.array(sizes)[:, None])


def intervals(real: list[dict], simulated: list[dict], kind: str, scores: tuple[str, ...] = SCORES) -> list[dict]:
    """Rows of the manifest: small films, smallest hearts and least spread first."""
    is_direct = kind == "direct"
    for score in scores:
        with_score = f"films of {{}} with a measured {score.upper()} and its truth"
        refuse_too_few(len({film_of(record) for record, _ in errors_of(real, score)}), with_score.format("--real"))
        if is_direct:
            refuse_too_few(len(errors_of(simulated, score)), with_score.format("--simulated"))
    growths = {score: growth_with_spread(errors_of(simulated, score)) if is_direct else [1.0] * 3 for score in scores}
    scaled = {score: by_film(errors_of(real, score), growth) for score, growth in growths.items()}
    spreads = range(len(SPREAD_LIMITS)) if is_direct else [bucket(None)]
    rows = []
    for width in (SMALL_PX, None) if is_direct else (None,):
        scatters = {"vhs": SMALL_SCATTER} if width else {}
        halves = {
            score: half_widths(scaled[score], growth, scatters.get(score, READERS_SCATTER))
            for score, growth in growths.items()
        }
        rows += [_row(kind, width, size, spread, halves) for size in range(len(SIZES)) for spread in spreads]
    return rows


def _row(kind: str, width: int | None, size: int, spread: int, halves: dict[str, np.ndarray]) -> dict:
    half = {f"{score}HalfWidth": round(float(values[size, spread]), 3) for score, values in halves.items()}
    limits = {"widthUpToPx": width, "vhsUpTo": SIZES[size][0], "spreadUpTo": SPREAD_LIMITS[spread]}
    return {"kind": kind, **limits, **half}


def half_width_of(rows: list[dict], record: dict, score: str = "vhs") -> float | None:
    """Half width from the first matching row, as the program chooses it."""
    limited = {"widthUpToPx": "width", "vhsUpTo": "vhs", "spreadUpTo": "spread"}
    for row in rows:
        if all(row.get(limit) is None or record[name] <= row[limit] for limit, name in limited.items()):
            return row[f"{score}HalfWidth"]
    return None


def covered(rows: list[dict], records: list[dict], score: str = "vhs") -> dict:
    """Number of records whose truth is inside the interval, and the median width of the intervals [v]."""
    halves = [(half_width_of(rows, record, score), error) for record, error in errors_of(records, score)]
    pairs = [(half, error) for half, error in halves if half is not None]
    if not pairs:
        return {"n": 0}
    inside = float(np.mean([error <= half for half, error in pairs]))
    width = 2 * float(np.median([half for half, _ in pairs]))
    return {"n": len(pairs), "inside": round(inside, 3), "median_width": round(width, 3)}


def has_close_up(pack: str | None) -> bool:
    """Whether the pack has heart networks; its thorax networks may then have been trained on the films (see
    `left_out`).
    """
    return pack is not None and "heart" in json.loads((Path(pack) / "manifest.json").read_text())


def sizes_measured(records: list[dict]) -> str:
    """States how many films were also measured at a small size."""
    widths: dict[str, set[int]] = {}
    for record in records:
        widths.setdefault(film_of(record), set()).add(record["width"])
    small = sum(len(own) > 1 and min(own) <= SMALL_PX for own in widths.values())
    if small in (0, len(widths)):
        return "each measured as it is and small" if small else "each measured as it is"
    return f"each measured as it is and {small} of them small"


def statement_of(a: argparse.Namespace, records: list[dict], simulated: int) -> str:
    """Statement in the manifest about intervals calibrated on these measurements of real films."""
    real = len(set(map(film_of, records)))
    who = "networks for heart and column" if has_close_up(a.pack) else "networks"
    if a.kind == "photograph":
        how = (
            f"simulated photographs of {real} real films, measured by a member and by networks for heart and column "
            "that were not trained on these films, and by locator, gate and corners, which were"
        )
        rest = "as shares of the measured VHS"
        readers = f"{READERS_SCATTER} v"
    else:
        how = f"{real} real films, {sizes_measured(records)}, by {who} that were not trained on them"
        rest = f"as shares of the measured VHS, scaled by spread half as much as {simulated} simulated films are"
        readers = f"{READERS_SCATTER} v, {SMALL_SCATTER} v on films up to {SMALL_PX} px wide"
    return f"Split conformal, {COVERAGE:.0%}: {how}, {rest}; the scatter of readers ({readers}) is added."


def with_score(calibration: dict, real: list[dict], simulated: list[dict], score: str) -> dict:
    """The calibration of the pack, with the half widths of another score added to its rows."""
    added = intervals(real, simulated, "direct", (score,))
    rows = [{**old, f"{score}HalfWidth": new[f"{score}HalfWidth"]} for old, new in zip(calibration["intervals"], added)]
    counts = len({film_of(record) for record, _ in errors_of(real, score)}), len(errors_of(simulated, score))
    statement = calibration["statement"].partition(f" {score.upper()}:")[0]
    added_statement = f" {score.upper()}: the same from {counts[0]} real and {counts[1]} simulated films' outlines."
    return {**calibration, "statement": statement + added_statement, "intervals": rows}


def calibrate(a: argparse.Namespace) -> None:
    real, simulated = read_records(a.real), read_records(a.simulated)
    manifest = read_manifest(Path(a.pack)) if a.pack else {}
    if a.add:
        calibration = with_score(manifest["calibration"], real, simulated, a.add)
    else:
        calibration = {
            "coverage": COVERAGE,
            "statement": statement_of(a, real, len(simulated)),
            "intervals": intervals(real, simulated, a.kind),
        }
    rows = calibration["intervals"]
    print(json.dumps(calibration, indent=2))
    for path in a.check or []:
        records = read_records([path])
        large = [record for record in records if (record.get("vhs_truth") or 0) > 10.5]
        figures = {"vhs": covered(rows, records), "large": covered(rows, large), "vlas": covered(rows, records, "vlas")}
        print(Path(path).name, json.dumps(figures))
    if a.write:
        path = Path(a.pack) / "manifest.json"
        disagreement = manifest.get("calibration", {}).get("disagreement")
        manifest["calibration"] = calibration | ({"disagreement": disagreement} if disagreement else {})
        path.write_text(json.dumps(manifest, indent=2) + "\n")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.calibrate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", help="pack whose manifest --write fills")
    parser.add_argument("--real", nargs="+", required=True, help="records of real films that were left out of training")
    parser.add_argument(
        "--simulated", nargs="*", default=[], help="records of simulated films, never trained on; none for photographs"
    )
    parser.add_argument("--check", nargs="*", help="records to count the intervals that contain the truth")
    parser.add_argument("--kind", default="direct", choices=["direct", "photograph"])
    parser.add_argument("--add", choices=["rlad"], help="add this score to the rows of the pack and keep the others")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    calibrate(parse())
