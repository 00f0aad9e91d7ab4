"""Figures of an evaluation with bootstrap confidence intervals."""

from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TextIO

import numpy as np

TIERS = ("optimal", "good", "review")
RESAMPLES = 2000
INTERVAL = (2.5, 97.5)
LARGE_HEART = 10.5
"""VHS above which a heart is enlarged in any breed [v]."""
LARGE_ATRIUM = 1.8
"""RLAD above which the left atrium is probably enlarged [v] (Sánchez Salguero et al. 2018)."""
LARGE_ERROR = 1.0
"""Error of VHS above which a film must be `review` [v]."""
VLAS_RANGE = (1.2, 3.6)
"""Range of the left atrium, from small to very large [v]."""
FEWEST_FOR_SLOPE = 10
CLASSES = {"small": 8.2, "normal": 10.0, "large": float("inf")}
"""Upper limits of the classes of DogHeart and VHSMarker, exclusive [v]."""
LIMIT_FACTOR = 1.96
"""Number of standard deviations that contain 95 % of normal differences (Bland & Altman 1999)."""
SIZES = {"below 8.2 v": 8.2, "8.2 to 10 v": 10.0, "10 to 11.5 v": 11.5, "11.5 v and above": float("inf")}
ATRIA = {"normal, up to 1.8 v": LARGE_ATRIUM, "mild, 1.8 to 2.5 v": 2.5, "severe, above 2.5 v": float("inf")}
"""Sizes of the left atrium by true RLAD, upper limits inclusive: 1.8 v is published, 2.5 v midway to the largest."""
WIDTHS = {"up to 200 px": 200.0, "201 to 600 px": 600.0, "above 600 px": float("inf")}


def class_of(vhs: float) -> str:
    return next(name for name, limit in CLASSES.items() if vhs < limit)


