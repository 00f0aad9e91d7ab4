export const examplePayload = {
  BUN: 28,
  CREATININE: 1.6,
  HGB: 12.4,
  "ABSOLUTE LYMPHOCYTES": 2100,
  age_months: 96,
} as const;
