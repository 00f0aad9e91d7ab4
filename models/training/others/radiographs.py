"""Phantoms of radiographs that are not a lateral thorax: frontal thoraxes of dogs and people, abdomens, limbs,
skulls, pelves, spines. Crude on purpose where only the kind of picture matters."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from .film import Bench, curve, tube

TAKEN_FOR = {"thorax-vd": "frontal_chest", "human-chest": "frontal_chest", "abdomen": "abdomen"}
"""Classes of `VIEWS`; `other_radiograph` by default."""


def draw_radiograph(view: str, rng: np.random.Generator, longest: int = 512) -> np.ndarray:
    """One film, uint8, of a view named in `VIEWS`; sometimes rotated or mirrored."""
    film = VIEWS[view](rng, longest).finish()
    turn = rng.random()
    if turn < 0.2:
        film = cv2.rotate(film, int(rng.integers(3)))
    elif turn < 0.5:
        matrix = cv2.getRotationMatrix2D((film.shape[1] / 2, film.shape[0] / 2), rng.normal(0, 10), 1.05)
        film = cv2.warpAffine(film, matrix, (film.shape[1], film.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    return film[:, ::-1].copy() if rng.random() < 0.5 else film


def portrait(rng: np.random.Generator, longest: int, low: float = 0.7, high: float = 1.05) -> tuple[int, int]:
    return int(longest * rng.uniform(low, high)), longest


def landscape(rng: np.random.Generator, longest: int, low: float = 0.6, high: float = 1.0) -> tuple[int, int]:
    return longest, int(longest * rng.uniform(low, high))


def mirrored(points: npt.ArrayLike, middle: float) -> np.ndarray:
    return np.array([[2 * middle - x, y] for x, y in np.asarray(points)])


def frontal_thorax(rng: np.random.Generator, longest: int, human: bool) -> Bench:
    """VD or DV thorax of a dog, or a PA chest: two lungs, spine in the middle, ribs on both sides, heart between."""
    bench = Bench(rng, portrait(rng, longest, 0.75, 1.15) if human else portrait(rng, longest, 0.55, 1.0))
    middle = bench.width / bench.unit / 2 + rng.normal(0, 0.02)
    half = rng.uniform(0.36, 0.46) if human else rng.uniform(0.2, 0.34)
    top, base = rng.uniform(0.08, 0.16), rng.uniform(0.72, 0.85) if human else rng.uniform(0.6, 0.8)
    shoulder = 1.15 if human else 0.7
    flank = [
        [middle - half * shoulder, -0.1],
        [middle - half * shoulder, top],
        [middle - half * 1.12, 0.5 * (top + base)],
        [middle - half * 1.1, base],
        [middle - half * rng.uniform(0.9, 1.15), 1.1],
    ]
    bench.trunk(np.vstack([curve(flank), mirrored(curve(flank), middle)[::-1]]), 1.0, half)
    lungs(bench, middle, half, top, base, human)
    frontal_spine(bench, middle, rng.uniform(0.022, 0.035), -0.05, 1.05)
    frontal_ribs(bench, middle, half, top, base, human)
    if human or rng.random() < 0.6:
        collar = [[middle - 0.03, top + 0.06], [middle - half * 0.5, top + 0.01], [middle - half * 1.0, top + 0.0]]
        shoulders = (
            collar
            if human
            else [
                [middle - half * 0.75, top + 0.1],
                [middle - half * 1.2, top - 0.02],
                [middle - half * 1.6, top - 0.12],
            ]
        )
        for side in (np.array(shoulders), mirrored(shoulders, middle)):
            bench.bone([tube(side, [0.014, 0.011, 0.016])], 0.3, 0.012)
    return bench


def lungs(bench: Bench, middle: float, half: float, top: float, base: float, human: bool) -> None:
    """Two air-filled lungs over a domed diaphragm, the heart between them, gas in the stomach."""
    rng = bench.rng
    dome = rng.uniform(0.05, 0.14)
    left = [
        [middle - 0.05, top + 0.04],
        [middle - half * 0.55, top],
        [middle - half * 0.92, 0.55 * top + 0.45 * base],
        [middle - half, base],
        [middle - half * 0.5, base - dome],
        [middle - 0.035, base - dome * 0.6],
    ]
    for side in (np.array(left), mirrored(left, middle)):
        bench.soft(
            curve(side + rng.normal(0, 0.008, side.shape), 80, closed=True), -rng.uniform(0.4, 0.62), half * 0.45, 0.006
        )
    tilt = rng.uniform(0.1, 0.7) * (1 if human else rng.choice([-1, 1]) * 0.6)
    centre, long, short = (
        np.array([middle + tilt * 0.1, base - dome - rng.uniform(0.02, 0.1)]),
        rng.uniform(0.13, 0.2),
        rng.uniform(0.09, 0.16),
    )
    turn = np.linspace(0, 2 * math.pi, 40)
    axis = np.array([math.sin(tilt), math.cos(tilt)])
    outline = (
        centre
        - axis * long * 0.4
        + np.outer(np.cos(turn), axis) * long
        + np.outer(np.sin(turn), [axis[1], -axis[0]]) * short
    )
    bench.soft(outline, rng.uniform(0.25, 0.5), 0.12, 0.005)
    vessel_roots(bench, middle, base, half)
    if rng.random() < 0.6:
        at = np.array([middle + half * 0.5, base + rng.uniform(0, 0.04)])
        bench.soft(
            at + np.column_stack([np.cos(turn) * rng.uniform(0.03, 0.1), np.sin(turn) * rng.uniform(0.02, 0.06)]),
            -0.3,
            0.04,
        )


def vessel_roots(bench: Bench, middle: float, base: float, half: float) -> None:
    rng = bench.rng
    for _ in range(rng.integers(10, 24)):
        side = rng.choice([-1, 1])
        start = np.array([middle + side * 0.05, base - rng.uniform(0.2, 0.35)])
        end = start + [side * rng.uniform(0.3, 0.8) * half, rng.normal(0, 0.12)]
        bench.soft(
            tube([start, (start + end) / 2 + rng.normal(0, 0.015, 2), end], [rng.uniform(0.006, 0.014), 0.002]),
            rng.uniform(0.04, 0.12),
            0.01,
            0.002,
        )


def frontal_spine(bench: Bench, middle: float, half: float, top: float, bottom: float) -> None:
    """A column seen from the front: bodies with end plates, pedicles and spinous processes."""
    rng = bench.rng
    step = half * rng.uniform(1.3, 2.0)
    for y in np.arange(top, bottom, step):
        width = half * (0.85 + 0.3 * y)
        body = [
            [middle - width, y + 0.08 * step],
            [middle + width, y + 0.08 * step],
            [middle + width * 0.9, y + step * 0.5],
            [middle + width, y + step * 0.92],
            [middle - width, y + step * 0.92],
            [middle - width * 0.9, y + step * 0.5],
        ]
        bench.bone([body], rng.uniform(0.3, 0.4), half * 0.6)
        bench.bone([tube([[middle, y + step * 0.3], [middle, y + step * 0.9]], [half * 0.2, half * 0.12])], 0.15, 0.005)


def frontal_ribs(bench: Bench, middle: float, half: float, top: float, base: float, human: bool) -> None:
    rng = bench.rng
    width, slope = rng.uniform(0.007, 0.012), rng.uniform(0.02, 0.12) * (1 if human else rng.choice([-0.5, 1]))
    for index in range(rng.integers(9, 13)):
        y = top + (base - top) * (index - 0.5) / 10
        reach = half * min(1.02, 0.55 + 0.13 * index)
        rib = np.array(
            [
                [middle - 0.03, y],
                [middle - reach * 0.6, y + slope * 0.2 - 0.02],
                [middle - reach, y + slope + 0.05],
                [middle - reach * 0.9, y + slope + 0.11],
            ]
        )
        if human and rng.random() < 0.8:
            rib = np.vstack([rib, [middle - reach * 0.45, y + slope + 0.17]])
        for side in (rib, mirrored(rib, middle)):
            bench.bone([tube(side, [width, width, width * 0.8])], rng.uniform(0.1, 0.22), width)


def abdomen(rng: np.random.Generator, longest: int) -> Bench:
    """Lateral abdomen: lumbar spine on top, organs, gas-filled gut, pelvis and thighs at one end."""
    bench = Bench(rng, landscape(rng, longest))
    height = bench.height / bench.unit
    spine = rng.uniform(0.12, 0.3) * height
    bench.trunk(
        np.vstack(
            [
                curve([[-0.1, spine - 0.09], [0.5, spine - 0.1], [1.1, spine - 0.05]]),
                curve([[1.1, height * 0.75], [0.5, height * rng.uniform(0.85, 1.0)], [-0.1, height * 0.9]]),
            ]
        ),
        1.0,
        0.3,
    )
    lateral_column(bench, spine, 0.03)
    for _ in range(rng.integers(4, 9)):
        gas_or_organ(bench, np.array([rng.uniform(0.05, 0.85), rng.uniform(spine + 0.12, height * 0.8)]))
    if rng.random() < 0.7:
        hip = np.array([rng.uniform(0.78, 0.95), spine + rng.uniform(0.06, 0.14)])
        bench.bone([tube([hip + [-0.14, -0.08], hip, hip + [0.12, 0.03]], [0.045, 0.03, 0.035])], 0.4, 0.02)
        for shift in (0, rng.uniform(-0.06, 0.06)):
            long_bone(bench, hip + [shift, 0], hip + [shift - 0.1, rng.uniform(0.25, 0.4)], 0.02)
    return bench


def gas_or_organ(bench: Bench, centre: np.ndarray) -> None:
    rng = bench.rng
    turn = np.linspace(0, 2 * math.pi, 36)
    size = rng.uniform(0.02, 0.14, 2)
    outline = (
        centre
        + np.column_stack([np.cos(turn), np.sin(turn)])
        * size
        * (1 + 0.15 * np.sin(3 * turn + rng.uniform(0, 6)))[:, None]
    )
    if rng.random() < 0.5:
        path = np.cumsum(rng.normal(0, 0.06, (6, 2)), 0) + centre
        outline = tube(path, [0.02, rng.uniform(0.015, 0.04), 0.02])
    bench.soft(outline, rng.choice([-0.3, -0.15, 0.12, 0.2]), 0.06, rng.uniform(0.003, 0.02))


def lateral_column(bench: Bench, y: float, half: float, bow: float = 0.0) -> None:
    """A row of vertebrae seen from the side, with spinous and transverse processes."""
    rng = bench.rng
    step = half * rng.uniform(2.0, 3.0)
    for x in np.arange(-0.05, 1.05, step):
        mid = y + bow * math.sin(x * math.pi)
        body = np.array(
            [
                [x + 0.06 * step, mid - half],
                [x + 0.94 * step, mid - half],
                [x + 0.94 * step, mid + half],
                [x + 0.5 * step, mid + half * 0.8],
                [x + 0.06 * step, mid + half],
            ]
        )
        bench.bone([body], rng.uniform(0.35, 0.45), half * 0.6)
        bench.bone(
            [
                tube(
                    [
                        [x + step * 0.5, mid - half * 1.4],
                        [x + step * rng.uniform(0.3, 0.8), mid - half * rng.uniform(2.6, 4)],
                    ],
                    [half * 0.5, half * 0.35],
                )
            ],
            0.25,
            half * 0.4,
        )
        bench.bone(
            [tube([[x + step * 0.3, mid + half * 0.3], [x - step * 0.2, mid + half * 1.5]], [half * 0.25, half * 0.1])],
            0.12,
            half * 0.2,
        )


def long_bone(bench: Bench, start: np.ndarray, end: np.ndarray, half: float) -> None:
    """A shaft with wider ends and a marrow canal."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    bow = np.array([-(end - start)[1], (end - start)[0]]) * bench.rng.normal(0, 0.04)
    widths = np.array([1.5, 1.6, 1.05, 0.9, 0.9, 1.05, 1.5, 1.4]) * half
    bench.bone([tube([start, (start + end) / 2 + bow, end], widths)], bench.rng.uniform(0.4, 0.6), half * 0.9, 0.7)


