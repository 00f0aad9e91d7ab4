"""Selection of the pack with which the program measures."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from training.evaluate import measure_folder
from training.packs import only, packs_in, read_manifest, refuse_twins

PROGRAM = """
import json, sys
from pathlib import Path
packs = Path(sys.argv[sys.argv.index("--packs") + 1])
found = [json.loads(path.read_text()) for path in sorted(packs.glob("*/manifest.json"))]
first = next(pack for pack in found if pack["kind"] == "landmarks")
for kind in ("landmarks", "gate", "corners", "landmarks-pop"):
    assert any(pack["kind"] == kind for pack in found), kind
row = {"file": "a.png", "vhs": 9.5, "pop_detected": False, "pack": first["name"], "pack_version": first["version"]}
print(json.dumps(row))
"""


class Packs(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        for name in ("landmarks-clinic", "landmarks-corvet"):
            self.write(name, "landmarks")
        self.write("gate-own", "gate")
        (self.folder / "program.py").write_text(PROGRAM)
        self.program = f"{sys.executable} {self.folder / 'program.py'}"

    def write(self, name: str, kind: str) -> None:
        (self.folder / name).mkdir()
        manifest = {"name": name, "kind": kind, "version": "1"}
        (self.folder / name / "manifest.json").write_text(json.dumps(manifest))

    def test_the_given_pack_is_used_with_packs_of_the_other_kinds(self) -> None:
        for name in ("landmarks-clinic", "landmarks-corvet"):
            pack = self.folder / name
            with only(pack) as packs:
                assert packs is not None
                rows = measure_folder(self.folder, packs, self.program, pack)
                self.assertEqual([row["pack"] for row in rows.values()], [name])
                kinds = [read_manifest(found)["kind"] for found in packs_in(packs)]
                self.assertEqual(len(kinds), len(set(kinds)))
                self.assertTrue((Path(packs) / "gate-own").is_dir())

    def test_rows_of_another_pack_or_version_are_refused(self) -> None:
        with only(self.folder / "landmarks-clinic") as packs:
            with self.assertRaisesRegex(SystemExit, "measured with landmarks-clinic 1, not with .*corvet"):
                measure_folder(self.folder, packs, self.program, self.folder / "landmarks-corvet")
            (self.folder / "landmarks-clinic" / "manifest.json").write_text(
                json.dumps({"name": "landmarks-clinic", "kind": "landmarks", "version": "2"})
            )
            with self.assertRaisesRegex(SystemExit, "landmarks-clinic 1, not"):
                measure_folder(self.folder, packs, self.program, self.folder / "landmarks-clinic")

    def test_two_packs_of_one_kind_are_refused_before_measuring(self) -> None:
        with self.assertRaisesRegex(SystemExit, "landmarks-clinic and landmarks-corvet .*--pack"):
            measure_folder(self.folder, self.folder, self.program)
        (self.folder / "landmarks-clinic" / "manifest.json").unlink()
        refuse_twins(self.folder)


if __name__ == "__main__":
    unittest.main()
