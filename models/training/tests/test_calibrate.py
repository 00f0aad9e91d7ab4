"""The 80 % intervals, the stress table and the figures about large hearts."""

import io
import unittest
from typing import Any

import numpy as np
from training import calibrate, stress
from training.cards import calibration_text, card_of, positioning_table, repeatability_text, stress_table
from training.evaluate import compare, off_perpendicular_deg
from training.figures import describe, print_table, table_rows
from training.packs import PROGRAM_PACKS, read_manifest


def record(width: int, spread: float, error: float) -> dict:
    truths = {"vhs_truth": 10.0, "vlas_truth": 2.0}
    return {
        "film": f"{width}, {spread}, {error}",
        "width": width,
        "spread": spread,
        "vhs": 10 + error,
        "vlas": 2 + error / 2,
        **truths,
    }


def drawn(seed: int, count: int, scale: float) -> list[dict]:
    """Films whose errors grow with their spread."""
    rng = np.random.default_rng(seed)
    spreads = rng.uniform(0.001, 0.014, count)
    widths = rng.choice([400, 900], count)
    return [record(int(w), float(s), float(rng.normal(0, scale * s))) for w, s in zip(widths, spreads)]


def read_anew(seed: int, films: list[dict]) -> list[dict]:
    """The same films with the truth of another reader."""
    rng = np.random.default_rng(seed)

    def read(film: dict, score: str) -> float:
        return film[f"{score}_truth"] + float(rng.normal(0, calibrate.READERS_SCATTER))

    return [{**film, "vhs_truth": read(film, "vhs"), "vlas_truth": read(film, "vlas")} for film in films]


