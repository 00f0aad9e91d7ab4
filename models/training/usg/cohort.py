"""A simulated cohort of clinic cats: bloodwork, age and urine specific gravity (USG). It contains no real cat.

Every number is either a published statistic with its source, or marked as an assumption; the card repeats them.
  [AGE]    doi 10.1177/1098612X241256469: mean USG < 1 y 1.049, 1-10 y 1.049, 11-15 y 1.044, >= 15 y 1.038;
           88 % of healthy cats above 1.035
  [CKD]    chronic kidney disease in 28 % of cats above 12 y and 30 % above 15 y; azotaemia in 10 % at 7-10 y
  [DONOR]  healthy Maine Coon donors: creatinine 1.19 +- 0.17 mg/dL, HGB 14.8 +- 0.8 g/dL, lymphocytes 2.5 +- 0.8 k/uL
  [LAB]    adult reference intervals: BUN 16-36 mg/dL, creatinine 0.8-2.4 mg/dL, HGB 9.8-16.2 g/dL, lymphocytes
  0.9-6.9 k/uL
  [CLINIC] USG below 1.035 in 45-50 % of the clinic cats that are tested
"""

from typing import NamedTuple

import numpy as np

FEATURES = ["BUN", "CREATININE", "HGB", "ABSOLUTE LYMPHOCYTES", "age_months"]
RANGES = np.array([(1, 300), (0.1, 30), (1, 25), (50, 50000), (1, 360)], dtype=float)
SG_CUTOFF = 1.035

# [AGE] A mean of 1.049 with 88 % above 1.035 gives this spread.
HEALTHY_USG, HEALTHY_USG_SD = 1.049, 0.0119
# Assumption: share of the young among the tested.
YOUNG = 0.38
# Assumption: clinics test old and ill cats, so the odds of kidney disease are multiplied by this in each age group.
CKD_ODDS_RATIO = 2.0
# Assumption: IRIS stages 1-4 of tested cats with kidney disease; remaining filtration, USG (mean and sd).
STAGE_SHARE = np.array([0.15, 0.45, 0.29, 0.11])
STAGE_FILTRATION = np.array([0.62, 0.42, 0.25, 0.12])
STAGE_USG = np.array([1.0290, 1.0220, 1.0165, 1.0130])
STAGE_USG_SD = np.array([0.0085, 0.0065, 0.0040, 0.0025])
# Assumption: haemoglobin lost to the anaemia of kidney disease [g/dL].
STAGE_HGB_LOSS = np.array([0.4, 1.2, 2.6, 4.0])
# Assumption: another cause of dilute urine (hyperthyroidism, diabetes, drugs, fluids, kidney disease not yet named)
# by age in years: old
# cats come to the test because they drink much. Chosen so that the task is as hard as the published validation found
# it.
OTHER_POLYURIA = [(6, 0.01), (8, 0.42), (14, 0.46), (18, 0.46)]
POLYURIA_USG, POLYURIA_USG_SD = 1.024, 0.008
# Assumption: otherwise ill (inflammation, stress, anaemia), and dehydrated among the ill and the rest.
ILL = 0.30
DEHYDRATED_ILL, DEHYDRATED_WELL = 0.35, 0.04


class Cohort(NamedTuple):
    """rows [n, 5] in the order of FEATURES; the rest [n]."""

    rows: np.ndarray
    usg: np.ndarray
    impaired: np.ndarray
    has_ckd: np.ndarray
    is_healthy: np.ndarray


