"""Writes the card of the pack from the figures of the evaluation."""

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
Its figures describe its accuracy on the simulation, not on patients. The model shows that the program works end to end. A clinic that
wants to rely on the results needs a pack of its own with a validated model (XGBoost JSON, the same five columns).

## What it does
It estimates, from BUN, creatinine, haemoglobin, absolute lymphocytes and age, the probability that a cat's urine specific gravity (USG)
is below {cohort.SG_CUTOFF}. It has 300 trees of depth 3 (XGBoost 1.7, `binary:logistic`) with monotone constraints: higher BUN, creatinine and
age never lower the risk, higher haemoglobin never raises it, lymphocytes are unconstrained. Calibration is affine in log-odds and folded into the leaves
(times {figures["calibrationSlope"]}) and the base score (plus {figures["calibrationIntercept"]}), so base value + contributions = calibrated log-odds.

## Figures
Held-out simulated cohort, n = {figures["n"]}, prevalence {_percent(figures["prevalence"], True)}; 95 % intervals by bootstrap over cats.
Printed by `python3 -m training.usg.train`.

| | value | 95 % interval | where 95 % of samples of 248 cats fall | published validation of the service replaced, 248 real cats |
|---|---|---|---|---|
{rows}

The difficulty of the simulation was tuned to match the last column, so the agreement with it is no evidence of accuracy.

![Calibration](calibration.png)

| tenth from | cats | mean prediction | observed |
|---|---|---|---|
{bins}

## The threshold
0.3496 is the service's published threshold and was not fitted here. For calibrated probabilities, threshold t, prevalence q, sensitivity
and specificity are related: the share of cats below t is q (1 - sensitivity) + (1 - q) specificity, and the share of impaired cats among
them is their mean probability. 92 % and 60 % at a prevalence of 48 % mean that 35 % of the cats lie below 0.3496 with a mean probability of
0.11. This is the probability of healthy cats (88 % of them concentrate above {cohort.SG_CUTOFF}), so hardly any cat lies in between. Here
{_percent(below["share"], True)} lie below, with a mean of {below["meanProbability"]:.2f}. With two normal distributions of equal width, an AUC of 0.86 and a prevalence
of 48 %, the same threshold would give a sensitivity of about 86 % and a specificity of about 66 %.

## The simulated cats
Published statistics (`models/training/usg/cohort.py` names the sources): USG of healthy cats of 1.049 with 88 % above {cohort.SG_CUTOFF}
(simulated: {_percent(figures["healthyAbove1035"], True)}, older ones included) and its fall with age; kidney disease by age; azotaemia at 7-10 years; creatinine, haemoglobin
and lymphocytes of healthy donors; adult reference intervals; prevalence of USG < {cohort.SG_CUTOFF} in tested clinic cats of 45-50 %.

Assumptions, none of which was measured:
- Tested cats: {_percent(cohort.YOUNG, True)} young (0.4-7 years), the rest 7-20 years; the odds of kidney disease are {cohort.CKD_ODDS_RATIO} times those of the age group.
- Kidney disease in IRIS stages 1-4 ({", ".join(_percent(share, True) for share in cohort.STAGE_SHARE)}) with {", ".join(_percent(left, True) for left in cohort.STAGE_FILTRATION)}
  of the filtration remaining; creatinine and BUN rise with its inverse (power 0.85); USG {", ".join(f"{usg:.4f}" for usg in cohort.STAGE_USG)}; haemoglobin
  lower by {", ".join(f"{loss}" for loss in cohort.STAGE_HGB_LOSS)} g/dL (anaemia of kidney disease).
- Other causes of dilute urine (hyperthyroidism, diabetes, drugs, fluids, early kidney disease) in up to 46 % of the old cats without known
  kidney disease, nearly without effect on the five values. This share was chosen to make the task as difficult as the published one.
- Dehydration in {_percent(cohort.DEHYDRATED_ILL, True)} of the ill: BUN rises more than creatinine (pre-renal azotaemia), haemoglobin rises, healthy kidneys concentrate more.
- Muscle loss lowers creatinine with age; stress, illness, age and kidney disease lower lymphocytes.

## Limits
Cats only. Kittens under 5 months, pregnancy, transfusion, fluids before sampling and laboratory differences are not in the simulation.
Age contributes much to the result, with a step at 6-8 years that comes from the assumption about other causes. Few simulated cats fall between
0.20 and 0.3496, so the tier `moderate_low` is rare and its probabilities are based on few cats.
The probability is calibrated for a prevalence near {_percent(figures["prevalence"], True)}; in healthy young cats at a routine check it is too high.
MIT licence. Created by `python3 -m training.usg.train`; the same seeds give the same file.

{(CHECKLISTS / "urine.md").read_text()}""")  # noqa: E501


def _percent(value: float, as_percent: bool) -> str:
    return f"{100 * value:.1f} %".replace(".0 %", " %") if as_percent else f"{value:.3f}"


def _range(pair: list[float], as_percent: bool) -> str:
    return f"{_percent(pair[0], as_percent)} to {_percent(pair[1], as_percent)}"
