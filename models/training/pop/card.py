"""Fills the card of the landmark pack for photographs of screens from its manifest."""

from pathlib import Path
from typing import Any

from ..cards import calibration_text

CARD = """# {name} {version}

**Not clinically validated.** An aid for veterinarians, not a medical device.

Places the same points as the landmark pack for direct films, on radiographs that were photographed from a screen and straightened:
moiré, colour cast, glare, blur, noise and slightly wrong corners included. One vote, no ensemble, hence no spread; its confidence
rests on the geometry, on the sharpness of the heat maps (`sharpnessHigh` in the manifest) and on the blur of the picture's edges.

## Data
{data}

{statement}

## Figures
Simulated photographs of phantoms that no network has seen, measured by the whole program (gate, corners, straightening, these networks),
against the phantom's truth and against the same film as a file. Printed by `python3 -m training.evaluate_pop`. v = vertebrae.

| what | value | 95 % interval | n |
|---|---|---|---|
{figures}
{kinds}
{calibration}

## Limits
- Real photographs of screens were not available: the networks learnt from films, and the figures rest on simulated photographs.
- The straightened film keeps the proportions that the photograph shows; a strongly slanted view stretches it a little, and the score with it.
- Everything in the limits of the landmark pack for direct films holds here too.

## Failures
The photographs of phantoms with the largest errors.

![failures](failures.jpg)
"""  # noqa: E501
TIERS = ("optimal", "good", "review")
KINDS = """
### Photographs by kind
Simulated films that no network has seen, with one fault added at a time;
photographs of a film share the seed of screen and camera.
Lost: without a score, or taken for a film. Corners are off where they are more than 1.5 % of the picture's diagonal
from the film's own in the mean, and mixed where some are on the film's border and others on the edge of its bezel.
Printed by `python3 -m training.evaluate_photographs`.

{table}
"""


def figure_row(name: str, figure: dict[str, Any]) -> str:
    low, high = figure["interval"]
    if "share" in figure:
        return f"| {name} | {figure['share']:.1%} | {low:.1%} – {high:.1%} | {figure['n']} |"
    value = figure.get("vertebrae", figure.get("median"))
    return f"| {name} | {value:.2f} | {low:.2f} – {high:.2f} | {figure['n']} |"


def kind_table(kinds: dict[str, dict[str, Any]]) -> str:
    """One row a kind of photograph."""
    head = ("kind", "photographs (lost)", "VHS error, bias [v]", "within 0.5 v", *TIERS, "corners off (mixed)")
    lines = [head, tuple("---" for _ in head)]
    for kind, row in kinds.items():
        errors = "" if row["error"] is None else f"{row['error']:.2f}, {row['bias']:+.2f}"
        counts = (f"{row['photographs']} ({row['lost']})", errors, row["within_0.5"])
        corners = f"{row['off']} of {row['corners']} ({row['mixed']})" if row.get("corners") else ""
        lines.append((kind, *counts, *(row[tier] for tier in TIERS), corners))
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def kinds_text(manifest: dict[str, Any]) -> str:
    return KINDS.format(table=kind_table(manifest["photographs"])) if "photographs" in manifest else ""


def write_pop_card(folder: Path, manifest: dict[str, Any]) -> None:
    training = manifest["training"]
    card = CARD.format(
        name=manifest["name"],
        version=manifest["version"],
        data="\n".join(f"- {entry}" for entry in training["data"]),
        statement=f"{training['statement']} {training['machine']}, {training['date']}.",
        kinds=kinds_text(manifest),
        calibration=calibration_text(manifest),
        figures="\n".join(figure_row(name, figure) for name, figure in manifest["evaluation"].items()),
    )
    (Path(folder) / "CARD.md").write_text(card)
