"""Lists the photographs on which a checkpoint fails although the film's border is visible, so that training samples
them more often.

  python3 -m training.corners.hard --pictures pictures/train --checkpoint runs/corners.pt

Writes `index-hard.jsonl` to the folder, next to the other indices.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from ..gate.data import read_rows
from .data import shows_corners
from .decode import error_of_diagonal, glance
from .network import CornerMaps, CornerNet
from .visibility import has_visible_border

FAILED_ERROR = 0.02


def is_hard(row: dict[str, Any], run: Callable[..., Any]) -> bool:
    picture, truth = cv2.imread(str(row["path"])), np.array(row["corners"])
    corners, _ = glance(picture, run)
    return error_of_diagonal(corners, truth, picture.shape[1::-1]) > FAILED_ERROR and has_visible_border(picture, truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, required=True)
    parser.add_argument("--checkpoint", required=True)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    net = CornerNet()
    net.load_state_dict(torch.load(arguments.checkpoint, map_location="cpu")["weights"])
    maps = CornerMaps(net).eval()

    def run(planes: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return maps(torch.from_numpy(planes)[None])[0].numpy()

    target = arguments.pictures / "index-hard.jsonl"
    target.unlink(missing_ok=True)
    photographs = [row for row in read_rows(arguments.pictures) if shows_corners(row)]
    hard = [row for row in photographs if is_hard(row, run)]
    lines = [json.dumps({key: row[key] for key in ("file", "kind", "source", "corners")}) for row in hard]
    target.write_text("".join(f"{line}\n" for line in lines))
    print(f"{len(hard)} of {len(photographs)} photographs are hard")


if __name__ == "__main__":
    main()
