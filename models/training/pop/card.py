"""Fills the card of the landmark pack for photographs of screens from its manifest."""

from pathlib import Path
from typing import Any

from ..cards import calibration_text

CARD = """# {name} {version}

**Not clinically validated.** An aid for veterinarians, not a medical device.

Places the same points as the landmark pack for direct films, on radiographs that were photographed from a screen and straightened:
moiré, colour cast, glare, blur, noise and slightly wrong corners included. One vote, no ensemble, hence no spread; its confidence
rests on the geometry and on the sharpness of the heat maps (`sharpnessHigh` in the manifest).

## Data
{data}

{statement}

## Figures
Simulated photographs of phantoms that no network has seen, measured by the whole program (gate, corners, straightening, these networks),
against the phantom's truth and against the same film as a file. Printed by `python3 -m training.evaluate_pop`. v = vertebrae.

| what | value | 95 % interval | n |
|---|---|---|---|
{figures}

{calibration}

## Limits
- Real photographs of screens were not available: the networks learnt from films, and the figures rest on simulated photographs.
- The straightened film keeps the proportions that the photograph shows; a strongly slanted view stretches it a little, and the score with it.
- Everything in the limits of the landmark pack for direct films holds here too.

## Failures
The photographs of phantoms with the largest errors.

![failures](failures.jpg)
"""  # noqa: E501


def figure_row(name: str, figure: dict[str, Any]) -> str:
    low, high = figure["interval"]
    if "share" in figure:
        return f"| {name} | {figure['share']:.1%} | {low:.1%} – {high:.1%} | {figure['n']} |"
    value = figure.get("vertebrae", figure.get("median"))
    return f"| {name} | {value:.2f} | {low:.2f} – {high:.2f} | {figure['n']} |"


def write_pop_card(folder: Path, manifest: dict[str, Any]) -> None:
    training = manifest["training"]
    card = CARD.format(
        name=manifest["name"],
        version=manifest["version"],
        data="\n".join(f"- {entry}" for entry in training["data"]),
        statement=f"{training['statement']} {training['machine']}, {training['date']}.",
        calibration=calibration_text(manifest),
        figures="\n".join(figure_row(name, figure) for name, figure in manifest["evaluation"].items()),
    )
    (Path(folder) / "CARD.md").write_text(card)
