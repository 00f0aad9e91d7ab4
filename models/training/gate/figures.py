"""Acceptance and rejection by the gate on real films (totals only) and on made pictures."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..evaluate import measure_folder
from ..films import read_grey, read_index
from ..pop.rectified import rectify
from ..screens.network_run import Pack
from ..shares import share_of
from .data import read_rows

LEAST_COLOUR = 4
"""Largest difference between the channels of a grey picture stored as JPEG."""
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")


def turned(picture: np.ndarray, degrees: float) -> np.ndarray:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return cv2.warpAffine(picture, matrix, (width, height))


def thumbnail(picture: np.ndarray) -> np.ndarray:
    scale = min(1, 150 / picture.shape[1])
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


VARIANTS = {
    "as they are": lambda film: film,
    "mirrored": lambda film: film[:, ::-1],
    "turned by 20 degrees": lambda film: turned(film, 20),
    "turned by -20 degrees": lambda film: turned(film, -20),
    "turned by 90 degrees": lambda film: np.rot90(film),
    "turned by 180 degrees": lambda film: np.rot90(film, 2),
    "150 px wide": thumbnail,
    "inverted": lambda film: 255 - film,
}


def gate_on_real(gate: Pack, folder: Path) -> dict[str, Any]:
    entries = read_index(folder)
    films = [read_grey(Path(folder) / entry["file"]) for entry in entries]
    figures = {}
    for name, change in VARIANTS.items():
        found = [gate.judge(np.ascontiguousarray(change(film))) for film in films]
        figures[f"real laterals, {name}: accepted"] = share_of([kind != "neither" for kind in found])
        if name in ("as they are", "mirrored"):
            figures[f"real laterals, {name}: taken for direct films"] = share_of([kind == "direct" for kind in found])
    figures["real laterals, as they are: measured"] = share_of(scored_by_program(Path(folder), gate, entries))
    paths = [path for path in sorted((Path(folder) / "negatives").glob("*")) if path.suffix.lower() in PICTURE_SUFFIXES]
    if paths:
        pictures = [cv2.imread(str(path)) for path in paths]
        figures["real negatives: rejected"] = share_of([gate.judge(picture) == "neither" for picture in pictures])
        scored = scored_by_program(Path(folder) / "negatives", gate)
        figures["real negatives: rejected or turned away later"] = share_of([not has_score for has_score in scored])
        figures["real negatives, mirrored: rejected"] = share_of(
            [gate.judge(picture[:, ::-1].copy()) == "neither" for picture in pictures]
        )
    return figures


def scored_by_program(folder: Path, gate: Pack, entries: list[dict] | None = None) -> list[bool]:
    """Whether the program, with this gate and the packs in the same folder, scores each picture (or those of
    `entries`).
    """
    rows = measure_folder(folder, gate.folder.parent)
    names = rows.keys() if entries is None else [entry["file"] for entry in entries]
    return [rows.get(name, {}).get("vhs") is not None for name in names]


def gate_on_close_ups(gate: Pack, folder: str) -> dict[str, Any]:
    """Share of grey close-ups classified as photographs; the program recognises the others by their colours."""
    pictures = [cv2.imread(str(row["path"])) for row in read_rows(folder)]
    grey = [picture for picture in pictures if np.ptp(picture, axis=2).max() < LEAST_COLOUR]
    found = [gate.judge(picture) for picture in grey]
    return {"simulated close-ups, grey: taken for photographs": share_of([kind == "pop" for kind in found])}


def is_turned_away(gate: Pack, picture: np.ndarray, kind: str, corners: np.ndarray | None) -> bool:
    """Whether the program does not measure a picture: it is rejected, or a photograph without corners or film."""
    if kind != "pop":
        return kind == "neither"
    if corners is None:
        return True
    film, _ = rectify(picture, corners)
    return (
        gate.probabilities(cv2.cvtColor(film, cv2.COLOR_BGR2GRAY))["neither"]
        >= gate.decoding["rejectRectifiedAtOrAbove"]
    )


def gate_on_made(gate: Pack, program_corners: dict[str, np.ndarray | None], rows: list[dict]) -> dict[str, Any]:
    """Shares by kind and, for pictures to be rejected, by source. program_corners: found by the program, by file."""
    flags = defaultdict(list)
    for row in rows:
        picture = cv2.imread(str(row["path"]))
        probabilities = gate.probabilities(picture)
        kind = gate.verdict(probabilities)
        away = is_turned_away(gate, picture, kind, program_corners[row["file"]])
        if row["kind"] == "neither":
            source = "screens of other pictures" if row["source"].startswith("screen of") else row["source"]
            for name in ("simulated negatives", f"simulated negatives, {source}"):
                flags[f"{name}: rejected"].append(kind == "neither")
                flags[f"{name}: rejected or turned away later"].append(away)
            if kind == "neither" and row.get("takenFor"):
                flags["simulated negatives: named right when rejected"].append(
                    gate.taken_for(probabilities) == row["takenFor"]
                )
        else:
            flags[f"simulated {row['kind']}: accepted"].append(kind != "neither")
            flags[f"simulated {row['kind']}: measured"].append(not away)
            if kind != "neither":
                flags[f"simulated {row['kind']}: kind right when accepted"].append(kind == row["kind"])
    return {name: share_of(flags[name]) for name in sorted(flags)}
