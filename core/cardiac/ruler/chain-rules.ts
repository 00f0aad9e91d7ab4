/** Parameters of the chain search, tuned on phantoms and real films. */
export const chainRules = {
  leastDiscProbability: 0.05,
  mostCandidates: 60,
  /** The weight of a candidate is the log ratio of its disc probability to this one. */
  neutralDiscProbability: 0.15,
  discWeight: 1,
  identityWeight: 0.6,
  identityFloor: 0.02,
  identityReachCells: 2,
  /** Standard deviation of the relative difference between neighbouring vertebral lengths. */
  lengthSigma: 0.13,
  /** Standard deviation of the lateral offset from disc to disc [vertebrae]. */
  sidewaysSigma: 0.4,
  skipPenalty: 1.5,
  /** Steps with a lower score are not considered. */
  leastStepScore: -12,
  spacingSigma: 0.15,
  spacingTrials: [-0.3, -0.24, -0.18, -0.12, -0.06, 0, 0.06, 0.12, 0.18, 0.24, 0.3],
  leastSeen: 4,
  /** Weight of the smooth curve through all edges relative to the detected disc, 0–1. */
  smoothing: 0.5,
} as const;
