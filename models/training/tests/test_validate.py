"""Tests of public layouts and of the comparison with them: python3 -m unittest training.tests.test_validate."""

import contextlib
import csv
import io
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from scipy.io import savemat
from training import evaluate, validate
from training.figures import class_of, describe
from training.layouts import marks_of, pictures_without_label, read_layout
from training.names import FIRST_EDGE, HEART_POINTS, T4
from training.phantom import make_film
from training.phantom.film import PhantomFilm
from training.truth import index_entry


def films(count: int) -> list[PhantomFilm]:
    return [make_film(np.random.default_rng(7000 + number), 320, plain=True, species="dog") for number in range(count)]


def six_points(film: PhantomFilm) -> np.ndarray:
    """Ends of the axes and of six vertebrae from T4 on."""
    return np.concatenate([film.points[:4], film.points[[T4, T4 + 6]]])


def row_of(film: PhantomFilm, vhs: float | None) -> dict[str, Any]:
    """The program's row of a film on which it finds every point."""
    size = np.array(film.image.shape[::-1])

    def shares(places: np.ndarray) -> list[list[float]]:
        return [list((place + 0.5) / size) for place in places]

    heart = zip(HEART_POINTS, shares(film.points[:FIRST_EDGE]))
    return {
        "vhs": vhs,
        "vlas": None,
        "width": film.image.shape[1],
        "height": film.image.shape[0],
        "spread": 0.004,
        "model_confidence": "good",
        "result_code": 2 if vhs else 6,
        "prediction": [{"class": name, "point": place} for name, place in heart] if vhs else [],
        "ruler": shares(film.points[T4 : T4 + 8]),
    }


