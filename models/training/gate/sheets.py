"""Draws sample and failure sheets for the cards, from pictures with only phantoms and drawn content.

python3 -m training.gate.make_pictures --films phantoms-test --out pictures/phantoms-only --count 400 --seed 5000000
python3 -m training.gate.sheets --packs packs --pictures pictures/phantoms-only
"""

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from ..corners.decode import error_of_diagonal
from ..screens.network_run import Pack
from ..screens.program import corners_of_folder
from .data import read_rows

TILE_PX, COLUMNS, LARGEST = 260, 6, 24
TRUTH_COLOUR, FOUND_COLOUR = (80, 220, 80), (60, 60, 255)


def tile(picture: np.ndarray, caption: str) -> np.ndarray:
    scale = TILE_PX / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    square = np.full((TILE_PX + 18, TILE_PX, 3), 60, np.uint8)
    square[: small.shape[0], : small.shape[1]] = small
    cv2.putText(square, caption, (3, TILE_PX + 13), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1, cv2.LINE_AA)
    return square


def write_sheet(path: Path, tiles: list[np.ndarray]) -> None:
    """Writes at most LARGEST tiles; removes an old sheet if there are none."""
    tiles = tiles[:LARGEST]
    if not tiles:
        path.unlink(missing_ok=True)
        return
    tiles = tiles + [np.zeros_like(tiles[0])] * (-len(tiles) % COLUMNS)
    sheet = np.vstack([np.hstack(tiles[start : start + COLUMNS]) for start in range(0, len(tiles), COLUMNS)])
    cv2.imwrite(str(path), sheet, [cv2.IMWRITE_JPEG_QUALITY, 80])


def gate_sheets(gate: Pack, rows: list[dict[str, Any]]) -> None:
    samples: list[np.ndarray] = []
    failures: list[np.ndarray] = []
    for row in rows:
        picture = cv2.imread(str(row["path"]))
        found = gate.probabilities(picture)
        rejected = gate.verdict(found) == "neither"
        said = "neither" if rejected else max(("direct", "pop"), key=found.__getitem__)
        labelled = tile(
            picture, f"{row['kind']} -> {said} {found['neither'] if rejected else 1 - found['neither']:.2f}"
        )
        (samples if said == row["kind"] else failures).append(labelled)
    write_sheet(gate.folder / "samples.jpg", samples)
    write_sheet(gate.folder / "failures.jpg", failures)


def outline(picture: np.ndarray, corners: np.ndarray, colour: tuple[int, int, int]) -> None:
    cv2.polylines(picture, [np.round(corners * 16).astype(np.int32)], True, colour, 2, cv2.LINE_AA, 4)


def corner_sheets(pack: Pack, program_corners: dict[str, np.ndarray | None], rows: list[dict[str, Any]]) -> None:
    """Truth green, result red; failures sorted by error, largest first."""
    judged = []
    for row in rows:
        if row["kind"] != "pop":
            continue
        picture, truth = cv2.imread(str(row["path"])), np.array(row["corners"])
        corners = program_corners[row["file"]]
        outline(picture, truth, TRUTH_COLOUR)
        if corners is None:
            judged.append((1.0, tile(picture, "not found")))
            continue
        error = error_of_diagonal(corners, truth, picture.shape[1::-1])
        outline(picture, corners, FOUND_COLOUR)
        judged.append((error, tile(picture, f"{error:.2%} of the diagonal")))
    write_sheet(pack.folder / "samples.jpg", [labelled for _, labelled in judged])
    worst = sorted((pair for pair in judged if pair[0] > 0.01), key=lambda pair: -pair[0])
    write_sheet(pack.folder / "failures.jpg", [labelled for _, labelled in worst][:12])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packs", type=Path, required=True)
    parser.add_argument("--pictures", required=True, help="made without real films and photographs")
    arguments = parser.parse_args()
    rows = read_rows(arguments.pictures)
    gate_sheets(Pack(arguments.packs / "gate-corvet"), rows)
    corner_sheets(
        Pack(arguments.packs / "corners-corvet"), corners_of_folder(arguments.pictures, arguments.packs), rows
    )


if __name__ == "__main__":
    main()
