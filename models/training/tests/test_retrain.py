"""Retraining on a clinic's films: which runs are resumed and which are refused."""

import json
import tempfile
import unittest
from pathlib import Path

import torch
from training import from_pack, retrain, train
from training.checkpoints import run_of
from training.packs import PROGRAM_PACKS


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

    def asked(self, minutes: str = "60", start: str = "start.pt") -> None:
        data, work = str(self.folder), self.folder / "work"
        chosen = ["--data", data, "--start", f"{data}/{start}", "--minutes", minutes, "--work", str(work)]
        retrain.refuse_other_runs(retrain.parse([*chosen, "--out", f"{data}/pack"]), work)

    def trained(self, suffix: str) -> None:
        """Simulates trained trunk, locator and members."""
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

    def test_networks_continued_from_another_pack_are_refused(self) -> None:
        work = self.folder / "work"
        work.mkdir()
        torch.save({"of": from_pack.origin(PROGRAM_PACKS / "landmarks-corvet")}, retrain.start_of(work, "heart", 1))
        self.asked()
        torch.save({"of": {"pack": "another"}}, retrain.start_of(work, "heart", 1))
        with self.assertRaisesRegex(SystemExit, "start-heart-1.pt is of another run .*pack"):
            self.asked()

    def test_earlier_networks_are_identified_by_their_run(self) -> None:
        self.trained(".pt")
        for path in (self.folder / "work").iterdir():
            of = torch.load(path)["of"]
            known = {name: of[name] for name in ("network", "seed", "fold", "left_out", "start", "data")}
            torch.save({"run": known}, path)
        self.asked()
        with self.assertRaisesRegex(SystemExit, "trunk.pt is of another run .*start"):
            self.asked(start="another.pt")
        write_index(self.folder, ["a.png", "b.png"])
        with self.assertRaisesRegex(SystemExit, "data"):
            self.asked()

    def test_column_and_heart_networks_trained_from_scratch_are_refused(self) -> None:
        work = self.folder / "work"
        work.mkdir()
        for name, said in (
            ("column-1.pt", {"run": {"network": "column", "start": None}}),
            ("heart-2.pt", {"run": {"network": "heart", "start": None}}),
            ("column-3.resume", {}),
        ):
            torch.save(said, work / name)
            with self.assertRaisesRegex(SystemExit, f"{name} is of another run .*start"):
                self.asked()
            (work / name).unlink()
        torch.save({}, work / "trunk.resume")
        self.asked()

    def test_a_missing_start_is_identified_by_its_name(self) -> None:
        self.trained(".resume")
        (self.folder / "start.pt").unlink()
        self.asked()
        with self.assertRaisesRegex(SystemExit, "trunk.resume is of another run .*start"):
            self.asked(start="another.pt")


class GoingOn(unittest.TestCase):
    def test_column_and_heart_networks_start_from_those_of_the_pack(self) -> None:
        work = Path("work")
        runs = [
            train.parse([*options, "--out", str(path)])
            for path, options in retrain.planned_runs(retrain.parse(["--data", "films"]), work)
        ]
        for network in ("column", "heart"):
            starts = [run.start for run in runs if run.network == network]
            self.assertEqual(starts, [str(retrain.start_of(work, network, fold)) for fold in range(1, train.FOLDS + 1)])

    def test_the_new_pack_lists_the_training_data_of_the_former(self) -> None:
        sources = retrain.sources_of(retrain.parse(["--data", "films", "--source", "ours"]))
        self.assertEqual(sources[0], "ours")
        self.assertTrue(any("by way of landmarks-corvet" in source and "CC BY 4.0" in source for source in sources))


if __name__ == "__main__":
    unittest.main()
