"""Measures a collection of films with the program and compares the scores with its annotations and with published
figures.

  python3 -m training.validate FOLDER --out runs/validation      (or, from the repository: npx corvet validate FOLDER)

Layouts: see `layouts`. Prints error, bias, limits of agreement, accuracy of the three classes and their confusion, and
writes films.csv (one row per film), figures.json (read by `cards`) and index.html with the films that are measured
worst. Films stay on this machine. index.html contains pictures of them: share it only as the licence of the films
allows.
"""

import argparse
import base64
import csv
import html
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .evaluate import PROGRAM, draw_overlays, measure_entries, records_of
from .figures import CLASSES, class_of, describe, print_table, table_rows
from .layouts import pictures_without_label, read_layout
from .packs import only

AT_A_TIME = 200
"""Number of films per run of the program, after which their copies are deleted."""
TILE_PX = 420
COLUMNS = ("file", "group", "class", "measured_class", "tier", "vhs", "vhs_truth", "error", "vlas", "spread", "failed")
PUBLISHED = (
    (
        "MambaVHS on its own test set (CCK, 4,275 films)",
        "91.8 % in the correct class",
        "VHSMarker, ICLR 2026 submission",
    ),
    ("VGG16 and a plain network on DogHeart (400 films)", "74.8 % and 72 % in the correct class", "arXiv 2407.06092"),
    ("segmentation of dogs and cats", "VHS r 0.922", "doi:10.3389/fvets.2025.1612338"),
    ("16 observers", "differ by 1.05 ± 0.32 v", "Hansson 2005"),
)
"""(what, figure, source); none was measured here or on the same films."""
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Corvet on {folder}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1c2430; }}
table {{ border-collapse: collapse; margin: 1rem 0; }} td, th {{ padding: .2rem .8rem .2rem 0; text-align: left; }}
tr + tr {{ border-top: 1px solid #d5dae1; }}
figure {{ display: inline-block; margin: 0 1rem 1rem 0; vertical-align: top; max-width: {tile}px; }}
img {{ max-width: 100%; }}
</style>
<h1>Corvet on {folder}</h1>
<p>Not clinically validated. {films} films.</p>
{tables}
<h2>Published elsewhere, on other films</h2>
{published}
<h2>Films measured worst</h2>
<p>Green: annotation. Red: heart points. Orange: ruler.</p>
{worst}
</html>
"""


def measured(a: argparse.Namespace, packs: str | None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Record of each film and the program's rows by file."""
    entries = read_layout(a.folder)[: a.limit]
    if unlabelled := pictures_without_label(a.folder):
        print(f"pictures without a label, left out: {len(unlabelled)}, first {unlabelled[0]}", file=sys.stderr)
    rows: dict[str, Any] = {}
    for start in range(0, len(entries), AT_A_TIME):
        rows |= measure_entries(a.folder, entries[start : start + AT_A_TIME], packs, a.program, a.pack)
        print(f"{min(start + AT_A_TIME, len(entries))} of {len(entries)} films", file=sys.stderr, flush=True)
    return records_of(entries, rows), rows


def report_of(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Figures of all films, and of each group if there are several."""
    groups = sorted({record["group"] for record in records})
    parts = {group: [record for record in records if record["group"] == group] for group in groups}
    return {"all films": describe(records)} | (
        {group: describe(part) for group, part in parts.items()} if len(groups) > 1 else {}
    )


def off_by(record: dict[str, Any]) -> float:
    """Distance of a score from its annotation, or from the nearest score of its class [v]; failed films sort first."""
    if "failed" in record:
        return float("inf")
    vhs, truth = record["vhs"], record.get("vhs_truth")
    if truth is not None and np.isfinite(truth):
        return abs(vhs - truth)
    names = list(CLASSES)
    at = names.index(record["class"])
    low = CLASSES[names[at - 1]] if at else 0.0
    return max(0.0, low - vhs, vhs - CLASSES[record["class"]])


def write_csv(records: list[dict[str, Any]], path: Path) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", restval="")
        writer.writeheader()
        for record in records:
            row = {**record}
            if "failed" not in record:
                row["measured_class"] = class_of(record["vhs"])
                truth = record.get("vhs_truth")
                row["error"] = round(record["vhs"] - truth, 3) if truth is not None and np.isfinite(truth) else ""
                row["vhs_truth"] = round(truth, 3) if row["error"] != "" else ""
            writer.writerow(row)


def write_page(a: argparse.Namespace, records: list[dict[str, Any]], rows: dict[str, Any], report: dict) -> None:
    named = {entry["file"]: entry for entry in read_layout(a.folder)}
    worst = sorted(records, key=off_by, reverse=True)[: a.worst]
    tables = "".join(f"<h2>{html.escape(group)}</h2>{_table(table_rows(figures))}" for group, figures in report.items())
    page = PAGE.format(
        folder=html.escape(Path(a.folder).resolve().name),
        tile=TILE_PX,
        films=len(records),
        tables=tables,
        published=_table(PUBLISHED),
        worst="".join(_figure(a.folder, named[record["file"]], rows, record) for record in worst),
    )
    (Path(a.out) / "index.html").write_text(page, encoding="utf-8")


def _table(rows: Any) -> str:
    lines = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _figure(folder: str, entry: dict[str, Any], rows: dict[str, Any], record: dict[str, Any]) -> str:
    """A film with annotation and measurement as an inline picture; only its name if it cannot be decoded."""
    text = f"{record['file']}: {_finding(record)}"
    caption = f"<figcaption>{html.escape(text)}</figcaption>"
    with tempfile.TemporaryDirectory() as scratch:
        try:
            draw_overlays(folder, [entry], rows, Path(scratch))
        except ValueError:
            return f"<figure>{caption}</figure>"
        image = cv2.imread(str(next(Path(scratch).iterdir())))
    scale = min(1.0, TILE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    coded = base64.b64encode(cv2.imencode(".jpg", small)[1].tobytes()).decode()
    picture = f'<img alt="" src="data:image/jpeg;base64,{coded}">'
    return f"<figure>{picture}{caption}</figure>"


def _finding(record: dict[str, Any]) -> str:
    if "failed" in record:
        return f"no score (result code {record['failed']})"
    truth = record.get("vhs_truth")
    annotated = f"{truth:.2f} v" if truth is not None and np.isfinite(truth) else record["class"]
    return f"measured {record['vhs']:.2f} v, annotated {annotated}, {record['tier']}"


def validate(a: argparse.Namespace) -> None:
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    with only(a.pack) as packs:
        records, rows = measured(a, packs)
    report = report_of(records)
    print_table(report, sys.stdout)
    print("\nPublished elsewhere, on other films")
    for what, figure, source in PUBLISHED:
        print(f"  {what}: {figure} ({source})")
    write_csv(records, out / "films.csv")
    (out / "figures.json").write_text(json.dumps(report, indent=2) + "\n")
    write_page(a, records, rows, report)
    print(f"\nWritten: {out / 'films.csv'}, {out / 'figures.json'}, {out / 'index.html'}")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="validate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", help="collection of annotated films; it is only read")
    parser.add_argument("--out", default="corvet-validation", help="output folder")
    parser.add_argument("--worst", type=int, default=12, help="number of films on the page")
    parser.add_argument("--limit", type=int, help="measure only the first films by name")
    parser.add_argument("--pack", help="measure with this pack instead of others of its kind")
    parser.add_argument("--program", default=PROGRAM, help="command that starts the measuring program")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    try:
        validate(parse())
    except ValueError as error:
        raise SystemExit(f"validate: {error}") from error
