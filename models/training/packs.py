"""Selects the packs with which the program measures; of several of a kind, it uses the first by name."""

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM_PACKS = REPOSITORY / "models" / "packs"
OF_PHOTOGRAPHS = "landmarks-pop"


def read_manifest(pack: str | Path) -> dict[str, Any]:
    return json.loads((Path(pack) / "manifest.json").read_text())


def networks_in(entry: dict[str, Any]) -> int:
    """Number of networks in one file of a pack: its entry `heart` or `column`."""
    return int(entry["outputs"][0]["shape"][0])


def refuse_without(pack: str | Path, count: int) -> None:
    """Raises SystemExit unless a pack has `count` networks each for heart and column, one per fifth of the films."""
    manifest = read_manifest(pack)
    for kind in ("heart", "column"):
        found = networks_in(manifest[kind]) if kind in manifest else 0
        if found != count:
            raise SystemExit(
                f"{pack} has {found} networks for the {kind}, not {count} that each left another fifth of the films "
                f"out (train --fold 1 to {count})"
            )


def packs_in(folder: str | Path) -> list[Path]:
    return sorted(path.parent for path in Path(folder).glob("*/manifest.json"))


def copy_packs(pack: Path, beside: Path, out: Path) -> None:
    """Copies the pack and one of each other kind: those in the folder `beside`, otherwise the program's own."""
    kinds: set[str] = set()
    for folder in (pack, *packs_in(beside), *packs_in(PROGRAM_PACKS)):
        kind = read_manifest(folder)["kind"]
        if kind not in kinds:
            kinds.add(kind)
            shutil.copytree(folder, out / folder.name)


@contextlib.contextmanager
def only(pack: str | Path | None, packs: str | Path | None = None) -> Iterator[str | None]:
    """A folder of packs in which `pack` is the only one of its kind; without `pack`, `packs` or None for the program's
    own.
    """
    if pack is None:
        yield None if packs is None else str(packs)
        return
    with tempfile.TemporaryDirectory() as out:
        copy_packs(Path(pack), Path(packs or Path(pack).resolve().parent), Path(out))
        yield out


def refuse_twins(packs: str | Path) -> None:
    """Raises SystemExit if a folder contains two packs of one kind."""
    found: dict[str, str] = {}
    for folder in packs_in(packs):
        kind = read_manifest(folder)["kind"]
        if kind in found:
            raise SystemExit(
                f"{packs}: {found[kind]} and {folder.name} are both of the kind {kind}; name one with --pack, or give "
                "--packs a folder without the other"
            )
        found[kind] = folder.name


def refuse_other_pack(rows: dict[str, dict[str, Any]], pack: str | Path) -> None:
    """Raises SystemExit if the program measured with another pack."""
    manifest = read_manifest(pack)
    for row in rows.values():
        is_of_kind = bool(row.get("pop_detected")) == (manifest["kind"] == OF_PHOTOGRAPHS)
        used = (row.get("pack"), row.get("pack_version"))
        if row.get("vhs") is not None and is_of_kind and used != (manifest["name"], manifest["version"]):
            raise SystemExit(f"{row['file']} was measured with {' '.join(map(str, used))}, not with {pack}")