def limb(rng: np.random.Generator, longest: int) -> Bench:
    """Two or three segments with joints, one or two bones each, sometimes a paw."""
    bench = Bench(rng, portrait(rng, longest, 0.35, 0.95))
    middle = bench.width / bench.unit / 2
    at, angle, half = np.array([middle, -0.05]), rng.normal(0, 0.2), rng.uniform(0.02, 0.05)
    for _segment in range(rng.integers(2, 4)):
        end = at + rng.uniform(0.35, 0.6) * np.array([math.sin(angle), math.cos(angle)])
        bench.trunk(tube([at, (at + end) / 2, end], [half * 4.5, half * 4, half * 2.6]), 0.6, half * 3.5)
        side = np.array([math.cos(angle), -math.sin(angle)]) * half * 1.5
        for shift in (-0.6, 0.8) if rng.random() < 0.5 else (0,):
            long_bone(bench, at + side * shift, end + side * shift * 0.6, half * (1 if shift <= 0 else 0.7))
        at, angle, half = end, angle + rng.normal(0, 0.5), half * 0.85
    if rng.random() < 0.7:
        paw(bench, at, angle, half)
    return bench


def paw(bench: Bench, at: np.ndarray, angle: float, half: float) -> None:
    for toe in range(4):
        way = angle + (toe - 1.5) * 0.18
        start = at + np.array([math.sin(way), math.cos(way)]) * half
        for length in (0.12, 0.07, 0.05):
            end = start + length * np.array([math.sin(way), math.cos(way)])
            long_bone(bench, start, end, half * 0.3)
            start = end + 0.008 * np.array([math.sin(way), math.cos(way)])


