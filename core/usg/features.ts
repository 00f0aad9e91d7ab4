/**
 * The five bloodwork values of a screening, in the order of the version endpoint and the model packs. `label` is the
 * displayed name; `minimum` and `maximum` are the plausible range, inclusive, after unit correction.
 *
 * @see specification of the urine service, section 2.1
 */
export const usgFeatures = [
  { key: "BUN", label: "BUN (mg/dL)", minimum: 1, maximum: 300 },
  { key: "CREATININE", label: "Creatinine (mg/dL)", minimum: 0.1, maximum: 30 },
  { key: "HGB", label: "HGB (g/dL)", minimum: 1, maximum: 25 },
  { key: "ABSOLUTE LYMPHOCYTES", label: "Abs. Lymphocytes (/uL)", minimum: 50, maximum: 50_000 },
  { key: "age_months", label: "Age (months)", minimum: 1, maximum: 360 },
] as const;

export type FeatureKey = (typeof usgFeatures)[number]["key"];

/** Values of one cat by key: mg/dL, mg/dL, g/dL, cells per uL, months. */
export type FeatureValues = Readonly<Record<FeatureKey, number>>;

export const featureCount = usgFeatures.length;

export function rowOf(values: FeatureValues): Float64Array {
  return Float64Array.from(usgFeatures, ({ key }) => values[key]);
}
