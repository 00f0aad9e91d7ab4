"""Command line of the two exports, and what both packs say about their training."""

import argparse
from typing import Any

import torch

MODEL_VERSION = "3.4.0-corvet.2"
DATA = [
    "Phantoms of lateral thoraxes drawn by models/training",
    "9 of the 11 public films of dogs and cats (Mendeley Data ktx4cj55pn; VetXRay, Zenodo 19051776; CC BY 4.0), "
    "warped; 2 kept for calibration",
    "Phantoms of other radiographs, documents, charts and noise drawn by models/training/others",
    "Photographs of screens drawn by models/training/pop",
    "Wallpapers of the Debian packages gnome-backgrounds, mate-backgrounds, plasma-workspace-wallpapers and "
    "lomiri-wallpapers-20.04 (GPL-2+, CC BY-SA, LGPL-3+), "
    "pictures of the Debian package opencv-doc (Apache-2.0 and others); used for training, not passed on",
]


def training_section(state: dict[str, Any], statement: str, date: str) -> dict[str, Any]:
    return {
        "statement": statement,
        "data": DATA,
        "seeds": [state["seed"]],
        "date": date,
        "machine": "1 thread of a shared 2-core CPU",
        "minutes": round(state["seconds"] / 60, 1),
        "picturesSeen": state["seen"],
        "code": "models/training",
    }


def parse(description: str) -> argparse.Namespace:
    """Arguments of an export; `state` is the checkpoint."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True, help="day of the training, YYYY-MM-DD")
    arguments = parser.parse_args()
    arguments.state = torch.load(arguments.checkpoint, map_location="cpu")
    return arguments