def skull(rng: np.random.Generator, longest: int) -> Bench:
    """Lateral head: cranial vault, snout with teeth, mandible, neck."""
    bench = Bench(rng, landscape(rng, longest, 0.65, 0.95))
    height = bench.height / bench.unit
    centre = np.array([rng.uniform(0.55, 0.68), height * rng.uniform(0.38, 0.5)])
    bench.trunk(
        curve(
            [
                [0.06, centre[1]],
                [0.3, centre[1] - 0.12],
                centre + [0, -0.24],
                [1.1, centre[1] - 0.15],
                [1.1, height * 0.95],
                centre + [-0.1, 0.28],
                [0.1, centre[1] + 0.18],
            ],
            90,
            closed=True,
        ),
        0.8,
        0.2,
    )
    turn = np.linspace(0, 2 * math.pi, 50)
    vault = centre + np.column_stack([np.cos(turn) * rng.uniform(0.17, 0.24), np.sin(turn) * rng.uniform(0.12, 0.18)])
    bench.bone([vault], 0.6, 0.025, 0.8)
    length = rng.uniform(0.2, 0.42)
    bench.bone([tube([centre + [-0.12, 0.03], centre + [-0.15 - length, 0.09]], [0.1, 0.04])], 0.35, 0.03, 0.6)
    bench.bone(
        [tube([centre + [0.02, 0.12], centre + [-0.1, 0.2], centre + [-0.12 - length, 0.17]], [0.045, 0.035, 0.02])],
        0.4,
        0.025,
        0.5,
    )
    for tooth in np.linspace(0.05, length, rng.integers(6, 11)):
        root = centre + [-0.12 - tooth, 0.11 + rng.normal(0, 0.004)]
        bench.bone([tube([root, root + [0, 0.05]], [0.012, 0.004])], 0.5, 0.01, 0.2)
    for index in range(4):
        x = centre[0] + 0.18 + index * 0.09
        bench.bone(
            [
                tube(
                    [[x, centre[1] + 0.09 + index * 0.03], [x + 0.08, centre[1] + 0.11 + index * 0.03]],
                    [0.035, 0.03, 0.035],
                )
            ],
            0.4,
            0.02,
        )
    return bench


