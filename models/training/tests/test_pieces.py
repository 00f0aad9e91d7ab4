"""Training in pieces: a run stopped by --piece resumes where it stopped."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import torch
from training import checkpoints, train
from training.phantom import make_film
from training.truth import index_entry


class Pieces(unittest.TestCase):
    def test_a_run_continues_where_its_piece_ended(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            film = make_film(np.random.default_rng(2), 300, plain=True)
            cv2.imwrite(str(Path(folder) / "a.png"), film.image)
            index = {"version": 1, "images": [index_entry("a.png", film)]}
            (Path(folder) / "index.json").write_text(json.dumps(index))
            files = ["--data", folder, "--out", f"{folder}/net.pt", "--log", f"{folder}/runs.jsonl"]
            small = [*files, "--minutes", "0.05", "--side", "64", "--batch", "2", "--workers", "0", "--threads", "1"]
            pieces = 0
            while not train.train(train.parse([*small, "--piece", "0.02"])):
                pieces += 1
                self.assertTrue(Path(folder, "net.resume").exists())
                self.assertLess(pieces, 60)
                with self.assertRaisesRegex(SystemExit, "another run .*seed"):
                    train.train(train.parse([*small, "--seed", "2"]))
            self.assertGreater(pieces, 0)
            saved = torch.load(f"{folder}/net.pt", map_location="cpu")
            self.assertGreaterEqual(saved["state"]["seconds"], 3)
            events = [json.loads(line)["event"] for line in Path(folder, "runs.jsonl").read_text().splitlines()]
            self.assertEqual(events.count("end"), 1)

    def test_interrupted_saving_keeps_the_earlier_checkpoint(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "net.pt")
            checkpoints.save({"step": 1}, path)
            with patch("torch.save", side_effect=half_saved), self.assertRaises(KeyboardInterrupt):
                checkpoints.save({"step": 2}, path)
            self.assertEqual(torch.load(path)["step"], 1)


def half_saved(_: object, path: Path) -> None:
    path.write_bytes(b"half")
    raise KeyboardInterrupt


if __name__ == "__main__":
    unittest.main()
