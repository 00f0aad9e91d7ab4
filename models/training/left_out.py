"""Measures training films with networks that were not trained on them, for `calibrate`; writes records like `evaluate`.

  python3 -m training.left_out --data FOLDER --pack packs/landmarks-corvet --members 1,3=a.png,b.png \\
      --members 2,4=c.png --width 155 --records runs/left-out.jsonl

`--members` lists members, by numbers or files, and the films that they left out (`train --leave-out`). Each of the
pack's five networks for heart and column left out a different fifth of the films (`train --fold`, in order). The scores
of a film are those of these members and of the heart and column networks that have not seen it; its `spread`, tier and
the deviation of its votes are those of the whole pack. The truth follows the cardiologists' convention
(`films.as_cardiologists_mark`).
With `--changed`, altered copies of every film are measured instead, for `repeats.errors`. With `--photographs`, the
given number of photographs of every film is simulated by `pop`, and the pack is one for photographs; pictures that the
program does not measure as photographs are left out. Without it, those that it does are left out.
"""

import argparse
import itertools
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx

from .evaluate import PROGRAM, changed_copy, measure_entries, records_of, shrunk
from .evaluate_pop import PHOTOGRAPH_PX
from .export import sha256
from .figures import describe, print_table
from .films import Film, as_cardiologists_mark, outline_of, points_of, read_films, read_grey, read_index
from .outlines import read_outlines
from .packs import copy_packs, only, read_manifest, refuse_without
from .pop import photograph
from .repeats.copies import changed_entries
from .train import FOLDS

PHOTOGRAPH_SEED = 60


def left_out_of(films: Sequence[Film], fold: int) -> list[str]:
    """Files left out by a run with this fold: the complement of `train.held_out`."""
    return [film.name for index, film in enumerate(films) if index % FOLDS == fold - 1]


def group_of(given: str) -> tuple[list[str], list[str]]:
    """(members, films) of 1,3=FILE,FILE; a member is its number in the pack, from 1, or an ONNX file."""
    members, _, files = given.partition("=")
    return members.split(","), files.split(",")


def member_of(manifest: dict[str, Any], pack: Path, named: str) -> dict[str, str]:
    """Manifest entry of a member; a file is copied into the pack."""
    if named.isdigit():
        return manifest["members"][int(named) - 1]
    data = Path(named).read_bytes()
    copied = pack / Path(named).name
    copied.write_bytes(data)
    return {"file": copied.name, "sha256": sha256(copied)}


def keep_one_network(path: Path, fold: int) -> None:
    """Replaces the outputs of all networks in a file by those of one of them."""
    model = onnx.load(str(path))
    joined = joined_networks(model.graph)
    joined.input[:] = [joined.input[fold - 1]] * len(joined.input)
    onnx.save(model, str(path))


def joined_networks(graph: onnx.GraphProto) -> onnx.NodeProto:
    """The node that concatenates the outputs of all networks in a file."""
    return next(node for node in graph.node if node.name == "/Concat")


def write_packs(a: argparse.Namespace, members: list[str], fold: int, out: Path) -> None:
    """Writes the program's packs to `out`; the pack has only these members and networks for heart and column."""
    copy_packs(Path(a.pack), Path(a.pack).resolve().parent, out)
    pack = out / Path(a.pack).name
    manifest = read_manifest(pack)
    manifest["members"] = [member_of(manifest, pack, named) for named in members]
    for entry in (manifest["heart"], manifest["column"]):
        keep_one_network(pack / entry["file"], fold)
        entry["sha256"] = sha256(pack / entry["file"])
    # The golden outputs are those of the original pack.
    for golden in (manifest["golden"], manifest["heart"]["golden"], manifest["column"]["golden"]):
        for output in golden["outputs"]:
            output["tolerance"] = 1
    (pack / "manifest.json").write_text(json.dumps(manifest))


def refuse_unknown(pack: str, groups: list[tuple[list[str], list[str]]]) -> None:
    """Raises SystemExit if the pack lacks networks needed to measure the films."""
    refuse_without(pack, FOLDS)
    count = len(read_manifest(pack)["members"])
    for named in itertools.chain.from_iterable(members for members, _ in groups):
        if named.isdigit() and not 1 <= int(named) <= count:
            raise SystemExit(f"{pack} has {count} members, no number {named}")


