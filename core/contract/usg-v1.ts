import { z } from "zod";
import { errorCatalogue, type ErrorCode } from "./error-catalogue.ts";
import { riskTiers } from "../usg/risk-tiers.ts";
import { featureCount, usgFeatures } from "../usg/features.ts";

export const usgServiceName = "usg-v1";

/** Version of the /usg/v1 interface, independent of the model's version. */
export const usgServiceVersion = "1.0.2";

export const usgPrefix = "/usg/v1";

/** Headers of every response below `usgPrefix`, errors included (section 4). */
export const usgCorsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "Content-Type, x-api-key",
} as const;

/** Whether an address (path with or without a query) belongs to the service, existing or not. */
export function isUsgAddress(address: string): boolean {
  const path = address.split(/[?#]/, 1)[0] ?? "";
  return path === usgPrefix || path.startsWith(`${usgPrefix}/`);
}

const classification = z.enum(["adequate", "impaired"]);
export const featureKey = z.enum(usgFeatures.map(({ key }) => key));
const probability = z.number().min(0).max(1);

/** Section 2.2, `result`: result of a screening, also displayed in the window and stored in the prediction log. */
export const usgResultSchema = z.strictObject({
  classification,
  probability_adequate: probability,
  probability_impaired: probability,
  risk_tier: z.enum(riskTiers),
  risk_label: z.string(),
  threshold_sg: z.number(),
  model_version: z.string(),
  explanation: z.strictObject({
    base_value: z.number(),
    features: z
      .array(
        z.strictObject({
          feature: featureKey,
          label: z.string(),
          value: z.number(),
          shap: z.number(),
          direction: classification,
        }),
      )
      .length(featureCount),
  }),
  warnings: z.array(z.string()).min(1).optional(),
});

/** Section 2.2: response of POST /usg/v1/predict. */
export const usgPredictionSchema = z.strictObject({
  result: usgResultSchema,
  meta: z.strictObject({
    service: z.literal(usgServiceName),
    model_version: z.string(),
    elapsed_ms: z.number().min(0),
  }),
});

/** Section 2.4: response of GET /usg/v1/version. */
export const usgVersionSchema = z.strictObject({
  service: z.literal(usgServiceName),
  service_version: z.string(),
  model_version: z.string(),
  features: z.array(featureKey).length(featureCount),
  threshold_impaired: z.number(),
  sg_cutoff: z.number(),
});

/** Section 2.5: response of GET /usg/v1/health. */
export const usgHealthSchema = z.strictObject({
  status: z.literal("ok"),
  service: z.literal(usgServiceName),
  model_version: z.string(),
  service_version: z.string(),
});

/** Section 7: body of every error below /usg/v1. */
export const usgErrorSchema = z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) });

export type UsgResult = z.infer<typeof usgResultSchema>;
export type UsgPrediction = z.infer<typeof usgPredictionSchema>;
export type UsgVersion = z.infer<typeof usgVersionSchema>;
export type UsgHealth = z.infer<typeof usgHealthSchema>;

/** The eight codes of section 7 by catalogue code; a screening returns no others. */
export const usgErrorCodes = {
  INVALID_JSON: "invalid_json",
  INVALID_BODY: "invalid_payload",
  MISSING_FEATURES: "missing_features",
  OUT_OF_RANGE: "out_of_range",
  INVALID_VALUE: "invalid_value",
  MISSING_API_KEY: "missing_api_key",
  INVALID_API_KEY: "invalid_api_key",
  INTERNAL: "internal_error",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Nearest codes for other conditions. Failures that may be retried (section 8) have a code that states it. */
const nearestCodes = {
  BODY_TOO_LARGE: "invalid_payload",
  REQUEST_TIMEOUT: "internal_error",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** One of the eight codes for a screening, `internal_error` for faults, else the catalogue's code in lower case. */
export function usgErrorCodeOf(code: ErrorCode): string {
  const known: Partial<Record<ErrorCode, string>> = { ...usgErrorCodes, ...nearestCodes };
  return known[code] ?? (errorCatalogue[code].status >= 500 ? usgErrorCodes.INTERNAL : code.toLowerCase());
}
