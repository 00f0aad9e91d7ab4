"""Finds the offset of the silhouette's logits with which the axes of left-out films are unbiased.

  python3 -m training.border --data FOLDER --members runs/m1.pt,runs/m2.pt=a.png,b.png --members runs/m3.pt=c.png

If a network is uncertain about the border, the border is too far inside where it is most curved, at the apex. Every
group of members measures the films on which none of them was trained, with increasing offsets to the mean of their
logits. `export --silhouette-offset` adds the chosen offset to every member's map, so that the border is at 0.
"""

import argparse

import cv2
import numpy as np
import torch

from .films import Film, read_films, vertebra_px
from .frames import SIDE, sampled, thorax_frame, upright_pose
from .names import HEART_POINTS, SILHOUETTE
from .network import LandmarkNet, load_weights, point_maps, soft_argmax
from .outlines import LEVEL_SPREAD, axes_of, crossing_level

OFFSETS = np.arange(0, 2.1, 0.25)


def traced_border(logits: np.ndarray, side: int = SIDE) -> np.ndarray | None:
    """The largest outline at level 0 of a map of logits [network px]; None without an inside."""
    fine = cv2.resize(logits, (side, side), interpolation=cv2.INTER_LINEAR)
    found, _ = cv2.findContours((fine > 0).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return max(found, key=cv2.contourArea)[:, 0].astype(float) if found else None


def load_member(path: str) -> LandmarkNet:
    model = LandmarkNet()
    load_weights(model, torch.load(path, map_location="cpu")["model"])
    return model.eval()


def read_thorax(members: list[LandmarkNet], film: Film) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean heart points and silhouette logits of the members on the upright thorax, and the truth [network px]."""
    frame = thorax_frame(upright_pose(film.points))
    image = sampled(film.image, frame)
    with torch.no_grad():
        maps = torch.stack([member(torch.from_numpy(image)[None, None]) for member in members])[:, 0]
    places = soft_argmax(point_maps(maps))[0].mean(0).numpy() * SIDE - 0.5
    return places[: len(HEART_POINTS)], maps[:, SILHOUETTE].mean(0).numpy(), frame.to_network(film.points)


def axis_errors(heart: np.ndarray, logits: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Errors of the long and the short axis derived from the border [v]; NaN without axes."""
    border = traced_border(logits)
    level = float(np.clip(crossing_level(heart), *LEVEL_SPREAD))
    axes = None if border is None else axes_of(border, heart[0], level, heart[2] - heart[3])
    if axes is None:
        return np.full(2, np.nan)

    def length(a: np.ndarray, b: np.ndarray) -> float:
        return float(np.linalg.norm(a - b))

    long = length(axes["heart_top"], axes["heart_bottom"]) - length(truth[0], truth[1])
    short = length(axes["heart_right"], axes["heart_left"]) - length(truth[2], truth[3])
    return np.array([long, short]) / vertebra_px(truth)


def compare_offsets(a: argparse.Namespace) -> None:
    films = {film.name: film for film in read_films(a.data)}
    readings = []
    for group in a.members:
        paths, _, names = group.partition("=")
        members = [load_member(path) for path in paths.split(",")]
        readings += [read_thorax(members, films[name]) for name in names.split(",")]
    for offset in OFFSETS:
        errors = np.array([axis_errors(heart, logits + offset, truth) for heart, logits, truth in readings])
        both = errors.sum(1)
        mean = np.nanmean(errors, 0)
        print(
            f"offset {offset:.2f}: long {mean[0]:+.3f}, short {mean[1]:+.3f}, "
            f"both {np.nanmean(both):+.3f}, absolute {np.nanmean(np.abs(both)):.3f} v, films {len(both)}"
        )


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.border", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="folder of annotated films")
    parser.add_argument(
        "--members", required=True, action="append", metavar="CHECKPOINTS=FILES", help="both comma separated"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    compare_offsets(parse())