def measure_left_out(a: argparse.Namespace) -> list[dict[str, Any]]:
    """Measures each film that a group of members left out: unaltered and at every `a.width`, or photographed."""
    films, groups = read_films(a.data), [group_of(given) for given in a.members]
    refuse_unknown(a.pack, groups)
    named = [name for _, names in groups for name in names]
    drawn = read_outlines()
    entries = [with_outline(entry, drawn) for entry in read_index(a.data) if entry["file"] in named]
    records = []
    with tempfile.TemporaryDirectory() as folder:
        if a.photographs:
            copies = _photographs(a.data, entries, Path(folder), a.photographs)
        elif a.changed:
            copies = changed_entries(a.data, entries, Path(folder))
        else:
            copies = [copy for width in (None, *a.width) for copy in _copies(a.data, entries, Path(folder), width)]
        with only(a.pack) as packs:
            whole = measure_entries(folder, copies, packs, a.program, a.pack)
        for (members, names), fold in itertools.product(groups, range(1, FOLDS + 1)):
            left_out = [name for name in left_out_of(films, fold) if name in names]
            unseen = [copy for copy in copies if copy["original"] in left_out]
            if not unseen:
                continue
            with tempfile.TemporaryDirectory() as packs:
                write_packs(a, members, fold, Path(packs))
                rows = measure_entries(folder, unseen, packs, a.program, a.pack)
            unseen = [copy for copy in unseen if is_photograph(rows.get(copy["file"], {})) == bool(a.photographs)]
            records += [
                {**record, "film": copy["original"], **_of_whole(whole.get(record["file"], {}))}
                for copy, record in zip(unseen, records_of(unseen, rows))
            ]
    return records


def with_outline(entry: dict[str, Any], drawn: dict[str, np.ndarray]) -> dict[str, Any]:
    """The entry as cardiologists mark it, with its outline if it has one."""
    outline = outline_of(entry, drawn.get(entry["file"]), points_of(entry)[0])
    return {**as_cardiologists_mark(entry), "outline": None if outline is None else outline.tolist()}


def _of_whole(row: dict[str, Any]) -> dict[str, Any]:
    """Values of the whole pack that a single network for heart and column cannot provide."""
    return {**{name: row.get(name) for name in ("spread", "votes_apart")}, "tier": row.get("model_confidence")}


def is_photograph(row: dict[str, Any]) -> bool:
    """Whether the program measured the picture as a photograph, for which it uses another pack."""
    return bool(row.get("pop_detected"))


def _photographs(data: str, entries: list[dict[str, Any]], out: Path, count: int) -> list[dict[str, Any]]:
    """Entries of photographs of the films in `out`, with the scores but without points."""
    copies = []
    for (index, entry), number in itertools.product(enumerate(entries), range(count)):
        rng = np.random.default_rng([PHOTOGRAPH_SEED, index, number])
        taken = photograph(read_grey(Path(data) / entry["file"]), rng, PHOTOGRAPH_PX).image
        file = f"{number}-{Path(entry['file']).stem}.jpg"
        cv2.imwrite(str(out / file), taken, [cv2.IMWRITE_JPEG_QUALITY, 90])
        height, width = taken.shape[:2]
        copies.append({**entry, "file": file, "original": entry["file"], "width": width, "height": height})
    return copies


def _copies(data: str, entries: list[dict[str, Any]], out: Path, width: int | None) -> list[dict[str, Any]]:
    """Entries of copies of the films in a subfolder of `out` named by their width."""
    named = str(width or "whole")
    (out / named).mkdir()
    copies = changed_copy(data, entries, out / named, lambda image: shrunk(image, width or image.shape[1]))
    for copy, entry in zip(copies, entries):
        copy["original"] = entry["file"]
        (out / named / copy["file"]).rename(out / f"{named}-{copy['file']}")
        copy["file"] = f"{named}-{copy['file']}"
    return copies


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.left_out", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="the annotated films that were trained on")
    parser.add_argument("--pack", required=True, help="the pack; replaces others of its kind")
    parser.add_argument("--members", action="append", required=True, metavar="1,3=FILE,FILE")
    parser.add_argument("--width", type=int, nargs="*", default=[], help="also measure them reduced to this width [px]")
    parser.add_argument(
        "--photographs", type=int, default=0, help="number of photographs per film; the pack is one for photographs"
    )
    parser.add_argument("--changed", action="store_true", help="measure altered copies instead (`repeats.copies`)")
    parser.add_argument("--program", default=PROGRAM, help="command that starts the measuring program")
    parser.add_argument("--records", required=True, help="file for one line per film (JSON lines)")
    parser.add_argument("--report", help="file for the figures (JSON), read by `cards`")
    parser.add_argument("--named", default="left out", help="name of the films in the report")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    chosen = parse()
    found = measure_left_out(chosen)
    Path(chosen.records).write_text("".join(json.dumps(record) + "\n" for record in found))
    if chosen.report:
        report = {chosen.named: describe(found)}
        print_table(report, sys.stdout)
        Path(chosen.report).write_text(json.dumps(report, indent=2) + "\n")
