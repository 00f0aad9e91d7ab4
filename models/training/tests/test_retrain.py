"""Retraining on a clinic's films: what is taken up again, and what is not."""

import json
import tempfile
import unittest
from pathlib import Path

import torch
from training import retrain, train
from training.checkpoints import run_of


def write_index(folder: Path, files: list[str]) -> None:
    images = [{"file": file, "edges": []} for file in files]
    (folder / "index.json").write_text(json.dumps({"version": 1, "images": images}))


class TakenUpAgain(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        write_index(self.folder, ["a.png"])
        (self.folder / "start.pt").write_bytes(b"start")

    def asked(self, minutes: str = "60") -> None:
        data, work = str(self.folder), self.folder / "work"
        chosen = ["--data", data, "--start", f"{data}/start.pt", "--minutes", minutes, "--work", str(work)]
        retrain.refuse_other_runs(retrain.parse([*chosen, "--out", f"{data}/pack"]), work)

    def trained(self, suffix: str) -> None:
        """As if trunk, locator and members were there."""
        data, work = str(self.folder), self.folder / "work"
        work.mkdir(exist_ok=True)
        a = retrain.parse(["--data", data, "--start", f"{data}/start.pt", "--minutes", "60", "--out", f"{data}/pack"])
        for path, options in retrain.planned_runs(a, work):
            run = run_of(train.parse([*options, "--out", str(path)]))
            torch.save({"of": run}, path.with_suffix(suffix))

    def test_networks_of_the_same_films_are_kept(self) -> None:
        for suffix in (".pt", ".resume"):
            self.trained(suffix)
            self.asked()

    def test_networks_of_other_films_another_start_or_length_are_refused(self) -> None:
        for suffix in (".pt", ".resume"):
            self.trained(suffix)
            with self.assertRaisesRegex(SystemExit, "minutes"):
                self.asked("90")
            write_index(self.folder, ["a.png", "b.png"])
            with self.assertRaisesRegex(SystemExit, "data, films"):
                self.asked()
            write_index(self.folder, ["a.png"])
            (self.folder / "start.pt").write_bytes(b"another start")
            with self.assertRaisesRegex(SystemExit, "starting_point"):
                self.asked()
            (self.folder / "start.pt").write_bytes(b"start")
            self.asked()
            for path in (self.folder / "work").iterdir():
                path.unlink()

    def test_networks_from_before_are_told_apart_by_their_run(self) -> None:
        self.trained(".pt")
        for path in (self.folder / "work").iterdir():
            of = torch.load(path)["of"]
            torch.save({"run": {name: of[name] for name in ("network", "seed", "fold", "left_out", "data")}}, path)
        self.asked()
        write_index(self.folder, ["a.png", "b.png"])
        with self.assertRaisesRegex(SystemExit, "data"):
            self.asked()


if __name__ == "__main__":
    unittest.main()