class Intervals(unittest.TestCase):
    def test_quantile_is_conformal(self) -> None:
        self.assertEqual(calibrate.conformal_quantile(list(range(1, 10))), 8)
        self.assertEqual(calibrate.conformal_quantile([1.0, 2.0, 3.0, 4.0]), 4.0)

    def test_too_few_films_for_the_coverage_are_refused(self) -> None:
        real, simulated = drawn(1, 4, 60), drawn(2, 60, 20)
        self.assertEqual(len(calibrate.intervals(real, simulated, "direct")), 18)
        without_vlas = [{**film, "vlas_truth": None} for film in real]
        often = [{**film, "film": "a.png"} for film in real]
        cases: list[tuple[list[dict], list[dict], str, str]] = [
            (real[:3], simulated, "direct", "3 films of --real with a measured VHS .*: 80% intervals need at least 4"),
            (often, simulated, "direct", "1 films of --real"),
            (without_vlas, [], "photograph", "0 films of --real with a measured VLAS"),
            (real, [], "direct", "0 films of --simulated with a measured VHS"),
        ]
        for films, others, kind, said in cases:
            with self.assertRaisesRegex(SystemExit, said):
                calibrate.intervals(films, others, kind)

    def test_the_statement_of_a_pack_matches_its_measurements(self) -> None:
        twelve: list[dict] = [{**film, "film": str(number)} for number, film in enumerate(drawn(1, 12, 60))]
        small: list[dict] = [{**film, "width": 155} for film in twelve]
        for name, kind in (("landmarks-corvet", "direct"), ("landmarks-pop-corvet", "photograph")):
            a = calibrate.parse(["--pack", str(PROGRAM_PACKS / name), "--real", "", "--kind", kind])
            said = calibrate.statement_of(a, twelve + small, 597)
            own, _, added = read_manifest(PROGRAM_PACKS / name)["calibration"]["statement"].partition(" RLAD: ")
            self.assertEqual((own, bool(added)), (said, kind == "direct"))
        a = calibrate.parse(["--pack", str(PROGRAM_PACKS / "landmarks-corvet"), "--real", ""])
        self.assertIn("12 real films, each measured as it is, by", calibrate.statement_of(a, twelve, 9))
        self.assertIn("as it is and 2 of them small, by", calibrate.statement_of(a, twelve + small[:2], 9))

    def test_intervals_cover_similar_films_for_another_reader(self) -> None:
        rows = calibrate.intervals(drawn(1, 400, 60), drawn(2, 2000, 20), "direct")
        self.assertEqual(len(rows), 2 * 3 * 3)
        for score in ("vhs", "vlas"):
            inside = calibrate.covered(rows, read_anew(4, drawn(3, 2000, 60)), score)["inside"]
            self.assertTrue(0.72 < inside < 0.9, inside)

    def test_adding_a_score_keeps_the_other_scores_of_the_rows(self) -> None:
        def with_rlad(films: list[dict]) -> list[dict]:
            return [{**film, "rlad": film["vlas"], "rlad_truth": film["vlas_truth"]} for film in films]

        real, simulated = with_rlad(drawn(1, 60, 60)), with_rlad(drawn(2, 600, 20))
        rows = calibrate.intervals(real, simulated, "direct")
        before = {"coverage": 0.8, "statement": "As it was.", "intervals": rows}
        once = calibrate.with_score(before, real, simulated, "rlad")
        self.assertEqual(once["intervals"], [{**row, "rladHalfWidth": row["vlasHalfWidth"]} for row in rows])
        self.assertEqual(calibrate.with_score(once, real, simulated, "rlad"), once)
        self.assertIn("60 real and 600 simulated", once["statement"])

    def test_half_of_the_growth_with_spread_is_used(self) -> None:
        films = [record(900, spread, error) for spread, error in ((0.004, 0.1), (0.007, 0.2), (0.01, 0.8))] * 20
        np.testing.assert_allclose(
            calibrate.growth_with_spread(calibrate.errors_of(films, "vhs")), [0.1 * 2**0.5, 0.2, 0.4]
        )

    def test_the_first_matching_row_applies_and_width_never_falls_with_spread(self) -> None:
        rows = calibrate.intervals(drawn(1, 60, 60), drawn(2, 600, 20), "direct")
        self.assertEqual([row["widthUpToPx"] for row in rows[::9]], [200, None])
        self.assertEqual([row["vhsUpTo"] for row in rows[::3]], [10.0, 11.5, None] * 2)
        self.assertEqual([row["spreadUpTo"] for row in rows], [0.005, 0.008, None] * 6)
        wide = [calibrate.half_width_of(rows, record(900, spread, 0)) for spread in (0.004, 0.007, 0.5)]
        self.assertEqual(wide, sorted(wide))

    def test_hearts_measured_as_large_have_wider_intervals(self) -> None:
        rows = calibrate.intervals(drawn(1, 60, 60), drawn(2, 600, 20), "direct")
        films = [{**record(900, 0.004, 0), "vhs": vhs} for vhs in (9.5, 10.75, 12.75)]
        widths = np.array([calibrate.half_width_of(rows, film) for film in films])
        np.testing.assert_allclose(widths / widths[0], np.array([9.5, 10.75, 12.75]) / 9.5, atol=0.01)

    def test_readers_scatter_more_on_small_films(self) -> None:
        rows = calibrate.intervals(drawn(1, 60, 60), drawn(2, 600, 20), "direct")

        def half(width: int, score: str) -> float:
            return calibrate.half_width_of(rows, {**record(width, 0.004, 0), "vhs": 9.5}, score) or 0

        more = calibrate.NORMAL_QUANTILE**2 * (calibrate.SMALL_SCATTER**2 - calibrate.READERS_SCATTER**2)
        self.assertAlmostEqual(half(155, "vhs") ** 2 - half(900, "vhs") ** 2, more, delta=0.01)
        self.assertEqual(half(155, "vlas"), half(900, "vlas"))

    def test_a_film_measured_several_times_counts_once(self) -> None:
        films = [record(900, 0.004, error) for error in (0.1, 0.2, 0.3)]
        again = [{**film, "width": 155} for film in films[2:] * 9]
        once, often = (
            calibrate.by_film(calibrate.errors_of(records, "vhs"), [1.0] * 3) for records in (films, films + again)
        )
        np.testing.assert_allclose(once, often)

    def test_films_without_a_score_are_left_out(self) -> None:
        self.assertEqual(calibrate.errors_of([{"vhs": None, "vhs_truth": 9.0}], "vhs"), [])


class Stress(unittest.TestCase):
    def test_lost_scores_count_as_changed(self) -> None:
        figures = stress.figures_of({"a": 9.0, "b": 10.0, "c": 11.0}, {"a": 9.1, "b": 10.5})
        self.assertEqual((figures["n"], figures["lost"]), (3, 1))
        self.assertAlmostEqual(figures["share"], 1 / 3, places=3)

    def test_changes_give_films(self) -> None:
        image = np.random.default_rng(0).integers(0, 256, (120, 160)).astype(np.uint8)
        for name, change in stress.CHANGES.items():
            changed = np.ascontiguousarray(change(image))
            self.assertEqual((changed.dtype, changed.ndim), (np.uint8, 2), name)
        self.assertEqual(stress.CHANGES["turned by 90 degrees"](image).shape, (160, 120))


