"""Command line of the two exports, and the training section of both manifests."""

import argparse
from typing import Any

import torch

MODEL_VERSION = "3.4.0-corvet.2"
DATA = [
    "Phantoms of lateral thoraxes drawn by models/training",
    "20 of the 23 public films of dogs and cats (Mendeley Data ktx4cj55pn; VetXRay, Zenodo 19051776; Li & Zhang, "
    "Scientific Reports 14:1539 (2024), doi:10.1038/s41598-023-50063-x; CC BY 4.0), warped; 3 kept for calibration",
    "Phantoms of other radiographs, documents, charts and noise drawn by models/training/others; whole animals from "
    "the skeleton of dm_control's dog (Apache-2.0)",
    "Photographs of screens drawn by models/training/pop",
    "Wallpapers of the Debian packages gnome-backgrounds, mate-backgrounds, plasma-workspace-wallpapers, "
    "ukui-wallpapers, lomiri-wallpapers-16.04 and lomiri-wallpapers-20.04 (GPL-2+, CC BY-SA, LGPL-3+), pictures of the "
    "Debian packages opencv-doc and python-skimage-doc (Apache-2.0, BSD and others), animals of "
    "tuxpaint-stamps-default (GPL-2 and others); used for training, not distributed",
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
