"""Measures annotated films with the program and prints the errors against the annotation.

  python3 -m training.evaluate --data real=FOLDER [--data simulated=FOLDER ...] --report runs/evaluation.json \
      --overlays runs/overlays

Every folder is in the data format of index.json. The films are measured by `npm run measure`, so the figures are those
of the complete program: gate, crop, networks, chain, ruler, tiers. With --mirror every film is also measured mirrored,
with --width also as a thumbnail.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .figures import class_of, describe, print_table
from .films import points_of, read_grey, read_index, vertebra_lengths
from .names import FIRST_EDGE, HEART_POINTS, T4, VERTEBRAE
from .packs import PROGRAM_PACKS, REPOSITORY, only, refuse_other_pack, refuse_twins
from .truth import rlad_of, scores

PROGRAM = "npm run --silent measure --"


def measure_folder(
    folder: str | Path, packs: str | Path | None = None, program: str = PROGRAM, pack: str | Path | None = None
) -> dict[str, Any]:
    """Rows of the program's `measure --json` by file name; `pack` is the one of `packs` that must have measured."""
    if packs or program == PROGRAM:
        refuse_twins(packs or PROGRAM_PACKS)
    first, *others = program.split()
    command = [
        shutil.which(first) or first,  # on Windows npm is npm.cmd
        *others,
        "--json",
        *(["--packs", str(Path(packs).resolve())] if packs else []),
        str(Path(folder).resolve()),
    ]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, encoding="utf-8", check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not rows:
        raise SystemExit(f"the program measured nothing in {folder}: {done.stderr.strip()[-500:]}")
    named = {Path(row["file"]).name: row for row in rows}
    if pack:
        refuse_other_pack(named, pack)
    return named


def read_prediction(row: dict[str, Any], width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Points [len(HEART_POINTS), 2] and ruler edges [n, 2] of a row, in pixels of the annotated file."""
    size = np.array([width, height], float)
    places = {
        item["class"]: np.array(item["point"] if "point" in item else [item["x"], item["y"]], float)
        for item in row["prediction"]
    }
    heart = np.array([places[name] * size - 0.5 for name in HEART_POINTS])
    ruler = (
        np.array([[edge["x"], edge["y"]] if isinstance(edge, dict) else edge for edge in row["ruler"]], float) * size
        - 0.5
    )
    return heart, ruler


def compare(entry: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Errors of a film in vertebrae, or its failure. A film with only a class has no errors."""
    record = {
        "file": entry["file"],
        "group": entry.get("group", "films"),
        "species": entry.get("species"),
        "width": entry.get("width", row.get("width")),
        "tier": row.get("model_confidence"),
        "facing": entry.get("facing"),
        "source": entry.get("source"),
        "class": entry.get("class"),
    }
    points, truth = None, {}
    if entry.get("landmarks"):
        points, _ = points_of(entry)
        vhs, vlas = scores(points)
        if entry.get("spine"):
            truth["vhs_second_ruler"] = vhs
        truth["vhs_truth"] = vhs = entry["vhs"] if entry.get("vhs") is not None else vhs
        truth["vlas_truth"] = entry["vlas"] if entry.get("vlas") is not None else vlas
        record["class"] = entry.get("class") or (class_of(vhs) if np.isfinite(vhs) else None)
    if row.get("error") or not row.get("prediction") or row.get("vhs") is None:
        return {**record, "failed": row.get("result_code", "error")}
    record.update(vhs=row["vhs"], vlas=row.get("vlas"), spread=row["spread"], **truth)
    if points is None:
        return record
    if entry.get("outline"):
        record["rlad"], record["rlad_truth"] = row.get("rlad"), rlad_of(points, np.array(entry["outline"], float))
    record.update({name: row.get(name) for name in ("votes_apart", "looks_apart")})
    # A film classified as a photograph was rectified: its points belong to another picture.
    return record if row.get("pop_detected") else {**record, **_compare_places(entry, row, points)}


def _compare_places(entry: dict[str, Any], row: dict[str, Any], points: np.ndarray) -> dict[str, Any]:
    """Distances of a row's points from the reader's, in vertebrae. Exports before 2026-11-26 contain no size; then the
    size in the row is used.
    """
    width, height = (entry.get(side, row.get(side)) for side in ("width", "height"))
    heart, ruler = read_prediction(row, width, height)
    vertebra = reference_vertebra(entry, points)
    places: dict[str, Any] = {
        "axes_off_deg": off_perpendicular_deg(heart),
        "beside_reader": {
            "long": _distance(heart[0], heart[1]) / _distance(points[0], points[1]),
            "short": _distance(heart[2], heart[3]) / _distance(points[2], points[3]),
            "vertebra": float(np.linalg.norm(np.diff(ruler[:7], axis=0), axis=1).mean()) / vertebra,
        },
        "heart_errors": [float(error) for error in np.linalg.norm(heart[:4] - points[:4], axis=1) / vertebra],
    }
    if np.isfinite(points[T4]).all():
        places["t4_offset"] = column_offset(ruler[0], points)
        places["t4_otherwise"] = row.get("t4_otherwise")
        second = (entry.get("second_reader") or {}).get("confidence", {})
        # The note in the data of such a film states to which disc the name belongs.
        places["t4_doubted"] = second.get("T4_identity", 1.0) < 0.5
        places["t1_visible"] = bool(np.isfinite(points[FIRST_EDGE + VERTEBRAE.index("T1")]).all())
    return places


def _distance(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a - b))


