"""Measures the gate and the corner pack as the program runs them and prints the figures with 95 % intervals.

  python3 -m training.evaluate_screens --packs packs --pictures pictures/held-out --photographs pictures/unvaried --real ../shared/data/validation --write

`--photographs` holds photographs of held-out films as they are, `--pictures` of varied ones (strips, frames, turned films).
`--real` is a folder of lateral films in the data format with an optional folder `negatives` beside them; only
totals are printed. `--write` puts the figures into the manifests and the cards.
"""
import argparse
import json
import math
from pathlib import Path

import cv2
import numpy as np

from .corners.data import has_no_film
from .corners.decode import error_of_diagonal, find
from .corners.refine import refine
from .corners.visibility import has_visible_border
from .films import read_grey, read_index
from .gate.card import write_cards
from .gate.data import read_rows
from .gate.letterbox import letterbox, to_planes
from .screens.pack import write_manifest

CREDIBLE_ERROR = 0.03
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")


class Pack:
    """A pack's network, run by OpenCV from the exported file."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / "manifest.json").read_text())
        self.network = cv2.dnn.readNetFromONNX(str(self.folder / self.manifest["members"][0]["file"]))
        self.decoding, self.side = self.manifest["decoding"], self.manifest["input"]["shape"][-1]

    def run(self, planes):
        self.network.setInput(planes[None])
        return self.network.forward()[0]

    def probabilities(self, picture):
        """Of a gate: probability by kind."""
        return dict(zip(self.decoding["kinds"], self.run(to_planes(letterbox(picture, self.side)[0])).tolist()))

    def rejects(self, picture):
        return self.probabilities(picture)["neither"] >= self.decoding["rejectAtOrAbove"]


def wilson(hits, count):
    """Share with its 95 % interval (Wilson)."""
    if count == 0:
        return None
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return {"n": count, "share": round(share, 4), "interval": [round(max(0, middle - half), 4), round(min(1, middle + half), 4)]}


def share_of(flags):
    return wilson(int(np.sum(flags)), len(flags))


def median_of(values, seed=0):
    """Median with its 95 % bootstrap interval."""
    rng, values = np.random.default_rng(seed), np.array(values)
    medians = [np.median(rng.choice(values, len(values))) for _ in range(1000)]
    return {"n": len(values), "median": round(float(np.median(values)), 5), "interval": [round(float(np.percentile(medians, q)), 5) for q in (2.5, 97.5)]}


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


def gate_on_made(gate, rows):
    """Shares by kind and, of what must be rejected, by source."""
    figures, by_name = {}, {}
    for row in rows:
        p = gate.probabilities(cv2.imread(str(row["path"])))
        rejected = p["neither"] >= gate.decoding["rejectAtOrAbove"]
        if row["kind"] == "neither":
            name = "screens of other pictures" if row["source"].startswith("screen of") else row["source"]
            by_name.setdefault("simulated negatives: rejected", []).append(rejected)
            by_name.setdefault(f"simulated negatives, {name}: rejected", []).append(rejected)
        else:
            by_name.setdefault(f"simulated {row['kind']}: accepted", []).append(not rejected)
            kind = "direct" if p["direct"] >= p["pop"] else "pop"
            by_name.setdefault(f"simulated {row['kind']}: kind right when accepted", []).extend([kind == row["kind"]] * (not rejected))
    for name in sorted(by_name):
        figures[name] = share_of(by_name[name])
    return figures


def corners_on_made(pack, rows, label):
    """Errors of photographs of held-out films in parts of the diagonal; false finds where there is no film."""
    errors, found, false, visible = [], [], [], []
    for row in rows:
        picture = cv2.imread(str(row["path"]))
        corners, _, is_found = find(picture, pack.run, pack.decoding)
        corners = refine(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), corners) if is_found else corners
        if row["kind"] != "pop":
            false.append(is_found)
            continue
        size = picture.shape[1::-1]
        truth = np.array(row["corners"])
        if not ((truth > -0.5) & (truth < np.array(size) - 0.5)).all():
            continue
        errors.append(error_of_diagonal(corners, truth, size) if is_found else math.inf)
        found.append(is_found)
        visible.append(has_visible_border(picture, truth))
    figures = {}
    for name, chosen in ((f"{label}, border visible", np.array(visible)), (label, np.full(len(visible), True))):
        figures.update(corner_figures(name, np.array(errors)[chosen], np.array(found)[chosen]))
    return {**figures, "pictures without a film: no corners": share_of([not flag for flag in false])} if false else figures


def corner_figures(name, errors, found):
    where_found = errors[np.isfinite(errors)]
    return {
        f"{name}: corners found": share_of(found),
        f"{name}: found and within {CREDIBLE_ERROR:.0%} of the diagonal": share_of(errors < CREDIBLE_ERROR),
        f"{name}: median of the four corners' mean error where found, parts of the diagonal": median_of(where_found),
        f"{name}: 90th percentile of that error": round(float(np.percentile(where_found, 90)), 5),
    }


def show(title, figures):
    print(f"\n{title}")
    for name, figure in figures.items():
        if isinstance(figure, dict):
            value = next(figure[key] for key in ("share", "median", "vertebrae") if key in figure)
            print(f"  {name:95s} {value:8.4f}  [{figure['interval'][0]:.4f}, {figure['interval'][1]:.4f}]  n = {figure['n']}")
        else:
            print(f"  {name:95s} {figure}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packs", type=Path, required=True, help="folder that holds gate-corvet and corners-corvet")
    parser.add_argument("--pictures", required=True, help="held-out pictures from training.gate.make_pictures")
    parser.add_argument("--photographs", help="photographs of held-out films as they are (make_pictures --only pop --unvaried-share 1)")
    parser.add_argument("--real", help="real lateral films in the data format; for measuring only")
    parser.add_argument("--write", action="store_true", help="fill the manifests and cards")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rows = read_rows(arguments.pictures)
    gate, corners = Pack(arguments.packs / "gate-corvet"), Pack(arguments.packs / "corners-corvet")
    measured = {gate: gate_on_made(gate, rows), corners: corners_on_made(corners, [row for row in rows if row["kind"] == "pop" or has_no_film(row)], "varied films")}
    if arguments.photographs:
        measured[corners] = {**corners_on_made(corners, read_rows(arguments.photographs), "films as they are"), **measured[corners]}
    if arguments.real:
        measured[gate] = {**gate_on_real(gate, arguments.real), **measured[gate]}
    for pack, figures in measured.items():
        show(pack.manifest["name"], figures)
        if arguments.write:
            pack.manifest["evaluation"] = figures
            write_manifest(pack.folder, pack.manifest)
            write_cards(pack.folder, pack.manifest)


if __name__ == "__main__":
    main()
