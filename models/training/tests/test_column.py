"""Tests of the network for the straightened column: python3 -m unittest training.tests.test_column (in models/)."""

import argparse
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from training import retrain, train
from training.column.export import add_column
from training.column.losses import column_loss, count_error, strip_example
from training.column.network import DISC, FIRST_NAME, LENGTH, ROWS, ColumnNet
from training.column.strip import CELL, CELLS, HEIGHT, VERTEBRA_PX, WIDTH, Strip, column_line, training_strip
from training.films import Film
from training.names import FIRST_EDGE, HEART_POINTS, POINTS, T4, VERTEBRAE

VERTEBRA = 24


def striped_film(mirrored: bool = False, turn: float = 0.0) -> Film:
    """A grey film that is brighter at every disc of its horizontal or oblique column."""
    number = np.arange(len(VERTEBRAE))
    towards = np.array([np.cos(turn), np.sin(turn)])
    points = np.zeros((len(POINTS), 2), np.float32)
    points[FIRST_EDGE:] = [80, 120] + VERTEBRA * number[:, None] * towards
    points[: len(HEART_POINTS)] = [[260, 300], [330, 430], [240, 390], [330, 340], [320, 315]]
    ys, xs = np.mgrid[0:460, 0:620]
    along = ((xs - 80) * towards[0] + (ys - 120) * towards[1]) / VERTEBRA
    disc = np.exp(-0.5 * ((along - np.round(along)) / 0.06) ** 2)
    image = (60 + 150 * disc).astype(np.uint8)
    if mirrored:
        image = np.ascontiguousarray(image[:, ::-1])
        points[:, 0] = image.shape[1] - 1 - points[:, 0]
    return Film(image, points, np.ones(len(POINTS), np.float32))


