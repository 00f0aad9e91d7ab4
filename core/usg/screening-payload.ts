import { AppError, because } from "../app-error.ts";
import { faultOfIdentifier } from "../identifiers.ts";
import { usgFeatures, type FeatureKey, type FeatureValues } from "./features.ts";

export type ScreeningPayload = {
  readonly values: FeatureValues;
  readonly clinicCode: string | null;
  readonly uuid: string | null;
};

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses a screening request: unwraps `data`, then checks for missing features, then for values that are not numbers.
 * null is treated as absent, numeric strings as numbers. Unknown properties are ignored.
 *
 * @throws AppError INVALID_BODY, MISSING_FEATURES, INVALID_VALUE (the message names all invalid fields)
 */
export function readScreeningPayload(body: unknown): ScreeningPayload {
  if (!isJsonObject(body)) throw new AppError("INVALID_BODY");
  const payload = isJsonObject(body["data"]) ? body["data"] : body;
  const missing = usgFeatures.filter(({ key }) => isAbsent(payload[key])).map(({ key }) => key);
  if (missing.length > 0) throw new AppError("MISSING_FEATURES", because("usgMissing", { fields: missing.join(", ") }));
  const values = Object.fromEntries(usgFeatures.map(({ key }) => [key, numberOf(payload[key])])) as Record<
    FeatureKey,
    number
  >;
  const faults = [
    ...usgFeatures.filter(({ key }) => !Number.isFinite(values[key])).map(({ key }) => `${key} must be a number`),
    ...["clinic_code", "uuid"].flatMap((name) => faultsOfField(name, payload[name])),
  ];
  if (faults.length > 0) throw new AppError("INVALID_VALUE", `Invalid value: ${faults.join("; ")}`);
  return { values, clinicCode: textOf(payload["clinic_code"]), uuid: textOf(payload["uuid"]) };
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function faultsOfField(name: string, value: unknown): readonly string[] {
  if (isAbsent(value)) return [];
  const fault = typeof value === "string" ? faultOfIdentifier(value) : "must be a string";
  return fault === null ? [] : [`${name} ${fault}`];
}

/** Each digit can match in one way only, so that a long string is rejected in linear time. */
const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && decimalNumber.test(value.trim()) ? Number(value) : Number.NaN;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
