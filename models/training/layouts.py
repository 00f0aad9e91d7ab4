"""Reads collections of films in the layouts in which they are published, as entries of the data format.

- index.json: the program's own export (`films.read_index`).
- DogHeart (Li & Zhang 2024): {Small,Normal,Large}/N.png, in any subfolder. Only the class is known.
- VHSMarker and DogHeart with labels: Images/NAME.png and Labels/NAME.mat, in any subfolder. A label holds `six_points`
  [6, 2] in pixels: the ends of the long axis, of the short one, and of six vertebrae from the cranial edge of T4 on.
"""

from pathlib import Path
from typing import Any

import numpy as np

from .figures import CLASSES
from .films import read_index

PICTURES = (".png", ".jpg", ".jpeg")
IMAGES, LABELS = "images", "labels"
SIX_POINTS = "six_points"
VERTEBRAE_SPANNED = 6


def read_layout(folder: str | Path) -> list[dict[str, Any]]:
    """Entries of the annotated films of a folder; `file` is relative to it. Raises ValueError without any."""
    root = Path(folder)
    if (root / "index.json").is_file():
        return _indexed(root)
    pictures = _pictures(root)
    entries = [entry for path in pictures if (entry := _classed(root, path) or _labelled(root, path)) is not None]
    if not entries:
        names = "/".join(name.capitalize() for name in CLASSES)
        raise ValueError(f"{root}: neither index.json, nor {names}/*.png, nor Images/*.png with Labels/*.mat")
    return entries


def pictures_without_label(folder: str | Path) -> list[str]:
    """Pictures in folders `Images` without a label, which are skipped; relative to the folder."""
    root = Path(folder)
    if (root / "index.json").is_file():
        return []
    pictures = [path for path in _pictures(root) if path.parent.name.lower() == IMAGES]
    return [path.relative_to(root).as_posix() for path in pictures if _labelled(root, path) is None]


def _pictures(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.suffix.lower() in PICTURES)


def _indexed(root: Path) -> list[dict[str, Any]]:
    entries = [entry for entry in read_index(root) if entry.get("landmarks")]
    if not entries:
        raise ValueError(f"{root / 'index.json'}: no film with landmarks in it")
    for entry in entries:
        if not (root / entry["file"]).is_file():
            raise ValueError(f"{root / entry['file']}: file in index.json not found")
    return entries


def _entry(root: Path, picture: Path) -> dict[str, Any]:
    """Group of a picture: the folder above that of its class or `Images`."""
    above = picture.parent.parent.relative_to(root)
    return {
        "file": picture.relative_to(root).as_posix(),
        "group": "films" if above == Path(".") else above.as_posix(),
        "species": "dog",
    }


def _classed(root: Path, picture: Path) -> dict[str, Any] | None:
    """Entry of a picture in a folder named by a class; None for other pictures."""
    name = picture.parent.name.lower()
    return {**_entry(root, picture), "class": name} if picture.parent != root and name in CLASSES else None


def _labelled(root: Path, picture: Path) -> dict[str, Any] | None:
    """Entry of a picture of a folder `Images` whose label is in the folder `Labels` next to it; None without one."""
    if picture.parent == root or picture.parent.name.lower() != IMAGES:
        return None
    beside = [path for path in picture.parent.parent.iterdir() if path.name.lower() == LABELS]
    label = next((path for path in (folder / f"{picture.stem}.mat" for folder in beside) if path.is_file()), None)
    return None if label is None else {**_entry(root, picture), **marks_of(read_label(label))}


def read_label(path: Path) -> np.ndarray:
    """Points [6, 2] of a label, in pixels; raises ValueError with the file's name."""
    from scipy.io import loadmat  # needed only for this layout

    try:
        points = np.asarray(loadmat(str(path))[SIX_POINTS], float)
    except (KeyError, NotImplementedError, TypeError, ValueError, OSError) as error:
        raise ValueError(f"{path}: no {SIX_POINTS} in it ({error})") from error
    if points.shape != (6, 2) or not np.isfinite(points).all():
        raise ValueError(f"{path}: {SIX_POINTS} is not [6, 2]")
    return points


def marks_of(points: np.ndarray) -> dict[str, Any]:
    """Landmarks, spine and VHS of six points. The ends of a line were marked in any order, so they are ordered by
    anatomy.
    """
    long, short, spine = points.reshape(3, 2, 2)
    if np.linalg.norm(spine[1] - spine[0]) == 0:
        raise ValueError("the ends of the vertebrae coincide")
    across = np.array([spine[1][1] - spine[0][1], spine[0][0] - spine[1][0]])
    top, bottom = sorted(long, key=lambda end: abs(float((end - spine[0]) @ across)))
    # The apex lies caudal of the carina.
    cranial, caudal = sorted(spine, key=lambda end: float(end @ (bottom - top)))
    right, left = sorted(short, key=lambda end: float(end @ (caudal - cranial)))
    lengths = [float(np.linalg.norm(line[1] - line[0])) for line in (long, short, spine)]
    ends = {"heart_top": top, "heart_bottom": bottom, "heart_right": right, "heart_left": left}
    return {
        "landmarks": {name: [float(value) for value in end] for name, end in ends.items()} | {"VLAS": None},
        "spine": {"T4_cranial": [float(v) for v in cranial], "T9_caudal": [float(v) for v in caudal]},
        "vhs": VERTEBRAE_SPANNED * (lengths[0] + lengths[1]) / lengths[2],
    }
