"""Writes models/packs/corners-corvet from a checkpoint.

python3 -m training.corners.export --checkpoint runs/corners.pt --pack packs/corners-corvet --version 2026.11.1 \
    --date 2026-11-21
"""

from pathlib import Path
from typing import Any

from ..screens.export import MODEL_VERSION, parse, training_section
from ..screens.pack import write_pack
from .decode import DECODING
from .network import CORNERS, MAPS, SIDE, SIDES, STRIDE, CornerMaps, CornerNet

STATEMENT = (
    "Trained from scratch on simulated photographs of screens (seed 23), then for 28 more minutes with 1,600 new ones."
)


def export(state: dict[str, Any], pack: str | Path, version: str, date: str) -> None:
    net = CornerNet()
    net.load_state_dict(state["weights"])
    cells = SIDE // STRIDE
    manifest: dict[str, Any] = {
        "kind": "corners",
        "name": "corners-corvet",
        "version": version,
        "modelVersion": MODEL_VERSION,
        "decoding": {"corners": list(CORNERS), "sides": list(SIDES), **DECODING},
        "training": training_section(state, STATEMENT, date),
    }
    write_pack(pack, CornerMaps(net), (1, 3, SIDE, SIDE), "heatmaps", (1, len(MAPS), cells, cells), manifest)


if __name__ == "__main__":
    chosen = parse(__doc__)
    export(chosen.state, chosen.pack, chosen.version, chosen.date)