def describe(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Figures of one group of films; each figure is {value, low, high, n}."""
    measured = [record for record in records if "failed" not in record]
    scored = [record for record in measured if _finite(record.get("vhs_truth"))]
    figures: dict[str, Any] = {"films": len(records), "failed": len(records) - len(measured)}
    classed = [record for record in records if record.get("class")]
    if any("failed" not in record for record in classed):
        figures["classes"] = _classes(classed)
    if not scored:
        return figures
    errors = np.array([record["vhs"] - record["vhs_truth"] for record in scored])
    pairs = np.array([[record["vhs"], record["vhs_truth"]] for record in scored])
    figures["vhs_mae"] = with_interval(np.abs(errors), np.mean)
    figures["vhs_median"] = with_interval(np.abs(errors), np.median)
    figures["vhs_bias"] = with_interval(errors, np.mean)
    figures["vhs_limits"] = with_interval(errors, _half_limits)
    figures["vhs_r"] = with_interval(pairs, _correlation)
    figures["constant_guess_mae"] = with_interval(np.abs(pairs[:, 1] - np.median(pairs[:, 1])), np.mean)
    figures.update(_readers_apart(scored))
    hearts = [record["heart_errors"] for record in measured if np.isfinite(record.get("heart_errors", np.nan)).all()]
    if hearts:
        figures["heart_median"] = with_interval(np.array(hearts), np.median)
    vlas = [
        (record["vlas"], record["vlas_truth"])
        for record in scored
        if record["vlas"] is not None and _finite(record["vlas_truth"])
    ]
    if vlas:
        pairs_of_vlas = np.array(vlas, float)
        figures["vlas_mae"] = with_interval(np.abs(np.subtract(*pairs_of_vlas.T)), np.mean)
        usual = pairs_of_vlas[(pairs_of_vlas[:, 1] >= VLAS_RANGE[0]) & (pairs_of_vlas[:, 1] <= VLAS_RANGE[1])]
        if len(usual) >= FEWEST_FOR_SLOPE:
            figures["vlas_slope"] = with_interval(usual, _slope)
    rlad = np.array(
        [
            (record["rlad"], record["rlad_truth"])
            for record in scored
            if _finite(record.get("rlad")) and _finite(record.get("rlad_truth"))
        ]
    )
    if len(rlad):
        figures["rlad_mae"] = with_interval(np.abs(np.subtract(*rlad.T)), np.mean)
        figures["rlad_bias"] = with_interval(np.subtract(*rlad.T), np.mean)
        if len(rlad) >= FEWEST_FOR_SLOPE:
            figures["rlad_slope"] = with_interval(rlad, _slope)
            figures["rlad_by_size"] = _rlad_by_size(scored)
            figures["large_atria"] = _counts_above(LARGE_ATRIUM, rlad)
    named = [
        abs(record["t4_offset"]) for record in measured if record.get("t1_visible") and _finite(record.get("t4_offset"))
    ]
    if named:
        figures["t4_misnamed"] = with_interval(np.array(named) > 0.5, np.mean)
    found = [record for record in measured if _finite(record.get("t4_offset"))]
    undoubted = [record for record in found if not record.get("t4_doubted")]
    for key, films in (("t4", found), ("t4_undoubted", undoubted if len(undoubted) < len(found) else [])):
        if films:
            right = np.array([abs(record["t4_offset"]) <= 0.5 for record in films])
            figures[f"{key}_right"] = with_interval(right, np.mean)
            figures[f"{key}_told"] = with_interval(np.array([_is_t4_told(record) for record in films]), np.mean)
    off = [record["axes_off_deg"] for record in measured if "axes_off_deg" in record]
    if off:
        figures["axes_off_deg"] = with_interval(np.array(off), np.max)
    figures["subgroups"] = subgroups(scored, errors)
    figures["large_hearts"] = _counts_above(LARGE_HEART, pairs)
    spread = [record for record in scored if _finite(record.get("spread"))]
    if spread:
        figures["risk_coverage"] = risk_coverage(spread)
    figures["tiers"] = {tier: _tier(scored, errors, tier) for tier in TIERS}
    large = [record["tier"] == "review" for record, error in zip(scored, errors) if abs(error) > LARGE_ERROR]
    figures["large_errors"] = {"n": len(large), "caught": int(sum(large))}
    return figures


def _half_limits(errors: np.ndarray) -> float:
    """Half the width of the limits of agreement [v]."""
    return LIMIT_FACTOR * float(np.std(errors, ddof=1)) if len(errors) > 1 else float("nan")


def _classes(classed: list[dict[str, Any]]) -> dict[str, Any]:
    """Share of films measured in their class, and the confusion matrix (rows: true classes). If films failed, also the
    share of all films with a class, in which a failed film counts as wrong.
    """
    found = [None if "failed" in record else class_of(record["vhs"]) for record in classed]
    right = np.array([record["class"] == name for record, name in zip(classed, found)])
    is_measured = np.array([name is not None for name in found])
    confusion = {
        truth: {name: sum(r["class"] == truth and f == name for r, f in zip(classed, found)) for name in CLASSES}
        for truth in CLASSES
    }
    of_all = {} if is_measured.all() else {"accuracy_of_all": with_interval(right, np.mean)}
    return {"accuracy": with_interval(right[is_measured], np.mean), **of_all, "confusion": confusion}


def subgroups(scored: list[dict[str, Any]], errors: np.ndarray) -> dict[str, dict[str, Any]]:
    """Films, mean absolute error and bias [v] by heart size, width, side faced, species and source."""

    def of(limits: dict[str, float], value: float | None) -> str | None:
        return None if value is None else next(name for name, limit in limits.items() if value < limit)

    parts: dict[str, list[float]] = {}
    for record, error in zip(scored, errors):
        facing = record.get("facing")
        kinds = (
            ("heart", of(SIZES, record["vhs_truth"])),
            ("width", of({name: limit + 1 for name, limit in WIDTHS.items()}, record.get("width"))),
            ("facing", facing),
            ("species", record.get("species")),
            ("source", record.get("source")),
        )
        for kind, name in kinds:
            if name is not None:
                parts.setdefault(f"{kind} {name}", []).append(float(error))
    return {
        name: {"n": len(part), "mae": _exact(np.abs(part).mean()), "bias": _exact(np.mean(part))}
        for name, part in sorted(parts.items())
    }


def _rlad_by_size(scored: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Measured films among those with a true RLAD, mean absolute error and bias [v] by size of the left atrium."""
    parts: dict[str, list[dict[str, Any]]] = {name: [] for name in ATRIA}
    for record in scored:
        if _finite(record.get("rlad_truth")):
            parts[next(name for name, most in ATRIA.items() if record["rlad_truth"] <= most)].append(record)
    return {name: _rlad_errors(part) for name, part in parts.items() if part}


def _rlad_errors(part: list[dict[str, Any]]) -> dict[str, Any]:
    errors = np.array([record["rlad"] - record["rlad_truth"] for record in part if _finite(record.get("rlad"))])
    return {
        "films": len(part),
        "n": len(errors),
        "mae": _exact(np.abs(errors).mean()) if len(errors) else None,
        "bias": _exact(errors.mean()) if len(errors) else None,
    }


def _is_t4_told(record: dict[str, Any]) -> bool:
    """Whether T4 is named correctly, or is the alternative that the program offers if it is uncertain."""
    moved = {"cranial": 1, "caudal": -1}.get(record.get("t4_otherwise") or "", 0)
    return min(abs(record["t4_offset"]), abs(record["t4_offset"] - moved)) <= 0.5


def _readers_apart(scored: list[dict[str, Any]]) -> dict[str, Any]:
    """Errors against a second reader's ruler, if the films have one, and lengths relative to the reader's."""
    figures: dict[str, Any] = {}
    twice = [record for record in scored if _finite(record.get("vhs_second_ruler"))]
    if twice:
        second = np.array([record["vhs_second_ruler"] for record in twice])
        errors = np.array([record["vhs"] for record in twice]) - second
        figures["second_ruler_mae"] = with_interval(np.abs(errors), np.mean)
        figures["second_ruler_bias"] = with_interval(errors, np.mean)
        apart = np.array([record["vhs_truth"] for record in twice]) - second
        figures["rulers_apart"] = with_interval(np.abs(apart), np.mean)
        figures["rulers_apart_most"] = with_interval(np.abs(apart), np.max)
    for part in ("long", "short", "vertebra"):
        shares = np.array([record["beside_reader"][part] for record in scored if "beside_reader" in record])
        if np.isfinite(shares).any():
            figures[f"{part}_share"] = with_interval(shares[np.isfinite(shares)], np.median)
    return figures


def _counts_above(limit: float, pairs: np.ndarray) -> dict[str, int]:
    """Numbers of true values above a limit measured as such, and of others measured above it. Pairs: measured, true."""
    called, large = (pairs > limit).T
    return {
        "n": int(large.sum()),
        "found": int((called & large).sum()),
        "others": int((~large).sum()),
        "called_large": int((called & ~large).sum()),
    }


def risk_coverage_area(errors: np.ndarray, doubt: np.ndarray) -> float:
    """Area under the risk-coverage curve [v]: mean error of the least uncertain films, averaged over all coverages."""
    _, group = np.unique(doubt, return_inverse=True)
    of_group = np.bincount(group, errors) / np.bincount(group)
    risk = np.cumsum(of_group[np.sort(group)]) / np.arange(1, len(errors) + 1)
    return float(risk.mean())


def risk_coverage(records: list[dict[str, Any]]) -> dict[str, float]:
    """Area under the risk-coverage curve by spread, without information and at best [v]."""
    errors = np.array([abs(record["vhs"] - record["vhs_truth"]) for record in records])
    spread = np.array([record["spread"] for record in records])
    area, ideal = (risk_coverage_area(errors, order) for order in (spread, errors))
    return {"area": _exact(area), "mean": _exact(errors.mean()), "ideal": _exact(ideal)}


def _exact(value: float) -> float:
    """A figure as stored; rounding takes place only when it is printed."""
    return round(float(value), 6)


def _finite(value: float | None) -> bool:
    return value is not None and np.isfinite(value)


def _tier(scored: list[dict[str, Any]], errors: np.ndarray, tier: str) -> dict[str, Any]:
    chosen = np.array([abs(error) for record, error in zip(scored, errors) if record["tier"] == tier])
    return {"n": len(chosen), "mae": _exact(chosen.mean()) if len(chosen) else None}


def _slope(pairs: np.ndarray) -> float:
    """Slope of the measured against the true values; below 1 where measurements shrink to the mean."""
    measured, truth = pairs.T
    return float(np.polyfit(truth, measured, 1)[0]) if len(np.unique(truth)) > 1 else float("nan")


def _correlation(pairs: np.ndarray) -> float:
    return float(np.corrcoef(pairs.T)[0, 1]) if len(np.unique(pairs[:, 1])) > 1 else float("nan")


def with_interval(values: np.ndarray, statistic: Callable[..., Any]) -> dict[str, float]:
    """The statistic of rows and its 95 % percentile bootstrap interval."""
    rng = np.random.default_rng(0)
    draws = [statistic(values[rng.integers(0, len(values), len(values))]) for _ in range(RESAMPLES)]
    low, high = np.nanpercentile(draws, INTERVAL)
    return {
        "value": _exact(statistic(values)),
        "low": _exact(low),
        "high": _exact(high),
        "n": len(values),
    }


NAMES = {
    "vhs_mae": "VHS mean absolute error [v]",
    "vhs_median": "VHS median absolute error [v]",
    "vhs_bias": "VHS bias [v]",
    "vhs_limits": "VHS limits of agreement about the bias, ± [v]",
    "vhs_r": "VHS correlation r",
    "second_ruler_mae": "VHS error against a second reader's ruler [v]",
    "second_ruler_bias": "VHS bias against a second reader's ruler [v]",
    "rulers_apart": "difference of the readers' two rulers, mean [v]",
    "rulers_apart_most": "difference of the readers' two rulers, maximum [v]",
    "long_share": "long axis relative to the reader's, median",
    "short_share": "short axis relative to the reader's, median",
    "vertebra_share": "vertebra relative to the reader's, median",
    "constant_guess_mae": "for comparison: error of the median VHS [v]",
    "heart_median": "heart landmark error, median [v]",
    "axes_off_deg": "axes off perpendicular, maximum [degrees]",
    "vlas_mae": "VLAS mean absolute error [v]",
    "vlas_slope": "VLAS, slope of measured on true, 1.2 to 3.6 v",
    "rlad_mae": "RLAD mean absolute error [v]",
    "rlad_bias": "RLAD bias [v]",
    "rlad_slope": "RLAD, slope of measured on true",
    "t4_misnamed": "T4 named incorrectly (T1 in the picture)",
    "t4_right": "T4 named correctly, with or without T1 in the picture",
    "t4_told": "T4 named correctly or offered as the alternative",
    "t4_undoubted_right": "T4 named correctly where two readers agree on it",
    "t4_undoubted_told": "T4 named correctly or offered where two readers agree",
}


def _printed(value: float) -> str:
    """Two decimals, rounded half away from zero like on the page."""
    return str(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP)) if np.isfinite(value) else f"{value:.2f}"


