"""Radiographs of a whole dog in any view but a lateral chest, ray-traced through meshes.

The meshes are the dog of dm_control (Apache-2.0): skin, column, ribs, sternum, shoulders and forelimbs, one STL file a
part. Skull, pelvis and hind limbs, for which there are no meshes, are simple solids. Metres; x cranial, y left, z
dorsal.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from .film import Bench, clouds, finish_film, label_film, smooth
from .radiographs import gas_or_organ

SKIN_FILE, REPEATED_FILE = "SKINbody.stl", "BONERibcage.stl"
BONE_SAMPLE_M2, SKIN_SAMPLE_M2 = 4e-7, 4e-6
SOFT_PER_M, BONE_PER_M, AIR_PER_M = 6.0, 13.0, -5.0
HOLLOW = 0.35
"""Share of bone in a drawn long bone."""
ROD_CUTS = (60, 260)
LUNG = ((0.14, 0.02), (0.1, 0.03), (0.05, 0.036), (0.0, 0.042), (-0.04, 0.045))
"""Centres of the spheres of one lung: x and y [m]."""
Frame = tuple[float, float, float, float]
"""Left, top, width and height of a film [m]."""


@dataclass
class Surface:
    """Points of closed surfaces [n, 3], their area elements as outward vectors, and the centre of each surface."""

    points: np.ndarray
    areas: np.ndarray
    middles: np.ndarray


@dataclass
class Skeleton:
    bones: Surface
    skin: Surface


@dataclass
class View:
    """View of a film: ranges of x and z [m], rotation about the column [degrees]; 90 is ventrodorsal."""

    taken_for: str
    x: tuple[float, float]
    z: tuple[float, float]
    turn_deg: tuple[float, float]


VIEWS = {
    "chest ventrodorsal": View("frontal_chest", (-0.14, 0.25), (0.25, 0.6), (82, 98)),
    "whole animal ventrodorsal": View("frontal_chest", (-0.36, 0.44), (0.0, 0.7), (80, 100)),
    "chest oblique": View("frontal_chest", (-0.14, 0.25), (0.25, 0.6), (55, 82)),
    "abdomen lateral": View("abdomen", (-0.4, -0.03), (0.24, 0.6), (-6, 6)),
    "abdomen ventrodorsal": View("abdomen", (-0.42, -0.05), (0.24, 0.6), (82, 98)),
    "hind quarters lateral": View("other_radiograph", (-0.5, -0.18), (0.0, 0.62), (-8, 8)),
    "head and neck lateral": View("other_radiograph", (0.17, 0.5), (0.42, 0.82), (-10, 10)),
    "forelimbs lateral": View("other_radiograph", (0.05, 0.3), (0.0, 0.4), (-15, 15)),
}


def read_skeleton(folder: str | Path) -> Skeleton:
    """The meshes of a folder of binary STL files; raises ValueError if the skin is missing."""
    files = sorted(Path(folder).rglob("*.stl"))
    if not any(path.name == SKIN_FILE for path in files):
        raise ValueError(f"{folder}: {SKIN_FILE} is not there")
    bones = [sampled(read_stl(path), BONE_SAMPLE_M2) for path in files if path.name not in (SKIN_FILE, REPEATED_FILE)]
    skin = next(sampled(read_stl(path), SKIN_SAMPLE_M2) for path in files if path.name == SKIN_FILE)
    return Skeleton(joined([*bones, *drawn_bones()]), skin)


def read_stl(path: Path) -> np.ndarray:
    """Triangles [n, 3, 3] of a binary STL file."""
    content = path.read_bytes()
    row = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("flags", "<u2")])
    return np.frombuffer(content, row, int.from_bytes(content[80:84], "little"), 84)["corners"].astype(np.float64)


def sampled(triangles: np.ndarray, area_m2: float) -> Surface:
    """Points all over the triangles, each for at most about `area_m2`."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) / 2
    cuts = np.clip(np.ceil(np.sqrt(np.linalg.norm(normals, axis=1) / area_m2)), 1, 12).astype(int)
    points, areas = [], []
    for count in np.unique(cuts):
        chosen, weights = cuts == count, centroids(int(count))
        points.append(np.einsum("kc,tcd->tkd", weights, triangles[chosen]).reshape(-1, 3))
        areas.append(np.repeat(normals[chosen] / len(weights), len(weights), 0))
    return surface_of(np.vstack(points), np.vstack(areas))


