export const dayMs = 24 * 60 * 60 * 1000;

/** Mean length of a month, 30.44 days [ms]. */
export const monthMs = 30.44 * dayMs;
