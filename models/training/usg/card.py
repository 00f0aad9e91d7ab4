"""The pack's card, written from the figures that the evaluation printed."""

from pathlib import Path

from ..card_texts import CHECKLISTS
from . import cohort


def write_card(path: Path, figures: dict) -> None:
    rows = "\n".join(
        f"| {label} | {_percent(figures[name]['value'], as_percent)} "
        f"| {_range(figures[name]['interval95'], as_percent)} "
        f"| {_range(figures[name]['spreadAtN248'], as_percent)} | {published} |"
        for label, name, as_percent, published in [
            ("AUC", "auc", False, "0.86"),
            ("Sensitivity at 0.3496", "sensitivity", True, "92 %"),
            ("Specificity at 0.3496", "specificity", True, "60 %"),
            ("Brier score", "brier", False, "not published"),
        ]
    )
    bins = "\n".join(
        f"| {row['from']:.1f} | {row['n']} | {row['predicted']:.3f} | {row['observed']:.3f} |"
        for row in figures["calibration"]
    )
    below = figures["belowThreshold"]
    path.write_text(f"""# usg-corvet: urine concentration screening of cats

**Not clinically validated. No real cat was involved: the model was fitted, calibrated and evaluated on simulated cats only.**
Its figures say how well it reads the simulation, not how well it reads a patient. It shows that the program works end to end;
a clinic that wants to rely on the answer drops a validated model into a pack of its own (XGBoost JSON, same five columns).

## What it does
From BUN, creatinine, haemoglobin, absolute lymphocytes and age it gives the probability that a cat's urine specific gravity (USG) is
below {cohort.SG_CUTOFF}. 300 trees of depth 3 (XGBoost 1.7, `binary:logistic`), monotone: BUN, creatinine and age never lower the
risk, haemoglobin never raises it, lymphocytes are free. Calibration is an affine in log-odds, folded into the leaves
(times {figures["calibrationSlope"]}) and the base score (plus {figures["calibrationIntercept"]}), so base value + contributions = calibrated log-odds.

## Figures
Held-out simulated cohort, n = {figures["n"]}, prevalence {_percent(figures["prevalence"], True)}; 95 % intervals by bootstrap over cats.
Printed by `python3 -m training.usg.train`.

| | value | 95 % interval | where 95 % of samples of 248 cats fall | published validation of the service replaced, 248 real cats |
|---|---|---|---|---|
{rows}

The difficulty was tuned towards the last column; agreement with it is by construction, not evidence.

![Calibration](calibration.png)

| tenth from | cats | mean prediction | observed |
|---|---|---|---|
{bins}

## The threshold
0.3496 is the service's published threshold and was not fitted here. With calibrated probabilities, threshold t, prevalence q, sensitivity
and specificity hang together: the mass of cats below t is q (1 - sensitivity) + (1 - q) specificity, and the share of impaired cats in it
is its mean probability. 92 % and 60 % at a prevalence of 48 % mean that 35 % of the cats lie below 0.3496 with a mean probability of
0.11, just what healthy cats show (88 % of them concentrate above {cohort.SG_CUTOFF}), and that hardly a cat lies between. Here
{_percent(below["share"], True)} lie below with a mean of {below["meanProbability"]:.2f}. With two bell curves of equal width, AUC 0.86 and 48 %,
the same threshold would give about 86 % and 66 %.

## The simulated cats
Published statistics (`models/training/usg/cohort.py` names the sources): USG of healthy cats 1.049 with 88 % above {cohort.SG_CUTOFF}
(simulated: {_percent(figures["healthyAbove1035"], True)}, older ones included) and its fall with age; kidney disease by age; azotaemia at 7-10 years; creatinine, haemoglobin
and lymphocytes of healthy donors; adult reference intervals; prevalence of USG < {cohort.SG_CUTOFF} in tested clinic cats of 45-50 %.

Assumptions, none of them measured:
- Tested cats: {_percent(cohort.YOUNG, True)} young (0.4-7 years), the rest 7-20 years; the odds of kidney disease are {cohort.CKD_ODDS_RATIO} times those of the age group.
- Kidney disease in IRIS stages 1-4 ({", ".join(_percent(share, True) for share in cohort.STAGE_SHARE)}) with {", ".join(_percent(left, True) for left in cohort.STAGE_FILTRATION)}
  of the filtration left; creatinine and BUN rise with its inverse (power 0.85); USG {", ".join(f"{usg:.4f}" for usg in cohort.STAGE_USG)}; haemoglobin
  lower by {", ".join(f"{loss}" for loss in cohort.STAGE_HGB_LOSS)} g/dL (anaemia of kidney disease).
- Other causes of dilute urine (hyperthyroidism, diabetes, drugs, fluids, early kidney disease) in up to 46 % of the old cats without known
  kidney disease, nearly invisible in the five values. This number was chosen to make the task as hard as the published one.
- Dehydration in {_percent(cohort.DEHYDRATED_ILL, True)} of the ill: BUN rises more than creatinine (pre-renal azotaemia), haemoglobin rises, healthy kidneys concentrate more.
- Muscle loss lowers creatinine with age; stress, illness, age and kidney disease lower lymphocytes.

## Limits
Cats only. Kittens under 5 months, pregnancy, transfusion, fluids before sampling and laboratory differences are not in the simulation.
Age carries much of the answer, with a step at 6-8 years that comes from the assumption about other causes; few simulated cats fall between
0.20 and 0.3496, so the tier `moderate_low` is rare and its probabilities rest on few cats.
The probability is calibrated for a prevalence near {_percent(figures["prevalence"], True)}; in healthy young cats at a routine check it is too high.
MIT licence. Made by `python3 -m training.usg.train`; the same seeds give the same file.

{(CHECKLISTS / "urine.md").read_text()}""")  # noqa: E501


def _percent(value: float, as_percent: bool) -> str:
    return f"{100 * value:.1f} %".replace(".0 %", " %") if as_percent else f"{value:.3f}"


def _range(pair: list[float], as_percent: bool) -> str:
    return f"{_percent(pair[0], as_percent)} to {_percent(pair[1], as_percent)}"