def table_rows(figures: dict[str, Any]) -> Iterator[Any]:
    """Lines (name, text) of one group."""
    yield "films (failed)", f"{figures['films']} ({figures['failed']})"
    for key, name in NAMES.items():
        if key in figures:
            figure = figures[key]
            value, low, high = (_printed(figure[part]) for part in ("value", "low", "high"))
            yield name, f"{value} ({low} to {high})"
    for name, part in figures.get("rlad_by_size", {}).items():
        if part["n"]:
            text = f"{part['n']} of {part['films']}, {part['mae']:.2f}, {part['bias']:+.2f}"
            yield f"RLAD, left atrium {name}: films measured, error, bias [v]", text
    if "large_atria" in figures:
        yield from _limit_rows("left atria", LARGE_ATRIUM, figures["large_atria"])
    if "classes" in figures:
        yield from _class_rows(figures["classes"])
    if figures.get("large_hearts", {}).get("n"):
        yield from _limit_rows("hearts", LARGE_HEART, figures["large_hearts"])
    if "risk_coverage" in figures:
        areas = figures["risk_coverage"]
        text = f"{areas['area']:.3f} ({areas['mean']:.3f}, {areas['ideal']:.3f})"
        yield "area under the risk-coverage curve by spread (no information, ideal) [v]", text
    for tier, entry in figures.get("tiers", {}).items():
        if entry["n"]:
            yield f"{tier}: films, VHS error [v]", f"{entry['n']}, {entry['mae']:.2f}"
    if "large_errors" in figures:
        yield "errors above 1 v marked review", f"{figures['large_errors']['caught']} of {figures['large_errors']['n']}"
    for name, part in figures.get("subgroups", {}).items():
        yield f"{name}: films, VHS error, bias [v]", f"{part['n']}, {part['mae']:.2f}, {part['bias']:+.2f}"


def _limit_rows(what: str, limit: float, counts: dict[str, int]) -> Iterator[Any]:
    yield f"{what} above {limit} v measured as such", f"{counts['found']} of {counts['n']}"
    yield f"other {what} measured above {limit} v", f"{counts['called_large']} of {counts['others']}"


def _class_rows(classes: dict[str, Any]) -> Iterator[Any]:
    limits = ", ".join(f"{name} < {limit:g} v" for name, limit in CLASSES.items() if np.isfinite(limit))
    shares = {"accuracy": f"correct class ({limits})", "accuracy_of_all": "correct class, failed films as wrong"}
    for name, what in shares.items():
        if name in classes:
            share = classes[name]
            yield what, f"{share['value']:.3f} ({share['low']:.3f} to {share['high']:.3f})"
    for truth, row in classes["confusion"].items():
        yield f"{truth} hearts measured as {', '.join(row)}", ", ".join(map(str, row.values()))


def print_table(report: dict[str, Any], stream: TextIO) -> None:
    for group, figures in report.items():
        print(f"\n{group}", file=stream)
        rows = list(table_rows(figures))
        width = max(len(name) for name, _ in rows)
        for name, text in rows:
            print(f"  {name:<{width}}  {text}", file=stream)