def off_perpendicular_deg(heart: np.ndarray) -> float:
    """Deviation of the angle between the long and the short axis from 90 degrees [deg]."""
    long, short = heart[1] - heart[0], heart[3] - heart[2]
    cosine = abs(long @ short) / (np.linalg.norm(long) * np.linalg.norm(short))
    return float(np.degrees(np.arcsin(min(1.0, cosine))))


def reference_vertebra(entry: dict[str, Any], points: np.ndarray) -> float:
    """Length of a vertebra [px]: from the reader's spine if given, otherwise the mean from T4 on."""
    spine = entry.get("spine")
    if spine:
        return float(np.linalg.norm(np.subtract(spine["T9_caudal"], spine["T4_cranial"]))) / 6
    edges = points[T4 : T4 + 7]
    known = np.flatnonzero(np.isfinite(edges).all(1))
    return float(np.average(vertebra_lengths(known, edges[known]), weights=np.diff(known)))


def column_offset(place: np.ndarray, points: np.ndarray) -> float:
    """Distance of a point from the true T4 along the column, positive caudally [v]."""
    first = points[T4]
    later = np.flatnonzero(np.isfinite(points[T4 + 1 :]).all(1))[:4] + 1
    step = (points[T4 + later[-1]] - first) / later[-1]
    return float((place - first) @ step / (step @ step))


def changed_copy(
    folder: str | Path, entries: list[dict[str, Any]], target: str | Path, change: Callable[..., Any]
) -> list[dict[str, Any]]:
    """A copy of the folder's films and annotations after `change`: film -> (changed film, map of its points)."""
    changed = []
    for entry in entries:
        image, move = change(read_grey(Path(folder) / entry["file"]))
        name = f"{Path(entry['file']).stem}.png"
        cv2.imwrite(str(Path(target) / name), image)

        def moved(place: Any, move: Callable[..., Any] = move) -> Any:
            return None if place is None else move(place)

        other = {**entry, "file": name, "width": image.shape[1], "height": image.shape[0]}
        other["landmarks"] = {key: moved(place) for key, place in entry["landmarks"].items()}
        other["edges"] = [[key, moved(place)] for key, place in entry.get("edges") or []]
        if entry.get("outline"):
            other["outline"] = [moved(place) for place in entry["outline"]]
        if entry.get("spine"):
            other["spine"] = {key: moved(place) for key, place in entry["spine"].items()}
        changed.append(other)
    return changed


def mirrored(image: np.ndarray) -> tuple[np.ndarray, Callable[..., Any]]:
    return np.ascontiguousarray(image[:, ::-1]), lambda place: [image.shape[1] - 1 - place[0], place[1]]


def shrunk(image: np.ndarray, width: int) -> tuple[np.ndarray, Callable[..., Any]]:
    """The film `width` px wide; smaller ones stay as they are."""
    scale = min(1.0, width / image.shape[1])
    size = [max(1, round(length * scale)) for length in image.shape[::-1]]
    factors = [size[0] / image.shape[1], size[1] / image.shape[0]]
    small = cv2.resize(image, tuple(size), interpolation=cv2.INTER_AREA)
    return small, lambda place: [(value + 0.5) * factor - 0.5 for value, factor in zip(place, factors)]