class Strips(unittest.TestCase):
    def test_discs_are_at_the_positions_given_by_the_strip(self) -> None:
        for film in (striped_film(), striped_film(mirrored=True), striped_film(turn=0.2)):
            for seed in range(6):
                strip = training_strip(np.random.default_rng(seed), film, 0.0)
                assert strip is not None
                seen = strip.places[np.isfinite(strip.places)]
                self.assertGreater(len(seen), 8)
                self.assertTrue((np.diff(seen) > 0).all(), "cranial is left")
                row = strip.image[HEIGHT // 2]
                inner = seen[(seen > 12) & (seen < WIDTH - 13)]
                for place in inner:
                    near = row[round(place) - 8 : round(place) + 9]
                    self.assertLess(abs(int(near.argmax()) - 8), 3)

    def test_unknown_edges_are_not_named(self) -> None:
        film = striped_film()
        film.points[T4 + 3 :] = np.nan
        strip = training_strip(np.random.default_rng(1), film, 0.0)
        assert strip is not None
        self.assertTrue(np.isnan(strip.places[VERTEBRAE.index("T7") :]).all())

    def test_a_strip_outside_the_film_is_none(self) -> None:
        film = striped_film()
        film.points[FIRST_EDGE:, 1] = -400
        self.assertIsNone(training_strip(np.random.default_rng(1), film, 1.0))

    def test_the_line_is_extended_straight(self) -> None:
        edges = np.stack([100 + 20.0 * np.arange(6), np.full(6, 50.0)], 1)
        line = column_line(np.arange(4, 10), edges, 20)
        np.testing.assert_allclose(line.places[:, 1], 50, atol=1e-6)
        self.assertLess(line.places[0, 0], 100 - 12 * 20)
        self.assertAlmostEqual(line.nearest(edges[4]) - line.nearest(edges[0]), 80, places=6)


class Counting(unittest.TestCase):
    def strip(self, first: float, between: float, known: range) -> Strip:
        places = np.full(len(VERTEBRAE), np.nan, np.float32)
        places[list(known)] = first + between * np.arange(len(known))
        return Strip(np.zeros((HEIGHT, WIDTH), np.float32), places)

    def test_the_count_error_equals_the_relative_error_of_lengths(self) -> None:
        places = torch.from_numpy(strip_example(self.strip(40, 36, range(3, 14)))["places"])[None]
        log_lengths = torch.full((1, CELLS), float(np.log(36 / VERTEBRA_PX)))
        self.assertLess(count_error(log_lengths, places).item(), 1e-5)
        self.assertAlmostEqual(count_error(log_lengths - np.log(1.1), places).item(), 0.1, places=4)

    def test_targets_contain_discs_and_lengths_of_vertebrae(self) -> None:
        example = strip_example(self.strip(40, 36, range(3, 14)))
        cells = (np.arange(CELLS) + 0.5) * CELL - 0.5
        self.assertLess(abs(cells[example["discs"].argmax()] - 40) % 36, CELL)
        inside = example["length_mask"] > 0
        np.testing.assert_allclose(example["lengths"][inside], np.log(36 / VERTEBRA_PX), atol=1e-6)
        self.assertTrue((example["disc_mask"][cells < 40 - 18] == 0).all())

    def test_a_strip_without_edges_has_no_loss(self) -> None:
        example = strip_example(self.strip(0, 1, range(0)))
        batch = {name: torch.from_numpy(value)[None] for name, value in example.items()}
        loss, error = column_loss(torch.zeros(1, ROWS, CELLS), batch)
        self.assertEqual((loss.item(), error), (0.0, 0.0))

    def test_uncertain_names_have_no_loss_but_discs_and_lengths_do(self) -> None:
        film = striped_film()
        film.weights[FIRST_EDGE:] = 0
        gradients = []
        for uncertain in (True, False):
            strip = training_strip(np.random.default_rng(1), film if uncertain else striped_film(), 0.0)
            assert strip is not None
            self.assertEqual(strip.is_named, not uncertain)
            batch = {name: torch.from_numpy(value)[None] for name, value in strip_example(strip).items()}
            rows = torch.zeros(1, ROWS, CELLS, requires_grad=True)
            column_loss(rows, batch)[0].backward()
            gradients.append(rows.grad)
        self.assertEqual(gradients[0][:, FIRST_NAME:].abs().max().item(), 0)
        self.assertGreater(gradients[1][:, FIRST_NAME:].abs().max().item(), 0)
        torch.testing.assert_close(gradients[0][:, :FIRST_NAME], gradients[1][:, :FIRST_NAME])

    def test_a_correct_network_has_a_lower_loss(self) -> None:
        example = strip_example(self.strip(40, 36, range(3, 14)))
        batch = {name: torch.from_numpy(value)[None] for name, value in example.items()}
        right = torch.zeros(1, ROWS, CELLS)
        right[:, LENGTH] = float(np.log(36 / VERTEBRA_PX))
        right[0, DISC] = torch.from_numpy(20 * example["discs"] - 10)
        self.assertLess(
            column_loss(right, batch)[0].item(), 0.7 * column_loss(torch.zeros(1, ROWS, CELLS), batch)[0].item()
        )


class Network(unittest.TestCase):
    def test_every_cell_has_a_receptive_field_of_six_vertebrae(self) -> None:
        network = ColumnNet().eval()
        torch.nn.init.normal_(network.head.weight)
        strip = torch.rand(1, 1, HEIGHT, WIDTH, requires_grad=True)
        network(strip)[0, LENGTH, 0].backward()
        seen = torch.nonzero(strip.grad.abs().sum((0, 1, 2))).max().item()
        self.assertGreater(seen, 6 * VERTEBRA_PX)

    def test_training_and_export_add_the_network_to_a_pack(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            checkpoints = [str(Path(folder) / f"{seed}.pt") for seed in (1, 2)]
            for seed, path in enumerate(checkpoints, 1):
                torch.manual_seed(seed)
                torch.save({"model": ColumnNet().state_dict(), "run": {"seed": seed}}, path)
            manifest = {"version": "1", "members": [], "input": {}, "training": {}}
            (Path(folder) / "manifest.json").write_text(json.dumps(manifest))
            add_column(folder, checkpoints, "2")
            written = json.loads((Path(folder) / "manifest.json").read_text())
            self.assertEqual((written["version"], written["training"]["columnSeeds"]), ("2", [1, 2]))
            self.assertEqual(list(written), ["version", "members", "column", "input", "training"])
            self.assertEqual(written["column"]["input"]["shape"], [1, 1, HEIGHT, WIDTH])
            self.assertEqual(written["column"]["outputs"][0]["shape"], [2, CELLS])
            self.assertTrue((Path(folder) / "column.onnx").stat().st_size > 1e6)
            self.assertTrue(all(value > 0 for value in written["column"]["golden"]["outputs"][0]["values"]))

    def test_retraining_uses_the_given_time(self) -> None:
        chosen = retrain.parse(["--data", "films", "--out", "pack", "--minutes", "90"])
        runs = [train.parse([*options, "--out", str(path)]) for path, options in retrain.planned_runs(chosen, Path())]
        self.assertAlmostEqual(sum(run.minutes for run in runs), 90)
        self.assertEqual([run.network for run in runs], ["landmarks"] * 6 + ["column"] * 5 + ["heart"] * 5)
        self.assertEqual([run.fold for run in runs[6:]], [1, 2, 3, 4, 5] * 2)

    def test_examples_of_every_course_are_drawn(self) -> None:
        a = argparse.Namespace(locate_share=0.5, side=64)
        for name, course in train.COURSES.items():
            drawn = course.draw(np.random.default_rng(2), striped_film(), 1.0, a)
            assert drawn is not None
            batch = {key: torch.from_numpy(np.asarray(value, np.float32))[None] for key, value in drawn.items()}
            loss, _ = course.loss(course.network()(batch["image"]).float(), batch)
            self.assertTrue(torch.isfinite(loss), name)


if __name__ == "__main__":
    unittest.main()
