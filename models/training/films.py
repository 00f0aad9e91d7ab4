"""Reads annotated films in the program's export format (a folder with index.json) and phantom shards."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from .names import FIRST_EDGE, HEART_POINTS, POINTS, VERTEBRAE
from .outlines import read_outlines, resampled, widened

STORED_VERTEBRA_PX = 44
"""Scale of stored real films [px per vertebra], slightly more than that of the networks' input."""
PACKED_QUALITY = 95
UNCERTAIN_WEIGHT = 0.3
USELESS_CONFIDENCE = 0.15
CARDIOLOGISTS = "a cardiologist"
"""Prefix in index.json for points of the heart that were not placed by the other readers."""
OTHERS_INSIDE = 0.015
"""Offset of the border as drawn by cardiologists from that of other readers [shares of the long axis]. Networks that
left the films out measure hearts read by cardiologists 0.2 v too small, and hearts read by others 0.4 v too large.
"""


@dataclass
class Film:
    """A grey film with its points [px of `image`]; NaN and weight 0 where a point is unknown.

    outline: closed polygon of the heart's silhouette [n, 2], None if it was not drawn.
    painted: uint8 [h, w], 255 where the picture was painted over; None without painted areas.
    """

    image: np.ndarray
    points: np.ndarray
    weights: np.ndarray
    name: str = ""
    species: str = "dog"
    outline: np.ndarray | None = None
    painted: np.ndarray | None = None


def read_index(folder: str | Path) -> list[dict[str, Any]]:
    """Entries of a folder's index.json; raises ValueError with the file name if it is not in the data format."""
    path = Path(folder) / "index.json"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; the folder is not in the data format")
    try:
        index = json.loads(path.read_text())
    except ValueError as error:
        raise ValueError(f"{path}: not JSON ({error})") from error
    if not isinstance(index, dict) or index.get("version") != 1 or not isinstance(index.get("images"), list):
        raise ValueError(f"{path}: version must be 1 and images a list")
    return index["images"]