def records_of(entries: list[dict[str, Any]], rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [compare(entry, rows.get(entry["file"], {"error": "not measured"})) for entry in entries]


def draw_overlays(folder: str | Path, entries: list[dict[str, Any]], rows: dict[str, Any], target: Path) -> None:
    """Annotation (green) and measurement (red) on every film; never commit pictures of films that may not be
    published.
    """
    target.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        row = rows.get(entry["file"], {})
        image = cv2.cvtColor(read_grey(Path(folder) / entry["file"]), cv2.COLOR_GRAY2BGR)
        truth, _ = points_of(entry)
        radius = max(2, image.shape[1] // 200)
        _dots(image, truth, (0, 255, 0), radius)
        if row.get("prediction") and not row.get("pop_detected"):
            heart, ruler = read_prediction(row, image.shape[1], image.shape[0])
            _dots(image, heart, (0, 0, 255), radius)
            _dots(image, ruler, (0, 160, 255), radius)
        cv2.imwrite(str(target / f"{Path(entry['file']).stem}.jpg"), image)


def _dots(image: np.ndarray, places: np.ndarray, colour: tuple[int, int, int], radius: int) -> None:
    for place in places:
        if np.isfinite(place).all():
            cv2.circle(image, tuple(int(round(value)) for value in place), radius, colour, -1, cv2.LINE_AA)


def evaluate(a: argparse.Namespace) -> None:
    with only(a.pack, a.packs) as packs:
        report, kept = measured(a, packs)
    print_table(report, sys.stdout)
    if a.report:
        Path(a.report).write_text(json.dumps(report, indent=2) + "\n")
    if a.records:
        Path(a.records).write_text("".join(json.dumps(record) + "\n" for record in kept))


def measured(a: argparse.Namespace, packs: str | None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Figures by group, and the record of every film."""
    report: dict[str, Any] = {}
    kept: list[dict[str, Any]] = []
    for name, folder in map(named_folder, a.data):
        entries = [entry for entry in read_index(folder) if entry.get("landmarks") and chosen(entry, a.only)]
        rows = measure_entries(folder, entries, packs, a.program, a.pack)
        records = records_of(entries, rows)
        kept += records
        _add_groups(report, name, "", records)
        for suffix, change in changes(a):
            with tempfile.TemporaryDirectory() as temporary:
                others = changed_copy(folder, entries, temporary, change)
                records = records_of(others, measure_folder(temporary, packs, a.program, a.pack))
                kept += records
                _add_groups(report, name, suffix, records)
        if a.overlays:
            draw_overlays(folder, entries, rows, Path(a.overlays) / name)
    return report, kept


def chosen(entry: dict, only: list[str] | None) -> bool:
    return not only or entry["file"] in only


def measure_entries(
    folder: str | Path, entries: list[dict], packs: str | None, program: str, pack: str | Path | None = None
) -> dict[str, dict]:
    """Rows of the films of `entries` alone, by their `file`, which may name a subfolder."""
    with tempfile.TemporaryDirectory() as temporary:
        copies = {}
        for number, file in enumerate(entry["file"] for entry in entries):
            name = f"{number:06d}-{Path(file).name}"
            shutil.copy(Path(folder) / file, Path(temporary) / name)
            copies[name] = file
        rows = measure_folder(temporary, packs, program, pack)
        return {copies[name]: row for name, row in rows.items()}


def changes(a: argparse.Namespace) -> Iterator[Any]:
    """Changes to measure in addition to the unaltered films: (suffix of the group's name, change)."""
    if a.mirror:
        yield ", mirrored", mirrored
    if a.width:
        yield f", {a.width} px wide", lambda image: shrunk(image, a.width)


def named_folder(given: str) -> tuple[str, str]:
    """(name, folder) of NAME=FOLDER; the name of a folder alone is its own."""
    name, _, folder = given.rpartition("=")
    return name or Path(folder).name, folder


def _add_groups(report: dict[str, Any], name: str, suffix: str, records: list[dict[str, Any]]) -> None:
    for group in sorted({record["group"] for record in records}):
        report[f"{name}, {group}{suffix}"] = describe([record for record in records if record["group"] == group])


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.evaluate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", required=True, action="append", help="annotated folder, or NAME=FOLDER; may be given several times"
    )
    parser.add_argument("--report", help="file for the figures (JSON), read by `cards`")
    parser.add_argument(
        "--records", help="file for the records of all measured films (JSON lines), read by `calibrate`"
    )
    parser.add_argument("--only", nargs="*", metavar="FILE", help="measure only these films")
    parser.add_argument("--overlays", help="folder for pictures with annotation and measurement")
    parser.add_argument("--pack", help="measure with this pack instead of others of its kind")
    parser.add_argument("--packs", help="folder of packs to measure with instead of the program's own")
    parser.add_argument(
        "--program", default=PROGRAM, help="command that starts the measuring program, run in the repository"
    )
    parser.add_argument("--mirror", action="store_true", help="measure every film mirrored as well")
    parser.add_argument("--width", type=int, help="measure every film shrunk to this width as well [px]")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    evaluate(parse())