def surface_of(points: np.ndarray, areas: np.ndarray) -> Surface:
    return Surface(points, areas, np.broadcast_to(points.mean(0), points.shape))


def centroids(count: int) -> np.ndarray:
    """Barycentric centres [count^2, 3] of a triangle's equal parts."""
    upright = [(i + 1 / 3, j + 1 / 3) for i in range(count) for j in range(count - i)]
    inverted = [(i + 2 / 3, j + 2 / 3) for i in range(count) for j in range(count - i - 1)]
    ab = np.array(upright + inverted) / count
    return np.column_stack([ab, 1 - ab.sum(1)])


def joined(parts: list[Surface]) -> Surface:
    return Surface(*(np.vstack([getattr(part, name) for part in parts]) for name in ("points", "areas", "middles")))


def rod(start: list[float], end: list[float], half: float, half_end: float | None = None) -> Surface:
    """A round solid along a line, thicker at its ends as long bones are."""
    begin, span = np.array(start), np.subtract(end, start)
    along = span / np.linalg.norm(span)
    side = np.cross(along, [0.3, 0.9, 0.2])
    side /= np.linalg.norm(side)
    turn, t = np.meshgrid(np.linspace(0, 2 * math.pi, ROD_CUTS[0], endpoint=False), np.linspace(0, 1, ROD_CUTS[1]))
    radius = np.interp(t, [0, 1], [half, half_end or half]) * (1 + 0.5 * np.abs(2 * t - 1) ** 6)
    around = np.cos(turn)[..., None] * side + np.sin(turn)[..., None] * np.cross(along, side)
    points = begin + t[..., None] * span + radius[..., None] * around
    share = HOLLOW * radius * (2 * math.pi / ROD_CUTS[0]) * np.linalg.norm(span) / ROD_CUTS[1]
    return surface_of(points.reshape(-1, 3), (share[..., None] * around).reshape(-1, 3))


def drawn_bones() -> list[Surface]:
    """Skull, pelvis and hind limbs, both sides."""
    middle = [rod([0.3, 0, 0.69], [0.36, 0, 0.7], 0.034, 0.03), rod([0.36, 0, 0.7], [0.45, 0, 0.66], 0.028, 0.012)]
    sides = []
    for side in (-1, 1):
        hip, knee, hock = [-0.275, side * 0.05, 0.47], [-0.22, side * 0.065, 0.3], [-0.36, side * 0.065, 0.17]
        sides += [rod([-0.2, side * 0.03, 0.53], hip, 0.012), rod(hip, [-0.34, side * 0.03, 0.46], 0.01)]
        sides += [rod(hip, knee, 0.009), rod(knee, hock, 0.008), rod(hock, [-0.34, side * 0.065, 0.04], 0.007)]
    return middle + sides


def thickness(surface: Surface, turn: np.ndarray, frame: Frame, size: tuple[int, int]) -> np.ndarray:
    """Length of each ray inside a surface [m], by the divergence theorem."""
    points, areas = surface.points @ turn, surface.areas @ turn
    columns = ((points[:, 0] - frame[0]) / frame[2] * size[0]).astype(int)
    rows = ((frame[1] - points[:, 2]) / frame[3] * size[1]).astype(int)
    inside = (columns >= 0) & (columns < size[0]) & (rows >= 0) & (rows < size[1])
    depth = ((surface.points - surface.middles)[inside] @ turn[:, 1]) * areas[inside, 1]
    total = np.bincount(rows[inside] * size[0] + columns[inside], depth, size[0] * size[1])
    return (total / (frame[2] * frame[3] / (size[0] * size[1]))).reshape(size[1], size[0]).astype(np.float32)


