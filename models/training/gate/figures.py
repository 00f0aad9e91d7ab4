"""What the gate accepts and rejects: on real films (totals only) and on made pictures."""
from pathlib import Path

import cv2
import numpy as np

from ..corners.decode import find
from ..corners.refine import refine
from ..films import read_grey, read_index
from ..pop.rectified import rectify
from ..shares import share_of

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")


def turned(picture, degrees):
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return cv2.warpAffine(picture, matrix, (width, height))


def thumbnail(picture):
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


def gate_on_real(gate, folder):
    films = [read_grey(Path(folder) / entry["file"]) for entry in read_index(folder)]
    figures = {}
    for name, change in VARIANTS.items():
        found = [gate.probabilities(np.ascontiguousarray(change(film))) for film in films]
        limit = gate.decoding["rejectAtOrAbove"]
        figures[f"real laterals, {name}: accepted"] = share_of([p["neither"] < limit for p in found])
        if name in ("as they are", "mirrored"):
            figures[f"real laterals, {name}: taken for direct films"] = share_of([p["neither"] < limit and p["direct"] >= p["pop"] for p in found])
    paths = [path for path in sorted((Path(folder) / "negatives").glob("*")) if path.suffix.lower() in PICTURE_SUFFIXES]
    if paths:
        figures["real negatives: rejected"] = share_of([gate.rejects(cv2.imread(str(path))) for path in paths])
        figures["real negatives, mirrored: rejected"] = share_of([gate.rejects(cv2.imread(str(path))[:, ::-1].copy()) for path in paths])
    return figures


def is_turned_away(gate, corners, picture, p):
    """Whether the program measures nothing on a picture: rejected at once, or as a photograph without corners or of something else."""
    if p["neither"] >= gate.decoding["rejectAtOrAbove"]:
        return True
    if p["direct"] >= p["pop"]:
        return False
    found, _, is_found = find(picture, corners.run, corners.decoding)
    if not is_found:
        return True
    film, _ = rectify(picture, refine(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), found))
    return gate.probabilities(cv2.cvtColor(film, cv2.COLOR_BGR2GRAY))["neither"] >= gate.decoding["rejectRectifiedAtOrAbove"]


def gate_on_made(gate, corners, rows):
    """Shares by kind and, of what must be rejected, by source."""
    figures, by_name = {}, {}
    for row in rows:
        picture = cv2.imread(str(row["path"]))
        p = gate.probabilities(picture)
        rejected = p["neither"] >= gate.decoding["rejectAtOrAbove"]
        away = is_turned_away(gate, corners, picture, p)
        if row["kind"] == "neither":
            name = "screens of other pictures" if row["source"].startswith("screen of") else row["source"]
            by_name.setdefault("simulated negatives: rejected", []).append(rejected)
            by_name.setdefault("simulated negatives: rejected or turned away later", []).append(away)
            by_name.setdefault(f"simulated negatives, {name}: rejected", []).append(rejected)
            by_name.setdefault(f"simulated negatives, {name}: rejected or turned away later", []).append(away)
        else:
            by_name.setdefault(f"simulated {row['kind']}: accepted", []).append(not rejected)
            by_name.setdefault(f"simulated {row['kind']}: measured", []).append(not away)
            kind = "direct" if p["direct"] >= p["pop"] else "pop"
            by_name.setdefault(f"simulated {row['kind']}: kind right when accepted", []).extend([kind == row["kind"]] * (not rejected))
    for name in sorted(by_name):
        figures[name] = share_of(by_name[name])
    return figures
