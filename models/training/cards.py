"""Writes the card of a landmark pack and the figures of its manifest from the reports of `evaluate` and others,
and draws the failure pictures (phantoms only).

python3 -m training.cards --pack packs/landmarks-corvet --report runs/evaluation.json --phantoms runs/phantoms-test
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .card_texts import texts_of, word_of
from .evaluate import PROGRAM, compare, draw_overlays, measure_folder
from .figures import table_rows
from .films import read_index
from .packs import networks_in, only
from .repeats import positioning
from .stress import MOST_CHANGE, stress_text

WORST_SHOWN = 4
TILE = 480
FAILURES = "failures.jpg"
BY_CHANGE = ("stress", "positioning")
"""Parts of a report that are grouped by change, not by films."""

CARD = """# {name} {version}

**Not clinically validated.** Measures the heart on lateral chest radiographs; a veterinarian must check every value.

## Purpose
Places the five points of the heart (long axis, short axis, left atrium) and the cranial edges of the vertebrae C7 to L3 on lateral
thoracic radiographs of dogs (and, less accurately, cats), facing either way. VHS and VLAS are computed from these points, and RLAD
from the outline of the heart.
It makes no diagnosis and detects nothing but these points.

## How it works
One network is run on the whole film and on its mirror image to find the thorax. On each of them, two closer passes correct the pose;
if the column is uncertain, other scales are tried too. A negative is inverted. The film is then rotated, mirrored and cropped so that the
animal faces left and the column is horizontal. {members} networks measure this view, each on a slightly different crop. The discs are
found as peaks of an any-disc map and linked by dynamic programming; the identity maps of all vertebrae vote for their names. {unit} {heart}
The axes follow from the outline of the heart by definition: the long axis from the ventral border of the carina to the most distant
point, and the short axis perpendicular to it, from outer border to outer border, at the level of the caudal vena cava. Weights are stored
as 16-bit floats.

## Data
{statement}

{sources}

## Figures
{measured}
Intervals are 95 % bootstrap intervals over films. {failed}
Printed by `python3 -m training.evaluate`.

{figures}

{stress}

{positioning}

{calibration}

{repeatability}

## Limits
{limits}

## Failures
The {worst} phantoms with the largest VHS errors (green: truth, red: heart points, orange: ruler).