def points_of(entry: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Points [len(POINTS), 2] and weights [len(POINTS)] of one entry of index.json.

    If T4 is uncertain, the edges have weight 0: the discs are used for the any-disc map, but their names may be off by
    one.
    """
    points = np.full((len(POINTS), 2), np.nan, np.float32)
    confidence = entry.get("confidence") or {}
    weights = np.zeros(len(POINTS), np.float32)
    for name, place in (entry.get("landmarks") or {}).items():
        if name in HEART_POINTS and place is not None:
            points[HEART_POINTS.index(name)] = place
            weights[HEART_POINTS.index(name)] = _weight(_heart_confidence(confidence, name))
    for name, place in entry.get("edges") or []:
        if name in VERTEBRAE:
            points[FIRST_EDGE + VERTEBRAE.index(name)] = place
            weights[FIRST_EDGE + VERTEBRAE.index(name)] = 0 if entry.get("T4_uncertain") else 1
    return points, weights


def _heart_confidence(confidence: dict[str, Any], name: str) -> int:
    if name == "VLAS":
        return confidence.get("VLAS", 1)
    if name in ("heart_right", "heart_left"):
        return confidence.get("short_axis", confidence.get("heart", 1))
    return confidence.get("heart", 1)


def _weight(confidence: int) -> float:
    if confidence < USELESS_CONFIDENCE:
        return 0.0
    return 1.0 if confidence >= 2 * UNCERTAIN_WEIGHT else max(UNCERTAIN_WEIGHT, confidence / (2 * UNCERTAIN_WEIGHT))


def read_grey(path: Path) -> np.ndarray:
    """A film as 8-bit grey, EXIF orientation applied; raises ValueError if it cannot be decoded."""
    image = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise ValueError(f"{path}: cannot be decoded as an image")
    return image


def vertebra_px(points: np.ndarray) -> float:
    """Median length of the vertebrae between known edges [px]; NaN with fewer than two."""
    edges = points[FIRST_EDGE:]
    known = np.flatnonzero(np.isfinite(edges).all(1))
    return float(np.median(vertebra_lengths(known, edges[known]))) if len(known) > 1 else float("nan")


def vertebra_lengths(numbers: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Lengths of the vertebrae between consecutive edges [n, 2]; a length without intermediate edges is divided
    equally.
    """
    return np.linalg.norm(np.diff(edges, axis=0), axis=1) / np.diff(numbers)


def read_films(folder: str | Path) -> list[Film]:
    """All films of a folder with vertebral edges, reduced to STORED_VERTEBRA_PX if larger."""
    drawn = read_outlines()
    films = []
    for entry in read_index(folder):
        points, weights = points_of(entry)
        size = vertebra_px(points)
        if np.isfinite(size):
            outline = outline_of(entry, drawn.get(entry["file"]), points)
            films.append(_stored(folder, entry, points, weights, outline, min(1.0, STORED_VERTEBRA_PX / size)))
    return films


def is_cardiologists(entry: dict[str, Any]) -> bool:
    return (entry.get("heart_from") or "").startswith(CARDIOLOGISTS)


def as_cardiologists_mark(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with the free ends of its axes moved out to where cardiologists mark them."""
    marks = entry.get("landmarks") or {}
    names = ("heart_top", "heart_bottom", "heart_right", "heart_left")
    if is_cardiologists(entry) or any(marks.get(name) is None for name in names):
        return entry
    top, bottom, right, left = (np.array(marks[name], float) for name in names)
    reach = OTHERS_INSIDE * float(np.linalg.norm(bottom - top))

    def further(end: np.ndarray, start: np.ndarray) -> list[float]:
        return [float(value) for value in end + reach * (end - start) / np.linalg.norm(end - start)]

    ends = {
        "heart_bottom": further(bottom, top),
        "heart_right": further(right, left),
        "heart_left": further(left, right),
    }
    return {**entry, "landmarks": {**marks, **ends}}


def outline_of(entry: dict[str, Any], drawn: np.ndarray | None, points: np.ndarray) -> np.ndarray | None:
    """The outline of the entry [n, 2], or the one drawn for the public films, which is moved outwards if no
    cardiologist has read the film. None without either.
    """
    if entry.get("outline"):
        return np.array(entry["outline"], float)
    if drawn is None or is_cardiologists(entry):
        return drawn
    return widened(drawn, OTHERS_INSIDE * float(np.linalg.norm(points[1] - points[0])))


def _stored(
    folder: str | Path,
    entry: dict,
    points: np.ndarray,
    weights: np.ndarray,
    outline: np.ndarray | None,
    scale: float,
) -> Film:
    image = read_grey(Path(folder) / entry["file"])
    painted = read_grey(Path(folder) / entry["mask"]) if entry.get("mask") else None
    stored = np.maximum(1, np.round(np.array(image.shape[::-1]) * scale)).astype(int)

    def moved(places: npt.ArrayLike) -> np.ndarray:
        return ((np.asarray(places) + 0.5) * (stored / image.shape[::-1]) - 0.5).astype(np.float32)

    points, outline = moved(points), None if outline is None else moved(resampled(outline))
    if scale < 1:
        size = tuple(int(length) for length in stored)

        def shrunk(picture: np.ndarray) -> np.ndarray:
            return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)

        image, painted = shrunk(image), None if painted is None else shrunk(painted)
    return Film(image, points, weights, entry["file"], entry.get("species") or "dog", outline, painted)


def data_version(folder: str | Path) -> str:
    """Short digest of a folder's index.json, for the run log."""
    return hashlib.sha256((Path(folder) / "index.json").read_bytes()).hexdigest()[:12]


def pack_phantoms(path: Path, images: list[np.ndarray], points: np.ndarray, outlines: np.ndarray) -> None:
    """Writes one shard: films as consecutive JPEG files, to limit its size, and their truth."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, PACKED_QUALITY]
    coded = [cv2.imencode(".jpg", image, quality)[1].ravel() for image in images]
    ends = np.cumsum([len(part) for part in coded])
    unfinished = path.with_suffix(".part")
    with open(unfinished, "wb") as file:
        np.savez(file, coded=np.concatenate(coded), ends=ends, points=points, outlines=outlines)
    unfinished.rename(path)


class PhantomShards:
    """Phantom films generated in advance: .npz files of `pack_phantoms`, decoded when sampled."""

    def __init__(self, folder: str | Path) -> None:
        self.paths = sorted(Path(folder).glob("*.npz"))
        parts = [np.load(path) for path in self.paths]
        if not parts:
            raise ValueError(f"{folder}: no phantom shards (*.npz); make some with python3 -m training.phantoms")
        self.coded = [film for part in parts for film in np.split(part["coded"], part["ends"][:-1])]
        self.points = np.concatenate([part["points"] for part in parts]).astype(np.float32)
        self.outlines = np.concatenate([part["outlines"] for part in parts]).astype(np.float32)

    def __len__(self) -> int:
        return len(self.coded)

    def film(self, index: int) -> Film:
        points = self.points[index]
        weights = np.isfinite(points).all(1).astype(np.float32)
        image = cv2.imdecode(self.coded[index], cv2.IMREAD_GRAYSCALE)
        return Film(image, points, weights, outline=self.outlines[index])