def draw_animal(skeleton: Skeleton, rng: np.random.Generator, longest: int = 420) -> tuple[np.ndarray, str, str]:
    """One film, uint8, the name of its view, and its class."""
    name = str(rng.choice(list(VIEWS), p=[0.26, 0.14, 0.08, 0.2, 0.08, 0.08, 0.08, 0.08]))
    view = VIEWS[name]
    angle = math.radians(rng.uniform(*view.turn_deg))
    about = np.array([[1, 0, 0], [0, math.cos(angle), -math.sin(angle)], [0, math.sin(angle), math.cos(angle)]])
    turn = about @ np.diag(np.exp(rng.normal(0, 0.09, 3)))
    frame, size = framed(view, turn, rng, longest)
    bones = smooth(thickness(skeleton.bones, turn, frame, size), 0.8)
    skin = np.maximum(0, smooth(thickness(skeleton.skin, turn, frame, size), 2.5))
    bench = Bench(rng, size)
    bench.attenuation += SOFT_PER_M * skin * (1 + rng.uniform(0, 0.05) * clouds(rng, skin.shape, 8, 3))
    bench.attenuation += BONE_PER_M * rng.uniform(0.6, 1.5) * np.maximum(0, bones)

    def place(point: np.ndarray) -> np.ndarray:
        return project(point, turn, frame)

    lungs_and_heart(bench, place, frame, rng)
    for _ in range(rng.integers(2, 8)):
        gas_or_organ(
            bench,
            place(np.array([rng.uniform(-0.24, -0.04), rng.uniform(-0.05, 0.05), rng.uniform(0.34, 0.46)]))
            * size[0]
            / bench.unit,
        )
    return laid_down(label_film(finish_film(bench.attenuation, rng), rng), name, rng), name, view.taken_for


def framed(view: View, turn: np.ndarray, rng: np.random.Generator, longest: int) -> tuple[Frame, tuple[int, int]]:
    """Frame [m] and size [px] of a film around the view's box, slightly shifted."""
    box = np.array([[x, y, z] for x in view.x for y in (-0.1, 0.1) for z in view.z]) @ turn
    low, high = box.min(0)[[0, 2]], box.max(0)[[0, 2]]
    if 40 < abs(math.degrees(math.atan2(turn[2, 1], turn[1, 1]))) < 140:
        middle, half = (low[1] + high[1]) / 2, rng.uniform(0.11, 0.2)
        low[1], high[1] = middle - half, middle + half
    extent = (high - low) * np.exp(rng.normal(0, 0.07, 2))
    centre = (low + high) / 2 + rng.normal(0, 0.02, 2) * extent
    scale = longest / extent.max()
    size = max(32, int(extent[0] * scale)), max(32, int(extent[1] * scale))
    return (centre[0] - extent[0] / 2, centre[1] + extent[1] / 2, extent[0], extent[1]), size


def project(point: np.ndarray, turn: np.ndarray, frame: Frame) -> np.ndarray:
    """Position of a point [m] in parts of the film's width."""
    x, _, z = point @ turn
    return np.array([(x - frame[0]) / frame[2], (frame[1] - z) / frame[2]])


def lungs_and_heart(
    bench: Bench, place: Callable[[np.ndarray], np.ndarray], frame: Frame, rng: np.random.Generator
) -> None:
    """Two lungs with the heart between and the liver behind them, as chords of spheres."""
    deflated, heart = rng.uniform(0.75, 1.05), rng.uniform(0.034, 0.048)
    for side in (-1, 1):
        balls = [
            ball(bench, place(np.array([x, side * y, rng.uniform(0.4, 0.43)])), rng.uniform(0.04, 0.055) / frame[2])
            for x, y in LUNG
        ]
        bench.attenuation += AIR_PER_M * 0.1 * deflated * np.max(balls, 0)
    for step in (-1, 1):
        at = np.array([0.085 - step * 0.02, -step * 0.008, 0.375 + step * 0.02])
        bench.attenuation -= AIR_PER_M * 1.6 * heart * ball(bench, place(at), heart / frame[2])
    bench.attenuation -= (
        AIR_PER_M * 0.05 * ball(bench, place(np.array([-0.05, 0, 0.38])), rng.uniform(0.05, 0.065) / frame[2])
    )


def ball(bench: Bench, centre: np.ndarray, radius: float) -> np.ndarray:
    """Chord of a sphere, 0-1; centre and radius in parts of the film's width."""
    ys, xs = np.mgrid[0 : bench.height, 0 : bench.width].astype(np.float32) / bench.width
    chord = np.sqrt(np.maximum(0, 1 - ((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2) / radius**2))
    return smooth(chord.astype(np.float32), 0.006 * bench.width)


def laid_down(film: np.ndarray, name: str, rng: np.random.Generator) -> np.ndarray:
    """Orientation as in practice: frontal films mostly upright, others horizontal, facing either side."""
    if "ventrodorsal" in name and rng.random() < 0.75:
        film = cv2.rotate(film, int(rng.choice([cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE])))
    return film[:, ::-1].copy() if rng.random() < 0.5 else film
