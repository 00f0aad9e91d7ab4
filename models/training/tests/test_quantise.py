"""Tests of integer networks."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import torch
from training.export import Exported, halve_weights, write_onnx
from training.graph import GraphNet
from training.network import LandmarkNet
from training.quantise import WEIGHT_LIMIT, Quantiser, activation_ranges

SIDE = 96


class WholeNumbers(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(5)
        self.network = LandmarkNet().eval()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "network.onnx"
            write_onnx(Exported(self.network).eval(), path, SIDE)
            halve_weights(path)
            self.model = onnx.load(str(path))
        self.view = np.random.default_rng(2).random((SIDE, SIDE), np.float32)

    def maps(self, network: torch.nn.Module) -> np.ndarray:
        with torch.no_grad():
            return network(torch.from_numpy(self.view)[None, None]).numpy()

    def test_the_graph_computes_the_maps_of_the_network(self) -> None:
        np.testing.assert_allclose(self.maps(GraphNet(self.model)), self.maps(self.network), atol=0.02)

    def test_integer_networks_stay_close_to_floats(self) -> None:
        floats = self.maps(GraphNet(self.model))
        whole = Quantiser(self.model, activation_ranges(self.model, [self.view])).rewritten()
        self.assertGreater(np.corrcoef(floats.ravel(), self.maps(GraphNet(whole)).ravel())[0, 1], 0.98)

    def test_weights_have_seven_bits(self) -> None:
        whole = Quantiser(self.model, activation_ranges(self.model, [self.view])).rewritten()
        weights = [onnx.numpy_helper.to_array(t) for t in whole.graph.initializer if t.name.endswith("weights_stored")]
        self.assertGreater(len(weights), 20)
        self.assertLessEqual(max(int(np.abs(values).max()) for values in weights), WEIGHT_LIMIT)


if __name__ == "__main__":
    unittest.main()
