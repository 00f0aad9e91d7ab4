"""Tests of converting a pack back into checkpoints: python3 -m unittest training.tests.test_from_pack (in models/)."""

import json
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn
from training.column.export import ColumnSight
from training.export import Exported, halve_weights, legacy_exporter, write_onnx
from training.from_pack import exported_layers, folded, restore, restored
from training.gate.from_pack import normalise_anew
from training.golden import golden_input
from training.heart.export import HeartSight
from training.heart.network import HeartNet
from training.names import HEART_POINTS
from training.network import LandmarkNet, PyramidNet
from training.packs import PROGRAM_PACKS, networks_in, read_manifest

SIDE = 64


class FromPackTest(unittest.TestCase):
    def test_a_restored_member_has_the_same_outputs(self) -> None:
        torch.manual_seed(1)
        member, restored = LandmarkNet(), LandmarkNet()
        for _ in range(20):
            member.train()(torch.rand(4, 1, SIDE, SIDE))
        with tempfile.TemporaryDirectory() as folder:
            pack = Path(folder)
            write_onnx(Exported(member).eval(), pack / "fold-1.onnx", SIDE)
            halve_weights(pack / "fold-1.onnx")
            (pack / "manifest.json").write_text(json.dumps({"members": [{"file": "fold-1.onnx"}]}))
            (layers,) = exported_layers(pack, "landmarks")
        restore(restored, layers)
        normalise_anew(restored, torch.rand(8, 1, SIDE, SIDE))
        seen = torch.rand(2, 1, SIDE, SIDE)
        with torch.no_grad():
            answer, was = restored(seen), member(seen)
        self.assertLess(float((answer - was).abs().max()), 0.001)

    def test_a_wider_network_started_from_a_pack_has_the_same_outputs(self) -> None:
        torch.manual_seed(1)
        narrow, wide = PyramidNet((8, 8, 16, 16, 24), 16, len(HEART_POINTS) + 1), HeartNet()
        narrow.train()(torch.rand(4, 1, 64, 64))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "narrow.onnx"
            torch.onnx.export(narrow.eval(), torch.zeros(1, 1, 64, 64), str(path), **legacy_exporter())
            restore(wide, folded(onnx.load(str(path)).graph))
        seen = torch.rand(2, 1, 64, 64)
        with torch.no_grad():
            self.assertTrue(torch.allclose(wide.eval()(seen), narrow(seen), atol=1e-4))

    def test_restored_column_and_heart_networks_give_the_golden_outputs(self) -> None:
        pack = PROGRAM_PACKS / "landmarks-corvet"
        sights: dict[str, Callable[[list[nn.Module]], nn.Module]] = {"column": ColumnSight, "heart": HeartSight}
        for network, sight in sights.items():
            entry = read_manifest(pack)[network]
            (golden,) = entry["golden"]["outputs"]
            networks = restored(pack, network)
            self.assertEqual(len(networks), networks_in(entry))
            pictures = torch.from_numpy(
                np.concatenate([golden_input(seed, entry["input"]["shape"]) for seed in range(8)])
            )
            for anew in (False, True):
                if anew:
                    for net in networks:
                        normalise_anew(net, pictures)
                with torch.no_grad():
                    seen = torch.from_numpy(golden_input(entry["golden"]["inputSeed"], entry["input"]["shape"]))
                    answer = sight(networks).eval()(seen)[0].flatten()[: len(golden["values"])]
                np.testing.assert_allclose(answer.numpy(), golden["values"], atol=golden["tolerance"])


if __name__ == "__main__":
    unittest.main()
