"""Writes the card of the landmark pack for photographs of screens from its manifest."""

from pathlib import Path
from typing import Any

from ..cards import calibration_text

CARD = """# {name} {version}

**Not clinically validated.** An aid for veterinarians, not a medical device.

Places the same points as the landmark pack for direct films, on radiographs that were photographed from a screen and rectified, with
moiré, colour cast, glare, blur, noise and slightly wrong corners. There is one vote and no ensemble, hence no spread. The confidence is
derived from the geometry, the sharpness of the heat maps (`sharpnessHigh` in the manifest) and the blur of the edges in the picture.

## Data
{data}

{statement}

## Figures
Simulated photographs of phantoms that no network has seen, measured by the whole program (gate, corners, rectification, these networks)
and compared with the truth of the phantom and with the same film as a file. Printed by `python3 -m training.evaluate_pop`. v = vertebrae.

| what | value | 95 % interval | n |
|---|---|---|---|
{figures}
{kinds}
{calibration}

## Limits
- Real photographs of screens were not available: the networks were trained on films, and the figures are based on simulated photographs.
- The rectified film keeps the proportions seen in the photograph; a very oblique view stretches the film slightly, and with it the score.
- The limits of the landmark pack for direct films also apply here.

## Failures
The photographs of phantoms with the largest errors.

![failures](failures.jpg)
"""  # noqa: E501
TIERS = ("optimal", "good", "review")
KINDS = """
### Photographs by kind
Simulated films that no network has seen, with one fault added at a time; all photographs of a film have the same seed
for screen and camera.
Lost: no score, or classified as a film. Corners are off if their mean distance from the true corners is more than 1.5 %
of the picture's diagonal. They are mixed if some are on the border of the film and others on the edge of the bezel.
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
    """One row per kind of photograph."""
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
