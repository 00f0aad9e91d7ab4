"""Tests of the films that networks left out: python3 -m unittest training.tests.test_left_out (in models/)."""

import tempfile
import unittest
from pathlib import Path

import onnx
import torch
from training.export import OPSET, legacy_exporter
from training.heart.export import HeartSight
from training.heart.frame import SIDE
from training.heart.network import HeartNet
from training.left_out import group_of, joined_networks, keep_one_network, left_out_of, member_of
from training.train import FOLDS, held_out

from .test_column import striped_film


class LeftOut(unittest.TestCase):
    def test_every_film_is_left_out_by_one_fold_and_learned_by_the_others(self) -> None:
        films = [striped_film() for _ in range(13)]
        for index, film in enumerate(films):
            film.name = f"{index}.png"
        names = {film.name for film in films}
        folds = {fold: set(left_out_of(films, fold)) for fold in range(1, FOLDS + 1)}
        for fold, unseen in folds.items():
            self.assertEqual({film.name for film in held_out(films, fold)}, names - unseen)
        self.assertEqual(sorted(name for unseen in folds.values() for name in unseen), sorted(names))

    def test_one_network_of_a_file_answers_for_all(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "heart.onnx"
            sight = HeartSight([HeartNet(), HeartNet(), HeartNet()]).eval()
            close_up = torch.rand(1, 1, SIDE, SIDE)
            torch.onnx.export(sight, (close_up,), str(path), opset_version=OPSET, **legacy_exporter())
            keep_one_network(path, 2)
            joined = joined_networks(onnx.load(str(path)).graph)
            self.assertEqual(len(joined.input), 3)
            self.assertEqual({name.split("/")[1] for name in joined.input}, {"networks.1"})

    def test_members_and_their_films_are_named_together(self) -> None:
        self.assertEqual(group_of("1,3=a.png,b.png"), (["1", "3"], ["a.png", "b.png"]))

    def test_a_member_is_one_of_the_pack_or_a_file_beside_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder) / "other"
            other.mkdir()
            (other / "fold-2.onnx").write_bytes(b"network")
            pack = Path(folder) / "pack"
            pack.mkdir()
            manifest = {"members": [{"file": "fold-1.onnx", "sha256": "a"}]}
            self.assertEqual(member_of(manifest, pack, "1"), manifest["members"][0])
            self.assertEqual(member_of(manifest, pack, str(other / "fold-2.onnx"))["file"], "fold-2.onnx")
            self.assertEqual((pack / "fold-2.onnx").read_bytes(), b"network")


if __name__ == "__main__":
    unittest.main()