def pelvis(rng: np.random.Generator, longest: int) -> Bench:
    """Frontal pelvis: spine, iliac wings, ring, femoral heads and thighs."""
    bench = Bench(rng, portrait(rng, longest, 0.7, 1.0))
    middle = bench.width / bench.unit / 2
    bench.trunk([[middle - 0.3, -0.1], [middle + 0.3, -0.1], [middle + 0.36, 1.1], [middle - 0.36, 1.1]], 0.9, 0.28)
    frontal_spine(bench, middle, 0.03, -0.05, 0.38)
    wing = [
        [middle - 0.08, 0.3],
        [middle - 0.16, 0.12],
        [middle - 0.12, 0.36],
        [middle - 0.13, 0.48],
        [middle - 0.08, 0.62],
        [middle - 0.02, 0.66],
    ]
    for points in (np.array(wing), mirrored(wing, middle)):
        bench.bone([tube(points, [0.045, 0.04, 0.03, 0.035, 0.025])], 0.45, 0.02)
        side = -1 if points[0, 0] < middle else 1
        head = np.array([middle + side * 0.17, 0.5])
        long_bone(bench, head, head + [side * 0.05, 0.04], 0.028)
        long_bone(bench, head + [side * 0.05, 0.04], head + [side * rng.uniform(0.02, 0.14), 0.55], 0.026)
    return bench


def spine(rng: np.random.Generator, longest: int) -> Bench:
    """Close view of a row of vertebrae, from the side or from the front, without a chest around it."""
    bench = Bench(rng, landscape(rng, longest, 0.3, 0.8))
    height = bench.height / bench.unit
    bench.trunk([[-0.1, -0.1], [1.1, -0.1], [1.1, height * 1.1], [-0.1, height * 1.1]], rng.uniform(0.4, 1.0), 0.3)
    lateral_column(bench, height * rng.uniform(0.35, 0.65), rng.uniform(0.03, 0.07), rng.normal(0, 0.05))
    return bench


VIEWS = {
    "thorax-vd": lambda rng, longest: frontal_thorax(rng, longest, human=False),
    "human-chest": lambda rng, longest: frontal_thorax(rng, longest, human=True),
    "abdomen": abdomen,
    "limb": limb,
    "skull": skull,
    "pelvis": pelvis,
    "spine": spine,
}
