"""Runs the network of an exported pack like the program's engine."""

import json
from pathlib import Path

import cv2
import numpy as np

from ..gate.letterbox import letterbox, to_planes
from ..gate.network import ACCEPTED


class Pack:
    """A pack's network, run by OpenCV from the exported file."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / "manifest.json").read_text())
        self.network = cv2.dnn.readNetFromONNX(str(self.folder / self.manifest["members"][0]["file"]))
        self.decoding, self.side = self.manifest["decoding"], self.manifest["input"]["shape"][-1]

    def run(self, planes: np.ndarray) -> np.ndarray:
        self.network.setInput(planes[None])
        return self.network.forward()[0]

    def probabilities(self, picture: np.ndarray) -> dict[str, float]:
        """Gate: probability by kind; `neither` is the sum of all kinds that are not accepted."""
        by_kind = dict(zip(self.decoding["kinds"], self.run(to_planes(letterbox(picture, self.side)[0])).tolist()))
        return {**by_kind, "neither": sum(value for kind, value in by_kind.items() if kind not in ACCEPTED)}

    def taken_for(self, probabilities: dict[str, float]) -> str:
        """Gate: the most probable of the kinds that are not accepted."""
        return max(
            (kind for kind in self.decoding["kinds"] if kind not in ACCEPTED), key=lambda kind: probabilities[kind]
        )

    def verdict(self, probabilities: dict[str, float]) -> str:
        """Gate: the kind of a picture; each accepted kind has its own limit."""
        kind = "direct" if probabilities["direct"] >= probabilities["pop"] else "pop"
        limit = self.decoding["rejectDirectAtOrAbove" if kind == "direct" else "rejectAtOrAbove"]
        return "neither" if probabilities["neither"] >= limit else kind

    def judge(self, picture: np.ndarray) -> str:
        return self.verdict(self.probabilities(picture))