class Card(unittest.TestCase):
    def test_photographs_have_no_spread_and_a_row_for_each_size(self) -> None:
        films = [{**film, "spread": None} for film in drawn(1, 60, 60)]
        rows = calibrate.intervals(films, [], "photograph")
        self.assertEqual(
            [(row["kind"], row["vhsUpTo"]) for row in rows], [("photograph", s) for s in (10.0, 11.5, None)]
        )
        self.assertEqual({row["spreadUpTo"] for row in rows}, {None})
        self.assertGreaterEqual(calibrate.covered(rows, films)["inside"], 0.8)

    def test_tables_are_printed(self) -> None:
        rows = calibrate.intervals(drawn(1, 60, 60), drawn(2, 600, 20), "direct")
        calibration = {"coverage": 0.8, "statement": "Made of films.", "intervals": rows}
        text = calibration_text({"calibration": calibration})
        self.assertIn("80% intervals", text)
        self.assertEqual(text.count("| direct |"), 18)
        self.assertIn("No interval", calibration_text({}))
        row = {"widthUpToPx": None, "tier": "good", "vhsError": 0.123, "vlasError": 0.1}
        repeated = repeatability_text({"repeatability": {"statement": "Made of pairs.", "errors": [row]}})
        self.assertIn("Made of pairs.", repeated)
        self.assertIn("| any | good | 0.12 | 0.10 |", repeated)
        self.assertIn("was not measured", repeatability_text({}))
        moved = {"n": 9, "lost": 1, "review": 2, "vhs": {"mean": -0.1, "sd": 0.2}, "vlas": None, "shown": -0.05}
        self.assertIn("| expired | 9 (1) | -0.10 ± 0.20 | -0.05 | - | 2 |", positioning_table({"expired": moved}))
        self.assertIn("| mirrored |", stress_table({"mirrored": stress.figures_of({"a": 9.0}, {"a": 9.0})}))

    def test_the_programs_own_card_is_generated_from_its_manifest(self) -> None:
        pack = PROGRAM_PACKS / "landmarks-corvet"
        manifest = read_manifest(pack)
        self.assertEqual(card_of(manifest, manifest["evaluation"]), (pack / "CARD.md").read_text())

    def test_a_clinics_card_contains_only_what_was_measured(self) -> None:
        own = read_manifest(PROGRAM_PACKS / "landmarks-corvet")
        column = {**own["column"], "outputs": [{"name": "lengths", "shape": [3, 128]}]}
        training = {"statement": "Trained on films.", "data": ["the clinic's own"]}
        manifest: dict[str, Any] = {**own, "name": "landmarks-clinic", "column": column, "training": training}
        figures = {"kept aside, hi-res": describe([{"failed": 6}] * 7)}
        card = card_of({name: value for name, value in manifest.items() if name != "calibration"}, figures)
        for words in ("CardioMark", "Zhang", "thumbnails", "never trained", "agree poorly", "Five more"):
            self.assertNotIn(words, card)
        self.assertNotIn("## Checklists", card)
        for words in ("kept aside, hi-res: 7 films", "Three more networks", "Five networks then", "No interval was"):
            self.assertIn(words, card)
        calibrated = card_of(manifest, figures)
        self.assertIn(manifest["calibration"]["statement"], calibrated)
        self.assertIn("80% intervals hold for films like those", calibrated)


