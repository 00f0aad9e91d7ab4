/** Constants of the chain search, found on phantoms and on real films. */
export const chainRules = {
  leastDiscProbability: 0.05,
  mostCandidates: 60,
  /** A candidate weighs by the log of its disc probability against this one. */
  neutralDiscProbability: 0.15,
  discWeight: 1,
  identityWeight: 0.6,
  identityFloor: 0.02,
  identityReachCells: 2,
  /** Relative spread of neighbouring vertebral lengths. */
  lengthSigma: 0.13,
  /** Sideways step from disc to disc [vertebrae]. */
  sidewaysSigma: 0.4,
  skipPenalty: 1.5,
  /** Worse steps from disc to disc are not considered. */
  leastStepScore: -12,
  spacingSigma: 0.15,
  spacingTrials: [-0.3, -0.24, -0.18, -0.12, -0.06, 0, 0.06, 0.12, 0.18, 0.24, 0.3],
  leastSeen: 4,
  /** Relative weight of the smooth curve through all edges against the disc itself, 0–1. */
  smoothing: 0.5,
} as const;