![failures]({failures})
{checklists}"""  # noqa: E501


UNIT_BY_COLUMN = """{count} more networks estimate the length of a vertebra
at each position of the straightened column; from T4 on, the ruler counts by the mean of their estimates. If their name
for T4 differs from that of the chain, T4 is marked as uncertain."""
HEART_CLOSE = """{count} networks then measure the heart alone, upright and scaled to
a constant size, and find its points and its silhouette. Each vote combines the axes of one of them (weight {share:.0%})
with those of one of the first networks; the left atrium is theirs alone."""
HEART_BY_MEMBERS = "A further map shows the inside of the heart's silhouette."
UNIT_BY_CHAINS = "The length of the vertebrae is derived from all networks together."


def figures_text(report: dict[str, Any]) -> str:
    parts = []
    for group, figures in report.items():
        rows = "\n".join(f"| {name} | {text} |" for name, text in table_rows(figures))
        parts.append(f"### {group}\n| what | figure (95 % interval) |\n|---|---|\n{rows}")
    return "\n\n".join(parts)


def heart_text(heart: dict[str, Any] | None) -> str:
    """How the pack finds the heart. Packs before 2026.11.14 have no `closeShare`; they weight both sources equally."""
    if not heart:
        return HEART_BY_MEMBERS
    return HEART_CLOSE.format(count=word_of(networks_in(heart)), share=heart.get("closeShare", 0.5))


def unit_text(column: dict[str, Any] | None) -> str:
    """How the pack measures the length of vertebrae."""
    return UNIT_BY_COLUMN.format(count=word_of(networks_in(column))) if column else UNIT_BY_CHAINS


def stress_table(changes: dict[str, dict]) -> str:
    """Share of scores that a change of the picture leaves unchanged; printed by `training.stress`."""
    rows = "\n".join(f"| {name} | {stress_text(figures)} |" for name, figures in changes.items())
    head = f"| change | scores within {MOST_CHANGE} v of the unchanged film, median change, lost |\n|---|---|"
    return f"### Changed pictures\nPrinted by `python3 -m training.stress`.\n\n{head}\n{rows}"


def calibration_text(manifest: dict) -> str:
    """The intervals in the manifest; written by `training.calibrate`."""
    calibration = manifest.get("calibration")
    if not calibration:
        return "No interval was calibrated for this pack."

    scores = [score for score in ("vhs", "vlas", "rlad") if f"{score}HalfWidth" in calibration["intervals"][0]]
    rows = "\n".join(
        f"| {row['kind']} | {_limit(row['widthUpToPx'], ' px')} | {_limit(row['vhsUpTo'], ' v')} "
        f"| {_limit(row['spreadUpTo'], '')} "
        + "".join(f"| ± {row[f'{score}HalfWidth']:.2f} " for score in scores)
        + "|"
        for row in calibration["intervals"]
    )
    head = (
        f"### {calibration['coverage']:.0%} intervals\n{calibration['statement']} The first matching row applies.\n"
        "Printed by `python3 -m training.calibrate`.\n\n"
    )
    names = "".join(f" {score.upper()} [v] |" for score in scores)
    table = f"{head}| kind | width | heart | spread |{names}\n|---|---|---|---|{'---|' * len(scores)}\n{rows}"
    return tiers_text(calibration.get("disagreement")) + table


def tiers_text(rule: dict[str, float] | None) -> str:
    """The expected error by disagreement; written by `training.disagreement`."""
    if not rule:
        return ""
    return (
        "### Tiers\n"
        f"Expected error: {rule['atRest']} v + {rule['votes']} x the deviation of the hearts of the votes, on the "
        f"reported ruler + {rule['looks']} x the distance of the members' first-look scores from the reported score.\n"
        f"Films are `good` from {rule['goodFrom']} v and `review` from {rule['reviewFrom']} v. Fitted on simulated "
        "films by `python3 -m training.disagreement`; errors on real films are larger.\n\n"
    )


def positioning_table(changes: dict[str, dict]) -> str:
    """Effect of positioning, exposure and cut borders on the scores; printed by `repeats.positioning`."""
    lines = [positioning.HEAD, ["---"] * len(positioning.HEAD)]
    lines += [[change, *positioning.text_of(figures)] for change, figures in changes.items()]
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return (
        "### Positions\nSimulated dogs with one change at a time; mean and standard deviation over dogs. "
        '"Of which shown": the part of the change found in the score of the rotated silhouette itself.\n'
        f"Printed by `python3 -m training.repeats.positioning`.\n\n{rows}"
    )


def positioning_text(changes: dict[str, dict], rotation: str) -> str:
    """The table, followed by the results about a rotated chest."""
    return "\n\n".join(filter(None, (positioning_table(changes), rotation)))


def repeatability_text(manifest: dict) -> str:
    """The standard errors between films of one animal; written by `repeats.errors`."""
    entry = manifest.get("repeatability")
    if not entry:
        return "The repeatability of scores on other films of the same animal was not measured for this pack."
    rows = "\n".join(
        f"| {_limit(row['widthUpToPx'], ' px')} | {row['tier'] or 'any'} "
        f"| {row['vhsError']:.2f} | {row['vlasError']:.2f} |"
        for row in entry["errors"]
    )
    head = (
        "### Repeatability\nStandard error of the score of one film, between films of one animal. For the difference "
        "of two films, take the root of the sum of both squares. The cardiac phase adds to it.\n"
        f"{entry['statement']}\nPrinted by `python3 -m training.repeats.errors`.\n\n"
    )
    return f"{head}| width | tier | VHS [v] | VLAS [v] |\n|---|---|---|---|\n{rows}"


def _limit(value: float | None, unit: str) -> str:
    return "any" if value is None else f"up to {value}{unit}"


def draw_failures(folder: str | Path, pack: Path, program: str, target: Path, scratch: Path) -> None:
    """The phantoms with the largest errors, side by side."""
    entries = read_index(folder)
    with only(pack) as packs:
        rows = measure_folder(folder, packs, program, pack)
    errors = []
    for entry in entries:
        record = compare(entry, rows.get(entry["file"], {"error": "not measured"}))
        errors.append(abs(record["vhs"] - record["vhs_truth"]) if "failed" not in record else -1.0)
    worst = [entries[index] for index in np.argsort(errors)[::-1][:WORST_SHOWN]]
    draw_overlays(folder, worst, rows, scratch)
    tiles = []
    for entry in worst:
        image = cv2.imread(str(scratch / f"{Path(entry['file']).stem}.jpg"))
        scale = TILE / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        tile = np.zeros((TILE, TILE, 3), np.uint8)
        tile[: small.shape[0], : small.shape[1]] = small
        tiles.append(tile)
    cv2.imwrite(str(target), np.hstack(tiles), [cv2.IMWRITE_JPEG_QUALITY, 80])


def fill(a: argparse.Namespace) -> None:
    pack = Path(a.pack)
    manifest = json.loads((pack / "manifest.json").read_text())
    report = dict(manifest["evaluation"]) if a.keep else {}
    for path in a.report:
        report.update(json.loads(Path(path).read_text()))
    if a.phantoms:
        with tempfile.TemporaryDirectory() as scratch:
            draw_failures(a.phantoms, pack, a.program, pack / FAILURES, Path(scratch))
    (pack / "CARD.md").write_text(card_of(manifest, report))
    manifest["evaluation"] = report
    (pack / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def card_of(manifest: dict[str, Any], report: dict[str, Any]) -> str:
    """The card of a pack; report: figures by group, and under `stress` and `positioning` by change."""
    stress, positions = (report.get(name) for name in BY_CHANGE)
    report = {group: figures for group, figures in report.items() if group not in BY_CHANGE}
    texts = texts_of(manifest, report)
    return CARD.format(
        name=manifest["name"],
        version=manifest["version"],
        members=word_of(len(manifest["members"])),
        unit=unit_text(manifest.get("column")),
        heart=heart_text(manifest.get("heart")),
        statement=manifest["training"]["statement"],
        sources="\n".join(f"- {source}" for source in manifest["training"]["data"]),
        measured=texts.figures,
        failed=texts.failed,
        figures=figures_text(report),
        worst=WORST_SHOWN,
        failures=FAILURES,
        stress=stress_table(stress) if stress else "",
        positioning=positioning_text(positions, texts.rotation) if positions else "",
        calibration=calibration_text(manifest),
        repeatability=repeatability_text(manifest),
        checklists=texts.checklists,
        limits=texts.limits,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="training.cards", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", required=True)
    parser.add_argument("--report", nargs="*", default=[], help="figures written by `evaluate --report` and others")
    parser.add_argument("--phantoms", help="annotated phantom folder for the failure pictures (default: keep them)")
    parser.add_argument("--keep", action="store_true", help="keep the card's other figures")
    parser.add_argument("--program", default=PROGRAM, help="command that starts the measuring program")
    fill(parser.parse_args())
