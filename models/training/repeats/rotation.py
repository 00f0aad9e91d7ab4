"""Tests whether a rotated chest can be recognised from the ribs: trains a small network on simulated films, and prints
its sensitivity on other simulated films and its alarms on real ones. No pack contains it (card: Positions).

python3 -m training.repeats.rotation --data training=FOLDER --data validation=FOLDER

Real films count as not rotated, although some are, so their alarms are an upper bound of the false alarms. The
threshold is determined on the first half of the simulated test films; no real film is used for training.
"""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..column.strip import training_strip
from ..films import Film, points_of, read_grey, read_index
from ..frames import thorax_frame, upright_pose
from ..names import FIRST_EDGE
from ..network import ConvNorm, Residual, initialise
from ..phantom.anatomy import Animal, draw_animal
from ..phantom.film import film_of
from ..phantom.pose import HALF_CHEST, Pose, posed

SEED, HELD_OUT_SEED = 9700000, 9800000
SIDE = 416
"""Longest side of a simulated film [px]."""
MOST_DEG = 25.0
ANGLES = (0.0, 5.0, 10.0, 15.0, 20.0)
WANTED_AT, WANTED = 10.0, 0.8
"""Sensitivity that the threshold must reach for films rotated by WANTED_AT degrees."""
BELOW = 0.7
"""Distance of the strip's middle from the column, ventrally [v]; its half height is 1.5 v."""
LAYS = 5
"""Number of strips per film, whose angles are averaged."""
BATCH, RATE = 32, 2e-3
STRENGTH = 0.6
"""Share of degraded simulated strips."""

BEAM_DEPTH, BEAM_SPREAD = 4.0, 1.5
"""Distance of the beam's centre, at the heart, from the column [v]."""
VERTEBRA_CM = (0.8, 2.4)
FOCUS_CM = 100.0
"""Length of a vertebra in small and large dogs, and focus-film distance (assumptions)."""
HALF_CHEST_SHARES = (0.7, 1.2)
HUMP, SIDE_SCATTER, RIB_SCATTER = 0.12, 0.08, 0.04
"""Standard deviations of a rib's middle: common to the animal, to one side, and of each rib [v]."""


def oblique_deg(rng: np.random.Generator) -> float:
    """Angle between the column and a beam centred on the heart, which separates ribs like a rotation."""
    depth = rng.normal(BEAM_DEPTH, BEAM_SPREAD) * rng.uniform(*VERTEBRA_CM)
    return float(np.degrees(np.arctan(depth / FOCUS_CM)))


def uneven(rng: np.random.Generator, animal: Animal, shown_deg: float) -> Animal:
    """The animal, rotated by shown_deg, with a narrower or wider chest and ribs that differ between sides."""
    wider = (rng.uniform(*HALF_CHEST_SHARES) - 1) * HALF_CHEST * np.sin(np.radians(shown_deg))
    hump, sides, half = rng.normal(0, HUMP), rng.normal(0, SIDE_SCATTER, (2, 2)), len(animal.ribs) // 2
    ribs = []
    for index, rib in enumerate(animal.ribs):
        side = int(index >= half)
        middle = sides[side] + rng.normal(0, RIB_SCATTER, 2) + [0, hump + (-wider if side else wider)]
        ribs.append(rib + np.outer(np.sin(np.pi * np.linspace(0, 1, len(rib))), middle))
    return replace(animal, ribs=ribs)


def simulated(seed: int, number: int, turned_deg: float | None = None) -> tuple[Film, float]:
    """A film and the angle that its ribs show [deg, >= 0]; rotated by a random angle unless given."""
    rng = np.random.default_rng([seed, number])
    turned = rng.uniform(0, MOST_DEG) if turned_deg is None else turned_deg
    oblique = oblique_deg(rng)
    shown = turned * rng.choice([-1, 1]) + oblique
    film = film_of(rng, uneven(rng, posed(draw_animal(rng), Pose(turned_deg=shown)), shown), SIDE, plain=True)
    points = film.visible_points()
    return Film(film.image, points, np.isfinite(points).all(1).astype(np.float32)), abs(shown)


def real_films(folder: str | Path) -> dict[str, list[Film]]:
    """Films by group, located by their readers' edges, or by the ends of T4 to T9 if only those were marked."""
    groups: dict[str, list[Film]] = {}
    for entry in read_index(folder):
        spine = entry.get("spine")
        if not entry.get("edges") and spine:
            entry = {**entry, "edges": [["T4", spine["T4_cranial"]], ["T10", spine["T9_caudal"]]]}
        points, weights = points_of(entry)
        film = Film(read_grey(Path(folder) / entry["file"]), points, weights, entry["file"])
        groups.setdefault(entry.get("group") or "films", []).append(film)
    return groups


