"""Shadows of the skeleton. All values are attenuations (logarithm of the lost beam)."""

from typing import Any

import numpy as np

from .anatomy import FIRST_LABEL, Animal
from .canvas import Canvas
from .curves import spline, turned, unit


def column_shadow(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> np.ndarray:
    """Bodies with bright end plates, arches with facets, spinous processes, rib heads over the discs."""
    strength = rng.uniform(0.10, 0.4)
    parts = [_vertebra(rng, animal, index) for index in range(len(animal.edges) - 1)]
    bodies = canvas.outlines([part["body"] for part in parts])
    rims = canvas.lines([part["body"] for part in parts], 0.05, closed=True)
    plates = canvas.lines([line for part in parts for line in part["plates"]], rng.uniform(0.05, 0.1))
    arches = canvas.outlines([part["arch"] for part in parts])
    pedicles = canvas.outlines([part["pedicle"] for part in parts])
    facets = canvas.outlines([part["facet"] for part in parts])
    spines = canvas.outlines([part["spine"] for part in parts])
    heads = canvas.lines([ring for part in parts for ring in part["rib_heads"]], 0.07, closed=True)
    tips = canvas.outlines([outline for part in parts for outline in part["wings"]])

    def soft(mask: np.ndarray, sigma: float, low: float, high: float) -> np.ndarray:
        return canvas.soft(mask, sigma) * strength * rng.uniform(low, high)

    shadow = soft(bodies, 0.06, 0.15, 0.7) + soft(rims, 0.03, 0.1, 0.6) + soft(plates, 0.03, 0.3, 1.0)
    shadow += soft(arches, 0.07, 0.2, 0.8) + soft(pedicles, 0.07, 0.15, 0.6) + soft(facets, 0.06, 0.3, 1.1)
    shadow += soft(spines, 0.06, 0.2, 0.7) + soft(heads, 0.05, 0.2, 1.0) + soft(tips, 0.06, 0.1, 0.5)
    return shadow


def _vertebra(rng: np.random.Generator, animal: Animal, index: int) -> dict[str, Any]:
    label = index + FIRST_LABEL
    start, end = animal.edges[index], animal.edges[index + 1]
    length = float(np.linalg.norm(end - start))
    along = unit(end - start)
    dorsal = np.array([along[1], -along[0]])
    lumbar = np.clip((label - 7) / 5, 0, 1)
    half = animal.body_half * (1 + 0.15 * lumbar) * (1 + rng.normal(0, 0.03))
    gap = length * (0.06 + 0.03 * lumbar) * rng.uniform(0.7, 1.3)
    front, back, middle = start + along * gap, end - along * gap, 0.5 * (start + end)
    waist = half * rng.uniform(0.72, 0.9)
    body = spline(
        [
            front + dorsal * half,
            middle + dorsal * half * 0.95,
            back + dorsal * half,
            back,
            back - dorsal * half,
            middle - dorsal * waist,
            front - dorsal * half,
            front,
        ],
        4,
        True,
    )
    canal = half * rng.uniform(0.7, 1.0)
    roof = half + canal
    pedicle = np.array(
        [
            front + dorsal * half * 0.9,
            front + along * length * 0.55 + dorsal * half * 0.9,
            front + along * length * 0.5 + dorsal * roof,
            front + dorsal * roof,
        ]
    )
    arch = np.array(
        [
            front + dorsal * roof,
            back + dorsal * roof * 1.02,
            back + dorsal * (roof + 0.22),
            front + dorsal * (roof + 0.28),
        ]
    )
    disc = end + dorsal * (half * 1.5)
    facet = spline([disc + along * 0.22, disc + dorsal * 0.25, disc - along * 0.2, disc - dorsal * 0.18], 4, True)
    plates = [
        np.stack([front + dorsal * half * 0.92, front - dorsal * half * 0.92]),
        np.stack([back + dorsal * half * 0.92, back - dorsal * half * 0.92]),
    ]
    return {
        "body": body,
        "pedicle": pedicle,
        "arch": arch,
        "facet": facet,
        "plates": plates,
        "spine": _spinous_process(rng, label, middle + dorsal * (roof + 0.15), along, dorsal, length),
        "rib_heads": _rib_heads(rng, start, dorsal, half) if -3 <= label <= 9 else [],
        "wings": _transverse_processes(label, front, along, dorsal, half, length),
    }


def _spinous_process(
    rng: np.random.Generator, label: int, root: np.ndarray, along: np.ndarray, dorsal: np.ndarray, length: float
) -> np.ndarray:
    """Tall and leaning back at T1, shorter caudally, upright at T11, broad and leaning forward behind it."""
    if label < -3:
        height, lean, width = 0.5 + 0.12 * (label + 8) / 5, -0.2, 0.4
    elif label <= 6:
        height = float(np.interp(label, [-3, 0, 6], [2.5, 2.2, 1.0]))
        lean, width = float(np.interp(label, [-3, 3, 6], [0.55, 0.9, 1.05])), 0.3
    else:
        height, lean, width = 0.85, float(np.interp(label, [7, 8, 12], [0.05, -0.3, -0.35])), 0.5
    height *= rng.uniform(0.85, 1.12)
    direction = unit(dorsal * np.cos(lean) + along * np.sin(lean))
    across = turned(direction, np.pi / 2) * 0.5 * width * length
    tip = root + height * direction
    return np.array([root + across, tip + across * 0.8, tip - across * 0.9, root - across])


def _rib_heads(rng: np.random.Generator, disc: np.ndarray, dorsal: np.ndarray, half: float) -> list[np.ndarray]:
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    rings = []
    for _ in range(2):
        centre = disc + dorsal * half * rng.uniform(0.5, 1.0) + rng.normal(0, 0.07, 2)
        radius = 0.17 * rng.uniform(0.8, 1.2)
        rings.append(centre + radius * np.stack([np.cos(angle), np.sin(angle)], -1))
    return rings


def _transverse_processes(
    label: int, front: np.ndarray, along: np.ndarray, dorsal: np.ndarray, half: float, length: float
) -> list[np.ndarray]:
    if label < 10:
        return []
    root = front + along * length * 0.3 - dorsal * half * 0.2
    tip = root - dorsal * half * 1.1 - along * length * 0.55
    return [np.array([root, root + along * 0.2 * length, tip + along * 0.12, tip])]


def rib_shadow(rng: np.random.Generator, animal: Animal, canvas: Canvas, over_lung: np.ndarray) -> np.ndarray:
    """Ribs with bright borders; each a little different, weaker over soft tissue."""
    strength = rng.uniform(0.08, 0.26)
    width = rng.uniform(0.2, 0.42)
    values = rng.uniform(130, 255, len(animal.ribs))
    whole = canvas.lines(animal.ribs, width, values)
    core = canvas.lines(animal.ribs, width * 0.5, values)
    sigma = rng.uniform(0.03, 0.08)
    shadow = canvas.soft(whole, sigma) * rng.uniform(0.4, 0.9) + np.maximum(
        0, canvas.soft(whole, sigma) - canvas.soft(core, 0.05)
    ) * rng.uniform(0.3, 1.0)
    cartilage = canvas.soft(
        canvas.lines(animal.cartilages, width * 0.9, rng.uniform(80, 255, len(animal.cartilages))), 0.07
    )
    if rng.random() < 0.5:
        speckle = rng.standard_normal(cartilage.shape).astype(np.float32)
        cartilage = cartilage * np.clip(
            1 + 0.9 * canvas.soft((speckle * 60 + 128).clip(0, 255).astype(np.uint8), 0.06), 0, 2
        )
    shadow = shadow * strength + cartilage * strength * rng.uniform(0.1, 0.9)
    return shadow * (0.45 + 0.55 * over_lung)


def sternum_shadow(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> np.ndarray:
    """Eight sternebrae with gaps."""
    marks = np.linspace(0, 1, 9)
    line = animal.sternum

    def at(share: float) -> np.ndarray:
        return np.array([np.interp(share, np.linspace(0, 1, len(line)), line[:, k]) for k in (0, 1)])

    height = rng.uniform(0.16, 0.3)
    outlines = []
    for a, b in zip(marks, marks[1:]):
        start, end = at(a + 0.012), at(b - 0.012)
        along = unit(end - start)
        up = np.array([along[1], -along[0]]) * height
        outlines.append(
            np.array(
                [
                    start + up,
                    0.5 * (start + end) + up * 0.75,
                    end + up,
                    end - up,
                    0.5 * (start + end) - up * 0.75,
                    start - up,
                ]
            )
        )
    mask = canvas.outlines(outlines)
    rims = canvas.lines(outlines, 0.05, closed=True)
    strength = rng.uniform(0.12, 0.35)
    return canvas.soft(mask, 0.05) * strength * 0.6 + canvas.soft(rims, 0.04) * strength * 0.6


def limb_shadow(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> np.ndarray:
    """Scapula with its spine, humerus and forearm with bright cortices, and the muscles around them."""
    shadow = np.zeros((canvas.height, canvas.width), np.float32)
    strength = rng.uniform(0.1, 0.4)
    for limb in animal.limbs:
        shoulder, elbow, blade, hand, across = (limb[key] for key in ("shoulder", "elbow", "blade", "hand", "across"))
        width = rng.uniform(0.55, 0.85)
        for bone, share in (([shoulder, elbow], 1.0), ([elbow, hand], 0.8)):
            shaft = canvas.soft(
                canvas.lines(
                    [spline([bone[0], 0.5 * (bone[0] + bone[1]) + rng.normal(0, 0.15, 2), bone[1]])], width * share
                ),
                0.05,
            )
            marrow = canvas.soft(canvas.lines([bone], width * share * 0.5), 0.06)
            shadow += (shaft - 0.55 * marrow) * strength
        rim = blade + unit(blade - shoulder) * 0.5
        outline = spline(
            [shoulder + across * 0.3, blade + across * 1.3, rim, blade - across * 1.1, shoulder - across * 0.35],
            6,
            True,
        )
        shadow += canvas.soft(canvas.outlines([outline]), 0.06) * strength * rng.uniform(0.1, 0.4)
        shadow += canvas.soft(canvas.lines([outline], 0.1, closed=True), 0.05) * strength * rng.uniform(0.05, 0.3)
        shadow += (
            canvas.soft(canvas.lines([np.stack([shoulder, blade])], 0.14), 0.06) * strength * rng.uniform(0.1, 0.5)
        )
        muscle = canvas.lines(
            [np.stack([hand, elbow, shoulder, 0.5 * (shoulder + blade), blade])], rng.uniform(1.8, 3.4)
        )
        shadow += canvas.soft(muscle, 0.4) * rng.uniform(0.05, 0.3)
    return shadow


def skull_shadow(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> np.ndarray:
    """A simple head in front of the neck, if the picture extends that far."""
    neck = animal.edges[0]
    centre = neck + np.array([-2.6, 0.4]) + rng.normal(0, 0.3, 2)
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    brain = centre + np.stack([1.9 * np.cos(angle), 1.3 * np.sin(angle)], -1)
    snout = np.array([centre + [-1.2, -0.7], centre + [-4.6, 0.6], centre + [-4.5, 1.6], centre + [-1.0, 1.2]])
    rims = canvas.soft(canvas.lines([brain, snout], 0.2, closed=True), 0.05) * 0.4
    return rims + canvas.soft(canvas.outlines([brain, snout]), 0.1) * 0.35