class Figures(unittest.TestCase):
    def test_large_hearts_are_counted(self) -> None:
        heart = {"heart_errors": [0.1] * 4, "tier": "good", "vlas": None, "vlas_truth": None, "axes_off_deg": 1.5}
        scores = [(11.0, 11.2), (10.2, 11.0), (10.8, 10.0), (9.0, 9.1)]
        figures = describe([{**heart, "vhs": vhs, "vhs_truth": truth} for vhs, truth in scores])
        self.assertEqual(figures["large_hearts"], {"n": 2, "found": 1, "others": 2, "called_large": 1})

    def test_errors_of_rlad_are_listed_by_size_of_the_atrium(self) -> None:
        film = {"group": "simulated", "vhs": 9.0, "vhs_truth": 9.0, "spread": 0.01, "tier": "good"}
        film.update(vlas=None, vlas_truth=None)
        found = [(1.5, 1.6), (1.8, 1.8), (None, 1.7), (2.0, 2.2)] * 5 + [(None, 2.9), (3.0, None)]
        figures = describe([{**film, "rlad": rlad, "rlad_truth": truth} for rlad, truth in found])
        normal, mild, severe = figures["rlad_by_size"].values()
        self.assertEqual((normal["films"], normal["n"], normal["mae"], normal["bias"]), (15, 10, 0.05, -0.05))
        self.assertEqual((mild["films"], mild["n"], mild["bias"]), (5, 5, -0.2))
        self.assertEqual((severe["films"], severe["n"], severe["mae"]), (1, 0, None))
        row = "RLAD, left atrium normal, up to 1.8 v: films measured, error, bias [v]"
        rows = dict(table_rows(figures))
        self.assertEqual(rows[row], "10 of 15, 0.05, -0.05")
        self.assertEqual(figures["large_atria"], {"n": 5, "found": 5, "others": 10, "called_large": 0})
        self.assertEqual(rows["left atria above 1.8 v measured as such"], "5 of 5")

    def test_printed_names_and_figures_form_two_columns(self) -> None:
        film = {"heart_errors": [0.1] * 4, "tier": "good", "vlas": None, "vlas_truth": None, "spread": 0.002}
        stream = io.StringIO()
        print_table({"group": describe([{**film, "vhs": 9.0, "vhs_truth": 9.2}])}, stream)
        rows = [line for line in stream.getvalue().splitlines() if line.startswith("  ")]
        area = next(row for row in rows if "risk-coverage" in row)
        column = area.index("0.200")
        self.assertEqual({row[column - 2 : column] for row in rows}, {"  "})
        self.assertNotIn(" ", {row[column] for row in rows})

    def test_errors_against_a_second_reader_are_separate_figures(self) -> None:
        film = {"heart_errors": [0.1] * 4, "tier": "good", "vlas": None, "vlas_truth": None}
        beside = {"long": 0.97, "short": 0.9, "vertebra": 1.01}
        scores = [(9.0, 9.2, 9.1), (9.4, 11.4, 9.5)]
        rows = [
            {**film, "vhs": vhs, "vhs_truth": printed, "vhs_second_ruler": second, "beside_reader": beside}
            for vhs, printed, second in scores
        ]
        figures = describe(rows)
        self.assertEqual(figures["second_ruler_mae"]["value"], 0.1)
        self.assertEqual(figures["rulers_apart_most"]["value"], 1.9)
        self.assertEqual(figures["short_share"]["value"], 0.9)
        self.assertNotIn("second_ruler_mae", describe([{**rows[0], "vhs_second_ruler": float("nan")}]))

    def test_t4_counts_as_offered_if_the_alternative_is_right(self) -> None:
        film: dict[str, Any] = {
            "heart_errors": [0.1] * 4,
            "tier": "good",
            "vlas": None,
            "vlas_truth": None,
            "vhs": 9.0,
            "vhs_truth": 9.0,
        }
        found = [(0.1, None), (0.9, "cranial"), (0.9, "caudal"), (-0.9, "caudal"), (-0.9, None)]
        figures = describe([{**film, "t4_offset": offset, "t4_otherwise": other} for offset, other in found])
        self.assertEqual([figures["t4_right"]["value"], figures["t4_told"]["value"]], [0.2, 0.6])
        self.assertNotIn("t4_undoubted_told", figures)
        doubted = {**film, "t4_offset": 1.9, "t4_otherwise": None, "t4_doubted": True}
        figures = describe([{**film, "t4_offset": 0.1, "t4_otherwise": None}, doubted])
        self.assertEqual([figures["t4_told"]["value"], figures["t4_undoubted_told"]["value"]], [0.5, 1.0])

    def test_points_on_a_rectified_film_are_not_compared(self) -> None:
        heart = {"heart_top": [50, 40], "heart_bottom": [50, 90], "heart_right": [30, 60], "heart_left": [70, 60]}
        landmarks = {**heart, "VLAS": [60, 50]}
        edges = [(f"T{number}", [20 + 10 * number, 20]) for number in range(4, 13)]
        film: dict[str, Any] = {"file": "a.png", "width": 200, "height": 100, "landmarks": landmarks, "edges": edges}
        row = {
            "vhs": 9.2,
            "vlas": 1.4,
            "spread": 0.004,
            "model_confidence": "good",
            "prediction": [
                {"class": name, "x": (x + 0.5) / 200, "y": (y + 0.5) / 100} for name, (x, y) in landmarks.items()
            ],
            "ruler": [[(x + 0.5) / 200, (y + 0.5) / 100] for _, (x, y) in edges],
        }
        direct = compare(film, {**row, "pop_detected": False})
        self.assertLess(max(direct["heart_errors"]), 1e-3)
        self.assertLess(direct["axes_off_deg"], 1e-3)
        doubtful = {**film, "second_reader": {"confidence": {"T4_identity": 0.1}}}
        self.assertEqual([direct["t4_doubted"], compare(doubtful, row)["t4_doubted"]], [False, True])
        straightened = compare(film, {**row, "pop_detected": True})
        self.assertEqual(straightened, {name: direct[name] for name in straightened})
        self.assertNotIn("heart_errors", straightened)
        self.assertAlmostEqual(describe([straightened])["vhs_mae"]["value"], abs(9.2 - direct["vhs_truth"]), places=3)

    def test_angle_between_axes(self) -> None:
        square = np.array([[0, 0], [0, 10], [-3, 4], [3, 4]], float)
        self.assertAlmostEqual(off_perpendicular_deg(square), 0)
        tilted = np.array([[0, 0], [0, 10], [-3, 1], [3, 7]], float)
        self.assertAlmostEqual(off_perpendicular_deg(tilted), 45)


if __name__ == "__main__":
    unittest.main()
