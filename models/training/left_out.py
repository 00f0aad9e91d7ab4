"""Measures training films with what did not learn from them, for `calibrate`: records like those of `evaluate`.

  python3 -m training.left_out --data FOLDER --pack packs/landmarks-corvet --members 1,3=a.png,b.png \\
      --members 2,4=c.png --width 155 --records runs/left-out.jsonl

`--members` names the members that left films out, by their numbers or as files, and these films (`train --leave-out`).
Each of the pack's five networks for heart and column left another fifth of the films out (`train --fold`, in order). A
film's scores are those of these members and of the one network of either other kind that has not seen it; its `spread`,
tier and what the votes are apart by are those of the whole pack. Truth is in the cardiologists' convention
(`films.as_cardiologists_mark`).
With `--changed` changed copies of every film are measured instead, for `repeats.errors`. With `--photographs` every
film is photographed so many times from a screen instead, as `pop` simulates it, and the pack is one for photographs;
those that the program does not take for one are left away, and without it those that it does.
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
    """Files that a run with this fold did not see: the other side of `train.held_out`."""
    return [film.name for index, film in enumerate(films) if index % FOLDS == fold - 1]


def group_of(given: str) -> tuple[list[str], list[str]]:
    """(members, films) of 1,3=FILE,FILE; a member is its number in the pack, from 1, or an ONNX file."""
    members, _, files = given.partition("=")
    return members.split(","), files.split(",")


def member_of(manifest: dict[str, Any], pack: Path, named: str) -> dict[str, str]:
    """A member's entry in the manifest; a file is copied into the pack."""
    if named.isdigit():
        return manifest["members"][int(named) - 1]
    data = Path(named).read_bytes()
    copied = pack / Path(named).name
    copied.write_bytes(data)
    return {"file": copied.name, "sha256": sha256(copied)}


def keep_one_network(path: Path, fold: int) -> None:
    """Lets one of the networks that were exported into one file answer for all of them."""
    model = onnx.load(str(path))
    joined = joined_networks(model.graph)
    joined.input[:] = [joined.input[fold - 1]] * len(joined.input)
    onnx.save(model, str(path))


def joined_networks(graph: onnx.GraphProto) -> onnx.NodeProto:
    """The node that puts the answers of all networks of a file together."""
    return next(node for node in graph.node if node.name == "/Concat")


def write_packs(a: argparse.Namespace, members: list[str], fold: int, out: Path) -> None:
    """The program's packs in `out`, with these members and these networks for heart and column alone in the pack."""
    copy_packs(Path(a.pack), Path(a.pack).resolve().parent, out)
    pack = out / Path(a.pack).name
    manifest = read_manifest(pack)
    manifest["members"] = [member_of(manifest, pack, named) for named in members]
    for entry in (manifest["heart"], manifest["column"]):
        keep_one_network(pack / entry["file"], fold)
        entry["sha256"] = sha256(pack / entry["file"])
    # What the golden inputs give is stated for the pack as it was.
    for golden in (manifest["golden"], manifest["heart"]["golden"], manifest["column"]["golden"]):
        for output in golden["outputs"]:
            output["tolerance"] = 1
    (pack / "manifest.json").write_text(json.dumps(manifest))


def refuse_unknown(pack: str, groups: list[tuple[list[str], list[str]]]) -> None:
    """Raises SystemExit where the pack lacks networks that the films are measured with."""
    refuse_without(pack, FOLDS)
    count = len(read_manifest(pack)["members"])
    for named in itertools.chain.from_iterable(members for members, _ in groups):
        if named.isdigit() and not 1 <= int(named) <= count:
            raise SystemExit(f"{pack} has {count} members, no number {named}")


def measure_left_out(a: argparse.Namespace) -> list[dict[str, Any]]:
    """Each film that a group of members left out, as it is and shrunk to every `a.width`, or photographed."""
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
    """The entry as cardiologists mark it, with its outline where it has one."""
    outline = outline_of(entry, drawn.get(entry["file"]), points_of(entry)[0])
    return {**as_cardiologists_mark(entry), "outline": None if outline is None else outline.tolist()}


def _of_whole(row: dict[str, Any]) -> dict[str, Any]:
    """What a single network for heart and column cannot show."""
    return {**{name: row.get(name) for name in ("spread", "votes_apart")}, "tier": row.get("model_confidence")}


def is_photograph(row: dict[str, Any]) -> bool:
    """Whether the program took the picture for a photograph: another pack measures those than films."""
    return bool(row.get("pop_detected"))


def _photographs(data: str, entries: list[dict[str, Any]], out: Path, count: int) -> list[dict[str, Any]]:
    """Entries of photographs of the films in `out`: scores stay, places do not."""
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
    """Entries of copies of the films in a folder of their own of `out`, named by their width."""
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
    parser.add_argument("--pack", required=True, help="the pack; others of its kind are left out")
    parser.add_argument("--members", action="append", required=True, metavar="1,3=FILE,FILE")
    parser.add_argument("--width", type=int, nargs="*", default=[], help="measure them shrunk to this, too [px]")
    parser.add_argument(
        "--photographs", type=int, default=0, help="photograph each film so many times; the pack is one for photographs"
    )
    parser.add_argument("--changed", action="store_true", help="measure changed copies instead (`repeats.copies`)")
    parser.add_argument("--program", default=PROGRAM, help="command that starts the measuring program")
    parser.add_argument("--records", required=True, help="file for one line per film (JSON lines)")
    parser.add_argument("--report", help="file for the figures (JSON), read by `cards`")
    parser.add_argument("--named", default="left out", help="the films' name in the report")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    chosen = parse()
    found = measure_left_out(chosen)
    Path(chosen.records).write_text("".join(json.dumps(record) + "\n" for record in found))
    if chosen.report:
        report = {chosen.named: describe(found)}
        print_table(report, sys.stdout)
        Path(chosen.report).write_text(json.dumps(report, indent=2) + "\n")
