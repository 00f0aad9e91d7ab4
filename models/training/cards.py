"""Fills a landmark pack's card and manifest with the figures that `evaluate` wrote, and draws its failure pictures
(phantoms only).

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
"""Parts of a report that are no groups of films."""

CARD = """# {name} {version}

**Not clinically validated.** Measures the heart on lateral chest radiographs; a veterinarian must check every value.

## Purpose
Places the five points of the heart (long axis, short axis, left atrium) and the cranial edges of the vertebrae C7 to L3 on lateral
thoracic radiographs of dogs (and, less well, cats), facing either way. VHS and VLAS follow from them, and RLAD from the outline of
the heart.
It is no diagnosis and it does not look for anything but these points.

## How it works
One network looks at the whole film and at its mirror image and finds the thorax; two closer looks at either
correct the pose, in other sizes too where the column is doubtful. A negative is turned over. The film is then turned, mirrored and cropped so that the animal faces left and the column runs level; {members} networks measure it there, each on a slightly different crop. The discs are found as peaks of an
any-disc map and linked by dynamic programming; the identity maps of all vertebrae vote for their names. {unit} {heart}
The axes are taken from its outline by definition: from the ventral border of the carina to the most distant point, and
perpendicular to it, from outer border to outer border, at the level of the caudal vena cava. Weights are stored as 16-bit floats.

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


UNIT_BY_COLUMN = """{count} more look along the column, straightened, and say how long a vertebra is at each place: from T4 on the ruler counts by their mean.
Where they would name T4 otherwise than the chain, T4 is marked as uncertain."""  # noqa: E501
HEART_CLOSE = """{count} networks then look at the heart alone, upright and as large as every other heart, and find its points and its silhouette.
Of the axes of each vote {share:.0%} are those of one of them, the rest those of one of the first; the left atrium is theirs alone."""  # noqa: E501
HEART_BY_MEMBERS = "A further map shows the inside of the heart's silhouette."
UNIT_BY_CHAINS = "All networks together say how long the vertebrae are."


def figures_text(report: dict[str, Any]) -> str:
    parts = []
    for group, figures in report.items():
        rows = "\n".join(f"| {name} | {text} |" for name, text in table_rows(figures))
        parts.append(f"### {group}\n| what | figure (95 % interval) |\n|---|---|\n{rows}")
    return "\n\n".join(parts)


def heart_text(heart: dict[str, Any] | None) -> str:
    """How the pack finds the heart; packs before 2026.11.14 do not say whose the axes are, and have half of either."""
    if not heart:
        return HEART_BY_MEMBERS
    return HEART_CLOSE.format(count=word_of(networks_in(heart)), share=heart.get("closeShare", 0.5))


def unit_text(column: dict[str, Any] | None) -> str:
    """What says how long the pack's vertebrae are."""
    return UNIT_BY_COLUMN.format(count=word_of(networks_in(column))) if column else UNIT_BY_CHAINS


def stress_table(changes: dict[str, dict]) -> str:
    """How many scores withstand a change of the picture; printed by `training.stress`."""
    rows = "\n".join(f"| {name} | {stress_text(figures)} |" for name, figures in changes.items())
    head = f"| change | scores within {MOST_CHANGE} v of the plain film's, median change, lost |\n|---|---|"
    return f"### Changed pictures\nPrinted by `python3 -m training.stress`.\n\n{head}\n{rows}"


def calibration_text(manifest: dict) -> str:
    """The intervals that the manifest carries; written by `training.calibrate`."""
    calibration = manifest.get("calibration")
    if not calibration:
        return "No interval was calibrated for this pack."

    scores = [score for score in ("vhs", "vlas", "rlad") if f"{score}HalfWidth" in calibration["intervals"][0]]
    rows = "\n".join(
        f"| {row['kind']} | {_limit(row['widthUpToPx'], ' px')} | {_limit(row.get('vhsUpTo'), ' v')} "
        f"| {_limit(row['spreadUpTo'], '')} "
        + "".join(f"| ± {row[f'{score}HalfWidth']:.2f} " for score in scores)
        + "|"
        for row in calibration["intervals"]
    )
    head = (
        f"### {calibration['coverage']:.0%} intervals\n{calibration['statement']} The first row that fits holds.\n"
        "Printed by `python3 -m training.calibrate`.\n\n"
    )
    names = "".join(f" {score.upper()} [v] |" for score in scores)
    table = f"{head}| kind | width | heart | spread |{names}\n|---|---|---|---|{'---|' * len(scores)}\n{rows}"
    return tiers_text(calibration.get("disagreement")) + table


def tiers_text(rule: dict[str, float] | None) -> str:
    """The error that disagreement lets expect; written by `training.disagreement`."""
    if not rule:
        return ""
    return (
        "### Tiers\n"
        f"Expected error: {rule['atRest']} v + {rule['votes']} x the deviation of the votes' hearts on the reported "
        f"ruler + {rule['looks']} x the distance of the members' scores at first look from the reported one.\n"
        f"Films are `good` from {rule['goodFrom']} v and `review` from {rule['reviewFrom']} v. Fitted on simulated "
        "films by `python3 -m training.disagreement`; real films are off by more.\n\n"
    )


def positioning_table(changes: dict[str, dict]) -> str:
    """How far position, exposure and cut borders move the scores; printed by `repeats.positioning`."""
    lines = [positioning.HEAD, ["---"] * len(positioning.HEAD)]
    lines += [[change, *positioning.text_of(figures)] for change, figures in changes.items()]
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return (
        "### Positions\nSimulated dogs, one thing changed at a time; mean and standard deviation over dogs. "
        '"Of which shown": by how much the turned silhouette itself scores otherwise.\n'
        f"Printed by `python3 -m training.repeats.positioning`.\n\n{rows}"
    )


def positioning_text(changes: dict[str, dict], rotation: str) -> str:
    """The table, and below it what was found out about a turned chest."""
    return "\n\n".join(filter(None, (positioning_table(changes), rotation)))


def repeatability_text(manifest: dict) -> str:
    """The standard errors between films of one animal; written by `repeats.errors`."""
    entry = manifest.get("repeatability")
    if not entry:
        return "How well scores repeat on another film of the same animal was not measured for this pack."
    rows = "\n".join(
        f"| {_limit(row['widthUpToPx'], ' px')} | {row['tier'] or 'any'} "
        f"| {row['vhsError']:.2f} | {row['vlasError']:.2f} |"
        for row in entry["errors"]
    )
    head = (
        "### Repeatability\nStandard error of one film's score between films of one animal; that of the difference "
        "of two films is the root of the sum of both squares. The heart's phase comes on top.\n"
        f"{entry['statement']}\nPrinted by `python3 -m training.repeats.errors`.\n\n"
    )
    return f"{head}| width | tier | VHS [v] | VLAS [v] |\n|---|---|---|---|\n{rows}"


def _limit(value: float | None, unit: str) -> str:
    return "any" if value is None else f"up to {value}{unit}"


def draw_failures(folder: str | Path, pack: Path, program: str, target: Path, scratch: Path) -> None:
    """The phantoms that the pack measures worst, side by side."""
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
        members=len(manifest["members"]),
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