def simulate(n: int, seed: int) -> Cohort:
    """n tested cats with every value in its plausible range."""
    rng = np.random.default_rng(seed)
    drawn = _draw(rng, n + n // 10)
    plausible = np.all((drawn.rows >= RANGES[:, 0]) & (drawn.rows <= RANGES[:, 1]), axis=1)
    cohort = Cohort(*(column[plausible][:n] for column in drawn))
    if len(cohort.rows) < n:
        raise ValueError("more than a tenth of the simulated cats lie outside the plausible ranges")
    return cohort


def _draw(rng: np.random.Generator, n: int) -> Cohort:
    age_y = _ages(rng, n)
    has_ckd = rng.random(n) < _ckd_probability(age_y)
    stage = rng.choice(len(STAGE_SHARE), n, p=STAGE_SHARE)
    is_polyuric = ~has_ckd & (rng.random(n) < np.interp(age_y, *np.transpose(OTHER_POLYURIA)))
    is_ill = rng.random(n) < ILL
    is_dry = rng.random(n) < np.where(is_ill | has_ckd, DEHYDRATED_ILL, DEHYDRATED_WELL)
    dryness = is_dry * rng.gamma(3.0, 0.33, n)

    # Remaining filtration: 1 in health, falling slightly with age; blood values rise with its inverse.
    filtration = np.where(has_ckd, STAGE_FILTRATION[stage], 1 - 0.006 * np.clip(age_y - 8, 0, None)) * np.exp(
        rng.normal(0, 0.14, n)
    )
    retention = 1 / np.clip(filtration, 0.06, 1.5)
    rows = np.column_stack(
        [
            _bun(rng, retention, dryness, is_polyuric),
            _creatinine(rng, retention, dryness, is_polyuric, age_y),
            _haemoglobin(rng, has_ckd, stage, is_ill, dryness, age_y),
            _lymphocytes(rng, has_ckd, is_ill, age_y),
            np.round(age_y * 12).clip(1),
        ]
    )
    usg = _usg(rng, has_ckd, stage, is_polyuric, dryness, age_y)
    return Cohort(rows, usg, usg < SG_CUTOFF, has_ckd, ~has_ckd & ~is_polyuric & ~is_ill)


def _ages(rng: np.random.Generator, n: int) -> np.ndarray:
    """Assumption: two groups are tested, young cats before anaesthesia (0.4-7 years) and old ones (7-20 years)."""
    young = 0.4 + 7 * rng.beta(1.3, 2.4, n)
    old = 7 + 13.5 * rng.beta(3.0, 3.2, n)
    return np.where(rng.random(n) < YOUNG, young, old)


def _ckd_probability(age_y: np.ndarray) -> np.ndarray:
    """[CKD] by age, with the odds multiplied by those of being tested."""
    general = np.interp(age_y, [1, 5, 8.5, 12, 14, 18], [0.01, 0.04, 0.10, 0.25, 0.29, 0.31])
    odds = CKD_ODDS_RATIO * general / (1 - general)
    return odds / (1 + odds)


def _creatinine(
    rng: np.random.Generator, retention: np.ndarray, dryness: np.ndarray, is_polyuric: np.ndarray, age_y: np.ndarray
) -> np.ndarray:
    """[DONOR] in health; muscle is lost with age and in hyperthyroidism (assumption)."""
    muscle = (1 - 0.012 * np.clip(age_y - 10, 0, None)) * np.where(is_polyuric, 0.86, 1.0)
    return np.round(1.22 * muscle * retention**0.85 * (1 + 0.18 * dryness) * np.exp(rng.normal(0, 0.16, len(age_y))), 2)


def _bun(rng: np.random.Generator, retention: np.ndarray, dryness: np.ndarray, is_polyuric: np.ndarray) -> np.ndarray:
    """[LAB] in health; dehydration raises it more than creatinine (pre-renal azotaemia, assumption)."""
    protein = np.exp(rng.normal(0, 0.19, len(retention)))
    return np.round(23.5 * retention**0.85 * (1 + 0.45 * dryness) * np.where(is_polyuric, 1.1, 1.0) * protein, 1)


def _haemoglobin(
    rng: np.random.Generator,
    has_ckd: np.ndarray,
    stage: np.ndarray,
    is_ill: np.ndarray,
    dryness: np.ndarray,
    age_y: np.ndarray,
) -> np.ndarray:
    """Between [LAB] and [DONOR] in health; lost to kidney disease, illness and age, concentrated by dehydration
    (assumptions).
    """
    healthy = rng.normal(13.4, 1.25, len(age_y))
    loss = (
        has_ckd * STAGE_HGB_LOSS[stage] + is_ill * rng.gamma(2.0, 0.6, len(age_y)) + 0.07 * np.clip(age_y - 9, 0, None)
    )
    return np.round((healthy - loss) * (1 + 0.06 * dryness), 1)


def _lymphocytes(rng: np.random.Generator, has_ckd: np.ndarray, is_ill: np.ndarray, age_y: np.ndarray) -> np.ndarray:
    """[DONOR] in youth, spread of [LAB]; fewer with age, stress and kidney disease (assumption)."""
    centre = np.log(2700) - 0.025 * age_y - 0.28 * is_ill - 0.22 * has_ckd
    return np.round(np.exp(centre + rng.normal(0, 0.42, len(age_y))), -1)


def _usg(
    rng: np.random.Generator,
    has_ckd: np.ndarray,
    stage: np.ndarray,
    is_polyuric: np.ndarray,
    dryness: np.ndarray,
    age_y: np.ndarray,
) -> np.ndarray:
    """[AGE] in health, by stage in kidney disease; dehydration concentrates what the kidney can still concentrate
    (assumption).
    """
    n = len(age_y)
    healthy = (
        HEALTHY_USG
        - np.interp(age_y, [10, 13, 17], [0, 0.003, 0.007])
        + rng.normal(0, HEALTHY_USG_SD, n)
        + 0.006 * dryness
    )
    polyuric = rng.normal(POLYURIA_USG, POLYURIA_USG_SD, n) + 0.003 * dryness
    diseased = STAGE_USG[stage] + STAGE_USG_SD[stage] * rng.normal(0, 1, n) + 0.002 * dryness
    return np.clip(np.where(has_ckd, diseased, np.where(is_polyuric, polyuric, healthy)), 1.001, 1.085)
