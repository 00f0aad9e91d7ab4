"""Texts of a landmark pack's card besides its figures: common texts, and those of Corvet's own pack."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

CORVETS_OWN = "landmarks-corvet"
CHECKLISTS = Path(__file__).parent / "checklists"
WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")

COLUMN_CUT = (
    "- If the column is cut off or hidden, the ruler may be wrong. Films on which the members disagree are marked\n"
    "  `review`"
)
NAMING_T4 = (
    "- T4 can be identified only if T1 and the first ribs are in the picture. A ruler that starts one vertebra off "
    "changes VHS little, but moves the drawn lines."
)
MEANINGLESS = (
    "- Fluid around the heart, masses that touch it, and films that are not lateral make the points meaningless."
)


@dataclass(frozen=True)
class Texts:
    """figures: introduction to the tables; failed: definition of failed films; limits: a list; checklists: published
    checklists with answers; rotation: results about a rotated chest.
    """

    figures: str
    failed: str
    limits: str
    checklists: str = ""
    rotation: str = ""


CORVETS = Texts(
    "real: the CardioMark/CCK collection with the points of a clinician, never trained on. simulated: films that no "
    "network has seen.\nConvention: that of the cardiologists (Li & Zhang 2024), who include the pericardium and its "
    "fat. Clinicians differ in this, and so do their scores.",
    "A failed film was rejected by the gate (the simulated films are difficult) or gave no valid score.",
    f"""- These figures are based on few real films: consider the intervals rather than the values.
- On thumbnails, the readers' marks are further out than those of the networks, by a sixth of the networks' short axis, and their
  vertebrae are longer. Scores are therefore slightly lower than theirs, mostly those of large hearts.
{COLUMN_CUT}: most of the large errors are among them.
- The intervals are based on few real films, each measured only by the one heart network and the one column network that
  were not trained on it. They are more likely to be too wide than too narrow.
{NAMING_T4}
- VLAS was learned from readings that agree poorly; treat it as a hint. The same holds for RLAD: no reader has measured it on
  these films, and compared with outlines drawn by eye it is less accurate on real films than on simulated ones.
  Seven of the 100 simulated atria reach beyond the column and are not in its figures; with them, the error is 0.12 v
  on 93 films.
- On simulated dogs whose left atria run from normal to severe ("simulated atria", `phantoms folder --atria`), RLAD is
  0.14 v too large, with an error of 0.18 v; the aim of 0.12 v is missed. Flat borders of normal atria are drawn too far
  outside: 19 of 52 normal atria were measured above 1.8 v. A carina lifted by a severe atrium is found too far
  ventrally; VHS of all these dogs is 0.12 v too small.
- Cats: the six real films were left out only in training the networks for heart and column; the other networks were trained
  on them.
{MEANINGLESS}""",  # noqa: E501
    "\n" + (CHECKLISTS / "imaging.md").read_text(),
    """### Rotation of the chest
The program does not report a rotated chest. The aim was to detect 80 % of simulated films rotated by 10 degrees, with false
alarms on at most 10 % of real films. A network of 0.26 million weights was trained to estimate the angle on 2,400 simulated
films of the straightened column and dorsal ribs. Even without rotation, the ribs of both sides differ on these films, and
the beam meets the column at 3.7 ± 1.8 degrees.

| films | at least 5.8 degrees | median [degrees] |
|---|---|---|
| simulated, not rotated | 27 of 65 | 5.3 |
| simulated, rotated by 5 degrees | 36 of 65 | 6.2 |
| simulated, rotated by 10 degrees | 51 of 65 | 8.0 |
| simulated, rotated by 15 degrees | 60 of 65 | 14.3 |
| simulated, rotated by 20 degrees | 65 of 65 | 19.0 |
| real, training | 23 of 23 | 13.2 |
| real, validation, 390 to 930 px | 18 of 18 | 12.4 |
| real, validation, thumbnails | 25 of 25 | 12.6 |

A limit of 5.8 degrees detected 80 % of 65 further films rotated by 10 degrees. No limit meets both aims: estimates for real
films are higher than for simulated films rotated by 10 degrees, even if the ribs of both sides visibly coincide. They are
close to the mean of the training data, which suggests that the network does not recognise ribs on real films. Real films
were counted as not rotated, although some are, so their alarm rate is an upper bound of the false alarm rate. Training took
900 steps of 32 strips; longer training was not tried.
Printed by `python3 -m training.repeats.rotation`.""",  # noqa: E501
)


def word_of(count: int) -> str:
    return WORDS[count] if count < len(WORDS) else str(count)


def texts_of(manifest: dict[str, Any], report: dict[str, Any]) -> Texts:
    """Texts for a pack: Corvet's own, or those that follow from the manifest and the report of `evaluate`."""
    return CORVETS if manifest["name"] == CORVETS_OWN else _texts_of_any(manifest, report)


def _texts_of_any(manifest: dict[str, Any], report: dict[str, Any]) -> Texts:
    measured = "; ".join(f"{group}: {figures['films']} films" for group, figures in report.items())
    calibration = manifest.get("calibration")
    intervals = (
        f"- The {calibration['coverage']:.0%} intervals hold for films like those used for calibration, listed above."
        if calibration
        else "- No interval was calibrated: scores come without one."
    )
    return Texts(
        f"""Measured: {measured}. Each group has the name given to `evaluate`, and the change applied to the films.
The truth is the points that came with these films. It is not recorded here whether networks were trained on them.""",
        "A failed film was rejected by the gate or gave no valid score.",
        f"""- The figures are based on the films counted above: consider the intervals rather than the values.
{COLUMN_CUT}.
{intervals}
{NAMING_T4}
{MEANINGLESS}""",
    )
