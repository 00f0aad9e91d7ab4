"""Reading of the program's export, whose format test/core/cardiac/annotated-image.test.ts fixes."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from training.column.losses import strip_example
from training.column.strip import training_strip
from training.evaluate import compare
from training.films import points_of, read_films, read_index, vertebra_px
from training.names import FIRST_EDGE, HEART_POINTS, T4, VERTEBRAE
from training.truth import scores
from training.warping import disc_target

EXPORT = Path(__file__).resolve().parents[3] / "test" / "fixtures" / "annotated-export"


def exported() -> list[dict[str, Any]]:
    """A film on which vertebrae were counted one by one, and the same with a ruler of six equal parts."""
    return read_index(EXPORT)


def row_of(entry: dict[str, Any]) -> dict[str, Any]:
    """The program's row of a film on which it finds the points marked by the user."""
    size = np.array([entry["width"], entry["height"]])

    def share(place: list[float]) -> list[float]:
        return list((np.array(place) + 0.5) / size)

    return {
        "vhs": round(entry["vhs"], 1),
        "vlas": None,
        "spread": 0.004,
        "model_confidence": "good",
        "width": entry["width"],
        "height": entry["height"],
        "prediction": [{"class": name, "point": share(entry["landmarks"][name])} for name in HEART_POINTS],
        "ruler": [share(place) for _, place in exported()[0]["edges"]],
    }


class ProgramExport(unittest.TestCase):
    def test_a_ruler_of_six_parts_counts_like_single_vertebrae(self) -> None:
        counted, in_parts = (points_of(entry)[0] for entry in exported())
        self.assertEqual([name for name, _ in exported()[1]["edges"]], ["T4", "T10"])
        self.assertAlmostEqual(vertebra_px(in_parts), vertebra_px(counted), places=4)
        np.testing.assert_allclose(scores(in_parts), scores(counted), rtol=1e-4)
        np.testing.assert_allclose(scores(in_parts)[0], exported()[1]["vhs"], rtol=1e-4)

    def test_films_are_compared_with_and_without_a_size_in_the_export(self) -> None:
        for entry in exported():
            sizeless = {name: value for name, value in entry.items() if name not in ("width", "height")}
            record = compare(sizeless, row_of(entry))
            self.assertEqual(record, compare(entry, row_of(entry)))
            self.assertEqual(record["width"], entry["width"])
            self.assertLess(max(record["heart_errors"]), 1e-3)
            self.assertAlmostEqual(record["beside_reader"]["vertebra"], 1, places=3)
            self.assertAlmostEqual(record["t4_offset"], 0, places=3)
            self.assertIn("failed", compare(sizeless, {"error": "not measured"}))

    def test_discs_between_distant_edges_are_unknown(self) -> None:
        counted, in_parts = (points_of(entry)[0] for entry in exported())
        between = (counted[T4 + 3] / 400 * 88).astype(int)
        self.assertEqual(disc_target(counted, 88, 400)[1][between[1], between[0]], 1)
        self.assertEqual(disc_target(in_parts, 88, 400)[1][between[1], between[0]], 0)

    def test_films_of_an_export_are_read_and_laid_along_the_column(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for entry in exported():
                cv2.imwrite(str(Path(folder) / entry["file"]), np.full((360, 400), 90, np.uint8))
            (Path(folder) / "index.json").write_text(json.dumps({"version": 1, "images": exported()}))
            films = read_films(folder)
        self.assertEqual([int(np.isfinite(film.points[FIRST_EDGE:]).all(1).sum()) for film in films], [9, 2])
        strip = training_strip(np.random.default_rng(3), films[1], 0.0)
        assert strip is not None
        known = np.flatnonzero(np.isfinite(strip.places))
        self.assertEqual([VERTEBRAE[number] for number in known], ["T4", "T10"])
        example = strip_example(strip)
        first, last = strip.places[known] / 4
        self.assertTrue((example["disc_mask"][int(first) + 6 : int(last) - 6] == 0).all())
        self.assertEqual(example["disc_mask"][round(float(first))], 1)


if __name__ == "__main__":
    unittest.main()
