"""Measures the change of scores when the picture is mirrored, rotated, inverted, clipped, pale, compressed, resized,
collimated, on a page, or part of a film of the whole animal.

  python3 -m training.stress --data FOLDER --packs packs --report runs/stress.json

The program measures every film unaltered and after each change; no annotation is needed.
"""

import argparse
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from .evaluate import PROGRAM, measure_folder
from .films import read_grey, read_index
from .packs import only
from .shares import share_of

MOST_CHANGE = 0.15
"""Largest change of a score that counts as unchanged [v]."""
JPEG_QUALITY = 30
WIDTHS_PX = (250, 3000)
COLLIMATED_SHARE = 0.06
BODY_TIMES = 2
"""Length of a film of the whole animal relative to that of the thorax."""
CLIPPED_PERCENT = (5, 95)
PALE_SHARE = 0.25
PAGE_TIMES = 2
"""Length of a page relative to the film on it."""


def resized(width: int) -> Callable[[np.ndarray], np.ndarray]:
    def change(image: np.ndarray) -> np.ndarray:
        scale = width / image.shape[1]
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        return cv2.resize(image, (width, max(1, round(image.shape[0] * scale))), interpolation=method)

    return change


def clipped(image: np.ndarray) -> np.ndarray:
    """Clips the darkest and brightest twentieths of the 8-bit levels."""
    low, high = np.percentile(image, CLIPPED_PERCENT)
    return (np.clip((image - low) / max(high - low, 1), 0, 1) * 255).astype(np.uint8)


def pale(image: np.ndarray) -> np.ndarray:
    """Compresses the levels into the brightest part of the range."""
    return np.round(255 - PALE_SHARE * (255.0 - image)).astype(np.uint8)


def on_page(image: np.ndarray) -> np.ndarray:
    """The film in the middle of a white page."""
    rows, columns = (round(side * (PAGE_TIMES - 1) / 2) for side in image.shape)
    return cv2.copyMakeBorder(image, rows, rows, columns, columns, cv2.BORDER_CONSTANT, value=255)


def compressed(image: np.ndarray) -> np.ndarray:
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE)


def collimated(image: np.ndarray) -> np.ndarray:
    """A black frame over the outermost pixels."""
    height, width = image.shape
    rows, columns = round(COLLIMATED_SHARE * height), round(COLLIMATED_SHARE * width)
    framed = np.zeros_like(image)
    framed[rows : height - rows, columns : width - columns] = image[rows : height - rows, columns : width - columns]
    return framed


def whole_body(image: np.ndarray) -> np.ndarray:
    """The film in the middle of a longer and higher one, filled by extending its borders, increasingly blurred and
    dark, with the film's own grain.
    """
    height, width = image.shape
    rows, columns = round(height * (BODY_TIMES - 1) / 4), round(width * (BODY_TIMES - 1) / 2)
    longer = cv2.copyMakeBorder(image, rows, rows, columns, columns, cv2.BORDER_REPLICATE)
    outside = np.full(longer.shape, 255, np.uint8)
    outside[rows : rows + height, columns : columns + width] = 0
    far = cv2.distanceTransform(outside, cv2.DIST_L2, 5)
    for step in range(1, 6):
        reach = 2**step
        blurred = cv2.GaussianBlur(longer, (0, 0), reach)
        share = np.clip(far / reach - 1, 0, 1)
        longer = np.round(longer * (1 - share) + blurred * share).astype(np.uint8)
    grain = np.std(image - cv2.GaussianBlur(image, (0, 0), 1).astype(np.float32))
    noise = np.random.default_rng(0).normal(0, grain, longer.shape) * np.clip(far, 0, 1)
    return np.clip(np.round((longer + noise) * np.exp(-2 * far / columns)), 0, 255).astype(np.uint8)


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mirrored": lambda image: image[:, ::-1],
    "turned by 90 degrees": lambda image: np.rot90(image),
    "turned by 10 degrees": lambda image: turned(image, 10),
    "inverted": lambda image: 255 - image,
    "clipped": clipped,
    f"{PALE_SHARE:.0%} of the levels": pale,
    f"JPEG quality {JPEG_QUALITY}": compressed,
    **{f"{width} px wide": resized(width) for width in WIDTHS_PX},
    "collimated": collimated,
    "on a page": on_page,
    "whole body": whole_body,
}


def turned(image: np.ndarray, degrees: float) -> np.ndarray:
    height, width = image.shape
    matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), degrees, 1)
    return cv2.warpAffine(image, matrix, (width, height), flags=cv2.INTER_CUBIC)


def changed_scores(
    folder: Path, files: list[str], change: Callable[[np.ndarray], np.ndarray], packs: str | None, a: argparse.Namespace
) -> dict[str, float]:
    """VHS by file after the change, for those that have one."""
    with tempfile.TemporaryDirectory() as temporary:
        for file in files:
            picture = np.ascontiguousarray(change(read_grey(folder / file)))
            cv2.imwrite(str(Path(temporary) / f"{Path(file).stem}.png"), picture)
        rows = measure_folder(temporary, packs, a.program, a.pack)
    named = {file: rows.get(f"{Path(file).stem}.png", {}).get("vhs") for file in files}
    return {file: vhs for file, vhs in named.items() if vhs is not None}


def figures_of(plain: dict[str, float], changed: dict[str, float]) -> dict:
    """Share of the scored films with unchanged score, and the median change [v]."""
    moved = [abs(changed[file] - vhs) if file in changed else float("inf") for file, vhs in plain.items()]
    share = share_of([change <= MOST_CHANGE for change in moved])
    found = [change for change in moved if np.isfinite(change)]
    median = round(float(np.median(found)), 3) if found else None
    return {**(share or {}), "median_change": median, "lost": len(moved) - len(found)}


def stress(a: argparse.Namespace) -> None:
    folder = Path(a.data)
    files = [entry["file"] for entry in read_index(folder) if not a.group or entry.get("group") == a.group]
    report = {}
    with only(a.pack, a.packs) as packs:
        plain = changed_scores(folder, files, lambda image: image, packs, a)
        for name, change in CHANGES.items():
            figures = report[name] = figures_of(plain, changed_scores(folder, files, change, packs, a))
            print(f"{name:<24}{stress_text(figures)}", flush=True)
    if a.report:
        Path(a.report).write_text(json.dumps({"stress": report}, indent=2) + "\n")


def stress_text(figures: dict) -> str:
    return f"{figures['share']:.2f} of {figures['n']}, {figures['median_change']} v, {figures['lost']} without a score"


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.stress", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="folder of films in the data format")
    parser.add_argument("--group", help="only films of this group")
    parser.add_argument("--pack", help="measure with this pack instead of others of its kind")
    parser.add_argument("--packs", help="folder of packs to measure with instead of the program's own")
    parser.add_argument("--program", default=PROGRAM, help="command that starts the measuring program")
    parser.add_argument("--report", help="file for the figures (JSON), read by `cards`")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    stress(parse())
