"""Measures the gate and the corner pack and prints the figures with 95 % intervals.

  python3 -m training.evaluate_screens --packs packs --pictures pictures/held-out --photographs pictures/unvaried \
      --real VALIDATION --write

The corners are found by the program (`tools/find-corners.ts`). `--photographs` contains photographs of unaltered
held-out films, `--pictures` those of altered ones (strips, frames, rotated films), `--close-ups` photographs without
the border of the film (`gate.close_ups`). `--real` is a folder of lateral films in the data format with an optional
subfolder `negatives`; only totals are printed. `--write` writes the figures to the manifests and the cards.
"""

import argparse
from pathlib import Path
from typing import Any

import cv2

from .corners.data import has_no_film
from .corners.figures import corners_on_made
from .gate.card import write_cards
from .gate.data import read_rows
from .gate.figures import gate_on_close_ups, gate_on_made, gate_on_real
from .screens.network_run import Pack
from .screens.pack import write_manifest
from .screens.program import corners_of_folder
from .shares import show


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packs", type=Path, required=True, help="folder with gate-corvet and corners-corvet")
    parser.add_argument(
        "--pictures", help="held-out pictures from training.gate.make_pictures; without them, their figures are kept"
    )
    parser.add_argument(
        "--photographs", help="photographs of unaltered held-out films (make_pictures --only pop --unvaried-share 1)"
    )
    parser.add_argument("--close-ups", help="held-out close-ups from training.gate.close_ups")
    parser.add_argument("--real", help="real lateral films in the data format; for measuring only")
    parser.add_argument("--write", action="store_true", help="fill the manifests and cards")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    gate, corners = Pack(arguments.packs / "gate-corvet"), Pack(arguments.packs / "corners-corvet")
    measured: dict[Pack, dict[str, Any]] = {gate: {}, corners: {}}
    if arguments.pictures:
        rows = read_rows(arguments.pictures)
        found = corners_of_folder(arguments.pictures, arguments.packs)
        measured[gate] = gate_on_made(gate, found, rows)
        shown = [row for row in rows if row["kind"] == "pop" or has_no_film(row)]
        measured[corners] = corners_on_made(found, shown, "varied films")
    if arguments.photographs:
        found = corners_of_folder(arguments.photographs, arguments.packs)
        measured[corners] = {
            **corners_on_made(found, read_rows(arguments.photographs), "films as they are"),
            **measured[corners],
        }
    if arguments.close_ups:
        measured[gate].update(gate_on_close_ups(gate, arguments.close_ups))
    if arguments.real:
        measured[gate] = {**gate_on_real(gate, arguments.real), **measured[gate]}
    for pack, figures in measured.items():
        show(pack.manifest["name"], figures)
        if arguments.write:
            pack.manifest["evaluation"] = figures if arguments.pictures else {**pack.manifest["evaluation"], **figures}
            write_manifest(pack.folder, pack.manifest)
            write_cards(pack.folder, pack.manifest)


if __name__ == "__main__":
    main()
