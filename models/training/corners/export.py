"""Writes models/packs/corners-corvet from a checkpoint.

  python3 -m training.corners.export --checkpoint runs/corners.pt --pack packs/corners-corvet --version 2026.11.1
"""
import argparse

import torch

from ..gate.export import DATA, training_section
from ..gate.pack import write_pack
from .decode import DECODING
from .network import CORNERS, SIDE, STRIDE, CornerMaps, CornerNet


def export(checkpoint, pack, version, date):
    state = torch.load(checkpoint, map_location="cpu")
    net = CornerNet()
    net.load_state_dict(state["weights"])
    cells = SIDE // STRIDE
    manifest = {
        "kind": "corners",
        "name": "corners-corvet",
        "version": version,
        "modelVersion": "3.4.0-corvet.1",
        "decoding": {"corners": list(CORNERS), **DECODING},
        "training": training_section(state, "Trained from scratch on simulated photographs of screens.", DATA, date),
    }
    write_pack(pack, CornerMaps(net), (1, 3, SIDE, SIDE), "heatmaps", (1, len(CORNERS), cells, cells), manifest)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True, help="day of the training, YYYY-MM-DD")
    arguments = parser.parse_args()
    export(arguments.checkpoint, arguments.pack, arguments.version, arguments.date)


if __name__ == "__main__":
    main()