def lowered(film: Film) -> Film:
    """The film with its edges BELOW ventral of the column, so that a strip along them shows the dorsal ribs."""
    frame = thorax_frame(upright_pose(film.points))
    ventral = frame.to_film([0, 1]) - frame.to_film([0, 0])
    points = film.points.copy()
    points[FIRST_EDGE:] += BELOW * upright_pose(film.points)[1] * ventral / np.linalg.norm(ventral)
    return replace(film, points=points)


def strip(rng: np.random.Generator, film: Film, strength: float) -> np.ndarray:
    """Network input of a film [HEIGHT, WIDTH], 0-1."""
    laid = training_strip(rng, lowered(film), strength)
    assert laid is not None, "a film shows its column"
    return (laid.image - laid.image.mean()) / (laid.image.std() + 0.02)


class TurnNet(nn.Module):
    """Strips [n, 1, HEIGHT, WIDTH] to the angles that their ribs show [n], in units of MOST_DEG."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            ConvNorm(1, 16, stride=2),
            Residual(16, 32, 2),
            Residual(32, 48, 2),
            Residual(48, 64, 2),
            Residual(64, 96, 2),
        )
        self.head = nn.Conv2d(96, 1, 1)
        initialise(self, self.head)

    def forward(self, strips: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(strips)).mean((1, 2, 3))


def trained(films: Sequence[tuple[Film, float]], steps: int) -> TurnNet:
    torch.manual_seed(SEED)
    torch.set_flush_denormal(True)
    rng = np.random.default_rng(SEED)
    network = TurnNet().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps, pct_start=0.1)
    for step in range(steps):
        batch = [films[index] for index in rng.integers(0, len(films), BATCH)]
        strips = np.stack([strip(rng, film, STRENGTH) for film, _ in batch])
        target = torch.tensor([angle / MOST_DEG for _, angle in batch])
        loss = functional.smooth_l1_loss(network(torch.from_numpy(strips)[:, None]), target, beta=0.1)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss.item():.4f}", flush=True)
    return network.eval()


def angle_of(network: TurnNet, film: Film) -> float:
    """The angle that a film's ribs show [deg]."""
    rng = np.random.default_rng(SEED)
    strips = np.stack([strip(rng, film, 0) for _ in range(LAYS)])
    with torch.no_grad():
        return float(network(torch.from_numpy(strips)[:, None]).mean()) * MOST_DEG


def measured(network: TurnNet, films: Iterable[Film]) -> np.ndarray:
    return np.array([angle_of(network, film) for film in films])


def threshold_of(at_wanted: np.ndarray) -> float:
    """The highest angle [deg] reached by WANTED of the films rotated by WANTED_AT degrees."""
    return float(np.quantile(at_wanted, 1 - WANTED, method="lower"))


def share_text(angles: np.ndarray, threshold: float) -> str:
    count = int((angles >= threshold).sum())
    return f"{count} of {len(angles)} ({count / len(angles):.0%}), median {np.median(angles):.1f} deg"


def report(a: argparse.Namespace) -> None:
    network = trained([simulated(SEED, number) for number in range(a.films)], a.steps)
    half = range(a.measured), range(a.measured, 2 * a.measured)

    def turned(numbers: Iterable[int], angle: float) -> np.ndarray:
        return measured(network, (simulated(HELD_OUT_SEED, number, angle)[0] for number in numbers))

    threshold = threshold_of(turned(half[0], WANTED_AT))
    print(f"threshold {threshold:.1f} deg; films at or above it:")
    for angle in ANGLES:
        print(f"  simulated, turned by {angle:.0f} degrees: {share_text(turned(half[1], angle), threshold)}")
    for given in a.data:
        name, _, folder = given.partition("=")
        for group, films in real_films(folder).items():
            print(f"  {name}, {group}: {share_text(measured(network, films), threshold)}")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="training.repeats.rotation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", action="append", default=[], help="NAME=FOLDER of annotated real films")
    parser.add_argument("--films", type=int, default=2400, help="simulated films for training")
    parser.add_argument("--steps", type=int, default=900, help=f"of {BATCH} strips")
    parser.add_argument(
        "--measured", type=int, default=65, help="simulated animals for the threshold, and as many for the test"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    report(parse())
