"""Tests of the films that networks left out: python3 -m unittest training.tests.test_left_out (in models/)."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import onnx
import torch
from training.export import OPSET, legacy_exporter
from training.heart.export import HeartSight
from training.heart.frame import SIDE
from training.heart.network import HeartNet
from training.left_out import (
    group_of,
    joined_networks,
    keep_one_network,
    left_out_of,
    measure_left_out,
    member_of,
    parse,
)
from training.phantom import make_film
from training.train import FOLDS, held_out
from training.truth import index_entry

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

    def test_one_network_of_a_file_replaces_all_outputs(self) -> None:
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

    def test_a_member_is_given_by_number_or_file(self) -> None:
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

    def test_a_pack_without_five_networks_of_a_kind_is_refused_before_anything_is_measured(self) -> None:
        def entry(count: int) -> dict:
            return {"outputs": [{"shape": [count, 128]}]}

        for manifest, said in (
            ({"column": entry(5)}, "0 networks for the heart"),
            ({"heart": entry(5), "column": entry(2)}, "2 networks for the column"),
            ({"heart": entry(5), "column": entry(5), "members": [{}]}, "1 members, no number 2"),
        ):
            with tempfile.TemporaryDirectory() as pack, patch("training.left_out.read_films", return_value=[]):
                (Path(pack) / "manifest.json").write_text(json.dumps(manifest))
                chosen = ["--data", pack, "--pack", pack, "--members", "1,2=a.png", "--records", f"{pack}/records"]
                with self.assertRaisesRegex(SystemExit, said):
                    measure_left_out(parse(chosen))

    def test_films_measured_as_photographs_are_left_out(self) -> None:
        images = [{**index_entry(f"{seed}.png", make_film(np.random.default_rng(seed), 200))} for seed in (1, 2)]
        rows = {
            f"whole-{number}.png": {"vhs": 9.0, "spread": 0.004, "pop_detected": number == 2, "width": 200}
            for number in (1, 2)
        }
        with tempfile.TemporaryDirectory() as folder:
            for seed in (1, 2):
                cv2.imwrite(f"{folder}/{seed}.png", make_film(np.random.default_rng(seed), 200).image)
            (Path(folder) / "index.json").write_text(json.dumps({"version": 1, "images": images}))
            chosen = [
                "--data",
                folder,
                "--pack",
                folder,
                "--members",
                "1=1.png,2.png",
                "--records",
                f"{folder}/records",
            ]
            with (
                patch("training.left_out.refuse_unknown"),
                patch("training.left_out.only"),
                patch("training.left_out.write_packs"),
                patch("training.left_out.measure_entries", return_value=rows),
                patch("training.evaluate._compare_places", return_value={}),
            ):
                records = measure_left_out(parse(chosen))
        self.assertEqual([record["film"] for record in records], ["1.png"])


if __name__ == "__main__":
    unittest.main()
