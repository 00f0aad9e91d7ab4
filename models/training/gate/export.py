"""Writes models/packs/gate-corvet from a checkpoint.

  python3 -m training.gate.export --checkpoint runs/gate.pt --pack packs/gate-corvet --version 2026.11.1 \
      --date 2026-11-21
"""

from pathlib import Path
from typing import Any

from ..screens.export import MODEL_VERSION, parse, training_section
from ..screens.pack import write_pack
from .network import KINDS, SIDE, CalibratedGate, GateNet

REJECT_RECTIFIED = 0.9
"""Limit for the rectified film of a photograph, which has already passed once, so that only a clear verdict rejects it.
"""
STATEMENT = (
    "Trained from scratch in two runs up to pack 2026.11.5, then for 26 minutes (205,056 pictures, seed 18) with names "
    "for what is refused, whole animals and 900 close-ups of films on screens. The weights are a quarter those of "
    "pack 2026.11.5 and three quarters those of this run: the share was chosen on held-out pictures, where the run "
    "alone took one film in twenty for a photograph; temperature and limits were fitted on the same pictures. The run "
    "alone and this mixture were looked at on the validation films as aggregates; the share did not depend on them."
)


def export(state: dict[str, Any], pack: str | Path, version: str, date: str) -> None:
    net = GateNet()
    net.load_state_dict(state["weights"])
    manifest = {
        "kind": "gate",
        "name": "gate-corvet",
        "version": version,
        "modelVersion": MODEL_VERSION,
        "decoding": {
            "kinds": list(KINDS),
            "rejectAtOrAbove": state["rejectAtOrAbove"],
            "rejectDirectAtOrAbove": state["rejectDirectAtOrAbove"],
            "rejectRectifiedAtOrAbove": REJECT_RECTIFIED,
            "temperature": round(state["temperature"], 4),
        },
        "training": training_section(state, STATEMENT, date),
    }
    write_pack(
        pack, CalibratedGate(net, state["temperature"]), (1, 3, SIDE, SIDE), "probabilities", (1, len(KINDS)), manifest
    )


if __name__ == "__main__":
    chosen = parse(__doc__)
    export(chosen.state, chosen.pack, chosen.version, chosen.date)
