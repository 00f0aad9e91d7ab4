"""Writes models/packs/gate-corvet from a checkpoint.

  python3 -m training.gate.export --checkpoint runs/gate.pt --pack packs/gate-corvet --version 2026.11.1
"""
import argparse

import torch

from .network import KINDS, SIDE, CalibratedGate, GateNet
from .pack import write_pack

DATA = [
    "Phantoms of lateral thoraxes drawn by models/training",
    "9 of the 11 public films of dogs and cats (Mendeley Data ktx4cj55pn; VetXRay, Zenodo 19051776; CC BY 4.0), warped; 2 kept for calibration",
    "Phantoms of other radiographs, documents, charts and noise drawn by models/training/others",
    "Photographs of screens drawn by models/training/pop",
    "Wallpapers of the Debian packages gnome-backgrounds, mate-backgrounds, plasma-workspace-wallpapers and lomiri-wallpapers-20.04 (GPL-2+, CC BY-SA, LGPL-3+; used for training, not passed on)",
]


def export(checkpoint, pack, version, date):
    state = torch.load(checkpoint, map_location="cpu")
    net = GateNet()
    net.load_state_dict(state["weights"])
    module = CalibratedGate(net, state["temperature"])
    manifest = {
        "kind": "gate",
        "name": "gate-corvet",
        "version": version,
        "modelVersion": "3.4.0-corvet.1",
        "decoding": {"kinds": list(KINDS), "rejectAtOrAbove": state.get("rejectAtOrAbove", 0.5), "temperature": round(state["temperature"], 4)},
        "training": training_section(state, "Trained from scratch; the temperature was fitted on held-out pictures.", DATA, date),
    }
    write_pack(pack, module, (1, 3, SIDE, SIDE), "probabilities", (1, len(KINDS)), manifest)


def training_section(state, statement, data, date):
    return {
        "statement": statement,
        "data": data,
        "seeds": [state["seed"]],
        "date": date,
        "machine": "1 thread of a shared 2-core CPU",
        "minutes": round(state["seconds"] / 60, 1),
        "picturesSeen": state["seen"],
        "code": "models/training",
    }


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