def validated(folder: Path, out: Path, rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Figures of a folder whose films, by the end of their path, are measured as `rows` state."""

    def measure(copies: str, *_: Any) -> dict[str, Any]:
        names = [path.name for path in Path(copies).iterdir()]
        return {name: row for name in names for end, row in rows.items() if name.endswith(end)}

    with patch.object(evaluate, "measure_folder", measure), contextlib.redirect_stdout(io.StringIO()):
        validate.validate(validate.parse([str(folder), "--out", str(out)]))
    return json.loads((out / "figures.json").read_text())


class Layouts(unittest.TestCase):
    def test_the_order_in_which_ends_were_marked_does_not_matter(self) -> None:
        for film in films(4):
            points = six_points(film)
            expected = marks_of(points)
            for swapped in (points[[1, 0, 2, 3, 4, 5]], points[[0, 1, 3, 2, 5, 4]]):
                self.assertEqual(marks_of(swapped), expected)
            np.testing.assert_allclose(expected["landmarks"]["heart_bottom"], film.points[1])
            np.testing.assert_allclose(expected["landmarks"]["heart_right"], film.points[2])
            np.testing.assert_allclose(expected["spine"]["T4_cranial"], film.points[T4])

    def test_a_score_is_six_times_both_axes_over_the_spine(self) -> None:
        marks = marks_of(np.array([[50, 40], [60, 100], [30, 80], [78, 72], [20, 10], [80, 10]], float))
        axes = np.hypot(10, 60) + np.hypot(48, 8)
        self.assertAlmostEqual(marks["vhs"], 6 * axes / 60)

    def test_labels_without_six_points_are_refused_by_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("Images", "Labels"):
                (Path(folder) / name).mkdir()
            cv2.imwrite(str(Path(folder) / "Images" / "1.png"), np.zeros((40, 40), np.uint8))
            savemat(Path(folder) / "Labels" / "1.mat", {"two_points": np.zeros((2, 2))})
            with self.assertRaisesRegex(ValueError, r"1\.mat: no six_points"):
                read_layout(folder)

    def test_damaged_labels_and_indexes_are_refused_by_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("Images", "Labels"):
                (Path(folder) / name).mkdir()
            cv2.imwrite(str(Path(folder) / "Images" / "1.png"), np.zeros((40, 40), np.uint8))
            (Path(folder) / "Labels" / "1.mat").write_text("xx")
            with self.assertRaisesRegex(ValueError, r"1\.mat: no six_points"):
                read_layout(folder)
            index = Path(folder) / "index.json"
            missing = {"version": 1, "images": [{"file": "7.png", "landmarks": {"VLAS": None}}]}
            for text, message in (
                ("{oops", r"index\.json: not JSON"),
                ("[]", r"index\.json: version must be 1"),
                ('{"version": 1, "images": []}', r"index\.json: no film with landmarks"),
                (json.dumps(missing), r"7\.png: file in index.json not found"),
            ):
                index.write_text(text)
                with self.assertRaisesRegex(ValueError, message):
                    read_layout(folder)

    def test_pictures_without_a_label_are_listed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "Images").mkdir()
            cv2.imwrite(str(Path(folder) / "Images" / "2.png"), np.zeros((40, 40), np.uint8))
            self.assertEqual(pictures_without_label(folder), ["Images/2.png"])

    def test_a_folder_without_annotated_films_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            cv2.imwrite(str(Path(folder) / "1.png"), np.zeros((40, 40), np.uint8))
            with self.assertRaisesRegex(ValueError, "Small/Normal/Large"):
                read_layout(folder)


class Validation(unittest.TestCase):
    def setUp(self) -> None:
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.root, self.out = Path(self.scratch.name) / "films", Path(self.scratch.name) / "out"

    def add(self, path: str, film: PhantomFilm) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(self.root / path), film.image)

    def rows_of_csv(self) -> dict[str, dict[str, str]]:
        with open(self.out / "films.csv", newline="") as file:
            return {row["file"]: row for row in csv.DictReader(file)}

    def test_folders_named_by_class_give_accuracy_and_confusion(self) -> None:
        small, normal, large, refused = films(4)
        for name, film in (("Small", small), ("Normal", normal), ("Large", large), ("Large/x", refused)):
            self.add(f"Test/{name.split('/')[0]}/{'2' if '/' in name else '1'}.png", film)
        measured = {"small": 8.1, "normal": 10.0, "large": 10.4}
        rows = {
            f"00000{number}-{file}": row
            for number, (file, row) in enumerate(
                [
                    ("1.png", row_of(large, measured["large"])),
                    ("2.png", row_of(refused, None)),
                    ("1.png", row_of(normal, measured["normal"])),
                    ("1.png", row_of(small, measured["small"])),
                ]
            )
        }
        figures = validated(self.root, self.out, rows)["all films"]
        self.assertEqual((figures["films"], figures["failed"]), (4, 1))
        self.assertAlmostEqual(figures["classes"]["accuracy"]["value"], 2 / 3, places=3)
        self.assertEqual(figures["classes"]["accuracy_of_all"]["value"], 0.5)
        confusion = figures["classes"]["confusion"]
        self.assertEqual(confusion["normal"], {"small": 0, "normal": 0, "large": 1})
        self.assertEqual(confusion["small"], {"small": 1, "normal": 0, "large": 0})
        self.assertEqual(self.rows_of_csv()["Test/Normal/1.png"]["measured_class"], "large")
        page = (self.out / "index.html").read_text()
        self.assertLess(page.index("Test/Large/2.png: no score"), page.index("Test/Small/1.png"))

    def test_a_broken_picture_counts_as_failed_and_is_named_on_the_page(self) -> None:
        (film,) = films(1)
        self.add("Small/1.png", film)
        (self.root / "Small" / "2.png").write_text("broken")
        rows = {"1.png": row_of(film, 8.0), "2.png": {"error": "Image could not be decoded"}}
        figures = validated(self.root, self.out, rows)
        self.assertEqual(figures["all films"]["failed"], 1)
        self.assertIn("Small/2.png: no score", (self.out / "index.html").read_text())

    def test_labelled_films_give_error_bias_and_limits_of_agreement(self) -> None:
        rows, truths, offsets = {}, [], (0.2, -0.1, 0.5)
        for number, (film, offset) in enumerate(zip(films(3), offsets)):
            self.add(f"Valid/Images/{number}.png", film)
            label = self.root / "Valid" / "Labels" / f"{number}.mat"
            label.parent.mkdir(exist_ok=True)
            savemat(label, {"six_points": six_points(film), "VHS": np.array([[0.0]])})
            truths.append(marks_of(six_points(film))["vhs"])
            rows[f"-{number}.png"] = row_of(film, truths[-1] + offset)
        figures = validated(self.root, self.out, rows)["all films"]
        self.assertAlmostEqual(figures["vhs_bias"]["value"], 0.2, places=3)
        self.assertAlmostEqual(figures["vhs_mae"]["value"], 0.8 / 3, places=3)
        self.assertAlmostEqual(figures["vhs_limits"]["value"], 1.96 * np.std(offsets, ddof=1), places=3)
        self.assertAlmostEqual(figures["heart_median"]["value"], 0, places=3)
        self.assertEqual(self.rows_of_csv()["Valid/Images/2.png"]["error"], "0.5")

    def test_an_index_gives_errors_by_size_width_and_side(self) -> None:
        film = films(1)[0]
        self.add("a.png", film)
        entry = index_entry("a.png", film)
        (self.root / "index.json").write_text(json.dumps({"version": 1, "images": [entry]}))
        figures = validated(self.root, self.out, {"-a.png": row_of(film, entry["vhs"] - 0.3)})["all films"]
        self.assertEqual(figures["subgroups"][f"facing {entry['facing']}"], {"n": 1, "mae": 0.3, "bias": -0.3})
        self.assertIn("width 201 to 600 px", figures["subgroups"])


class Classes(unittest.TestCase):
    def test_limits_belong_to_the_larger_class(self) -> None:
        self.assertEqual([class_of(vhs) for vhs in (8.19, 8.2, 9.99, 10.0)], ["small", "normal", "normal", "large"])

    def test_a_failed_film_keeps_the_class_of_its_annotation(self) -> None:
        (film,) = films(1)
        entry = index_entry("film.png", film)
        self.assertEqual(evaluate.compare(entry, {"error": "not measured"})["class"], class_of(entry["vhs"]))
        self.assertEqual(evaluate.compare({"file": "1.png", "class": "small"}, {"result_code": 6})["class"], "small")

    def test_films_with_only_a_class_have_no_errors(self) -> None:
        figures = describe([{"class": "large", "vhs": 10.0}])
        self.assertEqual(figures["classes"]["accuracy"]["value"], 1)
        self.assertNotIn("vhs_mae", figures)
